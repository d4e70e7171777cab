"""A finished experiment in a project of the sample papers, without running anything: its predictions are scripted."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product
from typing import NamedTuple

import numpy as np

from miner.lab.experiments.experiment_file import parse_experiment, to_data
from miner.mining.identity import text_hash
from miner.records import Label
from storage.lab.experiments import ExperimentState, StoredCell
from storage.lab.tested_pairs import TestedPair, TestedText
from storage.models.predictions import PredictorInfo
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.stores import Stores

AT = datetime(2026, 7, 1, tzinfo=UTC)
CLASSES = tuple(label.value for label in Label)
REFUSED = "7 of its test pairs are in the train part of file."
OUTSIDE = 12  # test pairs of a file
_EXPERIMENT = """
name = "Two systems"
question = "What do they misread?"
seeds = [1, 2]
[data.own]
train = {}
test = {}
[data.file]
files = { train = "train.csv", test = "test.csv" }
train = {}
test = {}
[[system]]
kind = "cbow"
[[system]]
kind = "naive_bayes"
[[table]]
title = "Systems"
[[table]]
title = "By domain"
columns = "domain"
[[table]]
title = "By length"
columns = "length"
[[table]]
title = "Travel"
rows = "train"
columns = "test"
against = "diagonal"
"""


class Scripted(NamedTuple):
    """The experiment's id; and by system, train set, test set and seed, each finished cell's key and predictions."""

    id: int
    keys: dict[tuple[int, str, str, int], str]
    predicted: dict[str, dict[str, int]]  # by cell: the class of each pair
    labels: dict[str, int]  # by pair

    def misread(self, *cells: str) -> set[str]:
        """The pairs that one of these cells misread."""
        return {pair for cell in cells for pair, one in self.predicted[cell].items() if one != self.labels[pair]}


def store_experiment(project: Project, *, finished: int | None = None) -> Scripted:
    """Enter it with all cells or so many finished; Naive Bayes, trained on the file and tested there, is refused."""
    with project.transaction() as stores:
        own = _own_pairs(stores)
        file = [_file_pair(number) for number in range(OUTSIDE)]
        id = stores.experiments.start("Two systems", to_data(parse_experiment(_EXPERIMENT)), "pairwright 1", AT)
        parts = {
            "own": stores.test_parts.enter(pair for pair, _ in own),
            "file": stores.test_parts.enter(pair for pair, _ in file),
        }
        stores.test_parts.enter_texts(text for _, text in (*own, *file))
        tested = {"own": [pair for pair, _ in own], "file": [pair for pair, _ in file]}
        script = Scripted(id, {}, {}, {pair.key: pair.label for pairs in tested.values() for pair in pairs})
        cells = []
        for system, train, test in product((0, 1), ("own", "file"), ("own", "file")):
            for seed in (1, 2) if system == 0 else (1,):
                key, run = f"cell {system} {train} {test} {seed}", f"run {system} {train} {seed}"
                problem = REFUSED if (system, train, test) == (1, "file", "file") else ""
                cells.append(StoredCell(key, run, "", system, train, test, seed, parts[test], problem))
        stores.experiments.set_cells(id, cells)
    finish_cells(project, script, cells[:finished], tested)
    with project.transaction() as stores:
        stores.experiments.end(id, ExperimentState.DONE, AT)
    return script


def store_direction(project: Project, pairs: int = 240) -> int:
    """Enter a finished experiment on direction, of files, in which the hypothesis alone has half of the signal."""
    sets = {"Directional": "DirTrue-DirFalse", "Symmetric": "Paraphrases-Unrelated", "Full": "Full"}
    systems = {"Reader": "both", "Reader, hypothesis alone": "hypothesis", "Reader, both orders": "both orders"}
    text = 'name = "Direction of files"\nseeds = [1]\n[classes]\nholds = ["holds"]\n"does not hold" = "others"\n'
    for name, probe in sets.items():
        text += f'[data.{name}]\ntriples = "levyholt"\nprobe = "{probe}"\ntrain = {{}}\ntest = {{}}\n'
    for name, input in systems.items():
        text += f'[[system]]\nkind = "tfidf"\nname = "{name}"\ninput = "{input}"\n'
    text += '[[table]]\ntitle = "Trained on one, tested on each"\nrows = "train"\ncolumns = "test"\nof = "auc_norm"\n'
    with project.transaction() as stores:
        id = stores.experiments.start(
            "Direction of files", to_data(parse_experiment(text)), "pairwright 1", AT, text=text
        )
        cells, tested = [], {}
        for test in sets:
            tested[test] = [_triple(test, number) for number in range(pairs)]
            part = stores.test_parts.enter(pair for pair, _ in tested[test])
            stores.test_parts.enter_texts(text for _, text in tested[test])
            for system, train in product(range(3), sets):
                key, run = f"direction {system} {train} {test}", f"direction {system} {train}"
                cells.append(StoredCell(key, run, "", system, train, test, 1, part, ""))
        stores.experiments.set_cells(id, cells)
        for number, cell in enumerate(cells):
            classes = np.array([pair.label for pair, _ in tested[cell.test]])
            signal = (2.0, 0.7, 0.0)[cell.system] if cell.train in (cell.test, "Full") else 0.2
            draw = np.random.default_rng(number).normal(size=pairs)
            first = 1 / (1 + np.exp(-(signal * (1 - 2 * classes) + draw * (cell.system < 2))))
            values = np.stack([first, 1 - first], axis=1).astype("<f4")
            rows = [
                (pair.text_hash, value.tobytes()) for (pair, _), value in zip(tested[cell.test], values, strict=True)
            ]
            info = PredictorInfo(cell.run, cell.run, "processor", 1.5, (), {"python": "3.11"})
            stores.cell_predictions.save(info, rows, [cell.key], AT)
        stores.experiments.end(id, ExperimentState.DONE, AT)
    return id


def _triple(test: str, number: int) -> tuple[TestedPair, TestedText]:
    texts = f"The reef {number // 2} of {test} feeds fish.", f"Fish live at the reef {number // 2}."
    premise, hypothesis = texts if number % 2 == 0 else texts[::-1]
    key, hash = f"{test}:{number // 2}", text_hash(premise, hypothesis)
    return TestedPair(key, hash, number % 2, "", "", "", 12), TestedText(key, hash, premise, hypothesis)


def finish_cells(
    project: Project, script: Scripted, cells: list[StoredCell], tested: dict[str, list[TestedPair]] | None = None
) -> None:
    """Store predictions for these cells."""
    with project.transaction() as stores:
        for cell in cells:
            if cell.problem:
                continue
            pairs = (tested or {}).get(cell.test) or stores.test_parts.pairs(cell.part)
            draw = np.random.default_rng(len(script.predicted))
            classes = [pair.label if draw.random() < 0.6 else int(draw.integers(-1, 4)) for pair in pairs]
            rows = [
                (pair.text_hash, _probabilities(one).astype("<f4").tobytes())
                for pair, one in zip(pairs, classes, strict=True)
            ]
            title = f"{('CBOW', 'Naive Bayes')[cell.system]}, trained on {cell.train}, seed {cell.seed}"
            info = PredictorInfo(cell.run, title, "cpu", 3.5, ("Random vectors.",), {"python": "3.11"})
            stores.cell_predictions.save(info, rows, [cell.key], AT)
            script.keys[cell.system, cell.train, cell.test, cell.seed] = cell.key
            script.predicted[cell.key] = {pair.key: one for pair, one in zip(pairs, classes, strict=True)}


def _probabilities(predicted: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    if predicted < 0:
        return np.zeros(4)
    values = np.full(4, 0.1)
    values[predicted] = 0.7
    return values


def _own_pairs(stores: Stores) -> list[tuple[TestedPair, TestedText]]:
    found = []
    for row in stores.pair_table.rows(stores.pair_table.ids(PairFilter())):
        if row.label not in CLASSES:  # such as an unlinked neighbour that nobody has answered
            continue
        hash = text_hash(row.premise, row.hypothesis)
        words = row.premise_words + row.hypothesis_words
        label = CLASSES.index(row.label)
        pair = TestedPair(row.key, hash, label, row.domain, row.strategy.value, row.phrase, words)
        found.append((pair, TestedText(row.key, hash, row.premise, row.hypothesis)))
    return found


def _file_pair(number: int) -> tuple[TestedPair, TestedText]:
    texts = f"Premise {number} of the file.", f"Hypothesis {number} of the file."
    key, hash = f"file:test:{number + 2}", text_hash(*texts)
    return TestedPair(key, hash, number % 4, "", "", "", 10), TestedText(key, hash, *texts)
