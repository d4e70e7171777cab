"""How much of a model's direction is real (Directional inference, sections 3.1 to 3.3).

A model that reads both sentences is held against the same one that reads the hypothesis alone, whose score artefacts
explain, and against the same one in both orders, which cannot see direction. Areas under curves cannot be subtracted
from each other as if they were parts of a whole (section 3.3), so that the share which is left is an upper bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from miner.lab.experiments.experiment import Experiment
from miner.lab.experiments.scored_cells import ScoredCell, TestPart
from miner.lab.experiments.system_kinds import SystemInput
from miner.lab.probes.auc import normalized_auc, precision_recall, resampled_areas
from miner.lab.probes.mesh import MeshSubset
from miner.libraries import np

MIN_PAIRS = 200
"""With fewer test pairs of direction, the sentence says that they are few."""
NOT_CARRIED = 15.0
"""In percent: what a model learns of direction does not carry over to likeness, if its area there is below this."""
RECALLS = tuple(round(0.02 * step, 2) for step in range(51))
"""The points of curves."""
_INPUTS = (SystemInput.BOTH, SystemInput.HYPOTHESIS, SystemInput.BOTH_ORDERS)
INPUT_NAMES = {
    SystemInput.BOTH: "both sentences",
    SystemInput.HYPOTHESIS: "hypothesis alone",
    SystemInput.BOTH_ORDERS: "both orders",
}
_DRAWS, _DRAWS_OF_MANY, _MANY = 1_000, 300, 4_000


@dataclass(frozen=True, slots=True)
class AreaEstimate:
    """An area, or a share of one, in percent, with its 95 % interval by bootstrap over pairs and their converses."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.1f} [{self.low:.1f}, {self.high:.1f}]"


@dataclass(frozen=True, slots=True)
class DirectionCurve:
    """Precision at `RECALLS` on the test part of a set, by what is read; the mean over runs. share: of positives."""

    subset: MeshSubset
    set: str
    share: float
    lines: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class DirectionAreas:
    """AUC_norm on DirTrue-DirFalse with both sentences, the hypothesis alone and, if that is asked, in both orders.

    pairs, runs: how many. gain: both less the higher one of the others. real: that as a share of both. carried: trained
    on direction, tested on likeness, where `likeness` is learned by training on that; None if it is not asked.
    """

    pairs: int
    runs: int
    both: AreaEstimate
    hypothesis: AreaEstimate
    both_orders: AreaEstimate | None
    gain: AreaEstimate
    real: AreaEstimate
    carried: AreaEstimate | None = None
    likeness: float | None = None


@dataclass(frozen=True, slots=True)
class DirectionFinding:
    """What a model makes of direction. verdict: a sentence on it, "" until its areas are known."""

    system: str
    verdict: str = ""
    areas: DirectionAreas | None = None
    curves: tuple[DirectionCurve, ...] = ()


class Family(NamedTuple):
    """The systems that differ only in what they read, by that: their places in the experiment."""

    title: str
    systems: Mapping[SystemInput, int]


def families(experiment: Experiment) -> list[Family]:
    """The systems that read both sentences, each with those that are the same but for their input."""
    plain = [replace(one, name="", input=SystemInput.BOTH) for one in experiment.systems]
    found = []
    for number, system in enumerate(experiment.systems):
        if system.input is SystemInput.BOTH and plain.index(plain[number]) == number:
            same = {
                other.input: place
                for place, other in reversed(list(enumerate(experiment.systems)))
                if plain[place] == plain[number] and other.input in _INPUTS
            }
            found.append(Family(system.title, {input: same[input] for input in _INPUTS if input in same}))
    return found


def mesh_sets(experiment: Experiment) -> dict[MeshSubset, str]:
    """The sets with a test part that are subsets of a mesh, by that subset; {} unless one tests direction."""
    found: dict[MeshSubset, str] = {}
    for name, one in experiment.data.items():
        if one.test is not None and one.mesh_subset is not None:
            found.setdefault(one.mesh_subset, name)
    return {subset: found[subset] for subset in MeshSubset if subset in found} if _DIRECTION in found else {}


