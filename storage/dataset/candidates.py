"""Which pairs an export contains, in which split, and why the others are left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import Connection

from miner.parsing.licences import is_redistributable
from miner.progress import Progress
from miner.records import Label, PairFlag
from miner.splits import SPLITS
from storage.connections import driver_connection
from storage.dataset import splits
from storage.dataset.balance import BALANCE, drop_for_balance
from storage.dataset.export_options import ALL_PAIRS, UNCOUNTED, ExportOptions, SplitOptions, TrainLabels
from storage.dataset.gold_rule import GOLD, RELEASED_BY_FILE, VOTED_GOLD
from storage.dataset.held_out_sentences import drop_shared_sentences
from storage.dataset.near_duplicates import NEAR_GROUPS
from storage.pairs.annotated_neutrals import IS_ANNOTATED_NOW
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import PILOT_KEYS, WAITS_FOR_VOTES
from storage.pairs.paper_splits import NAMED, PAPER_MD5
from storage.pairs.query import PairQueryCompiler

_OWN_SPLIT = f"iif(pairs.split IN {SPLITS}, pairs.split, NULL)"  # part of a file name, so only names that we know
PAIR_SPLIT = f"coalesce({_OWN_SPLIT}, paper_splits.split, group_splits.split)"
FROM = """
    FROM papers CROSS JOIN pairs ON pairs.paper_id = papers.id
    LEFT JOIN temp.paper_splits ON paper_splits.paper_id = papers.id
    LEFT JOIN temp.group_splits ON group_splits.pair_id = pairs.id
