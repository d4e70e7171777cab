"""What people call the cells of experiments."""

from __future__ import annotations

import json
from collections import Counter

from sqlalchemy import Connection

from miner.errors import UserError
from miner.lab.experiments.experiment_file import experiment_of
from storage.errors import translate_decoding_errors
from storage.pairs.cells import CELLS


def name_cells(connection: Connection) -> dict[str, str]:
    """What people call each cell, by its key: system, sets and seed, as far as the experiment has several of them."""
    by_experiment: dict[int, list[tuple[str, int, str, str, int]]] = {}
    for id, *cell in connection.exec_driver_sql(
        f'SELECT experiment, "key", system, train, test, seed FROM {CELLS} ORDER BY experiment, position'
    ):
        by_experiment.setdefault(id, []).append(tuple(cell))
    names: dict[str, tuple[str, int]] = {}
    for id, recipe in connection.exec_driver_sql("SELECT id, recipe FROM experiments ORDER BY id"):
        listed = by_experiment.get(id, [])
        titles = _system_titles(recipe)
        has_trains, has_tests = (len({cell[place] for cell in listed} - {""}) > 1 for place in (2, 3))
        seeds = Counter((system, train, test) for _, system, train, test, _ in listed)
        for key, system, train, test, seed in listed:
            parts = [titles.get(system, f"System {system + 1}")]
            parts += [f"trained on {train}"] if train and has_trains else []
            parts += [f"tested on {test}"] if has_tests else []
            parts += [f"seed {seed}"] if seeds[system, train, test] > 1 else []
            names.setdefault(key, (", ".join(parts), id))
    known = Counter(name for name, _ in names.values())
    return {key: f"{name}, experiment {id}" if known[name] > 1 else name for key, (name, id) in names.items()}


def _system_titles(recipe: str) -> dict[int, str]:
    with translate_decoding_errors():
        data = json.loads(recipe)
    try:
        return {number: system.title for number, system in enumerate(experiment_of(data).systems)}
    except UserError:  # of a version that had other systems
        return {}
