"""The table of pairs: ids in order, rows, and counts for each value of a filter field."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

from sqlalchemy import Connection

from miner.kinds.distant_direction import distant_direction
from miner.records import HypothesisTrait, Label, PairFlag, Strategy
from storage import convert
from storage.pairs import cells, current_suggestions, facets, pair_kinds, traits
from storage.pairs.annotated_neutrals import IS_ANNOTATED_NOW
from storage.pairs.current_suggestions import LABEL_NAME, PROBABILITY_COLUMNS, PROBABILITY_SCALE, SUGGESTIONS_ON_PAIR
from storage.pairs.facets import FACETS, FLAG_BITS, MARK_BITS, PACKED_FACETS
from storage.pairs.filters import ANY_KIND, PairFilter, PairOrder, PairStatus, with_value
from storage.pairs.journals import shown_spellings
from storage.pairs.ordered_query import DEFAULT_ORDER, OrderedPairQuery
from storage.pairs.pair_kinds import LISTED, split_categories
from storage.pairs.query import PAPER_FIELDS, PairQueryCompiler
from storage.pairs.tags import IS_TAGGED, split_tags
from storage.sql import Query, SqlClause

_CHUNK_LENGTH = 2_000  # ids that become numbers at a time, so that other threads can run in between
_LABELS = tuple(label.value for label in Label)


_PROBABILITIES = ", ".join(f"{column} / {PROBABILITY_SCALE}.0" for column in PROBABILITY_COLUMNS)
_PROBABILITIES = f"iif(confidence IS NULL, '[]', json_array({_PROBABILITIES}))"


@dataclass(frozen=True, slots=True)
class PairTableRow:
    """A row of the table, each field with its SQL; "" and None where a pair has no value.

    label: the label in an export. paper: its MD5. suggested, confidence, doubt, probabilities: see `Suggestion`; of the
    current one. contested, accepted, edited: see `PairFilter`. kinds, differing_kinds: categories that at least half of
    those tick who answered about kinds of reasoning, and those that only some tick; kind_annotators: how many answered.
    answered_direction: the one that most people give.
    """

    id: Annotated[int, "pairs.id"]
    key: Annotated[str, "pairs.key"]
    premise: Annotated[str, "premise"]
    hypothesis: Annotated[str, "hypothesis"]
    label: Annotated[str, "coalesce(pairs.label, '')"]
    distant: Annotated[str, "coalesce(distant_label, '')"]
    gold: Annotated[str, "coalesce(gold, '')"]
    status: Annotated[PairStatus, "iif(current, status, 'gone')"]
    strategy: Annotated[Strategy, "strategy"]
    phrase: Annotated[str, "coalesce(phrase, '')"]
    split: Annotated[str, "coalesce(pairs.split, '')"]
    domain: Annotated[str, "domain"]
    year: Annotated[int | None, "year"]
    title: Annotated[str, "title"]
    paper: Annotated[str, "md5"]
    page: Annotated[int | None, "page"]
    flags: Annotated[tuple[PairFlag, ...], "flags"]
    flagged: Annotated[bool, "flagged"]
    noted: Annotated[bool, "noted"]
    contested: Annotated[bool, "contested"]
    premise_words: Annotated[int, "premise_words"]
    hypothesis_words: Annotated[int, "hypothesis_words"]
    overlap: Annotated[int, "overlap"]
    suggested: Annotated[str, f"coalesce({LABEL_NAME}, '')"] = ""
    confidence: Annotated[float | None, f"confidence / {PROBABILITY_SCALE}.0"] = None
    doubt: Annotated[float | None, f"doubt / {PROBABILITY_SCALE}.0"] = None
    probabilities: Annotated[tuple[float, ...], _PROBABILITIES] = ()
    accepted: Annotated[bool, "accepted"] = False
    edited: Annotated[bool, "pairs.edited"] = False
    kinds: Annotated[tuple[str, ...], LISTED.format(column="categories")] = ()
    differing_kinds: Annotated[tuple[str, ...], LISTED.format(column="differing")] = ()
    kind_annotators: Annotated[int, "coalesce(pair_kinds.annotators, 0)"] = 0
    answered_direction: Annotated[str, "coalesce(direction, '')"] = ""

    @property
    def distant_direction(self) -> str:
        """The direction that the phrase announces; "" for none."""
        return distant_direction(self.distant, self.phrase) or ""

    @property
    def direction(self) -> str:
        """The direction as most people say, else by the phrase."""
        return self.answered_direction or self.distant_direction


_SELECT_ROWS = f"""
    SELECT {", ".join(f"{sql} AS {name}" for name, sql in convert.field_notes(PairTableRow).items())}
    FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.id = wanted.value CROSS JOIN papers ON papers.id = paper_id
    LEFT JOIN {SUGGESTIONS_ON_PAIR}
    LEFT JOIN pair_kinds ON pair_kinds.pair_key = pairs.key
