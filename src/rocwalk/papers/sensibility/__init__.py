"""Sensibility: Klement, Japkowicz & Matwin (2009), probabilities and the ROC curve under drift.

It prints one table of ten items, the midpoint in two forms, and a table of four data sets with
three figures. The data sets come from a generator that is not public: ours is a re-creation with
our own parameters, so its numbers stand beside the printed ones without a verdict, and only what
the text says of their pattern is checked.
"""
