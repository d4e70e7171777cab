"""The pairs behind the numbers of an experiment's tables, as filters of the Pairs page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from miner.lab.experiments.experiment import Experiment, LabelChoice, TableAxis
from miner.records import Label, Strategy
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:  # it imports numpy
    from miner.lab.experiments.table_values import TableValue, TableView


def value_filter(experiment: Experiment, view: TableView, value: TableValue, misread: bool | None) -> PairFilter:
    """The pairs that a number is about.

    misread: only pairs that a run misread (True) or read rightly (False); None: all.
    """
    tested = PairFilter(cells=frozenset(value.cells), misread=misread)
    return group_filter(experiment, tested, view.group_axis, value.group)


def wrongly_predicted_filter(cells: Iterable[str], name: str) -> PairFilter:
    """The pairs for which one of the cells wrongly predicts the class with this name."""
    return PairFilter(cells=frozenset(cells), misread=True, predicted=frozenset([name]))


def confused_filter(experiment: Experiment, tested: PairFilter, label: str, predicted: str) -> PairFilter:
    """The pairs of `tested` with the class `label` for which a run predicts the class `predicted`."""
    of_class = group_filter(experiment, tested, TableAxis.CLASS, label)
    return replace(of_class, predicted=frozenset([predicted]))


def group_filter(experiment: Experiment, filter: PairFilter, axis: TableAxis | None, group: str) -> PairFilter:
    """The filter with the condition that a pair is in a group of a table; unchanged without a group."""
    if axis is None or not group:
        return filter
    changed: dict[str, Any] = {}
    match axis:
        case TableAxis.CLASS:
            number = experiment.class_names.index(group)
            labels = frozenset(label.value for label in Label if experiment.class_of(label.value) == number)
            changed = {"distant" if _is_distant(experiment) else "labels": labels}
        case TableAxis.DOMAIN:
            changed = {"domains": frozenset([group])}
        case TableAxis.STRATEGY if group in set(Strategy):
            changed = {"strategies": frozenset([Strategy(group)])}
        case TableAxis.PHRASE:
            changed = {"phrases": frozenset([group])}
        case TableAxis.KIND:
            changed = {"kinds": frozenset([group])}
        case TableAxis.LENGTH:
            changed = {"words": _word_range(group)}
    return replace(filter, **changed)


def _is_distant(experiment: Experiment) -> bool:
    """Whether all test parts have distant labels."""
    tests = [one for one in experiment.data.values() if one.test is not None]
    choices = {(one.test.labels if one.test and one.test.labels else one.labels) for one in tests}
    return choices == {LabelChoice.DISTANT}


def _word_range(group: str) -> tuple[int | None, int | None]:
    """The lowest and highest number of words in both sentences, for a group such as "21-30" or "more than 80"."""
    low, dash, high = group.partition("-")
    if not dash:
        return int(group.split()[-1]) + 1, None
    return (int(low) if int(low) > 1 else None), int(high)
