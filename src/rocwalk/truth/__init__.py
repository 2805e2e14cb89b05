"""Uncertain truth: reference truth, agreement of raters, rater models."""
