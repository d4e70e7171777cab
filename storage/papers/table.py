"""The table of papers: papers, data sets and failed files, sorted and searched."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated

from sqlalchemy import Connection

from miner.records import Strategy
from storage.convert import field_notes, read_all
from storage.mining.runs import MiningRunState
from storage.pairs.facets import CURRENT_BIT, FACETS, PACKED_FACETS
from storage.papers.stock import PaperGroup, PaperProperty, group_condition
from storage.schema import DATA_SET


class PaperTableColumn(StrEnum):
    """What the table can be sorted by. ADDED: the order in which files were added."""

    ADDED = "added"
    TITLE = "title"
    YEAR = "year"
    DOMAIN = "domain"
    PAIRS = "pairs"
    STATE = "state"


@dataclass(frozen=True, slots=True)
class PaperQuery:
    """Which rows, and in which order. text: words that metadata or path contain, all of them.

    failed_only: only failed files. to_check: only papers of which something is to be checked. domains: only papers of
    these; empty for any. group: only its papers or files.
    """

    text: str = ""
    failed_only: bool = False
    to_check: bool = False
    domains: frozenset[str] = frozenset()
    group: PaperGroup | None = None
    column: PaperTableColumn = PaperTableColumn.ADDED
    descending: bool = True

    @property
    def is_filtered(self) -> bool:
        """Whether some rows are left out."""
        return bool(self.text or self.failed_only or self.to_check or self.group or self.domains)


@dataclass(frozen=True, slots=True)
class PaperTableRow:
    """A paper, a data set, or a failed file, which has a `code`, a `reason` and a `hint`.

    id: of the paper; of a failed file, its id with a minus. counts: current pairs by label, "" for none. linked:
    current pairs with a linking phrase. mined: the current mining run includes this paper. to_check: the names of what
    nobody has checked yet, see `PaperSummary`.

    Each field stands with its SQL of a paper `p`; "" for what only failed files have, and for what is counted apart.
    """

    id: Annotated[int, "p.id"]
    md5: Annotated[str | None, "p.md5"]
    title: Annotated[str, "p.title"]
    authors: Annotated[tuple[str, ...], "p.authors"] = ()
    year: Annotated[int | None, "p.year"] = None
    domain: Annotated[str, "p.domain"] = ""
    doi: Annotated[str | None, "p.doi"] = None
    licence: Annotated[str, "p.licence"] = ""
    journal: Annotated[str, "p.journal"] = ""
    parser: Annotated[str, "p.parser"] = ""
    language: Annotated[str, "p.language"] = ""
    to_check: Annotated[tuple[str, ...], _OPEN_CHECKS] = ()
    data_set: Annotated[bool, f"p.kind = '{DATA_SET}'"] = False
    mined: Annotated[bool, f"p.md5 <= {_MINED_TO}"] = False
    counts: Annotated[Mapping[str, int], ""] = field(default_factory=dict)
    linked: Annotated[int, ""] = 0
    path: Annotated[str, f"coalesce({_FIRST_FILE.format('f.path')}, '')"] = ""
    line: Annotated[int, ""] = 0
    code: Annotated[str, ""] = ""
    reason: Annotated[str, ""] = ""
    hint: Annotated[str, ""] = ""

    @property
    def pairs(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class PaperTotals:
    """Counts of the whole project. unmined: papers that are not mined yet. to_check: as in `PaperQuery`."""

    papers: int
    data_sets: int
    failed: int
    pairs: int
    linked: int
    unmined: int
    to_check: int


_PATH = "replace(f.path, '\\', '/')"  # of a project that was made on Windows, too
_FILE_NAME = f"replace({_PATH}, rtrim({_PATH}, replace({_PATH}, '/', '')), '')"
_FIRST_FILE = "(SELECT {} FROM files f WHERE f.paper_id = p.id ORDER BY f.id LIMIT 1)"
# Reads the index alone: rows of pairs are large.
_OF_CURRENT = f"FROM pairs INDEXED BY pairs_in_order WHERE ({PACKED_FACETS}) & {CURRENT_BIT}"
_PAIRS = f"(SELECT count(*) {_OF_CURRENT} AND pairs.paper_id = p.id)"
_SORT_KEYS = {  # of a paper, and of a failed file
    PaperTableColumn.ADDED: (f"coalesce({_FIRST_FILE.format('f.id')}, 0)", "f.id"),
    PaperTableColumn.TITLE: (
        f"coalesce(nullif(p.title, ''), {_FIRST_FILE.format(_FILE_NAME)})",
        _FILE_NAME,
    ),
    PaperTableColumn.YEAR: ("p.year", "NULL"),
    PaperTableColumn.DOMAIN: ("nullif(p.domain, '')", "NULL"),
    PaperTableColumn.PAIRS: (_PAIRS, "NULL"),
    PaperTableColumn.STATE: (f"p.kind = '{DATA_SET}'", "2"),
}
_WORDS = """(
    p.title || ' ' || p.authors || ' ' || p.domain || ' ' || coalesce(p.year, '') || ' ' || coalesce(p.doi, '')
    || ' ' || p.licence || ' ' || p.journal || ' ' || p.keywords
)"""
_CONFIRMED = "SELECT value FROM json_each(p.edited)"
IS_TO_CHECK = (
    f"(p.to_check <> '[]' AND EXISTS (SELECT 1 FROM json_each(p.to_check) AS c WHERE c.value NOT IN ({_CONFIRMED})))"
)
"""Whether something is to be checked of the paper `p` that nobody has confirmed or set."""
_PAPER_HAS = f"""(
    {_WORDS} LIKE ? ESCAPE '!' OR EXISTS (SELECT 1 FROM files f WHERE f.paper_id = p.id AND f.path LIKE ? ESCAPE '!')
)"""
_FILE_HAS = "(f.path || ' ' || f.reason) LIKE ? ESCAPE '!'"
_LINKED = FACETS["strategies"].code(Strategy.LINKED)
_MINED_TO = f"coalesce((SELECT mined_to FROM mining_runs WHERE state != '{MiningRunState.REPLACED}'), '')"
_OPEN_CHECKS = f"(SELECT json_group_array(value) FROM json_each(p.to_check) WHERE value NOT IN ({_CONFIRMED}))"
_COLUMNS = ", ".join(f"{sql} AS {name}" for name, sql in field_notes(PaperTableRow).items() if sql)
_PAPERS = f"SELECT {_COLUMNS} FROM papers p WHERE p.id IN (SELECT value FROM json_each(?))"
_FILES = """
    SELECT -id AS id, md5, '' AS title, path, line, code, coalesce(reason, '') AS reason, coalesce(hint, '') AS hint
    FROM files WHERE -id IN (SELECT value FROM json_each(?))
