"""SQL about the current suggestions: those of the complete run, or of the running one while none is complete."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from sqlalchemy import RowMapping

from miner.records import Label, Suggestion
from storage.errors import translate_decoding_errors
from storage.pairs.facets import FACETS
from storage.pairs.filters import PairFilter

PROBABILITY_SCALE = 10_000  # probabilities are stored as integers in ten-thousandths
_PERCENT = PROBABILITY_SCALE // 100
PROBABILITY_COLUMNS = ("contrasting", "reasoning", "entailment", "neutral")
SUGGESTION_COLUMNS = ("confidence", *PROBABILITY_COLUMNS, "doubt", "margin")


class SuggestionRunState(StrEnum):
    """At most one run is RUNNING, and at most one is COMPLETE."""

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
SUGGESTIONS_ON_PAIR = f"suggestions ON {_OF_PAIR}"  # to follow JOIN, of any kind
SUGGESTIONS_OF_PAIR = f"suggestions WHERE {_OF_PAIR}"  # to follow FROM

_LABEL = FACETS["labels"].sql  # the code of the pair's label: 0 for none, else its index in `Label` plus one
_AGREES = {True: f"{_LABEL} = suggestions.label + 1", False: f"{_LABEL} NOT IN (0, suggestions.label + 1)"}
_NEVER = "NULL"  # a condition that is never true


def condition(filter: PairFilter) -> str:
    """The filter's condition on the suggestion, as SQL over `suggestions` and `pairs`; "" for none."""
    return " AND ".join(part for part in (suggestion_condition(filter), agreement_condition(filter)) if part)


def suggestion_condition(filter: PairFilter) -> str:
    """The part of `condition` on the columns of `suggestions`; "" for none.

    Limits are whole percents: a maximum of 29 includes everything below 30, so that no value is between two ranges.
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
    """The part of `condition` that compares the suggested label with the pair's label; "" for none."""
    return "" if filter.suggestion_agrees is None else _AGREES[filter.suggestion_agrees]


def pair_condition(filter: PairFilter) -> str:
    """The same condition over `pairs` alone; "" for none. It looks up the suggestion of each pair."""
    wanted = condition(filter)
    if not wanted:
        return ""
    has_wanted, has_any = (f"EXISTS (SELECT 1 FROM {SUGGESTIONS_OF_PAIR} AND {it})" for it in (wanted, "1"))
    if not allows_no_suggestion(filter):
        return has_wanted
    return f"NOT {has_any}" if wanted == _NEVER else f"({has_wanted} OR NOT {has_any})"


def requires_suggestion(filter: PairFilter) -> bool:
    """Whether all pairs of the filter have a suggestion."""
    return bool(condition(filter)) and not allows_no_suggestion(filter)


def allows_no_suggestion(filter: PairFilter) -> bool:
    """Whether the filter asks for pairs without a suggestion, alone or among others."""
    has_limits = any(limits not in (None, (None, None)) for limits in (filter.confidence, filter.doubt))
    return "" in filter.suggested and not has_limits and filter.suggestion_agrees is None


@translate_decoding_errors()
def suggestion_from_row(row: RowMapping) -> Suggestion:
    """The suggestion in a row with `SUGGESTION_COLUMNS`, the label's index as `suggested`, and the model's name."""
    doubt, margin = row["doubt"], row["margin"]
    return Suggestion(
        tuple(Label)[row["suggested"]],
        row["confidence"] / PROBABILITY_SCALE,
        from_units([row[column] for column in PROBABILITY_COLUMNS]),
        None if doubt is None else doubt / PROBABILITY_SCALE,
        None if margin is None else margin / PROBABILITY_SCALE,
        row["model"],
    )


def from_units(numbers: Sequence[int]) -> tuple[float, ...]:
    """Probabilities from stored ten-thousandths."""
    return tuple(number / PROBABILITY_SCALE for number in numbers)
