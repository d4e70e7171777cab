"""SQL about the current suggestions: those of the complete run, else of the first one while it is running."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from miner.records import Label, Suggestion
from storage.errors import translate_decoding_errors
from storage.pairs.facets import FACETS
from storage.pairs.filters import PairFilter, Range

PROBABILITY_SCALE = 10_000  # a probability of 1, as it is stored
_PERCENT = PROBABILITY_SCALE // 100
PROBABILITY_COLUMNS = ("contrasting", "reasoning", "entailment", "neutral")  # the columns of their probabilities
SUGGESTION_COLUMNS = (
    "confidence",
    *PROBABILITY_COLUMNS,
    "doubt",
    "margin",
)  # the columns that `suggestion_from_row` wants after the label


class SuggestionRunState(StrEnum):
    """There is at most one RUNNING and one COMPLETE."""

    RUNNING = "running"
    COMPLETE = "complete"
    REPLACED = "replaced"


CURRENT_RUN_ID = f"""(
    SELECT id FROM suggestion_runs WHERE state IN ('{SuggestionRunState.RUNNING}', '{SuggestionRunState.COMPLETE}')
    ORDER BY state = '{SuggestionRunState.RUNNING}' LIMIT 1
)"""
_NAMES = " ".join(f"WHEN {number} THEN '{label}'" for number, label in enumerate(Label))
LABEL_NAME = f"CASE suggestions.label {_NAMES} END"
_OF_PAIR = f"suggestions.pair = pairs.id AND suggestions.run = {CURRENT_RUN_ID}"
SUGGESTIONS_ON_PAIR = f"suggestions ON {_OF_PAIR}"  # after a JOIN of any kind
SUGGESTIONS_OF_PAIR = f"suggestions WHERE {_OF_PAIR}"  # after FROM

_LABEL = FACETS["labels"].sql  # of the pair, as an export has it: 0 for none, else the place in `Label` plus one
_AGREES = {True: f"{_LABEL} = suggestions.label + 1", False: f"{_LABEL} NOT IN (0, suggestions.label + 1)"}
_NEVER = "NULL"  # a condition that no suggestion meets


def condition(filter: PairFilter) -> str:
    """What the filter asks of a pair's suggestion, over `suggestions` and `pairs`; "" for nothing."""
    return " AND ".join(part for part in (suggestion_condition(filter), agreement_condition(filter)) if part)


def suggestion_condition(filter: PairFilter) -> str:
    """The part of `condition` that `suggestions` alone can tell; "" for nothing.

    Limits are whole percents, included: up to 29 goes on to just below 30, so that nothing falls between two ranges.
    """
    labels = [str(number) for number, label in enumerate(Label) if label in filter.suggested]
    if filter.suggested and not labels:
        return _NEVER
    found = [f"suggestions.label IN ({', '.join(labels)})"] if labels else []
    for column, limits in (("confidence", filter.confidence), ("doubt", filter.doubt)):
        low, high = limits or (None, None)
        found += [f"suggestions.{column} >= {low * _PERCENT}"] if low is not None else []
        found += [f"suggestions.{column} < {(high + 1) * _PERCENT}"] if high is not None else []
    return " AND ".join(found)


def agreement_condition(filter: PairFilter) -> str:
    """The part of `condition` about agreement with the pair's label, over `suggestions` and `pairs`; "" for nothing."""
    return "" if filter.suggestion_agrees is None else _AGREES[filter.suggestion_agrees]


def pair_condition(filter: PairFilter) -> str:
    """The same as `condition`, over `pairs` alone; "" for nothing. It looks suggestions up pair by pair."""
    asked = condition(filter)
    if not asked:
        return ""
    with_one, with_any = (f"EXISTS (SELECT 1 FROM {SUGGESTIONS_OF_PAIR} AND {of})" for of in (asked, "1"))
    if not allows_no_suggestion(filter):
        return with_one
    return f"NOT {with_any}" if asked == _NEVER else f"({with_one} OR NOT {with_any})"


def requires_suggestion(filter: PairFilter) -> bool:
    """Only pairs with a suggestion are meant."""
    return bool(condition(filter)) and not allows_no_suggestion(filter)


def allows_no_suggestion(filter: PairFilter) -> bool:
    """Pairs without a suggestion are meant too."""
    return "" in filter.suggested and not any(map(_limits, (filter.confidence, filter.doubt, filter.suggestion_agrees)))


def _limits(asked: Range | bool | None) -> bool:
    return asked is not None and asked != (None, None)


@translate_decoding_errors()
def suggestion_from_row(label: int, numbers: Sequence[Any], model: str) -> Suggestion:
    """From columns of a row: label, those of `SUGGESTION_COLUMNS`, and the model's name."""
    confidence, *probabilities, doubt, margin = numbers
    return Suggestion(
        tuple(Label)[label],
        confidence / PROBABILITY_SCALE,
        from_units(probabilities),
        None if doubt is None else doubt / PROBABILITY_SCALE,
        None if margin is None else margin / PROBABILITY_SCALE,
        model,
    )


def from_units(numbers: Sequence[int]) -> tuple[float, ...]:
    return tuple(number / PROBABILITY_SCALE for number in numbers)
