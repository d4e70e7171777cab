"""Keeps the predictions that a data set file has in columns of its own, by the text of the pair."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from miner.mining.identity import text_hash
from miner.records import Label
from storage.annotation.removals import COLUMNS
from storage.exchange.labelled_rows import LabelledRow
from storage.models.predictions import PredictorInfo
from storage.papers.prediction_columns import column_predictor
from storage.stores import Stores

_DIFFERS = "another prediction of {} for a pair that the file has twice; the first one is kept"
_LABELS = list(Label)


class PredictionImporter:
    """Keeps the predictions of one file, batch by batch. name: of the file. content: the digest of its content.

    counts: how many pairs have a prediction, by column.
    """

    def __init__(self, name: str, content: str) -> None:
        self._name, self._content = name, content
        self._known: dict[str, dict[bytes, Label]] = {}  # by column, then by text
        self._subject = f"{COLUMNS} {content}"
        self._is_new: bool | None = None  # None before anything is stored
        self.counts: dict[str, int] = {}

    def store(
        self,
        stores: Stores,
        rows: Sequence[tuple[int, LabelledRow]],
        at: datetime,
        remark: Callable[[int, Iterable[str]], None],
    ) -> None:
        """Store the predictions of these rows. remark: called with a line and why its predictions are not stored."""
        new: dict[str, dict[bytes, bytes]] = {}
        for line, row in rows:
            hash = text_hash(row.premise, row.hypothesis)
            for column, label in row.predictions:
                known = self._known.setdefault(column, {}).setdefault(hash, label)
                if known is not label:
                    remark(line, [_DIFFERS.format(column)])
                    continue
                new.setdefault(column, {})[hash] = struct.pack("<4f", *(float(label is one) for one in _LABELS))
        if new and self._is_new is None:
            self._is_new = not stores.actions.is_there(self._subject)
        for column, packed in new.items():
            info = PredictorInfo(column_predictor(column, self._content), f"{column} of {self._name}", "", 0.0, (), {})
            stores.predictions.save(info, packed.items(), at)
        self.counts = {column: len(known) for column, known in self._known.items()}

    def note(self, stores: Stores, at: datetime) -> None:
        """Enter the import of predictions that were not there as an action, which can be undone."""
        if self._is_new:
            stores.actions.note_added(f"Import predictions of {self._name}", self._subject, at)
