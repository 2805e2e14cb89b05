"""Soft: Klement & Flach (2008), ROC curves whose steps are sized by the scores.

It prints one table of scores, three step rules with their normalisations, and two pictures. No
area is printed; ours are given beside the statements that depend on them.
"""
