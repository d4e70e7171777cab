"""What cells of experiments predict for each pair, for those who read errors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable

from sqlalchemy import Connection

from miner.lab.experiments.errors import CellPrediction, misread_pairs
from miner.lab.experiments.experiment_file import experiment_of
from storage.connections import driver_connection
from storage.convert import read_all
from storage.lab.experiments import ExperimentStore
from storage.models.predictions import SystemAnswer

_CELLS = 'SELECT DISTINCT "key", part FROM experiment_cells WHERE "key" IN (SELECT value FROM json_each(?))'
_PREDICTIONS = f"""
    SELECT pair_key AS key, test_items.class AS label, predictions.class AS predicted, domain, strategy, phrase, words
    FROM ({_CELLS}) AS cells JOIN cell_results ON cell_results."key" = cells."key"
    JOIN test_items ON test_items.part = cells.part
    JOIN predictions ON predictions.predictor = cell_results.predictor AND predictions.text_hash = test_items.text_hash
    ORDER BY cells."key", test_items.position
"""
_EXPERIMENT = """
    SELECT max(experiment) FROM experiment_cells JOIN experiments ON experiments.id = experiment
    WHERE "key" IN (SELECT value FROM json_each(?)) AND NOT forgotten
"""


class MisreadPairStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def predictions(self, cells: Iterable[str]) -> list[CellPrediction]:
        """The predictions of the finished cells among these, given by keys, for their pairs."""
        rows = driver_connection(self._connection).execute(_PREDICTIONS, (json.dumps(sorted(set(cells))),))
        return list(read_all(CellPrediction, rows))

    def experiment_of(self, cells: Iterable[str]) -> int | None:
        """The id of the latest experiment that is not forgotten and has one of these cells; None if there is none."""
        found = driver_connection(self._connection).execute(_EXPERIMENT, (json.dumps(sorted(set(cells))),))
        [(id,)] = found.fetchall()
        return None if id is None else int(id)

    def answers(self, cells: Collection[str], keys: Collection[str]) -> dict[str, SystemAnswer]:
        """The answers of the cells' system to the pairs that it misreads, by the pair's key.

        Empty where the experiment is forgotten.
        """
        id = self.experiment_of(cells)
        if id is None:
            return {}
        classes = experiment_of(ExperimentStore(self._connection).get(id).recipe).class_names
        predictions = self.predictions(cells)
        runs = Counter(one.key for one in predictions)
        wanted = set(keys)
        return {
            pair.key: SystemAnswer(
                classes[pair.label],
                classes[pair.predicted] if pair.predicted >= 0 else "",
                pair.wrong,
                runs[pair.key],
            )
            for pair in misread_pairs(one for one in predictions if one.key in wanted)
        }