class FamilyCells:
    """The finished cells of an experiment by system, train and test set."""

    def __init__(self, scored: Sequence[ScoredCell]) -> None:
        self._cells: dict[tuple[int, str, str], list[ScoredCell]] = {}
        for one in scored:
            self._cells.setdefault((one.cell.run.system, one.cell.run.train, one.cell.test), []).append(one)

    def of(self, system: int | None, train: str, test: str) -> list[ScoredCell]:
        """The cells of a system on these sets; for a system that learns nothing, the cells without a train set."""
        if system is None:
            return []
        return self._cells.get((system, train, test)) or self._cells.get((system, "", test), [])


def direction_findings(
    experiment: Experiment, scored: Sequence[ScoredCell], parts: Mapping[str, TestPart]
) -> list[DirectionFinding]:
    """A finding for each family of systems of an experiment that tests direction; [] of any other."""
    sets = mesh_sets(experiment)
    cells = FamilyCells(scored)
    return [_finding(family, sets, cells, parts) for family in families(experiment)] if sets else []


_DIRECTION, _LIKENESS = MeshSubset.DIRECTIONAL, MeshSubset.SYMMETRIC


def _finding(
    family: Family, sets: Mapping[MeshSubset, str], cells: FamilyCells, parts: Mapping[str, TestPart]
) -> DirectionFinding:
    found = DirectionFinding(family.title, curves=tuple(_curves(family, sets, cells, parts)))
    if SystemInput.HYPOTHESIS not in family.systems:
        hint = 'add the same system with input = "hypothesis"'
        return replace(found, verdict=f"How much of the direction of {family.title} is real cannot be said: {hint}.")
    name = sets[_DIRECTION]
    runs = {input: cells.of(number, name, name) for input, number in family.systems.items()}
    areas = _areas(parts[name], runs) if all(runs.values()) else None
    if areas is None:
        return found
    if _LIKENESS in sets:
        areas = _with_likeness(areas, family, sets, cells, parts)
    return replace(found, verdict=verdict(family.title, areas), areas=areas)


def _areas(part: TestPart, runs: Mapping[SystemInput, Sequence[ScoredCell]]) -> DirectionAreas | None:
    """The areas on direction, with both sentences as the first input; None where there are none."""
    drawn = _samples(part, runs)
    if drawn is None:
        return None
    measured = {input: _mean_area(part, there) for input, there in runs.items()}
    both, samples = measured[SystemInput.BOTH], drawn[SystemInput.BOTH]
    others = [input for input in runs if input is not SystemInput.BOTH]
    gain = both - max(measured[input] for input in others)
    gains = samples - np.max([drawn[input] for input in others], axis=0)
    shares = 100 * np.maximum(gains, 0) / np.maximum(samples, 1e-9)
    estimates = {input: _estimate(measured[input], drawn[input]) for input in runs}
    return DirectionAreas(
        len(part.classes),
        len(runs[SystemInput.BOTH]),
        estimates[SystemInput.BOTH],
        estimates[SystemInput.HYPOTHESIS],
        estimates.get(SystemInput.BOTH_ORDERS),
        _estimate(gain, gains),
        _estimate(100 * max(0.0, gain) / max(both, 1e-9), shares),
    )


def _with_likeness(
    areas: DirectionAreas,
    family: Family,
    sets: Mapping[MeshSubset, str],
    cells: FamilyCells,
    parts: Mapping[str, TestPart],
) -> DirectionAreas:
    """The finding with the scores on likeness of a model that has learned direction."""
    system, test = family.systems[SystemInput.BOTH], sets[_LIKENESS]
    carried, learned = cells.of(system, sets[_DIRECTION], test), cells.of(system, test, test)
    if not carried or not learned or not carried[0].cell.run.train:
        return areas
    drawn = _samples(parts[test], {SystemInput.BOTH: carried})
    if drawn is None:
        return areas
    area = _estimate(_mean_area(parts[test], carried), drawn[SystemInput.BOTH])
    return replace(areas, carried=area, likeness=_mean_area(parts[test], learned))