"""
_COUNTS = f"""
    SELECT paper_id, {FACETS["labels"].sql}, count(*), sum({FACETS["strategies"].sql} = {_LINKED}) {_OF_CURRENT}
    AND paper_id IN (SELECT value FROM json_each(?)) GROUP BY 1, 2
"""
_TOTALS = f"""
    WITH now AS (
        SELECT count(*) AS pairs, coalesce(sum({FACETS["strategies"].sql} = {_LINKED}), 0) AS linked {_OF_CURRENT}
    )
    SELECT
        (SELECT count(*) FROM papers WHERE kind != '{DATA_SET}') AS papers,
        (SELECT count(DISTINCT digest) FROM papers WHERE kind = '{DATA_SET}') AS data_sets,
        (SELECT count(*) FROM files WHERE code IS NOT NULL) AS failed,
        now.pairs, now.linked,
        (SELECT count(*) FROM papers WHERE kind != '{DATA_SET}' AND md5 > {_MINED_TO}) AS unmined,
        (SELECT count(*) FROM papers AS p WHERE {IS_TO_CHECK}) AS to_check
    FROM now
"""


class PaperTableStore:
    """The rows of the table of papers: their ids in order, then the rows that are visible."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def ids(self, query: PaperQuery) -> array[int]:
        """The ids of the rows, in order."""
        words = [_pattern(word) for word in query.text.split()]
        paper_key, file_key = _SORT_KEYS[query.column]
        in_group, group_values = group_condition(self._connection, query.group) if query.group else ("1", [])
        is_of_files = query.group is not None and query.group.property is PaperProperty.FAILED
        parts, parameters = [], []
        if not (query.failed_only or is_of_files):
            terms = [in_group, *([_PAPER_HAS] * len(words))]
            parameters += [*group_values, *(word for word in words for _ in range(2))]
            terms += [IS_TO_CHECK] if query.to_check else []
            if query.domains:
                terms.append("p.domain IN (SELECT value FROM json_each(?))")
                parameters.append(json.dumps(sorted(query.domains)))
            parts.append(f"SELECT p.id AS id, {paper_key} AS key FROM papers p WHERE {' AND '.join(terms)}")
        if is_of_files or not (query.domains or query.to_check or query.group):
            terms = ["f.code IS NOT NULL", in_group, *([_FILE_HAS] * len(words))]
            parameters += [*group_values, *words]
            parts.append(f"SELECT -f.id AS id, {file_key} AS key FROM files f WHERE {' AND '.join(terms)}")
        if not parts:
            return array("q")
        direction = "DESC" if query.descending else "ASC"
        order = f"ORDER BY key IS NULL, key COLLATE NOCASE {direction}, id < 0, abs(id) {direction}"
        # As one text: to fetch a hundred thousand rows one by one would block the window.
        joined = f"SELECT group_concat(id) FROM (SELECT id FROM ({' UNION ALL '.join(parts)}) {order})"
        text: str = self._connection.exec_driver_sql(joined, tuple(parameters)).scalar_one() or ""
        return array("q", map(int, text.split(",") if text else ()))

    def rows(self, ids: Sequence[int]) -> list[PaperTableRow]:
        """The rows with these ids, in this order, without those that no longer exist."""
        wanted = json.dumps(list(ids))
        counts: dict[int, Counter[str]] = {}
        linked: Counter[int] = Counter()
        for paper, label, count, of_linked in self._connection.exec_driver_sql(_COUNTS, (wanted,)):
            counts.setdefault(paper, Counter())[FACETS["labels"].decode(label << FACETS["labels"].shift)] = count
            linked[paper] += of_linked
        found: dict[int, PaperTableRow] = {}
        for row in read_all(PaperTableRow, self._connection.exec_driver_sql(_PAPERS, (wanted,))):
            found[row.id] = replace(row, counts=counts.get(row.id, {}), linked=linked[row.id])
        for row in read_all(PaperTableRow, self._connection.exec_driver_sql(_FILES, (wanted,))):
            found[row.id] = row
        return [found[number] for number in ids if number in found]

    def totals(self) -> PaperTotals:
        [totals] = read_all(PaperTotals, self._connection.exec_driver_sql(_TOTALS))
        return totals

    def md5s(self, ids: Sequence[int]) -> list[str]:
        """The MD5s of the papers among the rows, sorted."""
        query = "SELECT md5 FROM papers WHERE id IN (SELECT value FROM json_each(?)) ORDER BY md5"
        return list(self._connection.exec_driver_sql(query, (json.dumps(list(ids)),)).scalars())

    def ids_of(self, md5s: Sequence[str]) -> list[int]:
        """The ids of the papers with these MD5s, in the order of their MD5s."""
        query = "SELECT id FROM papers WHERE md5 IN (SELECT value FROM json_each(?)) ORDER BY md5"
        return list(self._connection.exec_driver_sql(query, (json.dumps(list(md5s)),)).scalars())

    def pair_counts(self, id: int) -> dict[tuple[str, str], int]:
        """The number of a paper's current pairs, by strategy and label."""
        query = """
            SELECT strategy, coalesce(label, ''), count(*) FROM pairs
            WHERE current = 1 AND paper_id = ? GROUP BY 1, 2
        """
        rows = self._connection.exec_driver_sql(query, (id,))
        return {(strategy, label): count for strategy, label, count in rows}

    def count_answered(self, id: int) -> int:
        """How many of a paper's pairs have an answer or are marked bad."""
        query = "SELECT count(*) FROM pairs WHERE paper_id = ? AND status != 'open'"
        return int(self._connection.exec_driver_sql(query, (id,)).scalar_one())


def _pattern(word: str) -> str:
    """A LIKE pattern for texts that contain the word."""
    for special in "!%_":
        word = word.replace(special, f"!{special}")
    return f"%{word}%"
