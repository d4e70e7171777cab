"""Which pairs are exported, with which label and in which split; and the rows they become."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection

from miner.records import Answer, Flag, Strategy
from miner.splits import assign_splits
from storage.convert import sentence_hash
from storage.labels import gold_label


class Preset(StrEnum):
    """The fields of a row: those of SciNLI's files, or everything with its provenance."""

    SCINLI = "scinli"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to export.

    `shares`: how many papers each split gets, (("train", 80), ("dev", 10), ("test", 10)); empty for one file. `balance`
    downsamples each class to the smallest, per split and domain. `seed` is for both. `strategies` are those wanted
    (implicit pairs come without a label unless people gave one); `without` are flags whose pairs are left out.
    """

    preset: Preset = Preset.SCINLI
    shares: tuple[tuple[str, float], ...] = ()
    balance: bool = False
    seed: int = 1
    strategies: frozenset[Strategy] = frozenset(Strategy) - {Strategy.IMPLICIT}
    without: frozenset[Flag] = frozenset()


JSON, SPLIT, LABEL, STRATEGY, REASON = range(5)  # of a row of `batches`
_BATCH = 250  # rows; ten times as many no longer fit the processor's cache and take longer

_SPLIT = "coalesce(pairs.split, split_of.split)"
_LABEL = "iif(answered.pair_key IS NULL, pairs.distant_label, answered.gold)"
_FROM = """
    FROM papers CROSS JOIN pairs ON pairs.paper_id = papers.id
    LEFT JOIN temp.split_of ON split_of.paper_id = papers.id
    LEFT JOIN temp.answered ON answered.pair_key = pairs.key
"""  # SQLite's CROSS JOIN keeps this order: papers by MD5 outside, their pairs by place inside, and nothing to sort

_FIELDS = {
    Preset.SCINLI: {
        "id": "pairs.key",
        "sentence1": "pairs.premise",
        "sentence2": "pairs.hypothesis",
        "label": _LABEL,
    },
    Preset.FULL: {
        "pairID": "pairs.key",
        "sentence1": "pairs.premise",
        "sentence2": "pairs.hypothesis",
        "label": _LABEL,
        "distant_label": "pairs.distant_label",
        "gold_label": "answered.gold",
        "annotator_labels": "json(coalesce(answered.answers, '[]'))",
        "strategy": "pairs.strategy",
        "linking_phrase": "pairs.phrase",
        "sentence2_original": "pairs.hypothesis_original",
        "crosses_paragraph": f"json(iif(instr(pairs.flags, '\"{Flag.CROSSES_PARAGRAPH}\"'), 'true', 'false'))",
        "flags": "json(pairs.flags)",
        "domain": "papers.domain",
        "split": _SPLIT,
        "paper_sha256": "papers.sha256",
        "paper_md5": "papers.md5",
        "title": "papers.title",
        "doi": "papers.doi",
        "year": "papers.year",
        "section": "sections.title",
        "page": "pairs.page",
        "parser": "papers.parser",
        "parser_version": "papers.parser_version",
        "mining_run": "mining_runs.id",
        "source_id": "pairs.source_id",
        "source_label": "pairs.source_label",
    },
}


def choose(connection: Connection, options: ExportOptions) -> None:
    """Settle every pair's label, split and fate in temporary tables; `rows_query` and `leaks` read them."""
    for kind, name in (("VIEW", "fates"), ("TABLE", "split_of"), ("TABLE", "answered"), ("TABLE", "balanced_away")):
        connection.exec_driver_sql(f"DROP {kind} IF EXISTS temp.{name}")
    connection.exec_driver_sql("CREATE TEMP TABLE split_of (paper_id INTEGER PRIMARY KEY, split TEXT)")
    connection.exec_driver_sql("CREATE TEMP TABLE answered (pair_key TEXT PRIMARY KEY, gold TEXT, answers TEXT)")
    connection.exec_driver_sql("CREATE TEMP TABLE balanced_away (pair_id INTEGER PRIMARY KEY)")
    connection.exec_driver_sql(f"""
        CREATE TEMP VIEW fates AS
        SELECT pairs.id AS pair_id, pairs.key, pairs.premise, pairs.hypothesis,
            papers.id AS paper_id, papers.md5, papers.domain, pairs.split AS own_split, {_SPLIT} AS split,
            {_LABEL} AS label, {_reason(options)} AS reason
        {_FROM}
    """)
    _gather_answers(connection)
    if options.shares:
        _split(connection, options)
    if options.balance:
        _balance(connection, options.seed)


def batches(connection: Connection, options: ExportOptions) -> Iterator[list[tuple[Any, ...]]]:
    """The rows in order, some at a time: JSON (bytes), split, label, strategy ("" for none) and the reason.

    The reason is why a pair is left out, and then there is no JSON; None for the others.
    """
    # The driver's own cursor: SQLAlchemy's rows would take a tenth of the time of an export.
    cursor = _driver(connection).execute(rows_query(options))
    while batch := cursor.fetchmany(_BATCH):
        yield batch


