# ruff: noqa: T201
import rocwalk as rw

known, new = rw.datasets.flu(n=2000, rng=1), rw.datasets.flu(n=2000, rng=2)
honest = rw.datasets.naive_bayes(known).predict(new)
alarmist = 6 * honest / (6 * honest + 1 - honest)  # as if trained on every complication six times

for name, p in {"honest": honest, "alarmist": alarmist}.items():
    curve, match, sense = rw.roc(new.y, p), rw.matched_width(new.y, p), rw.sensibility(new.y, p)
    print(f"{name}: AUC {curve.area:.3f}, Brier score {curve.brier_curve().area:.3f}")
    print(f"  probabilistic AUC {match.target:.3f}, matched width {match.width:.2f}")
    print(f"  observed complications per 100 predicted: {50 / sense.midpoint:.0f}")
    print(f"  struggle ratio {sense.struggle_ratio:.2f}")
