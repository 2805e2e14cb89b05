"""Ferri: Ferri, Flach, Hernández-Orallo & Senad (2005), ROC curves that keep the probabilities.

The paper's symbols: pAUC is the probabilistic AUC, pROC the smeared curve, d its width.
"""
