"""§3: what the text says of Table 2 and of Figures 1 to 3, checked on the re-creation."""

from __future__ import annotations

from rocwalk.drift.drift import Finding
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.sensibility.flu import (
    OURS,
    SIZE,
    TRAIN,
    between,
    crossed,
    drawn,
    drift_to,
    endless,
    gaps_between,
    moves,
    moves_text,
)
from rocwalk.papers.sensibility.place import at
from rocwalk.papers.sensibility.recreated import PRINTED

_ALPHA = 0.05
_AUC, _MIDDLE, _STRUGGLE = "AUC", "midpoint t_s", "struggle ratio"
_NAMES = {_AUC: "auc", _MIDDLE: "midpoint", _STRUGGLE: "struggle_ratio"}
_CURVES = ("sensibility_gap", "capability_gap")


def rows(_: Examples) -> list[Row]:
    """Return what is said of each test set, in the paper's order."""
    return [*_same_domain(), *_population_drift(), *_definition_change()]


def _same_domain() -> list[Row]:
    here, name = at("§3, NGP re-created"), "NGP-Test"
    struggle = moves(_STRUGGLE, name)
    return [
        here.recreated(
            f"AUC of training and testing, one draw of {SIZE}, and of endless data",
            "over 80%",
            (*moves(_AUC, name)[0], endless()[name].curve.area),
            f"Table 2 prints 0.800 for testing: over only before it was rounded, if at all. {OURS}",
        ),
        here.statement(
            "struggle ratio of training and testing",
            "under 50%",
            moves_text(_STRUGGLE, name),
            holds=max(map(max, struggle)) < 0.5,
        ),
        _unchanged(_AUC, name),
        _unchanged(_STRUGGLE, name),
        _same_curves(1, name),
        _own_midpoints(name),
        _same_roc(1, name),
    ]


def _population_drift() -> list[Row]:
    name, finding = "DP-Test", drift_to("DP-Test").findings["auc"]
    return [
        _moved(_AUC, name, "drops", -1),
        at("§3, DP re-created").unprinted(
            f"the drop of AUC, endless data, and the standard error of a difference at {SIZE}",
            (endless()[TRAIN].curve.area - endless()[name].curve.area, finding.standard_error),
            "Two samples of this size often differ as much by chance; midpoint and struggle ratio "
            "show this drift far more clearly.",
        ),
        _moved(_MIDDLE, name, "lower", -1, _cause(name)),
        _moved(_STRUGGLE, name, "increases", 1),
        _other_curves(2, name),
        at("§3, Figure 2 re-created").statement(
            "area between the ROC curves of training and testing",
            "visually different",
            _areas_text(name),
            holds=_areas(name) > 3 * _areas("NGP-Test"),
            reason=f"For NGP-Test it is {text_of(_areas('NGP-Test'))}.",
        ),
    ]


def _definition_change() -> list[Row]:
    name = "FC-Test"
    return [
        _unchanged(_AUC, name),
        _moved(_MIDDLE, name, "higher", 1, _cause(name)),
        _moved(_STRUGGLE, name, "decreases", -1, _weak(name)),
        _same_roc(3, name),
        _estimation(name),
        _other_curves(3, name),
        at("§3, Figure 3 re-created").statement(
            "a change that the ROC curve does not show and the probabilities do",
            "hidden from the ROC curve, shown by sensibility",
            f"drift seen by rocwalk: {drift_to(name).verdict}",
            holds=drift_to(name).verdict == "estimation",
        ),
    ]


# -- kinds of rows -------------------------------------------------------------------------------


def _domain(name: str) -> str:
    return name.removesuffix("-Test")


def _p_text(finding: Finding) -> str:
    p = finding.p_value
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.2g}"


def _unchanged(what: str, name: str) -> Row:
    finding, (old, new) = drift_to(name).findings[_NAMES[what]], moves(what, name)[1]
    return at(f"§3, {_domain(name)} re-created").statement(
        f"{what}, from training to testing",
        "unchanged",
        moves_text(what, name),
        holds=finding.adjusted_p_value >= _ALPHA and abs(new - old) < 0.01,
        reason=f"The draws differ no more than by chance, {_p_text(finding)}.",
    )