"""
_SELECT_LISTED = "SELECT group_concat(id) FROM temp.listed_ids WHERE place > ? AND place <= ?"
_SELECT_KEYS = "SELECT pairs.key FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.id = wanted.value"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a pair comes from. run: the mining run's id. source_id, source_label: as in the imported file."""

    hypothesis_original: str
    section: str
    parser: str
    parser_version: str
    run: str
    program: str
    source_id: str
    source_label: str


_SELECT_PROVENANCE = """
    SELECT hypothesis_original, coalesce(sections.title, pairs.source ->> '$.section'), parser, parser_version,
        mining_runs.id, program, source_id, source_label
    FROM pairs JOIN papers ON papers.id = pairs.paper_id
    LEFT JOIN sections ON sections.paper_id = pairs.paper_id AND sections.ordinal = premise_section
    LEFT JOIN mining_runs ON mining_runs.number = run
    WHERE pairs.id = ?
"""


class FacetCount(NamedTuple):
    """The number of pairs with a value of a filter field: a member of its set, True or False, a year or None."""

    value: str | int | bool | None
    pairs: int
    title: str = ""  # of a paper; the name of an annotator or cell; else ""


_IS_PRESENT = "EXISTS (SELECT 1 FROM pairs WHERE pairs.key = pair_key AND current)"
_TAGS = f"SELECT pair_key, new FROM mark_events e WHERE {IS_TAGGED} AND {_IS_PRESENT}"
_COUNT_GONE = f"SELECT count(*) FROM pairs INDEXED BY pairs_gone WHERE current = 0 AND {IS_ANNOTATED_NOW}"


