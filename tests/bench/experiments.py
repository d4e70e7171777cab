"""How long an experiment's tables take from its stored predictions, and the surface features of pairs."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from desktop.jobs.lab.experiments.results import load_tables
from miner.lab.experiments.experiment import DataSet, Experiment, LabelChoice, Part, Table, TableAxis
from miner.lab.experiments.experiment_file import to_data
from miner.lab.experiments.plan import PartDigest, plan
from miner.lab.experiments.system_kinds import EncoderSystem
from miner.lab.experiments.systems.surface_features import surface_features
from miner.lab.experiments.systems.word_classes import TaggedWord
from miner.mining.identity import text_hash
from miner.progress import Progress
from storage.lab.experiments import StoredCell
from storage.lab.tested_pairs import TestedPair
from storage.models.predictions import PredictorInfo
from storage.project import Project

Figure = tuple[str, str, str, str, bool | None]
SYSTEMS, SEEDS, PREDICTIONS, PAIRS = 8, 5, 4_000, 10_000
_AXES = (
    TableAxis.SCORE,
    TableAxis.CLASS,
    TableAxis.DOMAIN,
    TableAxis.STRATEGY,
    TableAxis.PHRASE,
    TableAxis.LENGTH,
    TableAxis.TEST,
)
_PHRASES, _DOMAINS, _STRATEGIES, _WORDS = 40, 6, 4, 3_000


def measure(shared: Path) -> Iterator[Figure]:
    """Processor time; `shared` is not needed: all is made up, seeded."""
    yield _tables()
    yield _features()


def _tables() -> Figure:
    with tempfile.TemporaryDirectory() as folder, Project.create(Path(folder) / "demo.pairwright") as project:
        id, cells = store_experiment(project)
        load_tables(project, id).work(Progress())  # imports what it needs
        started = time.process_time()
        tables = load_tables(project, id).work(Progress()).tables
        seconds = time.process_time() - started
    numbers = sum(value is not None for view in tables for row in view.values for value in row)
    figure = f"tables of {cells} cells × {PREDICTIONS:,} predictions"
    note = f"processor time, from the file: {len(tables)} tables with {numbers} numbers, means, deviations and tests"
    return figure, f"{seconds:.2f} s", "≤ 0.5 s", note, seconds <= 0.5


def store_experiment(project: Project) -> tuple[int, int]:
    """An experiment with all kinds of tables, whose cells are finished: its number, and how many cells."""
    generator = np.random.default_rng(1)
    asked = Experiment(
        "bench",
        {"all": DataSet(labels=LabelChoice.EITHER, train=Part(), test=Part())},
        tuple(EncoderSystem(name=f"system {number}", start=f"model {number}") for number in range(SYSTEMS)),
        seeds=tuple(range(1, SEEDS + 1)),
        tables=tuple(Table(columns=axis) for axis in _AXES),
    )
    labels = generator.integers(0, 4, PREDICTIONS)
    pairs = [
        TestedPair(
            f"pair {n}",
            text_hash(str(n), ""),
            int(label),
            f"domain {n % _DOMAINS}",
            f"strategy {n % _STRATEGIES}",
            f"phrase {n % _PHRASES}",
            n % 100,
        )
        for n, label in enumerate(labels)
    ]
    digests = {part: PartDigest(part, PREDICTIONS) for part in ("train", "test")}
    planned = plan(asked, {"all": digests})
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with project.transaction(bulk=True) as stores:
        id = stores.experiments.start(asked.name, to_data(asked), "pairwright", now)
        part = stores.test_parts.enter(pairs)
        stored = [
            StoredCell(one.key, one.run.key, "", one.run.system, one.run.train, one.test, one.run.seed, part, "")
            for one in planned.cells
        ]
        stores.experiments.set_cells(id, stored)
        for cell in stored:
            right = generator.random(PREDICTIONS) < 0.4 + 0.05 * cell.system
            chosen = np.where(right, labels, generator.integers(0, 4, PREDICTIONS))
            rows = np.full((PREDICTIONS, 4), 0.1, "<f4")
            rows[np.arange(PREDICTIONS), chosen] = 0.7
            info = PredictorInfo(cell.run, "a system", "processor", 1.0, (), {})
            packed = ((pair.text_hash, row.tobytes()) for pair, row in zip(pairs, rows, strict=True))
            stores.cell_predictions.save(info, packed, [cell.key], now)
    return id, len(stored)


def _features() -> Figure:
    chooser = random.Random(1)
    words = [TaggedWord(f"word{n}", ("noun", "verb", "adjective", "adverb", "")[n % 5]) for n in range(_WORDS)]
    pairs = [
        tuple([words[int(len(words) * chooser.random() ** 2)] for _ in range(25)] for _ in range(2))
        for _ in range(PAIRS)
    ]
    started = time.process_time()
    features = surface_features(pairs)
    seconds = time.process_time() - started
    peer = _nltk_seconds(pairs[: PAIRS // 20]) * 20
    note = f"processor time, words tagged before; nltk's BLEU alone {peer:.0f} s"
    figure = f"BLEU, length and overlap features of {len(features):,} pairs of 50 words"
    return figure, f"{seconds:.2f} s", "≤ 5 s", note, seconds <= 5


def _nltk_seconds(pairs: list[tuple[list[TaggedWord], list[TaggedWord]]]) -> float:
    from nltk.translate.bleu_score import modified_precision

    started = time.process_time()
    for premise, hypothesis in pairs:
        first, second = ([word.text for word in side] for side in (premise, hypothesis))
        for order in (1, 2, 3, 4):
            modified_precision([first], second, order)
    return time.process_time() - started