def _moved(what: str, name: str, printed: str, sign: int, more: str = "") -> Row:
    finding = drift_to(name).findings[_NAMES[what]]
    return at(f"§3, {_domain(name)} re-created").statement(
        f"{what}, from training to testing",
        printed,
        moves_text(what, name),
        holds=all(sign * (new - old) > 0 for old, new in moves(what, name)),
        reason=f"For the draws {_p_text(finding)}. {more}".strip(),
    )


def _cause(name: str) -> str:
    found = drift_to(name).findings
    shares, means = found["prevalence"], found["mean_score"]
    return (
        f"The mean score goes from {text_of(means.reference)} to {text_of(means.current)}, the "
        f"share of complications from {text_of(shares.reference)} to {text_of(shares.current)}."
    )


def _weak(name: str) -> str:
    found = drift_to(name).findings
    return f"A draw of {SIZE} need not show it; the midpoint does, {_p_text(found['midpoint'])}."


def _gaps_text(name: str) -> str:
    gaps = [drift_to(name).findings[curve] for curve in _CURVES]
    return ", ".join(
        f"{word} {text_of(abs(gap.difference))} ({_p_text(gap)})"
        for word, gap in zip(("sensibility", "capability"), gaps, strict=True)
    )


def _same_curves(number: int, name: str) -> Row:
    gaps = [drift_to(name).findings[curve] for curve in _CURVES]
    return at(f"§3, Figure {number} re-created").statement(
        "largest gaps between the curves of training and testing",
        "unchanged",
        _gaps_text(name),
        holds=all(gap.p_value >= _ALPHA for gap in gaps),
        reason="Both split at the midpoint of training.",
    )


def _own_midpoints(name: str) -> Row:
    gaps, (score, count) = gaps_between(drawn()[TRAIN], drawn()[name]), crossed(name)
    middles = " and ".join(f"{middle:.4f}" for middle in moves(_MIDDLE, name)[0])
    return at("§3, Figure 1 re-created").recreated(
        "the same gaps, each split at its own midpoint",
        "unchanged",
        f"sensibility {text_of(gaps[0])}, capability {text_of(gaps[1])}",
        f"{count} of {SIZE} patients share the score {score:.4f}, which lies between the midpoints "
        f"{middles} of the two draws: sensible in one, not in the other. With few distinct scores "
        "a small move of t_s can turn many items over.",
    )


def _other_curves(number: int, name: str) -> Row:
    gaps = [drift_to(name).findings[curve] for curve in _CURVES]
    return at(f"§3, Figure {number} re-created").statement(
        "largest gaps between the curves of training and testing",
        "visually different",
        _gaps_text(name),
        holds=all(gap.p_value < _ALPHA for gap in gaps),
        reason="Both split at the midpoint of training.",
    )


def _areas(name: str) -> float:
    return between(drawn()[TRAIN].curve, drawn()[name].curve)


def _areas_text(name: str) -> str:
    whole = between(endless()[TRAIN].curve, endless()[name].curve)
    return f"{text_of(_areas(name))}; endless data {text_of(whole)}"


def _same_roc(number: int, name: str) -> Row:
    printed = "unchanged" if number == 1 else "little to no effect"
    return at(f"§3, Figure {number} re-created").statement(
        "area between the ROC curves of training and testing",
        printed,
        _areas_text(name),
        holds=_areas(name) < _areas("DP-Test") / 3,
        reason=f"For DP-Test it is {text_of(_areas('DP-Test'))}.",
    )


def _estimation(name: str) -> Row:
    old, new = (endless()[one].curve.calibration().brier for one in (TRAIN, name))
    finding = drift_to(name).findings["brier"]
    return at("§3, FC re-created").statement(
        "probabilities on FC against those on NGP, endless data",
        "better estimated, as the struggle ratio is lower",
        f"Brier score {text_of(old.loss)} → {text_of(new.loss)}, of it miscalibration "
        f"{text_of(old.miscalibration)} → {text_of(new.miscalibration)}",
        holds=new.loss < old.loss,
        reason="Worse, on our data: in the draws the Brier score rises from "
        f"{text_of(finding.reference)} to {text_of(finding.current)}, {_p_text(finding)}. Table 2 "
        f"says so too: by its t_s the scores of FC add up to {_expected(name)} times the number of "
        "positives. The struggle ratio is the accuracy at t_s in other words, and t_s moves along "
        "with such an error.",
    )


def _expected(name: str) -> str:
    return text_of(2 * float(PRINTED[name][_MIDDLE]))
