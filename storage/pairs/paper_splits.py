"""Which split papers and pairs are in, by the project's one `PaperSplit`: nothing else decides it.

`papers.split` and `pairs.split` follow from it, and from what cannot be moved by it:

- A paper that was released stays in the split of its latest release, unless the `PaperSplit` says otherwise.
- A paper of which an imported data set says a split is in that one, in the most protected one if it says several:
  `pairs.own_split` is what the file says.
- All pairs of a paper are in its split. Imported pairs that name no paper have the split of their file, else each one
  is assigned by its premise as a paper is by its MD5.

Without a `PaperSplit` no paper has a split, and only imported pairs have one: that of their file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from miner import codec
from miner.splits import HELD_OUT, SPLITS, PaperSplit, PaperSplitter
from storage.connections import driver_connection
from storage.errors import translate_decoding_errors
from storage.pairs import status
from storage.schema import DATA_SET

PAPER_MD5 = "coalesce(papers.source_md5, papers.md5)"
"""The identity of a paper, as an index has it; of imported pairs, the paper that they name."""
NAMED = f"(papers.kind <> '{DATA_SET}' OR papers.parser <> 'import')"
"""False for the stand-in of all pairs of a file that name no paper."""

_SPLITTER = "paper splitter"  # in `Connection.info`
_KEY = "split"  # of the setting, see `storage.settings.SPLIT`
_MOST_PROTECTED = f"""
    SELECT own_split FROM papers AS same CROSS JOIN pairs INDEXED BY pairs_with_own_split ON paper_id = same.id
    WHERE coalesce(same.source_md5, same.md5) = {PAPER_MD5} AND own_split IS NOT NULL AND own_split IN {SPLITS}
    ORDER BY CASE own_split WHEN '{HELD_OUT[0]}' THEN 0 WHEN '{HELD_OUT[1]}' THEN 1 ELSE 2 END LIMIT 1
"""
_RELEASED = f"""
    SELECT release_splits.split FROM release_splits
    WHERE {{column}} = {{value}} AND release_splits.split IN {SPLITS} ORDER BY release DESC LIMIT 1
"""
_RELEASED_PAPER = _RELEASED.format(column="md5", value=PAPER_MD5)
_RELEASED_PAIR = _RELEASED.format(column="pair_key", value="pairs.key")
# A stand-in has the domain and year of the paper itself, where the project has that.
_ASSIGNED_PAPERS = f"""
    SELECT papers.id, papers.split AS old, iif({NAMED} AND :has_split, coalesce(
        iif(:keeps_released, ({_RELEASED_PAPER}), NULL), ({_MOST_PROTECTED}),
        split_of({PAPER_MD5}, coalesce(itself.domain, papers.domain), iif(itself.id, itself.year, papers.year))
    ), NULL) AS split
    FROM papers LEFT JOIN papers AS itself ON itself.md5 = papers.source_md5
    WHERE {{scope}}
"""
_UPDATE_PAPERS = f"""
    WITH assigned AS MATERIALIZED ({_ASSIGNED_PAPERS})
    UPDATE papers SET split = assigned.split FROM assigned
    WHERE papers.id = assigned.id AND papers.split IS NOT assigned.split
"""
_PAIR_IDENTITY = "printf('%016x', pairs.premise_hash)"  # of a pair without a paper
_PAIR_SPLIT = f"""CASE
    WHEN NOT :has_split THEN own_split
    WHEN {NAMED} THEN papers.split
    ELSE coalesce(own_split, iif(:keeps_released, ({_RELEASED_PAIR}), NULL),
        split_of({_PAIR_IDENTITY}, papers.domain, NULL))
END"""
_ASSIGNED_PAIRS = f"""
    SELECT pairs.id AS pair_id, {_PAIR_SPLIT} AS new
    FROM pairs JOIN papers ON papers.id = pairs.paper_id WHERE {{scope}}
"""
_UPDATE_PAIRS = f"""
    WITH assigned AS MATERIALIZED ({_ASSIGNED_PAIRS})
    UPDATE pairs SET split = assigned.new FROM assigned
    WHERE pairs.id = pair_id AND pairs.split IS NOT assigned.new RETURNING pairs.key
"""
_SAME_PAPERS = f"""{PAPER_MD5} IN (
    SELECT coalesce(given.source_md5, given.md5) FROM papers AS given
    WHERE given.id IN (SELECT value FROM json_each(:ids))
)"""
# What an imported file says of a paper is in the file.
_ASSIGNED_OTHERWISE = f"""
    SELECT DISTINCT {PAPER_MD5}, papers.split
    FROM papers LEFT JOIN papers AS itself ON itself.md5 = papers.source_md5
    WHERE {NAMED} AND papers.split IS NOT NULL AND papers.split IS NOT coalesce(({_MOST_PROTECTED}),
        split_of({PAPER_MD5}, coalesce(itself.domain, papers.domain), iif(itself.id, itself.year, papers.year)))
    UNION SELECT {_PAIR_IDENTITY}, pairs.split FROM papers CROSS JOIN pairs ON pairs.paper_id = papers.id
    WHERE NOT {NAMED} AND own_split IS NULL AND pairs.split IS NOT NULL
        AND pairs.split IS NOT split_of({_PAIR_IDENTITY}, papers.domain, NULL)
    ORDER BY 1
