"""Tables that every experiment on direction has besides those of its file, with the paper's numbers beside them.

Source: Directional inference, Figure 1, Table 1 and section 3.2, of RoBERTa-base with prompts on LevyHolt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from miner.classifier.metrics import summarize_values
from miner.lab.experiments.direction import INPUT_NAMES, Family, FamilyCells, families, mesh_sets
from miner.lab.experiments.experiment import Experiment, TableAxis
from miner.lab.experiments.scored_cells import CellScores, Score, ScoredCell, ScoreName, TestPart
from miner.lab.experiments.system_kinds import SystemInput
from miner.lab.experiments.table_values import TableValue, TableView
from miner.lab.probes.mesh import MeshSubset


class _Published(NamedTuple):
    """Published figures of a subset: AUC_norm with both sentences, its ratio to the hypothesis alone, and its rank."""

    area: float | None
    ratio: str
    rank: str


_PUBLISHED = {
    MeshSubset.DIRECTIONAL: _Published(82.9, "1.70", "2"),
    MeshSubset.SYMMETRIC: _Published(79.1, "about 3", "4-6"),
    MeshSubset.PARAPHRASES_DIR_TRUE: _Published(26.9, "about 3", "4-6"),
    MeshSubset.PARAPHRASES_DIR_FALSE: _Published(45.8, "1.55", "1"),
    MeshSubset.DIR_TRUE_UNRELATED: _Published(None, "about 3", "4-6"),
    MeshSubset.DIR_FALSE_UNRELATED: _Published(58.6, "2.10", "3"),
    MeshSubset.FULL: _Published(77.7, "", ""),
}
_MATRIX = (MeshSubset.DIRECTIONAL, MeshSubset.SYMMETRIC, MeshSubset.FULL)
_PUBLISHED_MATRIX = ((82.9, 9.9, 24.7), (0.2, 79.1, 61.3), (46.4, 84.8, 77.7))  # trained on each, tested on each
_LEAST = 0.05  # percent: a hypothesis-only area below it is shown as 0.0, so that nothing is divided by it
_NOT_YET, _NOT_SAID = "Not computed yet.", "The paper does not say."
_PAPER = "Directional inference, RoBERTa-base with prompts on LevyHolt"


def direction_tables(
    experiment: Experiment, scored: Sequence[ScoredCell], parts: Mapping[str, TestPart]
) -> list[TableView]:
    """The tables of an experiment that tests direction, of each family of systems; [] of any other."""
    sets = mesh_sets(experiment)
    if not sets:
        return []
    cells, scores = FamilyCells(scored), CellScores(parts, len(experiment.class_names))
    views = []
    for family in families(experiment):
        maker = _Maker(family, sets, cells, scores)
        if SystemInput.HYPOTHESIS in family.systems:
            views += [maker.ratios(), maker.areas_above_half()]
        if all(subset in sets for subset in _MATRIX) and experiment.systems[family.systems[SystemInput.BOTH]].LEARNS:
            views.append(maker.matrix())
    return [view for view in views if any(value is not None and value.cells for row in view.values for value in row)]


class _Maker:
    def __init__(self, family: Family, sets: Mapping[MeshSubset, str], cells: FamilyCells, scores: CellScores) -> None:
        self._family, self._sets, self._cells, self._scores = family, sets, cells, scores

    def ratios(self) -> TableView:
        """The scores of learning and testing on each subset, by input, and how far artefacts explain them."""
        rows = {subset: self._inputs(subset, ScoreName.AUC_NORM) for subset in self._sets}
        ratios = {subset: _ratio(values) for subset, values in rows.items()}
        known = sorted(ratio.mean for subset, ratio in ratios.items() if ratio and subset is not MeshSubset.FULL)
        lines, reasons = [], []
        for subset, values in rows.items():
            published, ratio = _PUBLISHED[subset], ratios[subset]
            is_ranked = ratio is not None and len(known) > 1 and subset is not MeshSubset.FULL
            rank = _text(str(known.index(ratio.mean) + 1), ratio) if is_ranked and ratio is not None else None
            area = "" if published.area is None else f"{published.area:.1f}"
            paper = [_text(text) if text else None for text in (area, published.ratio, published.rank)]
            lines.append((*values, ratio, rank, *paper))
            missing = "The hypothesis alone has 0." if all(values[:2]) else _NOT_YET
            reasons.append((*(_NOT_YET,) * len(values), missing, "It is not ranked.", *(_NOT_SAID,) * 3))
        columns = (*self._input_names(), "both / hypothesis", "rank", "paper: both", "paper: ratio", "paper: rank")
        caption = (
            f"{_caption(lines)} both / hypothesis: the lower it is, the more of a score artefacts explain; the lowest "
            f"has rank 1. Paper: {_PAPER}, section 3.2."
        )
        return self._view("What artefacts explain", "Subset", tuple(rows), columns, lines, reasons, caption)

    def areas_above_half(self) -> TableView:
        """AUC_50 of the same."""
        lines = [self._inputs(subset, ScoreName.AUC_50) for subset in self._sets]
        reasons = [(_NOT_YET,) * len(line) for line in lines]
        caption = _caption(lines, ScoreName.AUC_50)
        return self._view("AUC_50", "Subset", tuple(self._sets), self._input_names(), lines, reasons, caption)

    def matrix(self) -> TableView:
        """How well learning from direction, from likeness and from all transfers to the other subsets."""
        system = self._family.systems[SystemInput.BOTH]
        lines, reasons = [], []
        for row, train in enumerate(_MATRIX):
            values = [self._value(system, self._sets[train], self._sets[test], ScoreName.AUC_NORM) for test in _MATRIX]
            measured = [
                value and replace(value, is_in_domain=train is test)
                for value, test in zip(values, _MATRIX, strict=True)
            ]
            lines.append((*measured, *(_text(f"{area:.1f}") for area in _PUBLISHED_MATRIX[row])))
            reasons.append((_NOT_YET,) * 2 * len(_MATRIX))
        names = [self._sets[subset] for subset in _MATRIX]
        columns = (*names, *(f"paper: {name}" for name in names))
        caption = f"{_caption(lines)} Paper: {_PAPER}, Table 1."
        return self._view("What carries over", "Trained on", names, columns, lines, reasons, caption)

    def _view(
        self,
        title: str,
        head: str,
        rows: Sequence[str],
        columns: Sequence[str],
        lines: Sequence[Sequence[TableValue | None]],
        reasons: Sequence[Sequence[str]],
        caption: str,
    ) -> TableView:
        why = tuple(
            tuple("" if value is not None else reason for value, reason in zip(line, texts, strict=True))
            for line, texts in zip(lines, reasons, strict=True)
        )
        values = tuple(map(tuple, lines))
        return TableView(
            f"{title}, {self._family.title}",
            head,
            tuple(map(str, rows)),
            tuple(columns),
            values,
            caption,
            reasons=why,
            columns_axis=TableAxis.SYSTEM,
        )

    def _inputs(self, subset: MeshSubset, score: ScoreName) -> tuple[TableValue | None, ...]:
        name = self._sets[subset]
        return tuple(self._value(number, name, name, score) for number in self._family.systems.values())

    def _input_names(self) -> tuple[str, ...]:
        return tuple(INPUT_NAMES[input] for input in self._family.systems)

    def _value(self, system: int, train: str, test: str, score: ScoreName) -> TableValue | None:
        found = [
            (one, value) for one in self._cells.of(system, train, test) if (value := self._area(one, score)) is not None
        ]
        if not found:
            return None
        summary = summarize_values([value for _, value in found])
        pairs = min(self._scores.pairs(one, Score(score)) for one, _ in found)
        keys = tuple(one.cell.key for one, _ in found)
        return TableValue(summary.mean, summary.sd, summary.n, pairs, cells=keys)

    def _area(self, one: ScoredCell, score: ScoreName) -> float | None:
        area = self._scores.of(one, Score(score))
        return None if area is None else 100 * area


def _ratio(values: Sequence[TableValue | None]) -> TableValue | None:
    """Both sentences to the hypothesis alone, which are the first two values."""
    both, hypothesis = values[:2]
    if both is None or hypothesis is None or hypothesis.mean < _LEAST:
        return None
    ratio = both.mean / hypothesis.mean
    return TableValue(ratio, None, both.runs, both.pairs, cells=both.cells, text=f"{ratio:.2f}")


def _text(text: str, of: TableValue | None = None) -> TableValue:
    """A number as the text that it is shown as. of: that has its cells; a published one has none."""
    cells, runs, pairs = (of.cells, of.runs, of.pairs) if of is not None else ((), 0, 0)
    number = float(text) if text.replace(".", "").isdigit() else 0.0
    return TableValue(number, None, runs, pairs, cells=cells, text=text)


def _caption(lines: Sequence[Sequence[TableValue | None]], score: ScoreName = ScoreName.AUC_NORM) -> str:
    there = [value for line in lines for value in line if value is not None and value.cells]
    if not there:
        return "Nothing is computed yet."
    pairs, runs = [value.pairs for value in there], [value.runs for value in there]
    many = f"{min(pairs):,}" if min(pairs) == max(pairs) else f"{min(pairs):,}-{max(pairs):,}"
    each = f"{min(runs)}" if min(runs) == max(runs) else f"{min(runs)}-{max(runs)}"
    spread = " ± standard deviation" if max(runs) > 1 else ""
    return f"In percent: {score}, {many} pairs, mean of {each} {'run' if each == '1' else 'runs'}{spread}."
