"""Experiments that a person has forgotten: they can be brought back until their results are deleted for good."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, select, update

from storage.lab.experiments import CELLS, EXPERIMENTS
from storage.lab.tested_pairs import TestPartStore
from storage.models.predictions import PredictionStore
from storage.schema import CellResultRow


class DeletedResults(NamedTuple):
    """experiments: how many were deleted. predictions: how many pairs' predictions. runs: keys that no cell has now."""

    experiments: int
    predictions: int
    runs: frozenset[str]


_COUNT_PREDICTIONS = "SELECT count(*) FROM predictions"


class ForgottenExperimentStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def forget(self, id: int) -> None:
        """Leave an experiment out wherever experiments are read; its results are kept."""
        self._connection.execute(update(EXPERIMENTS).where(EXPERIMENTS.c.id == id).values(forgotten=True))

    def count(self) -> int:
        """How many experiments are forgotten, and can be brought back."""
        return len(self._connection.scalars(select(EXPERIMENTS.c.id).where(EXPERIMENTS.c.forgotten)).all())

    def delete(self) -> DeletedResults:
        """Delete the forgotten experiments, and what no other experiment has: results, predictions and test parts.

        Of models as they are, the predictions are kept as `PredictionStore.delete_unlisted` says.
        """
        experiments, predictions, before = self.count(), self._count_predictions(), self._runs()
        self._connection.execute(delete(EXPERIMENTS).where(EXPERIMENTS.c.forgotten))
        unused = before - self._runs()
        known = select(CELLS.c.key)
        self._connection.execute(delete(CellResultRow).where(CellResultRow.key.not_in(known)))
        PredictionStore(self._connection).delete_runs_without_cells()
        PredictionStore(self._connection).delete_unlisted()
        TestPartStore(self._connection).delete_unused()
        return DeletedResults(experiments, predictions - self._count_predictions(), unused)

    def _runs(self) -> frozenset[str]:
        """The keys of all runs of experiments, also of those whose training dynamics choose a subset."""
        rows = self._connection.execute(select(CELLS.c.run, CELLS.c.mapping).distinct())
        return frozenset(key for row in rows for key in row if key)

    def _count_predictions(self) -> int:
        return int(self._connection.exec_driver_sql(_COUNT_PREDICTIONS).scalar_one())
