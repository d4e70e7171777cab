"""Sentences that people mended: an append-only history. The latest text of a sentence holds, whoever gave it.

SciNLI, section 3.3: sentences that were broken when they were extracted are completed from the paper.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select

from miner.errors import UserError
from miner.parsing.text import tidy
from storage.convert import read_all, utc_text
from storage.pairs import mended_texts
from storage.pairs.mended_texts import MINED_COLUMN, SentenceField
from storage.schema import PAIRS, columns_of, table_of

MAX_SENTENCE_LENGTH = 2000  # characters
_INSERT_IMPORTED = """
    INSERT INTO text_events (pair_key, annotator, at, field, old, new, action)
    SELECT :key, '', :at, :field, :old, :new, NULL
    WHERE NOT EXISTS (SELECT 1 FROM text_events WHERE pair_key = :key AND field = :field)
"""


@dataclass(frozen=True, slots=True)
class TextEvent:
    """An entry of the history: the annotator changed the sentence from `old` to `new`; None is the mined text.

    annotator: "" for a sentence that was imported as mended.
    """

    id: int
    pair_key: str
    annotator: str
    at: datetime
    field: SentenceField
    old: str
    new: str | None


TEXT_EVENTS = table_of("text_events", TextEvent, action=int | None)


@dataclass(frozen=True, slots=True)
class PairTexts:
    """A pair's sentences as they hold now, and as they were mined or imported."""

    premise: str
    hypothesis: str
    mined_premise: str
    mined_hypothesis: str

    @property
    def is_mended(self) -> bool:
        return (self.premise, self.hypothesis) != (self.mined_premise, self.mined_hypothesis)


def read_sentence(text: str, field: SentenceField) -> str:
    """The text of a mended sentence: NFC, one line, single spaces, no control characters.

    Raises `UserError` if nothing is left of it, or more than 2,000 characters.

    >>> read_sentence("It was\\n  copied from two lines. ", SentenceField.PREMISE)
    'It was copied from two lines.'
    """
    line = " ".join(text.split())
    sentence = tidy("".join(character for character in line if unicodedata.category(character) != "Cc"))
    if not sentence:
        raise UserError(
            f"The {field} is empty.", hint="Write the sentence as it is in the paper, or go back to the mined text."
        )
    if len(sentence) > MAX_SENTENCE_LENGTH:
        raise UserError(
            f"The {field} has {len(sentence):,} characters, more than {MAX_SENTENCE_LENGTH:,}.",
            hint="Keep one sentence.",
        )
    return sentence


class TextStore:
    """The history of mended sentences."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of_pair(self, key: str) -> PairTexts:
        """The sentences of the pair with this key, or `KeyError`."""
        columns = (PAIRS.c.premise, PAIRS.c.hypothesis, PAIRS.c.mined_premise, PAIRS.c.mined_hypothesis)
        row = self._connection.execute(select(*columns).where(PAIRS.c.key == key)).first()
        if row is None:
            raise KeyError(key)
        premise, hypothesis, mined_premise, mined_hypothesis = row
        return PairTexts(premise, hypothesis, mined_premise or premise, mined_hypothesis or hypothesis)

    def mend(
        self, key: str, annotator: str, texts: Mapping[SentenceField, str | None], at: datetime, *, action: int | None
    ) -> int:
        """Set sentences of a pair, None to the mined text. Returns how many sentences changed.

        A text that is the mined one sets the sentence back to it, so that the pair is no longer `edited`. A pair that
        has changed has no suggestion any more, because a model saw another text. `KeyError` for an unknown key.
        """
        now = self.of_pair(key)
        changed = 0
        for field, text in texts.items():
            present, mined = getattr(now, field), getattr(now, MINED_COLUMN[field])
            if (mined if text is None else text) == present:
                continue
            new = None if text == mined else text
            values = {"pair_key": key, "annotator": annotator, "at": at, "action": action}
            self._connection.execute(insert(TEXT_EVENTS).values(**values, field=field, old=present, new=new))
            changed += 1
        if changed:
            mended_texts.refresh(self._connection, [key])
        return changed

    def import_texts(self, sentences: Sequence[tuple[str, SentenceField, str, str]], at: datetime) -> None:
        """Store mended sentences of a data set: (pair key, field, mined text, mended text), before their pairs.

        A pair that was deleted and comes back still has its history, and that is what holds.
        """
        rows = [
            {"key": key, "field": field.value, "old": old, "new": new, "at": utc_text(at)}
            for key, field, old, new in sentences
        ]
        if rows:
            self._connection.exec_driver_sql(_INSERT_IMPORTED, rows)

    def history(self, pair_key: str) -> list[TextEvent]:
        """All changes of a pair's sentences, the oldest first."""
        query = select(*columns_of(TEXT_EVENTS, TextEvent)).where(TEXT_EVENTS.c.pair_key == pair_key)
        return list(read_all(TextEvent, self._connection.execute(query.order_by(TEXT_EVENTS.c.id))))
