"""Makes values of what people did in the project file of another person; `ValueError` for what Pairwright never writes.

The order of events is the truth, not the clock: a time is moved behind that of the pair's event before it, but for what
was merged there (`event_times.IS_OWN`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from miner.kinds.questionnaire import fits, next_question
from miner.kinds.taxonomy import Taxonomy
from miner.records import Answer
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import AnswerSource
from storage.annotation.event_times import time_behind
from storage.annotation.kinds import answers_of, answers_text
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.annotation.merging import ReturnedAnswer, ReturnedMark
from storage.pairs.tags import check_tags

_MAX_NOTE_LENGTH = 100_000  # characters
_MAX_KINDS_LENGTH = 100_000  # characters of the answers to all questions about a pair
_MAX_SECONDS = 86_400.0  # that a pair was on the screen


class EventCheck:
    """Checks events, the oldest first. taxonomies: those that answers about kinds may be given by, by digest.

    years: in which a person can have done anything.
    """

    years = range(1970, 2200)

    def __init__(self, taxonomies: Mapping[str, Taxonomy]) -> None:
        self._taxonomies = taxonomies
        self._last: dict[tuple[str, str, str], datetime] = {}

    def answer(self, row: Any) -> ReturnedAnswer:
        """An answer about the relation, from a row of `label_events`."""
        at = self.time(row, "answer")
        answer = None if row.new is None else Answer(row.new)
        source = AnswerSource(row.via).value
        return ReturnedAnswer(row.pair_key, at, answer, self.context(row.seen), source=source)

    def kinds(self, row: Any) -> ReturnedAnswer:
        """Answers about kinds, from a row of `kind_events`."""
        taxonomy = self._taxonomies.get(row.taxonomy)
        if taxonomy is None:
            raise ValueError("answers to other questions")
        at = self.time(row, f"answer {row.taxonomy}")
        if row.new is None:
            return ReturnedAnswer(row.pair_key, at, None)
        if not isinstance(row.new, str) or len(row.new) > _MAX_KINDS_LENGTH:
            raise ValueError("answers that are too long")
        answers = answers_of(row.new)
        if not answers or not fits(taxonomy, answers):
            raise ValueError("an answer that a question does not have")
        complete = next_question(taxonomy, answers) is None
        return ReturnedAnswer(row.pair_key, at, answers_text(answers), complete=complete)

    def mark(self, row: Any) -> ReturnedMark:
        """A mark, from a row of `mark_events`."""
        kind = MarkKind(row.kind)
        if row.new is not None:
            if not isinstance(row.new, str) or not row.new or len(row.new) > _MAX_NOTE_LENGTH:
                raise ValueError("a mark that is empty or too long")
            if kind is MarkKind.FLAG and row.new != FLAG_VALUE:
                raise ValueError("an unknown flag")
            if kind is MarkKind.TAG:
                check_tags(row.new)
        return ReturnedMark(row.pair_key, self.time(row, kind), kind, row.new)

    def context(self, text: str) -> AnswerContext:
        """The circumstances of an answer; a time on the screen that cannot be is left out."""
        seen = AnswerContext.from_json(text)
        seconds = seen.seconds
        is_time = seconds is not None and math.isfinite(seconds) and 0 <= seconds <= _MAX_SECONDS
        return replace(seen, seconds=seconds if is_time else None)

    def forget(self) -> None:
        """Let the next events be about other pairs."""
        self._last.clear()

    def time(self, row: Any, what: str) -> datetime:
        """When somebody did `what` to a pair: after they last did it."""
        at = datetime.fromisoformat(row.at)
        if at.tzinfo is None or at.year not in self.years:
            raise ValueError("a time that cannot be")
        at = at.astimezone(UTC)
        of = (what, row.pair_key, row.annotator)
        before = self._last.get(of)
        if getattr(row, "is_own", True):
            at = time_behind(at, before)
        self._last[of] = max(at, before or at)
        return at
