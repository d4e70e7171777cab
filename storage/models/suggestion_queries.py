"""SQL for which pairs, in which order, where suggestions are asked for: from whichever side is the smaller."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from miner.records import Label
from storage.models import current_suggestions
from storage.pairs.facets import FACETS
from storage.pairs.filters import NONE, Column, Order, PairFilter, Term, may_lack, suggestion
from storage.pairs.query import all_of, from_index, order_by, with_limit

SORTED = {Column.CONFIDENCE: "confidence", Column.DOUBT: "doubt"}  # columns of `suggestions`, each with an index
COLUMNS = frozenset((*SORTED, Column.SUGGESTED))
_LIKELY = 20_000  # of the most doubtful, or least certain; the first lines of a table are likely among them
_LABEL = FACETS["labels"].sql
_AGREES = {True: f"{_LABEL} = suggestions.label + 1", False: f"{_LABEL} NOT IN (0, suggestions.label + 1)"}


def condition(filter: PairFilter) -> str:
    """What the filter asks of a suggestion, over `suggestions` and `pairs`; "" for nothing."""
    found = [suggestion(filter)] if suggestion(filter) else []
    if filter.suggestion_agrees is not None:
        found.append(_AGREES[filter.suggestion_agrees])
    return " AND ".join(found)


def needed(filter: PairFilter) -> bool:
    """Only pairs with a suggestion are meant."""
    return bool(condition(filter)) and not may_lack(filter)


def conditions(filter: PairFilter) -> list[Term]:
    """The same over `pairs` alone; looking pair by pair takes less than gathering before."""
    asked = condition(filter)
    if not asked:
        return []
    with_one, with_any = (f"EXISTS (SELECT 1 FROM {current_suggestions.FOR_PAIR} AND {of})" for of in (asked, "1"))
    if not may_lack(filter):
        return [Term(with_one)]
    return [Term(f"NOT {with_any}" if asked == NONE else f"({with_one} OR NOT {with_any})")]


def named(filter: PairFilter) -> Term:
    """Ids of the pairs whose suggestions are asked for, but for whether these agree."""
    index = "doubt" if filter.doubt and not filter.confidence else "confidence"
    source = f"suggestions INDEXED BY suggestions_by_{index} WHERE run = {current_suggestions.RUN}"
    return Term(f"SELECT pair AS id FROM {source} AND {suggestion(filter) or '1'}")


def rest(filter: PairFilter, asked: Sequence[Term]) -> list[Term]:
    """What is to be asked of those beside."""
    agrees = [] if filter.suggestion_agrees is None else conditions(filter)
    return [*asked, *agrees]


def first(filter: PairFilter, asked: Sequence[Term], papers: list[int] | None, order: Order, limit: int) -> Term:
    """Ids in the order of a suggestion's number, of a likely first few alone: perhaps fewer than `limit`."""
    column, turn = SORTED[order.column], "DESC" if order.descending else ""
    within = [Term("pairs.paper_id IN (SELECT value FROM json_each(?))", (json.dumps(papers),))]
    agrees = [] if filter.suggestion_agrees is None else [Term(_AGREES[filter.suggestion_agrees])]
    wanted = all_of([*asked, *(within if papers is not None else []), *agrees])
    likely = f"""
        SELECT pair, label FROM suggestions INDEXED BY suggestions_by_{column}
        WHERE run = {current_suggestions.RUN} AND {column} IS NOT NULL AND {suggestion(filter) or "1"}
        ORDER BY {column} {turn}, pair {turn} LIMIT {_LIKELY}
    """
    query = f"""
        SELECT pairs.id AS id FROM ({likely}) AS suggestions CROSS JOIN pairs ON pairs.id = suggestions.pair
        WHERE {wanted.sql}
    """  # in the order of the likely ones: asked for again, SQLite would look at all of them
    return with_limit(query, wanted.parameters, limit)


def first_by_label(
    filter: PairFilter, asked: Sequence[Term], papers: list[int] | None, order: Order, limit: int
) -> Term:
    """Ids in the order of the suggested label, those without a suggestion last; label by label, nothing to sort."""
    labels = list(Label)[::-1] if order.descending else list(Label)
    queries = []
    for label in (*labels, ""):
        if filter.suggested and label not in filter.suggested:
            continue
        source = from_index(papers, [*asked, *conditions(replace(filter, suggested=frozenset([label])))])
        tail = order_by(Order(), listed=papers is not None)
        queries.append(Term(f"SELECT id FROM (SELECT pairs.id AS id {source.sql} {tail})", source.parameters))
    parameters = tuple(value for query in queries for value in query.parameters)
    return with_limit(" UNION ALL ".join(query.sql for query in queries), parameters, limit)


def every(filter: PairFilter, asked: list[Term], papers: list[int] | None, order: Order, limit: int | None) -> Term:
    """Ids in the order of what a suggestion says, those without last."""
    turn = "DESC" if order.descending else ""
    source = from_index(papers, asked)
    before, after = source.sql.split(" WHERE ", 1)
    join = "CROSS" if needed(filter) else "LEFT"
    having = condition(filter) or "1"
    if may_lack(filter):
        having = f"({having} OR suggestions.pair IS NULL)"
    query = f"SELECT pairs.id AS id {before} {join} JOIN {current_suggestions.JOINED} WHERE {after} AND {having}"
    if order.column is Column.SUGGESTED:
        by = f"suggestions.label IS NULL, suggestions.label {turn}, pairs.paper_id, pairs.ordinal"
    else:
        column = f"suggestions.{SORTED[order.column]}"
        by = f"{column} IS NULL, {column} {turn}, pairs.id {turn}"
    return with_limit(f"{query} ORDER BY {by}", source.parameters, limit)
