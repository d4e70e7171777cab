"""Merges people's work in another project into this project's histories, and counts the results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import insert

from storage.annotation.answer_histories import HOLDS
from storage.annotation.event_times import IS_OWN, event_time
from storage.annotation.merging import ReturnedAnswer, ReturnedMark
from storage.annotation.texts import TEXT_EVENTS
from storage.exchange.added_project import LISTED, AddedProject, PersonConflict
from storage.exchange.other_project import OtherText
from storage.pairs import mended_texts
from storage.stores import Stores

_TEXTS_HERE = f"""
    SELECT pair_key, field, at, new, {IS_OWN} AS is_own FROM text_events e
    WHERE pair_key IN (SELECT value FROM json_each(?)) AND {HOLDS} ORDER BY id
"""


class WorkMerging:
    """Merges people's work, and adds the outcome to `result`. people: their keys here, by their keys there."""

    def __init__(self, people: Mapping[str, str], result: AddedProject) -> None:
        self._people = people
        self._result = result

    def merge(
        self,
        stores: Stores,
        annotator: str,
        answers: Sequence[ReturnedAnswer],
        marks: Sequence[ReturnedMark],
        texts: Mapping[str, str],
        taxonomy: str | None,
        action: int,
    ) -> None:
        """Merge answers and marks of an annotator, the oldest first. texts: hypotheses by pair key, to list conflicts.

        taxonomy: that the answers are about kinds by.
        """
        here, result = self._people[annotator], self._result
        counts = stores.merging.merge_histories(here, answers, marks, taxonomy=taxonomy, action=action)
        result.answers += counts.new
        result.known_answers += counts.known
        result.agreeing += counts.agreeing
        result.marks += counts.marks
        result.conflict_count += len(counts.conflicts)
        name = stores.annotators.get(here).name if counts.conflicts else ""
        for conflict in counts.conflicts[: max(0, LISTED - len(result.conflicts))]:
            result.conflicts.append(PersonConflict(name, conflict))
            if conflict.pair_key in texts:
                result.hypotheses[conflict.pair_key] = texts[conflict.pair_key]

    def merge_texts(self, stores: Stores, texts: Sequence[OtherText], keys: Mapping[str, str], action: int) -> None:
        """Apply the latest text of each sentence. keys: the pairs' keys here, by their keys in `texts`."""
        connection = stores._connection
        wanted = json.dumps([keys[text.pair_key] for text in texts])
        here: dict[tuple[str, str], tuple[datetime, str]] = {}
        for row in connection.exec_driver_sql(_TEXTS_HERE, (wanted,)):
            of = row.pair_key, row.field
            before = [here[of][0]] if of in here else []
            here[of] = event_time(datetime.fromisoformat(row.at), before, is_own=row.is_own), row.new or ""
        rows: list[dict[str, Any]] = []
        for text in texts:
            key = keys[text.pair_key]
            there, known = (text.at, text.new or ""), here.get((key, text.field.value))
            self._result.text_conflicts += bool(known and known[1] and there[1] and known[1] != there[1])
            if there <= known if known else not text.new:
                continue
            present = getattr(stores.texts.of_pair(key), text.field) if stores.pairs.present([key]) else text.old
            values = {"pair_key": key, "annotator": self._people[text.annotator], "at": text.at}
            rows.append({**values, "field": text.field, "old": present, "new": text.new, "action": action})
        if rows:
            connection.execute(insert(TEXT_EVENTS), rows)
            mended_texts.refresh(connection, [row["pair_key"] for row in rows])
        self._result.texts += len(rows)
