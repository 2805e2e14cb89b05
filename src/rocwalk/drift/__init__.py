"""Sensibility and drift: two samples, windows over time, a stream of batches."""