class PairTableStore:
    """Reads the rows of the table of pairs.

    name_cells: gives the display name of each cell of an experiment, by its key.
    """

    def __init__(
        self, connection: Connection, name_cells: Callable[[Connection], dict[str, str]] = lambda connection: {}
    ) -> None:
        self._connection, self._name_cells = connection, name_cells
        self._queries = PairQueryCompiler(connection)

    def ids(self, filter: PairFilter, order: PairOrder = DEFAULT_ORDER, limit: int | None = None) -> array[int]:
        """The ids of the filter's pairs in order; with `limit`, only the first ones. See `OrderedPairQuery`."""
        statements = OrderedPairQuery(self._queries, filter, order, limit).statements()
        if limit is None:
            return self._list_ids(next(statements))
        ids = array("q")
        for statement in statements:
            ids = self._numbers(f"SELECT group_concat(id) FROM ({statement.sql})", statement.params)
            if len(ids) == limit:
                break
        return ids

    def count(self, filter: PairFilter) -> int:
        """How many pairs the filter has."""
        return int(self._run(self._queries.for_counts(filter).select("count(*)")).scalar_one())

    def count_gone(self) -> int:
        """How many pairs are no longer mined, and have an answer, a mark or a change that holds."""
        return int(self._connection.exec_driver_sql(_COUNT_GONE).scalar_one())

    def rows(self, ids: Sequence[int]) -> list[PairTableRow]:
        """The rows of these pairs, in this order; ids that were deleted are left out."""
        rows = self._connection.exec_driver_sql(_SELECT_ROWS, (json.dumps(list(ids)),))
        return list(convert.read_all(PairTableRow, rows))

    def keys(self, ids: Sequence[int]) -> list[str]:
        """The keys of these pairs, in this order; ids that were deleted are left out."""
        return list(self._connection.exec_driver_sql(_SELECT_KEYS, (json.dumps(list(ids)),)).scalars())

    def provenance(self, id: int) -> Provenance:
        """Where the pair with this id comes from."""
        row = self._connection.exec_driver_sql(_SELECT_PROVENANCE, (id,)).one()
        return Provenance(*(value or "" for value in row))

    def ids_of(self, keys: Sequence[str]) -> list[int]:
        """The ids of the pairs with these keys, in this order; unknown keys are left out."""
        query = "SELECT pairs.id FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.key = wanted.value"
        return list(self._connection.exec_driver_sql(query, (json.dumps(list(keys)),)).scalars())

    def cell_names(self) -> dict[str, str]:
        """What people call each cell of an experiment, by its key."""
        return self._name_cells(self._connection)

    def facet_counts(self, filter: PairFilter, field: str) -> list[FacetCount]:
        """How many pairs the filter would have with each value of `field` in place of its present one.

        Values without a pair are left out. Facets come in their own order, years sorted, all others by count.
        Annotators, annotation rounds, lists, cells and tags are counted over all pairs, whatever the filter.
        """
        filter = with_value(filter, field, None)
        if field in ("annotators", "differing"):
            return self._annotator_counts()
        if field == "rounds":
            return self._round_counts()
        if field in ("lists", "outside_lists"):
            return self._list_counts()
        if field == "cells":
            return self._cell_counts()
        if field in ("misread", "predicted"):
            return self._prediction_counts(filter, field)
        if field == "tags":
            return self._tag_counts()
        query = self._queries.for_counts(filter)
        if field in facets.PACKED_FIELDS:
            return self._packed_counts(query, field)
        if field in PAPER_FIELDS:
            return self._paper_counts(query, field)
        if field in ("suggested", "suggestion_agrees"):
            return self._suggestion_counts(query, filter, field)
        if field == "traits":
            return self._trait_counts(query)
        if field == "direction":
            return self._direction_counts(query, filter)
        if field in ("kinds", "kinds_differ"):
            return self._kind_counts(filter, field)
        if field == "kinds_answered":
            return self._answered_counts(filter)
        column = {"phrases": "phrase", "splits": "split"}[field]
        rows = self._run(query.group_by("1").order_by("2 DESC, 1").select(f"coalesce({column}, ''), count(*)"))
        return [FacetCount(value, count) for value, count in rows]

    def _run(self, statement: SqlClause) -> Any:  # a cursor's result
        return self._connection.exec_driver_sql(statement.sql, statement.params)

    def _list_ids(self, statement: SqlClause) -> array[int]:
        """All ids of a statement, by way of a temporary table on disk: one text of them is larger than the list."""
        self._connection.exec_driver_sql("DROP TABLE IF EXISTS temp.listed_ids")
        self._connection.exec_driver_sql("CREATE TEMP TABLE listed_ids (place INTEGER PRIMARY KEY, id INTEGER)")
        self._run(SqlClause(f"INSERT INTO temp.listed_ids (id) {statement.sql}", statement.params))
        count = self._connection.exec_driver_sql("SELECT coalesce(max(place), 0) FROM temp.listed_ids").scalar_one()
        ids = array("q")
        for low in range(0, count, _CHUNK_LENGTH):
            ids.extend(self._numbers(_SELECT_LISTED, (low, low + _CHUNK_LENGTH)))
        self._connection.exec_driver_sql("DROP TABLE temp.listed_ids")
        return ids

    def _numbers(self, statement: str, parameters: tuple[str | int, ...]) -> array[int]:
        """The numbers of a text with commas: to fetch them row by row would stop the other threads meanwhile."""
        text = self._connection.exec_driver_sql(statement, parameters).scalar_one()
        return array("q", map(int, text.split(","))) if text else array("q")

    def _packed_counts(self, query: Query, field: str) -> list[FacetCount]:
        conditions: dict[str | bool, str] = {}
        if facet := FACETS.get(field):
            members = (*facet.members, "") if facet.first_code else facet.members
            conditions = {member: f"{facet.sql} = {facet.code(member)}" for member in members}
        elif field == "flags":
            conditions = {flag: f"({PACKED_FACETS}) & {bit} != 0" for flag, bit in FLAG_BITS.items()}
        elif field in MARK_BITS:
            conditions = {
                wanted: f"({PACKED_FACETS}) & {MARK_BITS[field]} = {MARK_BITS[field] * wanted}"
                for wanted in (True, False)
            }
        else:
            conditions = {wanted: facets.disagreement_condition(wanted) for wanted in (True, False)}
        found = self._totals(query, conditions)
        if field == "statuses":
            gone = self._queries.for_counts(PairFilter(statuses=frozenset([PairStatus.GONE])))
            found.append(FacetCount(PairStatus.GONE, int(self._run(gone.select("count(*)")).scalar_one())))
        return [count for count in found if count.pairs]

    def _paper_counts(self, query: Query, field: str) -> list[FacetCount]:
        column = {"papers": "md5", "domains": "domain", "journals": "journal", "years": "year"}[field]
        counted = query.group_by("paper_id").select("paper_id, count(*) AS pairs")
        statement = f"""
            SELECT papers.{column} AS value, sum(counted.pairs) AS pairs, papers.title
            FROM ({counted.sql}) AS counted CROSS JOIN papers ON papers.id = counted.paper_id
            GROUP BY 1 ORDER BY 2 DESC, min(papers.id)
        """
        rows = self._run(SqlClause(statement, counted.params))
        if field == "papers":
            return [FacetCount(*row) for row in rows]
        shown = shown_spellings(self._connection) if field == "journals" else {}
        values: Counter[str | int | None] = Counter()
        for value, pairs, _ in rows:
            values[shown.get(value, value)] += pairs
        found = [FacetCount(value, count) for value, count in values.most_common()]
        if field == "years":
            found.sort(key=lambda count: (count.value is None, count.value or 0))
        return found

    def _suggestion_counts(self, query: Query, filter: PairFilter, field: str) -> list[FacetCount]:
        filters: dict[str | bool, PairFilter] = {
            label: replace(filter, suggested=frozenset([label])) for label in (*_LABELS, "")
        }
        if field == "suggestion_agrees":
            filters = {wanted: replace(filter, suggestion_agrees=wanted) for wanted in (True, False)}
        conditions = {value: current_suggestions.pair_condition(narrowed) for value, narrowed in filters.items()}
        return [count for count in self._totals(query, conditions) if count.pairs]

    def _trait_counts(self, query: Query) -> list[FacetCount]:
        conditions: dict[str | bool, str] = {trait: traits.condition(trait) for trait in HypothesisTrait}
        return [count for count in self._totals(query, conditions) if count.pairs]

    def _direction_counts(self, query: Query, filter: PairFilter) -> list[FacetCount]:
        """By the phrases of all pairs; then those that people have said something else of are moved."""
        columns = f"{pair_kinds.IS_NEUTRAL}, coalesce(phrase, '')"
        found: Counter[str] = Counter()
        for is_neutral, phrase, pairs in self._run(query.group_by("1, 2").select(f"{columns}, count(*)")):
            found[_announced(is_neutral, phrase)] += pairs
        answered = self._with_kinds(filter, "direction IS NOT NULL").group_by("1, 2, 3")
        for is_neutral, phrase, direction, pairs in self._run(answered.select(f"{columns}, direction, count(*)")):
            found[_announced(is_neutral, phrase)] -= pairs
            found[direction] += pairs
        return [FacetCount(value, found[value]) for value in pair_kinds.DIRECTIONS if found[value]]

    def _kind_counts(self, filter: PairFilter, field: str) -> list[FacetCount]:
        column = "categories" if field == "kinds" else "differing"
        having = self._with_kinds(filter, f"{column} <> ''").group_by("1")
        found: Counter[str] = Counter()
        total = 0
        for categories, pairs in self._run(having.select(f"{column}, count(*)")):
            total += pairs
            for category in split_categories(categories):
                found[category] += pairs
        counts = [FacetCount(*one) for one in sorted(found.items(), key=lambda one: (-one[1], one))]
        rest = FacetCount(ANY_KIND, total) if field == "kinds_differ" else FacetCount("", self.count(filter) - total)
        return [*counts, rest] if rest.pairs else counts

    def _answered_counts(self, filter: PairFilter) -> list[FacetCount]:
        answered = int(self._run(self._with_kinds(filter, "1").select("count(*)")).scalar_one())
        counts = (FacetCount(True, answered), FacetCount(False, self.count(filter) - answered))
        return [count for count in counts if count.pairs]

    def _with_kinds(self, filter: PairFilter, condition: str) -> Query:
        """The filter's pairs with answers about kinds that count, under this condition on `pair_kinds`."""
        tables = SqlClause("pair_kinds CROSS JOIN pairs ON pairs.key = pair_kinds.pair_key")
        return Query(tables, (SqlClause(condition), self._queries.condition(filter)))

    def _totals(self, query: Query, conditions: Mapping[str | bool, str]) -> list[FacetCount]:
        """How many of the query's pairs meet each condition, in one pass."""
        row = self._run(query.select(", ".join(f"total({condition})" for condition in conditions.values()))).one()
        return [FacetCount(value, int(count)) for value, count in zip(conditions, row, strict=True)]

    def _annotator_counts(self) -> list[FacetCount]:
        query = """
            SELECT annotator AS value, count(DISTINCT pair_key) AS pairs, coalesce(name, annotator) AS title
            FROM label_events LEFT JOIN annotators ON annotators.key = annotator GROUP BY 1 ORDER BY 2 DESC
        """
        return list(convert.read_all(FacetCount, self._connection.exec_driver_sql(query)))

    def _tag_counts(self) -> list[FacetCount]:
        found: dict[str, set[str]] = {}
        for key, value in self._connection.exec_driver_sql(_TAGS):
            for tag in split_tags(value):
                found.setdefault(tag, set()).add(key)
        counts = [FacetCount(tag, len(keys)) for tag, keys in found.items()]
        return sorted(counts, key=lambda count: (-count.pairs, str(count.value)))

    def _round_counts(self) -> list[FacetCount]:
        query = """
            SELECT CAST(number AS TEXT), count(*) FROM annotation_rounds JOIN annotation_round_pairs
                ON annotation_round_pairs.round = annotation_rounds.id
            WHERE EXISTS (SELECT 1 FROM pairs WHERE key = pair_key AND current) GROUP BY number ORDER BY number
        """
        return [FacetCount(number, count) for number, count in self._connection.exec_driver_sql(query)]

    def _list_counts(self) -> list[FacetCount]:
        query = """
            SELECT name AS value, count(*) AS pairs FROM pair_lists JOIN listed_pairs ON list = pair_lists.id
            WHERE EXISTS (SELECT 1 FROM pairs WHERE key = pair_key AND current) GROUP BY pair_lists.id ORDER BY 1
        """
        return list(convert.read_all(FacetCount, self._connection.exec_driver_sql(query)))

    def _cell_counts(self) -> list[FacetCount]:
        names = self.cell_names()
        return [
            FacetCount(key, count, names.get(key, key)) for key, count in cells.cell_counts(self._connection).items()
        ]

    def _prediction_counts(self, filter: PairFilter, field: str) -> list[FacetCount]:
        values: list[Any] = [True, False] if field == "misread" else cells.class_names(self._connection, filter)
        asked = (value if isinstance(value, bool) else frozenset([value]) for value in values)
        counts = [self.count(with_value(filter, field, one)) for one in asked]
        return [FacetCount(value, count) for value, count in zip(values, counts, strict=True) if count]


def _announced(is_neutral: int, phrase: str) -> str:
    return distant_direction(Label.NEUTRAL if is_neutral else None, phrase) or ""
