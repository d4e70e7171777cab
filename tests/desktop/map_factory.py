"""Makes an experiment with a data map of a project's pairs, as a training would have left it."""

from __future__ import annotations

import numpy as np

from desktop.jobs.lab.experiments.map_files import map_path, write_map
from miner.lab.experiments.experiment_file import parse_experiment, to_data
from storage.lab.experiments import ExperimentState, StoredCell
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.experiment_factory import AT

RUN = "0123456789abcdef" * 2
_EXPERIMENT = """
name = "Cartography"
seeds = [1]
[data.all]
labels = "gold or distant"
train = { labels = "distant" }
test = {}
[data.hard]
of = "all"
subset = "hard"
share = 0.33
[cartography]
system = "Encoder"
[[system]]
kind = "encoder"
name = "Encoder"
start = "starter"
recipe = "quick"
"""
_CLASSES = ("contrasting", "reasoning", "entailment", "neutral")


def enter_mapped_experiment(project: Project, *, maps: bool = True) -> int:
    """Store an experiment of which nothing is computed but, if it `maps`, the map of `RUN`; its id."""
    experiment = parse_experiment(_EXPERIMENT)
    cell = StoredCell("cell", "run", RUN if maps else "", 0, "hard", "all", 1, 0, "")
    with project.transaction() as stores:
        data = to_data(experiment) | ({} if maps else {"name": "Plain"})
        id = stores.experiments.start(str(data["name"]), data, "pairwright", AT)
        part = stores.test_parts.enter([])
        stores.experiments.set_cells(id, [cell._replace(part=part)])
        stores.experiments.end(id, ExperimentState.DONE, AT, "")
    return id


def write_synthetic_map(project: Project, pairs: int = 0, epochs: int = 5) -> list[str]:
    """Store a map of the project's linked and neutral pairs, or of so many made-up ones; the keys.

    Its shape is that of a real one: most pairs easy, some hard, and those between the most variable.
    """
    keys = [f"made up {number}" for number in range(pairs)]
    if not pairs:
        with project.read_transaction() as stores:
            keys = [pair.key for pair in stores.experiment_pairs.select(PairFilter(), None)]
    probabilities, correct = synthetic_dynamics(len(keys), epochs)
    classes = [number % len(_CLASSES) for number in range(len(keys))]
    write_map(map_path(project, RUN), probabilities, correct, keys, classes)
    return keys


def synthetic_dynamics(pairs: int, epochs: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of the label, and whether it was predicted, (epochs, pairs)."""
    draw = np.random.default_rng(1)
    ease = np.where(draw.random(pairs) < 0.75, draw.beta(5, 1.2, pairs), draw.beta(1.2, 4, pairs))
    spread = 2.2 * ease * (1 - ease) * draw.random(pairs) ** 0.7
    probabilities = np.clip(ease + spread * draw.normal(0, 1, (epochs, pairs)), 0.001, 0.999)
    return probabilities.astype(np.float32), probabilities > 0.45