def rows_query(options: ExportOptions) -> str:
    """SQL for `batches`."""
    fields = ", ".join(f"'{name}', {value}" for name, value in _FIELDS[options.preset].items())
    reason, balanced = _reason(options), ""
    if options.balance:
        reason = f"coalesce({reason}, iif(balanced_away.pair_id IS NULL, NULL, 'balance'))"
        balanced = "LEFT JOIN temp.balanced_away ON balanced_away.pair_id = pairs.id"
    return f"""
        SELECT iif({reason} IS NULL, CAST(json_object({fields}) AS BLOB), NULL),
            coalesce({_SPLIT}, ''), coalesce({_LABEL}, ''), pairs.strategy, {reason}
        {_FROM} {balanced}
        LEFT JOIN sections ON sections.paper_id = pairs.paper_id AND sections.ordinal = pairs.premise_section
        LEFT JOIN mining_runs ON mining_runs.number = pairs.run
        ORDER BY papers.md5, pairs.ordinal
    """


def leaks(connection: Connection) -> int:
    """How many sentences, as they are exported, stand in rows of more than one split."""
    _driver(connection).create_function("sentence_hash", 1, sentence_hash, deterministic=True)
    rows = "FROM fates WHERE reason IS NULL AND pair_id NOT IN (SELECT pair_id FROM balanced_away)"
    query = f"""
        SELECT count(*) FROM (
            SELECT 1 FROM (
                SELECT sentence_hash(premise) AS hash, split {rows} UNION SELECT sentence_hash(hypothesis), split {rows}
            )
            GROUP BY hash HAVING count(*) > 1
        )
    """
    return int(connection.exec_driver_sql(query).scalar_one())


def _reason(options: ExportOptions) -> str:
    """SQL for why a pair is left out, NULL when it is not; the first that holds."""
    wanted = ", ".join(f"'{strategy}'" for strategy in sorted(options.strategies)) or "NULL"
    flags = "".join(f"WHEN instr(pairs.flags, '\"{flag}\"') THEN '{flag}' " for flag in sorted(options.without))
    return f"""CASE
        WHEN NOT pairs.current THEN 'no_longer_mined'
        WHEN pairs.strategy NOT IN ({wanted}) THEN 'strategy'
        {flags}
        WHEN answered.pair_key IS NOT NULL AND answered.gold IS NULL THEN 'no_majority'
    END"""


def _gather_answers(connection: Connection) -> None:
    query = "SELECT pair_key, answer FROM answers ORDER BY pair_key, annotator"
    for key, group in itertools.groupby(connection.exec_driver_sql(query), lambda row: str(row[0])):
        answers = [Answer(answer) for _, answer in group]
        row = (key, gold_label(answers), json.dumps(answers))
        connection.exec_driver_sql("INSERT INTO answered VALUES (?, ?, ?)", row)


def _split(connection: Connection, options: ExportOptions) -> None:
    """Give every paper with rows a split, but for pairs that came with one."""
    query = "SELECT DISTINCT paper_id, md5, domain FROM fates WHERE reason IS NULL AND own_split IS NULL"
    papers = connection.exec_driver_sql(query).all()
    splits = assign_splits([(md5, domain) for _, md5, domain in papers], dict(options.shares), seed=options.seed)
    rows = [(paper_id, splits[md5]) for paper_id, md5, _ in papers]
    if rows:
        connection.exec_driver_sql("INSERT INTO split_of VALUES (?, ?)", rows)


def _balance(connection: Connection, seed: int) -> None:
    """Of each split and domain, keep of every class there is as many as the smallest has, drawn by hash."""

    def draw(key: str) -> bytes:
        return blake2b(f"{seed}\0{key}".encode(), digest_size=16).digest()

    _driver(connection).create_function("draw", 1, draw, deterministic=True)
    connection.exec_driver_sql("""
        INSERT INTO balanced_away
        WITH classes AS (
            SELECT split, domain, label, count(*) AS size FROM fates
            WHERE reason IS NULL AND label IS NOT NULL GROUP BY split, domain, label
        ),
        smallest AS (SELECT split, domain, min(size) AS size FROM classes GROUP BY split, domain),
        drawn AS (
            SELECT pair_id, split, domain,
                row_number() OVER (PARTITION BY split, domain, label ORDER BY draw(key)) AS place
            FROM fates WHERE reason IS NULL AND label IS NOT NULL
        )
        SELECT pair_id FROM drawn JOIN smallest ON smallest.split IS drawn.split AND smallest.domain = drawn.domain
        WHERE place > smallest.size
    """)


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver
