"""Which pairs are exported, with which label and in which split; and the rows they become."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection

from miner import codec
from miner.records import Flag, Label, Strategy
from miner.splits import SPLITS
from storage.connections import driver_of
from storage.exchange import splitting
from storage.models.current_suggestions import JOINED, NAME, UNITS
from storage.pairs.filters import PairFilter
from storage.pairs.query import PairQueries
from storage.schema import DATA_SET

EVERYTHING = PairFilter()


class Preset(StrEnum):
    """The fields of a row: those of a known data set's files, labels as numbers, or everything with its provenance."""

    SCINLI = "scinli"
    MISMATCHED = "mismatched"
    SNLI = "snli"
    INTEGERS = "integers"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to export.

    `shares`: how many papers each split gets, (("train", 80), ("dev", 10), ("test", 10)); empty for one file. `balance`
    downsamples each class to the smallest, per split and domain. `seed` is for both. `strategies` are those wanted
    (implicit pairs come without a label unless people gave one); `without` are flags whose pairs are left out;
    `settled` leaves out pairs without a gold label, whose label is the distant one; `scope` is what the table of pairs
    shows. Bad pairs and those without a majority are left out whatever it says.
    """

    preset: Preset = Preset.SCINLI
    shares: tuple[tuple[str, float], ...] = ()
    balance: bool = False
    seed: int = 1
    strategies: frozenset[Strategy] = frozenset(Strategy) - {Strategy.IMPLICIT}
    without: frozenset[Flag] = frozenset()
    settled: bool = False
    scope: PairFilter = EVERYTHING

    def to_data(self) -> dict[str, Any]:
        """For JSON, as a receipt has it."""
        return {**codec.to_data(self), "shares": dict(self.shares), "scope": self.scope.to_data()}

    @classmethod
    def from_data(cls, data: Any) -> ExportOptions:
        """What `to_data` gave; ValueError when it is nothing of the kind."""
        if not isinstance(data, dict) or not isinstance(data.get("shares"), dict):
            raise ValueError("not an export's options")
        if not data["shares"].keys() <= set(SPLITS):
            raise ValueError("not shares of splits")
        shares = [(name, data["shares"][name]) for name in SPLITS if name in data["shares"]]  # in dealing, order counts
        options = codec.from_data(cls, {**data, "shares": shares})
        if not all(0 <= share < math.inf for _, share in options.shares):
            raise ValueError("not shares of splits")
        return options


JSON, SPLIT, LABEL, STRATEGY, REASON = range(5)  # of a row of `batches`
_BATCH = 250  # rows; ten times as many no longer fit the processor's cache and take longer

_OWN_SPLIT = f"iif(pairs.split IN {SPLITS}, pairs.split, NULL)"  # it becomes a file's name
_SPLIT = f"coalesce({_OWN_SPLIT}, paper_splits.split, group_splits.split)"
_PAPER = "coalesce(papers.source_md5, papers.md5)"  # of a data set, the paper that its file named; an index has it
_ORDER = f"{_PAPER}, pairs.ordinal, pairs.key"  # the rows of a data set stand as in its file, whatever their domains
_FROM = """
    FROM papers CROSS JOIN pairs ON pairs.paper_id = papers.id
    LEFT JOIN temp.paper_splits ON paper_splits.paper_id = papers.id
    LEFT JOIN temp.group_splits ON group_splits.pair_id = pairs.id
"""  # SQLite's CROSS JOIN keeps this order: papers by identity outside, their pairs by place inside, little to sort
_NAMED = f"(papers.kind <> '{DATA_SET}' OR papers.parser <> 'import')"  # a paper, not what stands for all of a file's
_TABLES = {  # temporary: what is settled for an export
    "paper_splits": "paper_id INTEGER PRIMARY KEY, split TEXT",
    "group_splits": "pair_id INTEGER PRIMARY KEY, split TEXT",
    "in_scope": "pair_id INTEGER PRIMARY KEY",
    "dropped": "pair_id INTEGER PRIMARY KEY, reason TEXT",
}
_SUGGESTIONS = f"""
    LEFT JOIN {JOINED}
    LEFT JOIN suggestion_runs ON suggestion_runs.id = suggestions.run
    LEFT JOIN models ON models.id = suggestion_runs.model_id
"""
_ANSWERS = """
    json(iif(pairs.status = 'open', coalesce(pairs.source -> '$.annotator_labels', '[]'), (
        SELECT json_group_array(answer) FROM (
            SELECT answer FROM answers WHERE pair_key = pairs.key AND via = 'answer' ORDER BY annotator
        )
    )))
"""
# An id of ours that a data set's file has is an id again; others' may be given twice.
_ID = """
    iif(length(pairs.source_id) = 32 AND pairs.source_id NOT GLOB '*[^0-9a-f]*', pairs.source_id, pairs.key)
"""
# What people agree on; else the gold label that a data set came with.
_GOLD = "coalesce(pairs.gold, iif(pairs.status = 'open', pairs.source ->> '$.gold_label', NULL))"
_NUMBERS = " ".join(f"WHEN '{label}' THEN {number}" for number, label in enumerate(Label))
_SENTENCES = {"sentence1": "pairs.premise", "sentence2": "pairs.hypothesis"}

_FIELDS = {
    Preset.SCINLI: {"id": _ID, **_SENTENCES, "label": "pairs.label"},
    Preset.MISMATCHED: {"id": _ID, **_SENTENCES, "label": "pairs.label", "Domain": "papers.domain"},
    Preset.SNLI: {
        "gold_label": f"coalesce({_GOLD}, '-')",
        **_SENTENCES,
        "annotator_labels": _ANSWERS,
        "pairID": _ID,
        "genre": "papers.domain",
    },
    Preset.INTEGERS: {
        "premise": "pairs.premise",
        "hypothesis": "pairs.hypothesis",
        "label": f"CASE pairs.label {_NUMBERS} ELSE -1 END",
        "label_text": "pairs.label",  # says which scheme the numbers are of
    },
    Preset.FULL: {
        "pairID": "pairs.key",
        **_SENTENCES,
        "label": "pairs.label",
        "distant_label": "pairs.distant_label",
        "gold_label": _GOLD,
        "annotator_labels": _ANSWERS,
        "accepted_suggestion": "json(iif(pairs.accepted, 'true', 'false'))",
        "suggested_label": f"coalesce({NAME}, pairs.source ->> '$.suggested_label')",
        "suggestion_confidence": f"""
            coalesce(suggestions.confidence * 1.0 / {UNITS}, pairs.source ->> '$.suggestion_confidence')
        """,
        "suggestion_model": "coalesce(models.digest, pairs.source ->> '$.suggestion_model')",
        "strategy": "pairs.strategy",
        "linking_phrase": "pairs.phrase",
        "sentence2_original": "pairs.hypothesis_original",
        "crosses_paragraph": f"json(iif(instr(pairs.flags, '\"{Flag.CROSSES_PARAGRAPH}\"'), 'true', 'false'))",
        "flags": "json(pairs.flags)",
        "domain": "papers.domain",
        "split": _SPLIT,
        "paper_sha256": "papers.sha256",
        "paper_md5": _PAPER,
        "title": "papers.title",
        "doi": "papers.doi",
        "year": "papers.year",
        "section": "coalesce(sections.title, pairs.source ->> '$.section')",
        "page": "pairs.page",
        "parser": "papers.parser",
        "parser_version": "papers.parser_version",
        "mining_run": "coalesce(mining_runs.id, pairs.source ->> '$.mining_run')",
        "source_id": "pairs.source_id",
        "source_label": "pairs.source_label",
        "source_columns": "json(pairs.source -> '$.columns')",
    },
}


def choose(connection: Connection, options: ExportOptions) -> None:
    """Settle each pair's split and why it is left out, in temporary tables that the functions below read.

    The view `candidates` has every pair with its `split` and the `reason` why it is left out, NULL for none.
    """
    connection.exec_driver_sql("DROP VIEW IF EXISTS temp.candidates")
    for table, columns in _TABLES.items():
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS temp.{table}")
        connection.exec_driver_sql(f"CREATE TEMP TABLE {table} ({columns})")
    connection.exec_driver_sql(f"""
        CREATE TEMP VIEW candidates AS
        SELECT pairs.id AS pair_id, pairs.key, pairs.premise, pairs.hypothesis, pairs.hypothesis_original,
            pairs.premise_hash, pairs.hypothesis_hash, pairs.strategy,
            papers.id AS paper_id, {_PAPER} AS md5, papers.domain, {_NAMED} AS named,
            {_OWN_SPLIT} AS own_split, {_SPLIT} AS split, pairs.label, {_exclusion_reason(options)} AS reason
        {_FROM}
    """)
    if options.scope != EVERYTHING:
        wanted = PairQueries(connection).matching(options.scope).select("pairs.id")
        connection.exec_driver_sql(f"INSERT INTO in_scope {wanted.sql}", wanted.params)
    if options.shares:
        splitting.assign(driver_of(connection), dict(options.shares), seed=options.seed)
    if options.balance:
        _balance(connection, options.seed)


def batches(connection: Connection, options: ExportOptions) -> Iterator[list[tuple[Any, ...]]]:
    """The rows in order, some at a time: JSON (bytes), split, label, strategy ("" for none) and the reason.

    The reason is why a pair is left out, and then there is no JSON; None for the others.
    """
    # The driver's own cursor: SQLAlchemy's rows would take a tenth of the time of an export.
    cursor = driver_of(connection).execute(rows_query(options))
    while batch := cursor.fetchmany(_BATCH):
        yield batch


def first_rows(connection: Connection, options: ExportOptions, split: str | None, limit: int) -> list[str]:
    """The first rows as they will be written, of one split or (None) of all."""
    ours = "" if split is None else f"AND coalesce({_SPLIT}, '') = :split"
    query = rows_query(options, f"WHERE ({_exclusion_reason(options)}) IS NULL {ours}") + " LIMIT :limit"
    return [row[JSON].decode() for row in driver_of(connection).execute(query, {"split": split, "limit": limit})]


def rows_query(options: ExportOptions, condition: str = "") -> str:
    """SQL for `batches`."""
    fields = ", ".join(f"'{name}', {value}" for name, value in _FIELDS[options.preset].items())
    excluded = _exclusion_reason(options)
    suggestions = _SUGGESTIONS if options.preset is Preset.FULL else ""
    return f"""
        SELECT iif({excluded} IS NULL, CAST(json_object({fields}) AS BLOB), NULL),
            coalesce({_SPLIT}, ''), coalesce(pairs.label, ''), pairs.strategy, {excluded}
        {_FROM}
        LEFT JOIN sections ON sections.paper_id = pairs.paper_id AND sections.ordinal = pairs.premise_section
        LEFT JOIN mining_runs ON mining_runs.number = pairs.run
        {suggestions}
        {condition}
        ORDER BY {_ORDER}
    """


def counts(connection: Connection, options: ExportOptions) -> tuple[dict[tuple[str, str, str], int], dict[str, int]]:
    """Rows by (split, label, strategy), "" for none; and pairs left out, by reason."""
    query = """
        SELECT coalesce(split, ''), coalesce(label, ''), strategy, reason, count(*)
        FROM candidates GROUP BY split, label, strategy, reason ORDER BY 1, 2, 3
    """
    rows: dict[tuple[str, str, str], int] = {}
    left_out: Counter[str] = Counter()
    for split, label, strategy, why, count in driver_of(connection).execute(query):
        if why is None:
            rows[split, label, strategy] = count
        else:
            left_out[why] += count
    return rows, dict(sorted(left_out.items()))


def ways(connection: Connection, rows: int) -> dict[str, int]:
    """How the exported `rows` came to their splits: see `splitting.ways`."""
    return splitting.ways(driver_of(connection), rows)


def _own_exclusion_reason(options: ExportOptions) -> str:
    """SQL for why a pair by itself is left out, NULL when it is not; the first reason that holds."""
    wanted = ", ".join(f"'{strategy}'" for strategy in sorted(options.strategies)) or "NULL"
    flags = "".join(f"WHEN instr(pairs.flags, '\"{flag}\"') THEN '{flag}' " for flag in sorted(options.without))
    scope = "WHEN pairs.id NOT IN (SELECT pair_id FROM temp.in_scope) THEN 'not_shown'"
    return f"""CASE
        WHEN NOT pairs.current THEN 'no_longer_mined'
        {"" if options.scope == EVERYTHING else scope}
        WHEN pairs.status = 'bad' THEN 'bad'
        WHEN pairs.strategy NOT IN ({wanted}) THEN 'strategy'
        {flags}
        WHEN pairs.status = 'unsettled' THEN 'no_majority'
        {f"WHEN {_GOLD} IS NULL THEN 'not_settled'" if options.settled else ""}
    END"""


def _exclusion_reason(options: ExportOptions) -> str:
    """The same, after splitting and balancing too."""
    if not (options.shares or options.balance):
        return _own_exclusion_reason(options)
    dropped = "SELECT reason FROM temp.dropped WHERE dropped.pair_id = pairs.id"
    return f"coalesce({_own_exclusion_reason(options)}, ({dropped}))"


def _balance(connection: Connection, seed: int) -> None:
    """Of each split and domain, keep of every class there is as many as the smallest has, drawn by hash."""

    def draw(key: str) -> bytes:
        return blake2b(f"{seed}\0{key}".encode(), digest_size=16).digest()

    driver_of(connection).create_function("draw", 1, draw, deterministic=True)
    connection.exec_driver_sql("""
        INSERT INTO dropped
        WITH classes AS (
            SELECT split, domain, label, count(*) AS size FROM candidates
            WHERE reason IS NULL AND label IS NOT NULL GROUP BY split, domain, label
        ),
        smallest AS (SELECT split, domain, min(size) AS size FROM classes GROUP BY split, domain),
        drawn AS (
            SELECT pair_id, split, domain,
                row_number() OVER (PARTITION BY split, domain, label ORDER BY draw(key)) AS place
            FROM candidates WHERE reason IS NULL AND label IS NOT NULL
        )
        SELECT pair_id, 'balance' FROM drawn
        JOIN smallest ON smallest.split IS drawn.split AND smallest.domain = drawn.domain WHERE place > smallest.size
    """)
