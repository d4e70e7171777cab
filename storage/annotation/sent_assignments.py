"""Assignments that are sent as answer files: the identity stored in such a file, and the project's record of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection, select, update

from storage.annotation.annotation_rounds import ASSIGNMENTS, MAX_ROUND_PAIRS, AssignmentState, RoundAsks, RoundKind

_MAX_NAME_LENGTH = 1000  # characters of a name, key or uid that comes from a file


class AssignmentForm(StrEnum):
    """In which form an assignment is sent. ANSWER_FILE: as a project; others: see `storage.exchange.answer_tables`."""

    ANSWER_FILE = "answer-file"
    CSV = "csv"
    JSONL = "jsonl"
    LABEL_STUDIO = "label-studio"
    PRODIGY = "prodigy"


@dataclass(frozen=True, slots=True)
class SentAssignment:
    """The assignment that an answer file holds.

    uid: of the assignment. round_uid, round, kind: of its annotation round, whose number is `round`. annotator, name:
    the key and the name of its annotator. pairs: how many the file has. digest: of these (`pairs_digest`). taxonomy:
    the digest of the taxonomy whose questions are asked; "" if the relation is asked.
    """

    uid: str
    round_uid: str
    round: int
    kind: RoundKind
    annotator: str
    name: str
    pairs: int
    digest: str
    taxonomy: str = ""

    @property
    def asks(self) -> RoundAsks:
        return RoundAsks.KINDS if self.taxonomy else RoundAsks.RELATION

    def __post_init__(self) -> None:
        if not 1 <= self.round < 2**31 or not 1 <= self.pairs <= MAX_ROUND_PAIRS:
            raise ValueError("a round's number or size is out of range")
        texts = self.uid, self.round_uid, self.annotator, self.name, self.digest
        if any(not text.strip() or len(text) > _MAX_NAME_LENGTH for text in texts) or len(self.taxonomy) > 64:
            raise ValueError("a name is empty or too long")
        "".join((*texts, self.taxonomy)).encode()  # a lone surrogate, which SQLite does not take, is a `ValueError`


def pairs_digest(pairs: Iterable[tuple[str, str, str]]) -> str:
    """SHA-256 of pairs in their order, each as (key, premise, hypothesis)."""
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(json.dumps(pair).encode())
    return digest.hexdigest()


# By the actions that merged answers and were not undone (`storage.annotation.history.UndoState`).
_REFRESH_MERGED = """
    WITH merged AS (
        SELECT assignments.id, max(actions.at) AS at FROM assignments
        LEFT JOIN merged_answers ON assignment = assignments.id
        LEFT JOIN actions ON actions.id = action AND actions.state = 'done'
        WHERE assignments.id IN (SELECT assignment FROM merged_answers WHERE action = ?) GROUP BY assignments.id
    )
    UPDATE assignments SET merged_at = merged.at, state = CASE
            WHEN merged.at >= coalesce(sent_at, '') THEN 'merged' WHEN sent_at IS NOT NULL THEN 'sent' ELSE 'open'
        END
    FROM merged WHERE merged.id = assignments.id
"""


def refresh_merged(connection: Connection, action: int) -> None:
    """Refresh the state of the assignments whose answers this action merged; after it was done, undone or redone."""
    connection.exec_driver_sql(_REFRESH_MERGED, (action,))


_TEXTS = """
    SELECT key, premise, hypothesis FROM pairs WHERE key IN (SELECT value FROM json_each(:keys))
    UNION ALL SELECT key, mined_premise, mined_hypothesis FROM pairs WHERE key IN (SELECT value FROM json_each(:keys))
    UNION ALL SELECT pair_key, iif(field = 'premise', text, NULL), iif(field = 'hypothesis', text, NULL) FROM (
        SELECT pair_key, field, old AS text FROM text_events UNION ALL SELECT pair_key, field, new FROM text_events
    ) WHERE pair_key IN (SELECT key FROM pairs) AND pair_key IN (SELECT value FROM json_each(:keys))
"""


class SentAssignmentStore:
    """What the project remembers of the answer files that were sent."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def record(self, sent: SentAssignment, at: datetime) -> None:
        """Say that an assignment was sent as a file `at` this time."""
        values = {"state": AssignmentState.SENT, "sent_at": at, "digest": sent.digest}
        self._connection.execute(update(ASSIGNMENTS).where(ASSIGNMENTS.c.uid == sent.uid).values(**values))

    def digest(self, uid: str) -> str | None:
        """The digest of the pairs in the file that was sent last; None before the first."""
        return self._connection.scalar(select(ASSIGNMENTS.c.digest).where(ASSIGNMENTS.c.uid == uid))

    def count_foreign_texts(self, texts: Mapping[str, tuple[str, str]]) -> int:
        """How many pairs of the project have, and had, other sentences than these, apart from capitals.

        texts: premise and hypothesis by key; pairs that the project does not have are passed over.
        """
        return sum(
            any(
                sentence.casefold() not in {one.casefold() for one in those}
                for sentence, those in zip(texts[key], there, strict=True)
            )
            for key, there in self.known_texts(list(texts)).items()
        )

    def known_texts(self, keys: Sequence[str]) -> dict[str, tuple[set[str], set[str]]]:
        """The premises and hypotheses that these pairs have, and had, of those that the project has."""
        known: dict[str, tuple[set[str], set[str]]] = {}
        for key, *sentences in self._connection.exec_driver_sql(_TEXTS, {"keys": json.dumps(keys)}):
            for those, sentence in zip(known.setdefault(key, (set(), set())), sentences, strict=True):
                those |= {sentence} if sentence is not None else set()
        return known
