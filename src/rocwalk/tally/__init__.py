"""The evidence and the walk: steps, tallies, the sort, buckets, storage."""
