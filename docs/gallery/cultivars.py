"""Three cultivars of wine by two of thirteen measurements, one curve for each class against the
rest. The data are scikit-learn's ``load_wine``.
"""

from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import rocwalk as rw

X, y = load_wine(return_X_y=True)
y_prob = cross_val_predict(GaussianNB(), X[:, [1, 2]], y, method="predict_proba")
rw.multiclass(y, y_prob).plot()
