"""From tables of scores to the numbers of each model."""
