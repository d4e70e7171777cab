"""Which stored results of an experiment are not what was stored."""

from __future__ import annotations

import sqlite3

from storage.integrity.checksums import find_changed_of

_CELLS = 'SELECT "key" FROM experiment_cells WHERE experiment = ?'
_PARTS = "SELECT part FROM experiment_cells WHERE experiment = ?"
_PREDICTORS = f'SELECT predictor FROM cell_results WHERE "key" IN ({_CELLS})'
_CONDITIONS = {
    "experiments": "id = ?",
    "experiment_cells": "experiment = ?",
    "cell_results": f'"key" IN ({_CELLS})',
    "predictors": f"id IN ({_PREDICTORS})",
    "predictions": f"predictor IN ({_PREDICTORS})",
    "test_parts": f"id IN ({_PARTS})",
    "test_items": f"part IN ({_PARTS})",
    "test_texts": f"text_hash IN (SELECT text_hash FROM test_items WHERE part IN ({_PARTS}))",
}
"""By table the rows that an experiment's tables and report are made of."""


def find_changed_results(connection: sqlite3.Connection, experiment: int) -> list[str]:
    """The names of the rows of an experiment that are not what was stored. The connection has `add_checksums`."""
    return [
        name
        for table, condition in _CONDITIONS.items()
        for name in find_changed_of(connection, table, condition, (experiment,))
    ]
