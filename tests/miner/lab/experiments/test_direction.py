"""What is said of direction: the sentence, the ratios with their ranks, the matrix, and the curves."""

from __future__ import annotations

import numpy as np
import pytest

from miner.lab.experiments.direction import DirectionFinding, direction_findings, families
from miner.lab.experiments.direction_tables import direction_tables
from miner.lab.experiments.experiment import Experiment
from miner.lab.experiments.experiment_file import parse_experiment
from miner.lab.experiments.plan import PartDigest, plan
from miner.lab.experiments.scored_cells import ScoredCell, TestPart
from miner.lab.experiments.table_text import format_view
from miner.lab.probes.mesh import MeshSubset
from miner.text_tables import TableFormat

N = 300
SETS = {"Directional": "DirTrue-DirFalse", "Symmetric": "Paraphrases-Unrelated", "Full": "Full"}
SETS |= {name: name for name in ("Paraphrases-DirTrue", "Paraphrases-DirFalse")}
HEAD = """
name = "Direction"
seeds = [1, 2]
[classes]
holds = ["holds"]
"does not hold" = ["does not hold"]
"""
SYSTEMS = "".join(
    f'[[system]]\nkind = "encoder"\nname = "{name}"\ninput = "{input}"\n'
    for name, input in (("Reader", "both"), ("Half", "hypothesis"), ("Alike", "both orders"))
)


def experiment(systems: str = SYSTEMS, sets: dict[str, str] = SETS) -> Experiment:
    data = "".join(f'[data."{name}"]\nprobe = "{probe}"\ntrain = {{}}\ntest = {{}}\n' for name, probe in sets.items())
    return parse_experiment(f"{HEAD}{data}{systems}")


def scored(asked: Experiment, signal: dict[int, float], pairs: int = N) -> tuple[list[ScoredCell], dict[str, TestPart]]:
    """Scores with as much signal as each system has on the set that it is trained on, and none on others."""
    classes = np.arange(pairs) % 2
    part = TestPart(classes, keys=[f"pair {number // 2}" for number in range(pairs)])
    digests = {name: {one: PartDigest(f"{name} {one}", pairs) for one in ("train", "test")} for name in asked.data}
    found = []
    for number, cell in enumerate(plan(asked, digests).cells):
        noise = np.random.default_rng(number).normal(size=pairs)
        strength = signal[cell.run.system] if cell.run.train == cell.test else 0.0
        first = (1 / (1 + np.exp(-(strength * (1 - 2 * classes) + noise)))).astype(np.float32)
        if not signal[cell.run.system]:
            first = np.full(pairs, 0.5, np.float32)
        found.append(ScoredCell(cell, (first < 0.5).astype(np.int64), first))
    return found, dict.fromkeys(asked.data, part)


def finding(signal: dict[int, float], pairs: int = N, systems: str = SYSTEMS) -> DirectionFinding:
    asked = experiment(systems)
    [found] = direction_findings(asked, *scored(asked, signal, pairs))
    return found


def test_what_the_hypothesis_alone_has_is_taken_from_what_is_real() -> None:
    found = finding({0: 2.0, 1: 0.5, 2: 0.0})
    areas = found.areas
    assert areas is not None
    assert areas.both.low < areas.both.value < areas.both.high
    assert areas.gain.value == pytest.approx(areas.both.value - areas.hypothesis.value)
    assert areas.real.value == pytest.approx(100 * areas.gain.value / areas.both.value)
    assert areas.both_orders is not None
    assert (areas.both_orders.value, areas.pairs, areas.runs) == (pytest.approx(0), N, 2)
    assert found.verdict.startswith(
        f"At most {areas.real.value:.0f} % [{areas.real.low:.0f}, {areas.real.high:.0f}] of"
    )
    assert "300 test pairs of DirTrue-DirFalse, 2 runs" in found.verdict
    assert "does not carry over to likeness" in found.verdict
    assert found.verdict.count(". ") == 0


def test_no_direction_is_called_real_that_the_hypothesis_alone_may_explain() -> None:
    found = finding({0: 0.6, 1: 0.9, 2: 0.0}, 60)
    assert found.verdict.startswith("None of the direction of Reader is shown to be real")
    assert "60 test pairs of DirTrue-DirFalse, too few for more than a hint" in found.verdict


def test_without_the_hypothesis_alone_nothing_can_be_said_and_nothing_is_of_other_experiments() -> None:
    found = finding({0: 1.0}, systems=SYSTEMS[: SYSTEMS.index("[[system]]", 1)])
    assert 'cannot be said: add the same system with input = "hypothesis"' in found.verdict
    asked = experiment(sets={"Symmetric": "Paraphrases-Unrelated"})
    assert (direction_findings(asked, [], {}), direction_tables(asked, [], {})) == ([], [])
    [unknown] = direction_findings(experiment(), [], {})
    assert unknown == DirectionFinding("Reader")


def test_systems_that_differ_in_their_input_alone_are_a_family() -> None:
    other = '[[system]]\nkind = "tfidf"\n[[system]]\nkind = "tfidf"\ninput = "hypothesis"\nc = 1\n'
    [reader, tfidf] = families(experiment(SYSTEMS + other))
    assert (reader.title, list(reader.systems.values())) == ("Reader", [0, 1, 2])
    assert list(tfidf.systems.values()) == [3]


def test_ratios_are_ranked_from_below_beside_those_of_the_paper() -> None:
    asked = experiment()
    cells, parts = scored(asked, {0: 2.0, 1: 0.5, 2: 0.0})
    ratios, halves, matrix = direction_tables(asked, cells, parts)
    assert ratios.rows == (*(subset for subset in MeshSubset if subset in SETS.values() or subset == "Full"),)
    columns = {name: [row[place] for row in ratios.values] for place, name in enumerate(ratios.columns)}
    ranked = [
        (ratio.mean, rank.text)
        for ratio, rank in zip(columns["both / hypothesis"], columns["rank"], strict=True)
        if ratio and rank
    ]
    assert [rank for _, rank in sorted(ranked)] == ["1", "2", "3", "4"]
    assert [value.text if value else "" for value in columns["paper: ratio"]] == [
        "1.70",
        "about 3",
        "about 3",
        "1.55",
        "",
    ]
    assert all(value is None or not value.cells for value in columns["paper: rank"])
    assert halves.columns == ("both sentences", "hypothesis alone", "both orders")
    assert matrix.columns == (*list(SETS)[:3], *(f"paper: {name}" for name in list(SETS)[:3]))
    assert [value.text for value in matrix.values[0][3:] if value] == ["82.9", "9.9", "24.7"]
    assert matrix.values[0][0] is not None
    assert matrix.values[0][0].is_in_domain
    assert "\t1.55\t" in format_view(ratios, TableFormat.TSV)


def test_precision_falls_from_the_first_pairs_to_the_share_of_positives() -> None:
    [curve, *_] = finding({0: 2.0, 1: 0.5, 2: 0.0}).curves
    assert (curve.subset, curve.set, curve.share) == (MeshSubset.DIRECTIONAL, "Directional", 0.5)
    assert list(curve.lines) == ["both sentences", "hypothesis alone", "both orders"]
    assert curve.lines["both sentences"][5] > 0.9
    assert [line[-1] for line in curve.lines.values()] == pytest.approx([0.5] * 3, abs=0.02)
    assert set(curve.lines["both orders"]) == {0.5}
