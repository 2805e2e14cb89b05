"""Probabilistic AUC and curves smeared by a width (Ferri et al. 2005)."""
