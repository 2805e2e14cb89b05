"""The evidence and the walk itself: steps, tally, curve."""