"""  # CROSS JOIN fixes the loops: papers by MD5 outside, their pairs in reading order inside; little is left to sort
_IN_TRAIN = "coalesce(pairs.split = 'train', 0)"
NOT_SHOWN = "not_shown"
"""Why a pair is left out: the filter does not show it."""
LICENCE = "licence"
"""Why a pair is left out: the licence of its paper does not allow to pass it on, or is unknown."""
GOLD_DIFFERS = "gold_differs"
"""Why a pair is left out: people agree on another label than the distant one, and the gold rule wants both alike."""
WAITING = "waiting"
"""Why a pair is left out: it has some of its votes, and waits for the others."""
PILOT = "pilot"
"""Why a pair is left out: it was in a pilot round, which trains annotators."""
NOT_ASKED_FOR = (NOT_SHOWN, LICENCE, "strategy", "split_left_out", "no_kinds", *PairFlag)
"""Why a pair is left out, whatever people say of it."""
_TEMP_TABLES = {  # columns by name
    "paper_splits": "paper_id INTEGER PRIMARY KEY, split TEXT, released INTEGER",
    "group_splits": "pair_id INTEGER PRIMARY KEY, split TEXT, released INTEGER",
    "released_pairs": "pair_id INTEGER PRIMARY KEY, split TEXT",
    "near_groups": NEAR_GROUPS,
    "in_scope": "pair_id INTEGER PRIMARY KEY",
    "redistributable": "licence TEXT PRIMARY KEY",
    "dropped": "pair_id INTEGER PRIMARY KEY, reason TEXT",
}


def select_candidates(
    connection: Connection, options: ExportOptions, progress: Progress | None = None, *, keeps_shared: bool = False
) -> None:
    """Create the temporary view `candidates`: every pair, its `split`, and the `reason` why it is left out or NULL.

    keeps_shared: in the project's splits no sentence is looked for that another split has, which takes long.
    The other functions of this module, and `storage.exchange.export_rows`, read it.
    """
    connection.exec_driver_sql("DROP VIEW IF EXISTS temp.candidates")
    for table, columns in _TEMP_TABLES.items():
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS temp.{table}")
        connection.exec_driver_sql(f"CREATE TEMP TABLE {table} ({columns})")
    connection.exec_driver_sql(f"""
        CREATE TEMP VIEW candidates AS
        SELECT pairs.id AS pair_id, pairs.key, pairs.premise, pairs.hypothesis, pairs.hypothesis_original,
            pairs.mined_premise, pairs.mined_hypothesis, pairs.premise_hash, pairs.hypothesis_hash, pairs.strategy,
            papers.id AS paper_id, {PAPER_MD5} AS md5, papers.domain, papers.year, {NAMED} AS named,
            {_OWN_SPLIT} AS own_split, {PAIR_SPLIT} AS split,
            {RELEASED_BY_FILE} AS released_by_file,
            coalesce(paper_splits.released, group_splits.released, 0) AS released,
            {label_of(options)} AS label, {exclusion_reason(options)} AS reason
        {FROM}
    """)
    if options.redistributable_only:
        licences = connection.exec_driver_sql("SELECT DISTINCT licence FROM papers").scalars()
        for licence in filter(is_redistributable, licences):
            connection.exec_driver_sql("INSERT INTO redistributable VALUES (?)", (licence,))
    if (scope := _without_labels(options.scope)) != ALL_PAIRS:
        in_scope = PairQueryCompiler(connection).for_rows(scope).select("pairs.id")
        connection.exec_driver_sql(f"INSERT INTO in_scope {in_scope.sql}", in_scope.params)
    if options.split is not None:
        if not keeps_shared:
            drop_shared_sentences(driver_connection(connection), progress or Progress())
    elif options.in_splits:
        splits.assign_candidate_splits(driver_connection(connection), options, progress or Progress())
    drop_for_balance(driver_connection(connection), options)


def _without_labels(scope: PairFilter) -> PairFilter:
    """The scope without labels, which are those that are written, and not always those of the table of pairs."""
    return replace(scope, labels=frozenset())


def label_of(options: ExportOptions) -> str:
    """SQL for the label of an exported pair, over `pairs`.

    With the preset `TAXINLI` it is the relation that people or a data set's file settled, else the one that most
    answers about kinds give.
    """
    if not options.preset.is_of_kinds:
        is_distant = options.split is not None and options.split.train_labels is TrainLabels.DISTANT
        return f"iif({_IN_TRAIN}, pairs.distant_label, pairs.label)" if is_distant else "pairs.label"
    relation = "SELECT relation FROM pair_kinds WHERE pair_key = pairs.key"
    return f"coalesce(pairs.gold, iif(pairs.run IS NULL, pairs.distant_label, NULL), ({relation}))"


class AbsentClass(NamedTuple):
    """A class of which a split ("" for one file) of a domain has none among its `pairs`, though other parts have."""

    label: str
    domain: str
    split: str
    pairs: int


class ClassBalance(NamedTuple):
    """What balancing the classes leaves: `kept` of all `pairs` that have a label.

    rarest: the class with the fewest pairs, `fewest`. parts: the splits and domains, each of which is balanced over the
    classes that it has; absent: the classes that it lacks.
    """

    pairs: int
    kept: int
    rarest: str
    fewest: int
    parts: int
    absent: tuple[AbsentClass, ...] = ()


class DataSetCounts(NamedTuple):
    """rows: by (split, label, strategy), "" for none. left_out: pairs by reason. balance: None without labelled rows.

    The balance is the same whether or not the classes are balanced now.
    """

    rows: dict[tuple[str, str, str], int]
    left_out: dict[str, int]
    balance: ClassBalance | None


def count_candidates(connection: Connection) -> DataSetCounts:
    """Count the candidates."""
    query = """
        SELECT coalesce(split, ''), coalesce(label, ''), strategy, domain, reason, count(*)
        FROM candidates GROUP BY split, label, strategy, domain, reason ORDER BY 1, 2, 3
    """
    rows: Counter[tuple[str, str, str]] = Counter()
    left_out: Counter[str] = Counter()
    classes: dict[tuple[str, str], Counter[str]] = {}  # by split and domain
    for split, label, strategy, domain, reason, count in driver_connection(connection).execute(query):
        if reason is None:
            rows[split, label, strategy] += count
        elif reason != UNCOUNTED:
            left_out[reason] += count
        if label and reason in (None, BALANCE):
            classes.setdefault((split, domain), Counter())[label] += count
    return DataSetCounts(dict(rows), dict(sorted(left_out.items())), _class_balance(classes))


def _class_balance(classes: dict[tuple[str, str], Counter[str]]) -> ClassBalance | None:
    parts = list(classes.values())
    totals = sum(parts, Counter[str]())
    if not totals:
        return None
    rarest = min(totals, key=lambda label: (totals[label], label))
    kept = sum(min(part.values()) * len(part) for part in parts)
    absent = tuple(
        AbsentClass(label, domain, split, part.total())
        for (split, domain), part in sorted(classes.items())
        for label in sorted(totals.keys() - part.keys())
    )
    return ClassBalance(totals.total(), kept, rarest, totals[rarest], len(parts), absent)


def count_split_methods(connection: Connection, rows: int) -> dict[str, int]:
    """How many of the exported `rows` got their split by which method: see `splits.count_methods`."""
    return splits.count_methods(driver_connection(connection), rows)


def _own_exclusion_reason(options: ExportOptions) -> str:
    """SQL for the first reason to leave out a pair, before splitting and balancing; NULL if there is none."""
    strategies = ", ".join(f"'{strategy}'" for strategy in sorted(options.strategies)) or "NULL"
    flags = "".join(f"WHEN instr(pairs.flags, '\"{flag}\"') THEN '{flag}' " for flag in sorted(options.without))
    not_redistributable = f"WHEN papers.licence NOT IN (SELECT licence FROM temp.redistributable) THEN '{LICENCE}'"
    judged = f"""
        WHEN {WAITS_FOR_VOTES} THEN '{WAITING}'
        WHEN pairs.status = 'unsettled' THEN 'no_majority'
        WHEN pairs.status = 'discarded' THEN '{GOLD_DIFFERS}'
        {f"WHEN {GOLD} IS NULL THEN 'not_settled'" if options.settled else ""}
    """
    no_kinds = "WHEN pairs.key NOT IN (SELECT pair_key FROM pair_kinds) THEN 'no_kinds'"
    outside = ["pairs.id NOT IN (SELECT pair_id FROM temp.in_scope)"] * (_without_labels(options.scope) != ALL_PAIRS)
    if options.scope.labels:
        labels = ", ".join(f"'{label}'" for label in sorted(options.scope.labels & {*Label, ""}))
        outside.append(f"coalesce({label_of(options)}, '') NOT IN ({labels})")
    scope = f"WHEN {' OR '.join(outside)} THEN '{NOT_SHOWN}'" if outside else ""
    return f"""CASE
        WHEN NOT pairs.current THEN iif({IS_ANNOTATED_NOW}, 'no_longer_mined', '{UNCOUNTED}')
        {scope}
        WHEN pairs.status = 'bad' THEN 'bad'
        WHEN pairs.key IN ({PILOT_KEYS}) THEN '{PILOT}'
        {no_kinds if options.preset.is_of_kinds else ""}
        {not_redistributable if options.redistributable_only else ""}
        WHEN pairs.strategy NOT IN ({strategies}) THEN 'strategy'
        {flags}
        {judged if options.split is None else _split_reasons(options.split, judged)}
    END"""


def _split_reasons(split: SplitOptions, judged: str) -> str:
    """SQL of the reasons that depend on a pair's split. judged: those of what people said of it."""
    names = ", ".join(f"'{name}'" for name in split.names)
    own_reasons = f"""
        WHEN {_OWN_SPLIT} IS NULL THEN 'no_split'
        WHEN pairs.split NOT IN ({names}) THEN 'split_left_out'
    """
    if split.train_labels is TrainLabels.DISTANT:
        # Answers to train pairs do not count: what comes next is for dev and test alone.
        own_reasons += f"WHEN {_IN_TRAIN} THEN iif(pairs.distant_label IS NULL, 'not_settled', NULL)"
    unsettled = f"NOT {_IN_TRAIN} AND {VOTED_GOLD} IS NULL"
    in_held_out = f"WHEN {unsettled} THEN 'not_settled'" if split.gold else ""
    return f"{own_reasons} {judged} {in_held_out}"


def exclusion_reason(options: ExportOptions) -> str:
    """SQL for the first reason to leave out a pair, splitting and balancing included; NULL if there is none."""
    if not (options.in_splits or options.balance):
        return _own_exclusion_reason(options)
    dropped = "SELECT reason FROM temp.dropped WHERE dropped.pair_id = pairs.id"
    return f"coalesce({_own_exclusion_reason(options)}, ({dropped}))"
