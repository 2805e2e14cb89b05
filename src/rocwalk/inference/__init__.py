"""Intervals, comparisons, resampling and power, for any registered statistic."""
