"""SQL for which pairs, in which order: each query reads the one index that will do, and sorts only what it must."""

from __future__ import annotations

import json
from collections.abc import Sequence

from storage.pairs import facets
from storage.pairs.facets import FACETS
from storage.pairs.filters import Column, Order, PairFilter, Status, Term

OF_PAPERS = ("domains", "years", "papers")  # fields of the filter
ENUMERATED = {
    Column.LABEL: "labels",
    Column.DISTANT: "distant",
    Column.GOLD: "gold",
    Column.STATUS: "statuses",
    Column.STRATEGY: "strategies",
}
_SORTED = {  # in SQL over `pairs`
    **{column: FACETS[field].sql for column, field in ENUMERATED.items()},
    Column.PHRASE: "pairs.phrase",
    Column.SPLIT: "pairs.split",
    Column.PREMISE_WORDS: "pairs.premise_words",
    Column.HYPOTHESIS_WORDS: "pairs.hypothesis_words",
    Column.OVERLAP: "pairs.overlap",
}
PAPERS_SORTED = {
    Column.DOMAIN: "papers.domain = '', papers.domain COLLATE NOCASE {}",
    Column.YEAR: "papers.year IS NULL, papers.year {}",
    Column.TITLE: "papers.title = '', papers.title COLLATE NOCASE {}",
    Column.PAPER: "papers.id {}",
}
USUAL = Order()
_ALL = "pairs_in_order"
JUDGED = Term(f"({facets.JUDGED})")
GONE = Term("pairs.current = 0")


def from_index(papers: list[int] | None, asked: list[Term]) -> Term:
    """FROM and WHERE that read one index alone, the smallest that will do; paper by paper as `papers` has them."""
    condition = all_of(asked)
    index = "pairs_judged" if JUDGED in asked else "pairs_gone" if GONE in asked and papers is None else _ALL
    pairs = f"pairs INDEXED BY {index}"
    if papers is None:
        return Term(f"FROM {pairs} WHERE {condition.sql}", condition.parameters)
    source = f"FROM json_each(?) AS wanted CROSS JOIN {pairs} ON pairs.paper_id = wanted.value WHERE {condition.sql}"
    return Term(source, (json.dumps(papers), *condition.parameters))


def by_member(filter: PairFilter, asked: list[Term], papers: list[int] | None, order: Order, limit: int | None) -> Term:
    """Ordered by a facet: its members' pairs one after the other, so that there is nothing to sort."""
    field = ENUMERATED[order.column]
    facet = FACETS[field]
    members = facet.members[::-1] if order.descending else facet.members
    members = (*members, "") if facet.first else members
    if (wanted := getattr(filter, field)) and Status.GONE not in wanted:
        members = tuple(member for member in members if member in wanted)
    numbers = [facet.number(member) for member in members]
    sources = [from_index(papers, [*asked, Term(f"{facet.sql} = {number}")]) for number in numbers]
    tail = order_by(USUAL, listed=papers is not None)
    query = " UNION ALL ".join(f"SELECT id FROM (SELECT pairs.id AS id {source.sql} {tail})" for source in sources)
    return with_limit(query, tuple(value for source in sources for value in source.parameters), limit)


def with_words(words: str, order: Order, most: int) -> Term:
    """Ids of the first `most` pairs with these words, as they were stored."""
    turn = "DESC" if order.descending else ""
    query = f"SELECT rowid AS id FROM pairs_text WHERE pairs_text MATCH ? ORDER BY rowid {turn} LIMIT {most}"
    return Term(query, (words,))


def looked_up(
    matches: Term,
    asked: list[Term],
    papers: list[int] | None,
    order: Order,
    limit: int | None,
    *,
    as_stored: bool = True,
) -> Term:
    """A query for ids that looks at the pairs of `matches` one by one; `as_stored`: PAPER means the order of ids."""
    turn = "DESC" if order.descending else ""
    within = [Term("pairs.paper_id IN (SELECT value FROM json_each(?))", (json.dumps(papers),))]
    condition = all_of([*asked, *(within if papers is not None else [])])
    source = f"({matches.sql}) AS matches CROSS JOIN pairs ON pairs.id = matches.id"
    by = f"ORDER BY matches.id {turn}"
    if order.column in PAPERS_SORTED and order.column is not Column.PAPER:
        source += " CROSS JOIN papers ON papers.id = pairs.paper_id"
        by = f"ORDER BY {PAPERS_SORTED[order.column].format(turn)}, pairs.paper_id, pairs.ordinal"
    elif order.column is not Column.PAPER or not as_stored:
        by = order_by(order, listed=False)
    query = f"SELECT pairs.id AS id FROM {source} WHERE {condition.sql} {by}"
    return with_limit(query, (*matches.parameters, *condition.parameters), limit)


def order_by(order: Order, *, listed: bool) -> str:
    """`listed`: the papers come in order by themselves, and within each its pairs."""
    turn = "DESC" if order.descending else ""
    if order.column in PAPERS_SORTED:
        return "" if listed else f"ORDER BY pairs.paper_id {turn}, pairs.ordinal"
    column = _SORTED[order.column]
    absent = f"{column} IS NULL, " if order.column in (Column.PHRASE, Column.SPLIT) else ""
    if order.column in (Column.LABEL, Column.DISTANT, Column.GOLD):
        absent = f"{column} = 0, "
    return f"ORDER BY {absent}{column} {turn}, pairs.paper_id, pairs.ordinal"


def all_of(asked: Sequence[Term]) -> Term:
    sql = " AND ".join(term.sql for term in asked) or "1"
    return Term(sql, tuple(value for term in asked for value in term.parameters))


def with_limit(sql: str, parameters: tuple[str | int, ...], limit: int | None) -> Term:
    return Term(sql, parameters) if limit is None else Term(f"{sql} LIMIT ?", (*parameters, limit))
