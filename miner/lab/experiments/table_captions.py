"""What stands above and below a table of an experiment: its title, and how its numbers were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from miner.lab.experiments.experiment import (
    ALL_ROWS,
    Experiment,
    LabelChoice,
    PairChoice,
    SignificanceTest,
    Table,
    TableAxis,
    TableScore,
)
from miner.lab.experiments.scored_cells import NOT_ASKED, ScoredCell, ScoreName, TestPart
from miner.lab.experiments.system_kinds import PeopleSystem, SystemInput
from miner.lab.experiments.table_values import TableValue

_FEW_TEST_PAIRS = 100  # which a test over seeds does not see
SIGNIFICANT = 0.05
MIN_BOOTSTRAP_PAIRS = 10
"""Over few pairs a bootstrap interval is too narrow: over one it is a point, which leaves out 0, and an exact sign test
of five pairs that all agree has p = 0.06. Ten leave room for one that does not."""
SCORE_OF = {
    TableScore.MACRO_F1: ScoreName.MACRO_F1,
    TableScore.ACCURACY: ScoreName.ACCURACY,
    TableScore.PRECISION: ScoreName.PRECISION,
    TableScore.RECALL: ScoreName.RECALL,
    TableScore.AUC_NORM: ScoreName.AUC_NORM,
    TableScore.AUC_50: ScoreName.AUC_50,
}
"""The scores of cells that tables are of."""


def table_title(experiment: Experiment, table: Table, system: int | None, test: str | None) -> str:
    """The title of a table; if there are several, of the table for this system or this test part."""
    parts = [table.title or experiment.name]
    if system is not None:
        parts.append(experiment.systems[system].title)
    if test is not None and len({name for name, one in experiment.data.items() if one.test}) > 1:
        parts.append(f"tested on {test}")
    return ", ".join(parts)


def table_caption(
    experiment: Experiment,
    table: Table,
    scored: Sequence[ScoredCell],
    parts: Mapping[str, TestPart],
    values: Sequence[Sequence[TableValue | None]],
    marks: Mapping[str, str],
) -> str:
    """Sentences on what the values are, over how many pairs and runs, and what they are compared with.

    parts: the test parts by name; how many of their labels are gold is said.
    marks: of rows that some number is better than, with the rows' names.
    """
    there = [value for row in values for value in row if value is not None]
    if not there:
        return "Nothing is computed yet."
    pairs, runs = sorted({value.pairs for value in there}), sorted({value.runs for value in there})
    what = "" if table.columns is TableAxis.SCORE else score_name(table) + ", "
    text = f"In percent: {what}{_range(pairs)} pairs, mean of {_range(runs)} {'run' if runs == [1] else 'runs'}"
    text += " ± standard deviation." if runs[-1] > 1 else "."
    if table.columns is TableAxis.SIZE:
        text += " Columns: the number of pairs to learn from."
    text += _on_labels(experiment, {one.cell.test: parts[one.cell.test] for one in scored})
    text += _on_people(experiment, table, scored)
    against = {"first": "the first row", "best": "the best row", "diagonal": "the model of the same domain"}
    other = against.get(table.against, "")
    if table.differences:
        text += f" In brackets: the difference from {other}."
    if table.test is SignificanceTest.NONE or len(values) < 2:
        return text
    if table.against == ALL_ROWS:
        better = "; ".join(f"{mark} {name}" for mark, name in marks.items())
        differs = f"Significantly better than: {better}." if marks else "No row is significantly better than another."
    else:
        differs = f"* differs from {other}."
    differs = differs.removesuffix(".")
    if table.test is SignificanceTest.BOOTSTRAP:
        if pairs[-1] < MIN_BOOTSTRAP_PAIRS:
            return f"{text} Fewer than {MIN_BOOTSTRAP_PAIRS} pairs are too few to test differences."
        few = f" Numbers of fewer than {MIN_BOOTSTRAP_PAIRS} pairs are not tested." * (pairs[0] < MIN_BOOTSTRAP_PAIRS)
        return f"{text} {differs}: 95 % bootstrap interval over pairs without 0.{few}"
    seeds = sorted({value.tested_runs for value in there if value.tested_runs})
    if not seeds:
        return f"{text} A paired t-test needs two runs or more with the same seeds."
    text = f"{text} {differs}: p < {SIGNIFICANT}, paired t-test over {_range(seeds)} seeds."
    if pairs[0] < _FEW_TEST_PAIRS:
        text += f" Of fewer than {_FEW_TEST_PAIRS} test pairs it says little: others may well give other differences."
    return text


def hypothesis_ratios(experiment: Experiment, means: Mapping[tuple[int, str], float]) -> str:
    """A sentence for each system that has the hypothesis alone beside both sentences (SciNLI, Table 7); "" for none.

    means: macro F1 in percent, by system and train set.
    """
    plain = [replace(system, name="") for system in experiment.systems]
    texts = []
    for (number, train), mean in means.items():
        if plain[number].input is not SystemInput.HYPOTHESIS:
            continue
        both = replace(plain[number], input=SystemInput.BOTH)
        whole = means.get((plain.index(both), train)) if both in plain else None
        if whole:
            name = experiment.systems[number].title
            texts.append(f" {name}: {mean / whole:.2f} of the macro F1 with both sentences ({mean:.1f} / {whole:.1f}).")
    return "".join(texts)


def score_name(table: Table) -> str:
    """What the numbers of a table are, where its columns are not scores: F1 for columns that are classes."""
    if table.columns is TableAxis.CLASS and table.of not in (TableScore.PRECISION, TableScore.RECALL):
        return "F1"
    return str(SCORE_OF[table.of])


def _on_labels(experiment: Experiment, tests: Mapping[str, TestPart]) -> str:
    """How many of the test labels are gold; "" where files have them, or the experiment makes them."""
    known: list[tuple[int, int]] = []
    for name, part in tests.items():
        one = experiment.data.get(name)
        if part.gold is not None and one is not None and not (one.probe or one.triples or one.files):
            choice = one.test.labels if one.test is not None and one.test.labels else one.labels
            known.append((0 if choice is LabelChoice.DISTANT else part.gold, len(part.classes)))
    gold, pairs = sum(number for number, _ in known), sum(number for _, number in known)
    if not pairs:
        return ""
    if gold == pairs:
        return " All test labels are gold."
    if not gold:
        return " Tested on distant labels, none of them gold."
    return f" {gold:,} of {pairs:,} test labels are gold, the others distant."


def _on_people(experiment: Experiment, table: Table, scored: Sequence[ScoredCell]) -> str:
    """What is compared, where people are among the systems."""
    people = [one for one in scored if isinstance(experiment.systems[one.cell.run.system], PeopleSystem)]
    if not people:
        return ""
    answered = _range(sorted({int((one.predicted != NOT_ASKED).sum()) for one in people}))
    others = "the pairs that some of them answered" if table.pairs is PairChoice.ANSWERED else "all pairs"
    alone = len(people) == len(scored)
    return f" A person is a run, on the {answered} pairs that they answered" + (
        "." if alone else f"; other systems are scored on {others}."
    )


def _range(numbers: Sequence[int]) -> str:
    return f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,}-{numbers[-1]:,}"
