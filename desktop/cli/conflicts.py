"""Conflicts between answers of one person, as data for JSON."""

from __future__ import annotations

from typing import Any

from miner.kinds.questionnaire import PairKinds
from storage.annotation.answer_histories import GivenValue
from storage.annotation.merging import MergeConflict, TimedAnswer


def conflict_data(conflict: MergeConflict) -> dict[str, Any]:
    """The pair, what its annotator answered in two places, and which answer counts."""
    return {
        "id": conflict.pair_key,
        "here": _answer_data(conflict.here),
        "there": _answer_data(conflict.there),
        "holds": _value_data(conflict.holds),
    }


def _answer_data(answer: TimedAnswer) -> dict[str, Any]:
    return {"answer": _value_data(answer.answer), "at": answer.at.isoformat()}


def _value_data(given: GivenValue | None) -> Any:
    """A relation, or the result of the answers about kinds, as data for JSON."""
    if not isinstance(given, PairKinds):
        return given
    return {**given._asdict(), "categories": sorted(given.categories)}