"""
_BATCH_SIZE = 20_000  # keys


class PaperMove(NamedTuple):
    """A paper that a change of the split moves, with its `pairs` and how many of them people have answered."""

    md5: str
    title: str
    domain: str
    old: str | None
    new: str | None
    pairs: int
    answered: int
    released: bool


_MOVES = f"""
    SELECT {PAPER_MD5}, papers.title, papers.domain, moved.old, moved.split, count(pairs.id),
        coalesce(sum(pairs.status <> 'open' OR pairs.votes > 0), 0), ({_RELEASED_PAPER}) IS NOT NULL
    FROM ({_ASSIGNED_PAPERS.format(scope="1")}) AS moved JOIN papers ON papers.id = moved.id
    LEFT JOIN pairs ON pairs.paper_id = papers.id AND pairs.current
    WHERE moved.old IS NOT moved.split GROUP BY papers.id ORDER BY 1
"""


@translate_decoding_errors()
def read_paper_split(connection: Connection) -> PaperSplit | None:
    """The project's split; None if its papers are not split."""
    stored = connection.exec_driver_sql("SELECT value FROM settings WHERE key = ?", (_KEY,)).scalar()
    return None if stored is None else codec.decode(PaperSplit, stored)


@translate_decoding_errors()
def split_as_it_is(connection: Connection) -> PaperSplit | None:
    """The split that assigns all papers of the project as they are, without its releases: these are `named` instead."""
    if (split := read_paper_split(connection)) is None:
        return None
    parameters = _with_functions(connection, PaperSplit(split.ranges, split.seed, rest=split.rest))
    named = [tuple(row) for row in connection.exec_driver_sql(_ASSIGNED_OTHERWISE, parameters)]
    return replace(split, named=tuple(named))


def refresh_papers(connection: Connection, ids: Sequence[int]) -> None:
    """Assign these papers again, and their pairs; also the stand-ins of the same papers."""
    _refresh(connection, _SAME_PAPERS, _SAME_PAPERS, {"ids": json.dumps(list(ids))})


def refresh_pairs(connection: Connection, paper: int) -> None:
    """Assign the pairs of a paper, which has its split."""
    _refresh(connection, None, "papers.id = :paper", {"paper": paper})


def refresh_new_pairs(connection: Connection, first: int, last: int) -> None:
    """Assign the pairs of these ids, whose papers have their splits; both included."""
    limits = {"first": first, "last": last}
    _refresh(connection, None, "pairs.id BETWEEN :first AND :last", limits, are_new=True)


def refresh_all(connection: Connection) -> None:
    """Assign all papers and pairs, after the split was changed, or what it depends on."""
    _refresh(connection, "1", "1", {})


def moved_papers(connection: Connection, split: PaperSplit | None) -> list[PaperMove]:
    """Which papers would be in another split by this one, by MD5; nothing is changed."""
    parameters = _with_functions(connection, split)
    rows = connection.exec_driver_sql(_MOVES, parameters)
    return [PaperMove(*row)._replace(released=bool(row[-1])) for row in rows]


def _refresh(
    connection: Connection, papers: str | None, pairs: str, parameters: Mapping[str, object], *, are_new: bool = False
) -> None:
    """Assign the papers and pairs of two conditions; pairs whose split changes are judged again, but no new ones."""
    parameters = {**parameters} | _with_functions(connection, read_paper_split(connection))
    if papers is not None:
        connection.exec_driver_sql(_UPDATE_PAPERS.format(scope=papers), parameters)
    changed = connection.exec_driver_sql(_UPDATE_PAIRS.format(scope=pairs), parameters).scalars().all()
    if not are_new:
        for keys in _batches(changed):
            status.refresh_new(connection, keys)


def _with_functions(connection: Connection, split: PaperSplit | None) -> dict[str, object]:
    """Have the SQL function `split_of` assign by this split; the parameters of the statements.

    The function is created once: SQLite refuses to replace one while a statement runs.
    """
    info = connection.info
    if _SPLITTER not in info:
        assign = partial(_assign, info)
        driver_connection(connection).create_function("split_of", 3, assign)
    info[_SPLITTER] = PaperSplitter(split or PaperSplit())
    return {"has_split": split is not None, "keeps_released": split is not None and split.keep_released}


def _assign(info: Mapping[str, PaperSplitter], identity: str, domain: str, year: int | None) -> str | None:
    return info[_SPLITTER].split_of(identity, domain, year)


def _batches(keys: Sequence[str]) -> Iterable[Sequence[str]]:
    return (keys[first : first + _BATCH_SIZE] for first in range(0, len(keys), _BATCH_SIZE))
