"""Print what peers say of the calibration of one sample, for tests/curves/test_recalibration.py and
test_calibration_distance.py.

Run in an environment of its own:

    pip install relplot==1.0.3 netcal==1.4.0 scikit-learn==1.9.1 statsmodels==0.15.0 betacal==1.1.0
    python tests/peers/make_calibration.py
"""

import sys

import betacal
import numpy as np
import relplot
import statsmodels.api as sm
from netcal.metrics import ECE
from sklearn.calibration import _SigmoidCalibration
from sklearn.linear_model import LogisticRegression


def sample(n=500, seed=7):
    rng = np.random.default_rng(seed)
    z = rng.normal(-0.5, 1.3, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-z))).astype(int)
    return y, np.round(1 / (1 + np.exp(-1.6 * z - 0.3)), 5)


SAID = {}
y, p = sample()
logit = np.log(p / (1 - p))
family = sm.families.Binomial()
both = sm.GLM(y, sm.add_constant(logit), family=family).fit(cov_type="HC0")
large = sm.GLM(y, np.ones((len(y), 1)), family=family, offset=logit).fit(cov_type="HC0")
SAID["statsmodels slope"] = both.params[1], both.bse[1]
SAID["statsmodels intercept"] = large.params[0], large.bse[0]
SAID["netcal ECE(10), ECE(15)"] = ECE(10).measure(p, y), ECE(15).measure(p, y)
SAID["relplot smECE"] = relplot.smECE(p, y)
at = np.array([0.02, 0.2, 0.5, 0.8, 0.98])
platt = _SigmoidCalibration().fit(logit, y)
SAID["sklearn sigmoid on the logit"] = platt.predict(np.log(at / (1 - at))).tolist()
beta = betacal.BetaCalibration(parameters="abm").fit(p[:, None], y)
SAID["betacal abm"] = beta.predict(at[:, None]).ravel().tolist()
warm = LogisticRegression(C=1e12, fit_intercept=False, tol=1e-10).fit(logit[:, None], y)
SAID["slope through 0"] = warm.coef_[0, 0]
for name, numbers in SAID.items():
    sys.stdout.write(f"{name}: {numbers}\n")
