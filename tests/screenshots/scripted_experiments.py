"""Finished experiments for the pictures, without running anything: their predictions are drawn by chance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desktop.jobs.lab.experiments.events import ExperimentStarted
from desktop.jobs.lab.experiments.run import run_experiment
from desktop.jobs.review.answers import mark
from miner.lab.experiments.experiment_file import parse_experiment, ready_text
from miner.progress import Cancelled, Progress
from storage.annotation.marks import MarkKind
from storage.lab.experiments import ExperimentState
from storage.models.predictions import PredictorInfo
from storage.pairs.filters import PairFilter
from storage.pairs.tags import AMBIGUOUS, DOMAIN_KNOWLEDGE, LABEL_WRONG, LONG_SENTENCE, join_tags
from storage.project import Project
from tests.desktop.experiment_factory import AT
from tests.desktop.map_factory import enter_mapped_experiment, write_synthetic_map

_RIGHT = (0.46, 0.5, 0.56, 0.62, 1.0)  # of short pairs, by system
_DATA = """[data.project]
labels = "distant"
train = { split = "any" }
test = { of = "train", sample = 80 }

"""  # the project is not in splits
_TAGS = [(LABEL_WRONG,), (DOMAIN_KNOWLEDGE,), (DOMAIN_KNOWLEDGE, LONG_SENTENCE), (AMBIGUOUS,), (LONG_SENTENCE,)]


def store_map(project: Project) -> None:
    """Enter an experiment with a data map of the project's pairs."""
    enter_mapped_experiment(project)
    write_synthetic_map(project)


def store_baselines(project: Project) -> None:
    """Enter the ready experiment on baselines as a run would; long pairs are harder, tagged ones are errors."""
    head, system, rest = ready_text("baselines").partition("[[system]]")
    text = head.partition("[data.project]")[0] + _DATA + system + rest
    experiment = parse_experiment(text)
    tagged = _tag_pairs(project)
    progress = Progress()

    def listen(event: object) -> None:
        if isinstance(event, ExperimentStarted):
            progress.cancel()

    with pytest.raises(Cancelled):
        run_experiment(project, experiment, Path(), "cpu", text=text, listener=listen).work(progress)
    with project.transaction() as stores:
        stored = stores.experiments.all()[0]
        id = stores.experiments.start(stored.name, stored.recipe, stored.program, AT, text=text)
        cells = stores.experiments.cells(id)
        pairs = stores.test_parts.pairs(cells[0].part)
        labels, words = (np.array([getattr(pair, name) for pair in pairs]) for name in ("label", "words"))
        for number, cell in enumerate(cells):
            draw = np.random.default_rng(number)
            is_right = draw.random(len(pairs)) < _RIGHT[cell.system] * np.clip(1.3 - words / 120, 0.4, 1.2)
            is_right &= [pair.key not in tagged for pair in pairs]
            predicted = np.where(is_right, labels, (labels + draw.integers(1, 4, len(pairs))) % 4)
            values = np.full((len(pairs), 4), 0.1, "<f4")
            values[np.arange(len(pairs)), predicted] = 0.7
            rows = [(pair.text_hash, value.tobytes()) for pair, value in zip(pairs, values, strict=True)]
            title = f"{experiment.systems[cell.system].title}, seed {cell.seed}"
            info = PredictorInfo(cell.run, title, "processor", 40.0 * (cell.system + 1), (), {"python": "3.11"})
            stores.cell_predictions.save(info, rows, [cell.key], AT)
        stores.experiments.end(id, ExperimentState.DONE, AT)


def _tag_pairs(project: Project) -> set[str]:
    """Tag every fifth pair; the keys."""
    with project.read_transaction() as stores:
        keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))[::5]
    for number, key in enumerate(keys):
        mark(project, [key], "mk", MarkKind.TAG, join_tags(_TAGS[number % len(_TAGS)])).work(Progress())
    return set(keys)
