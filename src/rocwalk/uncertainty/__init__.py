"""Intervals, bands and comparisons."""
