"""Which split papers and pairs are in, by the project's one `PaperSplit`: nothing else decides it.

`papers.split` and `pairs.split` follow from it, and from what cannot be moved by it:

- A paper that was released stays in the split of its latest release, unless the `PaperSplit` says otherwise.
- A paper of which an imported data set says a split is in that one, in the most protected one if it says several:
  `pairs.own_split` is what the file says. A paper that is in the project itself is in the more protected one of that
  and the one that the `PaperSplit` says: no file takes a test paper out of test.
- All pairs of a paper are in its split. Imported pairs that name no paper have the split of their file, else each one
  is assigned by its premise as a paper is by its MD5.

Without a `PaperSplit` no paper has a split, and only imported pairs have one: that of their file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from miner import codec
from miner.splits import HELD_OUT, SPLITS, PaperSplit, PaperSplitter
from storage.connections import driver_connection
from storage.convert import read_all
from storage.errors import translate_decoding_errors
from storage.pairs import judgement
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
# A stand-in has the domain, year and journal of the paper itself, where the project has that.
_SPLIT_OF_PAPER = f"""split_of(
    {PAPER_MD5}, coalesce(itself.domain, papers.domain), iif(itself.id, itself.year, papers.year),
    coalesce(itself.journal, papers.journal), ({_MOST_PROTECTED}), papers.kind <> '{DATA_SET}' OR itself.id IS NOT NULL
)"""
_ASSIGNED_PAPERS = f"""
    SELECT papers.id, papers.split AS old, iif({NAMED} AND :has_split, coalesce(
        iif(:keeps_released, ({_RELEASED_PAPER}), NULL), {_SPLIT_OF_PAPER}
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
    WHEN {NAMED} THEN {{paper_split}}
    ELSE coalesce(own_split, iif(:keeps_released, ({_RELEASED_PAIR}), NULL),
        split_of({_PAIR_IDENTITY}, papers.domain, NULL, '', NULL, 0))
END"""
_ASSIGNED_PAIRS = f"""
    SELECT pairs.id AS pair_id, {_PAIR_SPLIT.format(paper_split="papers.split")} AS new
    FROM pairs JOIN papers ON papers.id = pairs.paper_id WHERE {{scope}}
"""
_UPDATE_PAIRS = f"""
    WITH assigned AS MATERIALIZED ({_ASSIGNED_PAIRS})
    UPDATE pairs SET split = assigned.new FROM assigned
    WHERE pairs.id = pair_id AND pairs.split IS NOT assigned.new
"""
_CHANGED_PAPERS = f"""
    SELECT papers.md5 FROM ({_ASSIGNED_PAPERS.format(scope="1")}) AS assigned
    JOIN papers ON papers.id = assigned.id WHERE assigned.split IS NOT assigned.old ORDER BY 1
"""
_CHANGED_PAIRS = f"""
    SELECT pairs.key FROM ({_ASSIGNED_PAIRS.format(scope="1")}) AS assigned
    CROSS JOIN pairs ON pairs.id = pair_id WHERE pairs.split IS NOT assigned.new ORDER BY 1
"""
_SAME_PAPERS = f"""{PAPER_MD5} IN (
    SELECT coalesce(given.source_md5, given.md5) FROM papers AS given
    WHERE given.id IN (SELECT value FROM json_each(:ids))
)"""
# What an imported file says of a paper is in the file.
_ASSIGNED_OTHERWISE = f"""
    SELECT DISTINCT {PAPER_MD5}, papers.split
    FROM papers LEFT JOIN papers AS itself ON itself.md5 = papers.source_md5
    WHERE {NAMED} AND papers.split IS NOT NULL AND papers.split IS NOT {_SPLIT_OF_PAPER}
    UNION SELECT {_PAIR_IDENTITY}, pairs.split FROM papers CROSS JOIN pairs ON pairs.paper_id = papers.id
    WHERE NOT {NAMED} AND own_split IS NULL AND pairs.split IS NOT NULL
        AND pairs.split IS NOT split_of({_PAIR_IDENTITY}, papers.domain, NULL, '', NULL, 0)
    ORDER BY 1
"""
_BATCH_SIZE = 20_000  # keys


_BY_ASSIGNED_SPLIT = f"""
    WITH assigned AS MATERIALIZED ({_ASSIGNED_PAPERS.format(scope="1")})
    SELECT coalesce({{split}}, '') AS split, papers.domain, {{counted}}
    FROM assigned CROSS JOIN papers ON papers.id = assigned.id {{more}} GROUP BY {{by}}
"""
_COUNT_PAPERS = _BY_ASSIGNED_SPLIT.format(
    split="assigned.split",
    counted=f"""
        count(DISTINCT {PAPER_MD5}) AS papers,
        count(DISTINCT iif(papers.year IS NULL, {PAPER_MD5}, NULL)) AS undated
    """,
    more=f"WHERE {NAMED}",
    by="1, 2",
)
CAN_BE_ANNOTATED = f"(pairs.current AND pairs.status <> 'bad' AND pairs.key NOT IN ({judgement.PILOT_KEYS}))"
"""Whether a pair is one that a gold label may be made of."""
_COUNT_PAIRS = _BY_ASSIGNED_SPLIT.format(
    split=_PAIR_SPLIT.format(paper_split="assigned.split"),
    counted=f"coalesce(pairs.distant_label, '') AS label, count(*) AS pairs, sum({CAN_BE_ANNOTATED}) AS usable",
    more="CROSS JOIN pairs ON pairs.paper_id = papers.id AND pairs.current",
    by="1, 2, 3",
)


_COUNT_ELSEWHERE = f"""
    SELECT count(*) FROM papers CROSS JOIN pairs ON pairs.paper_id = papers.id
    WHERE papers.digest = ? AND papers.kind = '{DATA_SET}' AND pairs.split <> pairs.own_split AND {judgement.IS_SPLIT}
"""


class AssignedPapers(NamedTuple):
    """Papers that a split assigns: how many of a domain to `split`, "" for none. undated: those without a year."""

    split: str
    domain: str
    papers: int
    undated: int


class AssignedPairs(NamedTuple):
    """Current pairs of a distant label ("" for none) that a split assigns. usable: those that can be annotated."""

    split: str
    domain: str
    label: str
    pairs: int
    usable: int


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
    SELECT {PAPER_MD5} AS md5, papers.title, papers.domain, moved.old, moved.split AS new, count(pairs.id) AS pairs,
        coalesce(sum(pairs.status <> 'open' OR pairs.votes > 0), 0) AS answered,
        ({_RELEASED_PAPER}) IS NOT NULL AS released
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
    parameters = _with_functions(connection, replace(split, named=(), keep_released=True))
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
    _refresh(connection, None, "pairs.id BETWEEN :first AND :last", limits, judges=False)


def refresh_all(connection: Connection, *, judges: bool = True) -> None:
    """Assign all papers and pairs, after the split was changed, or what it depends on.

    judges: also judge the pairs again whose split has changed. Without, the caller judges all pairs afterwards.
    """
    _refresh(connection, "1", "1", {}, judges=judges)


@translate_decoding_errors()
def find_changed_papers(connection: Connection) -> list[str]:
    """The MD5s of the papers whose split does not follow from what the project says, ascending."""
    parameters = _with_functions(connection, read_paper_split(connection))
    return list(connection.exec_driver_sql(_CHANGED_PAPERS, parameters).scalars())


@translate_decoding_errors()
def find_changed_pairs(connection: Connection) -> list[str]:
    """The keys of the pairs whose split does not follow from that of their paper or file, in order."""
    parameters = _with_functions(connection, read_paper_split(connection))
    return list(connection.exec_driver_sql(_CHANGED_PAIRS, parameters).scalars())


def moved_papers(connection: Connection, split: PaperSplit | None) -> list[PaperMove]:
    """The papers that this split would move to another one, by MD5; nothing is changed."""
    parameters = _with_functions(connection, split)
    moves = read_all(PaperMove, connection.exec_driver_sql(_MOVES, parameters))
    names = {split: split for split in SPLITS}  # one text for all papers, of splits and of domains
    return [
        move._replace(
            domain=names.setdefault(move.domain, move.domain),
            old=move.old and names.setdefault(move.old, move.old),
            new=move.new and names.setdefault(move.new, move.new),
        )
        for move in moves
    ]


def count_assigned(
    connection: Connection, split: PaperSplit | None
) -> tuple[list[AssignedPapers], list[AssignedPairs]]:
    """The papers and pairs that this split would assign, by split, domain and label; nothing is changed."""
    parameters = _with_functions(connection, split)
    papers = connection.exec_driver_sql(_COUNT_PAPERS, parameters)
    pairs = connection.exec_driver_sql(_COUNT_PAIRS, parameters)
    return list(read_all(AssignedPapers, papers)), list(read_all(AssignedPairs, pairs))


def count_elsewhere(connection: Connection, digest: str) -> int:
    """How many pairs of an imported file the project's split has in another split than the file says."""
    return int(connection.exec_driver_sql(_COUNT_ELSEWHERE, (digest,)).scalar_one())


def _refresh(
    connection: Connection, papers: str | None, pairs: str, parameters: Mapping[str, object], *, judges: bool = True
) -> None:
    """Assign the papers and pairs of two conditions. judges: also judge the pairs again whose split has changed."""
    parameters = {**parameters} | _with_functions(connection, read_paper_split(connection))
    if papers is not None:
        connection.exec_driver_sql(_UPDATE_PAPERS.format(scope=papers), parameters)
    update = _UPDATE_PAIRS.format(scope=pairs)
    if not judges:
        connection.exec_driver_sql(update, parameters)
        return
    changed = connection.exec_driver_sql(f"{update} RETURNING pairs.key", parameters)
    for keys in changed.scalars().partitions(_BATCH_SIZE):
        judgement.refresh_new(connection, keys)
    changed.close()


def _with_functions(connection: Connection, split: PaperSplit | None) -> dict[str, object]:
    """Have the SQL function `split_of` assign by this split; the parameters of the statements.

    The function is created once: SQLite refuses to replace one while a statement runs.
    """
    info = connection.info
    if _SPLITTER not in info:
        assign = partial(_assign, info)
        driver_connection(connection).create_function("split_of", 6, assign)
    info[_SPLITTER] = PaperSplitter(split or PaperSplit())
    return {"has_split": split is not None, "keeps_released": split is not None and split.keep_released}


def _assign(
    info: Mapping[str, PaperSplitter],
    identity: str,
    domain: str,
    year: int | None,
    journal: str,
    own: str | None,
    is_here: bool,
) -> str | None:
    """own: the split that files state, None for none.

    is_here: the project has the paper itself, not only pairs of files.
    """
    if own is not None and not is_here:
        return own
    given = {own, info[_SPLITTER].split_of(identity, domain, year, journal)}
    return next((split for split in (*HELD_OUT, "train") if split in given), None)