def verdict(system: str, areas: DirectionAreas) -> str:
    """One sentence: how much of a model's direction is real, and on what that rests."""
    orders = "" if areas.both_orders is None else f", {areas.both_orders.value:.1f} in both orders"
    alone = f"{areas.hypothesis} with the hypothesis alone{orders}"
    few = ", too few for more than a hint" if areas.pairs < MIN_PAIRS else ""
    runs = f"{areas.runs:,} {'run' if areas.runs == 1 else 'runs'}"
    on = f"AUC_norm on {areas.pairs:,} test pairs of {_DIRECTION}{few}, {runs}, 95 % intervals over pairs"
    if areas.gain.low > 0:
        share = f"{areas.real.value:.0f} % [{areas.real.low:.0f}, {areas.real.high:.0f}]"
        text = f"At most {share} of the direction of {system} is real: it has {areas.both} with both sentences and "
    else:
        text = f"None of the direction of {system} is shown to be real: it has {areas.both} with both sentences, which "
        text += "is not surely above "
    return f"{text}{alone} ({on}){_on_likeness(areas)}."


def _on_likeness(areas: DirectionAreas) -> str:
    if areas.carried is None or areas.likeness is None:
        return ""
    if areas.carried.high < NOT_CARRIED:
        what = "does not carry over"
    elif areas.carried.low < NOT_CARRIED:
        what = "hardly carries over"
    else:
        what = "carries over"
    return (
        f"; what it learns of direction {what} to likeness ({areas.carried} on {_LIKENESS}, "
        f"where {areas.likeness:.1f} can be learned)"
    )


def _curves(
    family: Family, sets: Mapping[MeshSubset, str], cells: FamilyCells, parts: Mapping[str, TestPart]
) -> Iterator[DirectionCurve]:
    for subset, name in sets.items():
        lines = {}
        for input, number in family.systems.items():
            runs = cells.of(number, name, name)
            if runs and _has_areas(parts[name], runs):
                lines[INPUT_NAMES[input]] = _mean_curve(parts[name], runs)
        if lines:
            yield DirectionCurve(subset, name, float((parts[name].classes == 0).mean()), lines)


def _mean_curve(part: TestPart, runs: Sequence[ScoredCell]) -> tuple[float, ...]:
    curves = [precision_recall(one.first, part.classes == 0) for one in runs if one.first is not None]
    values = np.mean([np.interp(RECALLS, curve.recall, curve.precision) for curve in curves], axis=0)
    return tuple(round(float(value), 4) for value in values)


def _has_areas(part: TestPart, runs: Sequence[ScoredCell]) -> bool:
    positive = part.classes == 0
    return bool(positive.any() and not positive.all() and all(one.first is not None for one in runs))


def _mean_area(part: TestPart, runs: Sequence[ScoredCell]) -> float:
    positive = part.classes == 0
    return float(np.mean([normalized_auc(one.first, positive) for one in runs if one.first is not None]))


_Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def _samples(part: TestPart, runs: Mapping[SystemInput, Sequence[ScoredCell]]) -> dict[SystemInput, _Numbers] | None:
    """The mean area over runs in each bootstrap sample, by input; None where there is no area."""
    if not all(_has_areas(part, there) for there in runs.values()):
        return None
    keys = part.keys or range(len(part.classes))
    places: dict[object, int] = {}
    groups = np.array([places.setdefault(key, len(places)) for key in keys], np.int64)
    scores = [one.first for there in runs.values() for one in there if one.first is not None]
    draws = _DRAWS if len(groups) <= _MANY else _DRAWS_OF_MANY
    drawn = resampled_areas(scores, part.classes == 0, groups, draws=draws)
    drawn = drawn[:, ~np.isnan(drawn).any(axis=0)]
    if not drawn.shape[1]:
        return None
    found, start = {}, 0
    for input, there in runs.items():
        found[input] = drawn[start : start + len(there)].mean(axis=0)
        start += len(there)
    return found


def _estimate(value: float, drawn: _Numbers) -> AreaEstimate:
    low, high = np.quantile(drawn, (0.025, 0.975))
    return AreaEstimate(value, float(low), float(high))
