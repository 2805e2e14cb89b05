"""Truth: Gredlics, Raicu & Furst, ROC curves where the truth itself is a probability.

Its sections carry no numbers; places are named by their headings. It prints two tables of twelve
rows and six equations, and no area at all; ours are given beside the figures.
"""
