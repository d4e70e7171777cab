"""Another person's project, opened to take its papers and what people did from it; its file is only copied.

The copy is as the file was at one moment, also while it is open elsewhere, and is updated where it is older.
"""

from __future__ import annotations

import heapq
import itertools
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection

from miner.errors import UserError
from miner.kinds.taxonomy import Taxonomy
from miner.mining.identity import pair_key
from miner.mining.pair_values import casefold_sentences, pair_values
from miner.paths import exists, write_hint
from miner.progress import Progress
from miner.records import Label, Pair
from miner.splits import SPLITS
from storage import convert
from storage.annotation.annotation_rounds import AnnotationRound, RoundKind
from storage.annotation.annotators import Annotator, clean_name
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answer_histories import HOLDS
from storage.annotation.event_times import IS_OWN
from storage.annotation.kinds import identify_taxonomy
from storage.annotation.merging import ReturnedAnswer, ReturnedMark
from storage.annotation.texts import MAX_SENTENCE_LENGTH
from storage.connections import connect, copy_database
from storage.errors import (
    DamagedProject,
    damaged_error,
    find_damage,
    translate_decoding_errors,
    translate_errors,
    translated_steps,
)
from storage.exchange.event_checks import EventCheck
from storage.file_checks import check_project_file, claimed_to_read, reading_mode
from storage.pairs.mended_texts import SentenceField
from storage.papers.transfer import PaperCopy, read_copy
from storage.project import Project
from storage.schema import DATA_SET
from storage.settings import ASSIGNMENT, GOLD, SENTENCES, SPLIT
from storage.stores import Stores

_KEY = re.compile("[0-9a-f]{32}")
_BATCH_KEYS = 1000
_BATCH_PAIRS = 2000
_HISTORIES = ("label_events", "mark_events", "text_events", "kind_events")
_KEYS = "SELECT DISTINCT pair_key FROM {table} WHERE pair_key > ? ORDER BY pair_key"
# Also that of an undo or redo. What is nobody's own, such as a merge, is undone for this project alone.
_IS_UNDONE = """(
    SELECT coalesce(reversed.annotator, actions.annotator) <> '' FROM actions
    LEFT JOIN actions AS reversed ON reversed.id = actions.reverses WHERE actions.id = e.action
)"""
_STATE = f"{HOLDS} AS holds, {IS_OWN} AS is_own, {_IS_UNDONE} AS is_undone"
_OF_KEYS = "WHERE pair_key IN (SELECT value FROM json_each(?)) ORDER BY id"
_ANSWERS = f"SELECT pair_key, annotator, at, seen, new, via, {_STATE} FROM label_events e {_OF_KEYS}"
_KINDS = f"SELECT pair_key, annotator, at, new, taxonomy, {_STATE} FROM kind_events e {_OF_KEYS}"
_MARKS = f"SELECT pair_key, annotator, at, kind, new, {_STATE} FROM mark_events e {_OF_KEYS}"
_TEXTS = f"SELECT pair_key, annotator, at, field, old, new, {_STATE} FROM text_events e {_OF_KEYS}"
_PAIRS = """
    SELECT pairs.*, coalesce(papers.source_md5, papers.md5) AS identity, papers.md5 AS paper
    FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.key = wanted.value JOIN papers ON papers.id = paper_id
"""
_IMPORTED = """
    SELECT pairs.*, coalesce(papers.source_md5, papers.md5) AS identity, papers.md5 AS paper
    FROM papers CROSS JOIN pairs ON paper_id = papers.id
    WHERE papers.md5 = ? AND run IS NULL AND current ORDER BY pairs.id
"""
_ANNOTATORS = " UNION ".join(f"SELECT annotator FROM {table}" for table in (*_HISTORIES, "assignments"))
_LISTS = """
    SELECT name, (SELECT json_group_array(pair_key) FROM (
        SELECT pair_key FROM listed_pairs WHERE list = pair_lists.id ORDER BY pair_key
    )) FROM pair_lists ORDER BY id
"""
_HAS_SETTING = "SELECT 1 FROM settings WHERE key = '{}'"
_STAYING = {  # what is not taken over, with a query that says whether there is any
    "rounds": f"SELECT 1 FROM annotation_rounds WHERE kind <> '{RoundKind.PILOT}'",
    "a sample for precision": "SELECT 1 FROM precision_draws",
    "releases": "SELECT 1 FROM releases",
    "a split of the papers": _HAS_SETTING.format(SPLIT.key),
    "rules for gold labels": _HAS_SETTING.format(GOLD.key),
    "learned abbreviations": _HAS_SETTING.format(SENTENCES.key),
    "suggestions": "SELECT 1 FROM suggestion_runs",
    "answers about kinds that came with a data set": "SELECT 1 FROM kind_events WHERE annotator LIKE 'imported %'",
    "experiments": "SELECT 1 FROM experiments",
    "files that could not be read": "SELECT 1 FROM files WHERE code IS NOT NULL",
}


class OtherText(NamedTuple):
    """A sentence that somebody mended; new: None for the mined text."""

    pair_key: str
    field: SentenceField
    annotator: str
    at: datetime
    old: str
    new: str | None


class OtherPair(NamedTuple):
    """A pair as it was mined or imported. paper: the MD5 of its paper; identity: the one that its key is made of.

    own: the columns that a data set's file gave (`split` in `own_split`).
    """

    pair: Pair
    paper: str
    identity: str
    ordinal: int
    own: dict[str, Any]

    @property
    def texts(self) -> tuple[str, str]:
        """Both sentences, to compare pairs."""
        return casefold_sentences(self.pair.premise, self.pair.hypothesis)

    def key_of(self, identity: str) -> str:
        """The key of the pair as one of the paper with this MD5."""
        return pair_key(identity, self.pair.premise, self.pair.hypothesis_original, self.pair.strategy)

    def values(self, key: str) -> dict[str, Any]:
        """The columns of the pair under this key, without those about its paper and run."""
        return pair_values(replace(self.pair, key=key)) | self.own | {"ordinal": self.ordinal}


@dataclass(frozen=True, slots=True)
class Events:
    """What people did, the oldest first; keys of annotators as there."""

    answers: dict[str, list[ReturnedAnswer]] = field(default_factory=dict)
    kinds: dict[tuple[str, str], list[ReturnedAnswer]] = field(default_factory=dict)  # by annotator and taxonomy
    marks: dict[str, list[ReturnedMark]] = field(default_factory=dict)
    texts: list[OtherText] = field(default_factory=list)

    @property
    def last_texts(self) -> list[OtherText]:
        """The last text of each sentence."""
        return list({(text.pair_key, text.field): text for text in self.texts}.values())


@dataclass(frozen=True, slots=True)
class Work:
    """What people did to some pairs, and holds. undone: what they undid there, with what each undo and redo did."""

    keys: tuple[str, ...]
    held: Events
    undone: Events = field(default_factory=Events)


class OtherEventCheck(EventCheck):
    """Checks events of another project."""

    def context(self, text: str) -> AnswerContext:
        """The circumstances of an answer, without numbers that have another meaning here."""
        seen = super().context(text)
        return replace(seen, round=None, undo=None, redo=None, origin=seen.origin or "another project")


class OtherProject:
    """What another project holds. Raises `UndecodableValue` for what Pairwright never writes."""

    def __init__(self, path: Path, stores: Stores) -> None:
        self.path = path
        self.stores = stores
        self._connection: Connection = stores._connection

    @cached_property
    def papers(self) -> list[str]:
        """The MD5s of the papers, in order, then of stand-ins for imported data sets, as they were imported."""
        query = f"SELECT md5 FROM papers ORDER BY kind = '{DATA_SET}', iif(kind = '{DATA_SET}', id, 0), md5"
        return list(self._connection.exec_driver_sql(query).scalars())

    def paper(self, md5: str) -> PaperCopy:
        """The paper with this MD5."""
        return read_copy(self._connection, md5)

    @cached_property
    @translate_decoding_errors()
    def annotators(self) -> dict[str, Annotator | None]:
        """All who have done anything, by key; None for those who are not registered, such as a data set's."""
        known = {one.key: one for one in self.stores.annotators.all()}
        keys = {*self._connection.exec_driver_sql(_ANNOTATORS).scalars()} - {""}
        for name in (*keys, *(known[key].name for key in keys & known.keys())):
            try:
                is_name = clean_name(name) == name
            except UserError:
                is_name = False
            if not is_name:
                raise ValueError("the name of an annotator is not one")
        return {key: known.get(key) for key in sorted(keys)}

    @cached_property
    @translate_decoding_errors()
    def taxonomies(self) -> dict[str, tuple[str, Taxonomy]]:
        """The stored taxonomies with their texts, by digest."""
        found = {}
        for digest, text in self._connection.exec_driver_sql("SELECT digest, text FROM taxonomies ORDER BY digest"):
            try:
                stored = identify_taxonomy(text)
            except UserError as exc:
                raise ValueError(str(exc)) from exc
            if stored.digest != digest:
                raise ValueError("a taxonomy is not the one that answers were given by")
            found[digest] = text, stored.taxonomy
        return found

    @translated_steps
    def work(self) -> Iterator[Work]:
        """What people did, to some pairs after the others."""
        check = OtherEventCheck({digest: taxonomy for digest, (_, taxonomy) in self.taxonomies.items()})
        after = ""
        while keys := self._keys(after):
            after = keys[-1]
            if not all(isinstance(key, str) and _KEY.fullmatch(key) for key in keys):
                raise ValueError("the key of a pair is not one")
            yield self._work(keys, check)
            check.forget()

    def _keys(self, after: str) -> list[str]:
        """The next keys of pairs with a history."""
        found = [
            self._connection.exec_driver_sql(f"{_KEYS.format(table=table)} LIMIT {_BATCH_KEYS}", (after,)).scalars()
            for table in _HISTORIES
        ]
        merged = (key for key, _ in itertools.groupby(heapq.merge(*found)))
        return list(itertools.islice(merged, _BATCH_KEYS))

    def _work(self, keys: Sequence[str], check: OtherEventCheck) -> Work:
        work, nobodys = Work(tuple(keys), Events()), Events()

        def rows(query: str) -> Iterator[tuple[Any, Events]]:
            for row in self._connection.exec_driver_sql(query, (json.dumps(keys),)):
                yield row, work.held if row.holds else work.undone if row.is_undone else nobodys

        for row, events in rows(_ANSWERS):
            events.answers.setdefault(row.annotator, []).append(check.answer(row))
        for row, events in rows(_KINDS):
            events.kinds.setdefault((row.annotator, row.taxonomy), []).append(check.kinds(row))
        for row, events in rows(_MARKS):
            events.marks.setdefault(row.annotator, []).append(check.mark(row))
        for row, events in rows(_TEXTS):
            for text in (row.old, row.new):
                if text is not None and not (isinstance(text, str) and 0 < len(text) <= 2 * MAX_SENTENCE_LENGTH):
                    raise ValueError("a sentence is empty or too long")
            which = SentenceField(row.field)
            at = check.time(row, which)
            events.texts.append(OtherText(row.pair_key, which, row.annotator, at, row.old, row.new))
        return work

    @translate_decoding_errors()
    def pairs(self, keys: Sequence[str]) -> dict[str, OtherPair]:
        """The pairs with these keys that the other project has, by key."""
        rows = self._connection.exec_driver_sql(_PAIRS, (json.dumps(list(keys)),)).mappings()
        return {row["key"]: _pair(row) for row in rows}

    @translated_steps
    def imported_pairs(self, md5: str) -> Iterator[list[OtherPair]]:
        """The pairs of a stand-in for an imported data set, some after the others."""
        rows = self._connection.exec_driver_sql(_IMPORTED, (md5,)).mappings()
        for some in rows.partitions(_BATCH_PAIRS):
            yield [_pair(row) for row in some]

    @translate_decoding_errors()
    def pilots(self) -> list[AnnotationRound]:
        """The pilot rounds, whose answers are no votes."""
        return [one for one in self.stores.annotation_rounds.all() if one.plan.kind is RoundKind.PILOT]

    @translated_steps
    def lists(self) -> Iterator[tuple[str, list[str]]]:
        """The lists of pairs: name and keys, in the order in which they were made."""
        for name, keys in self._connection.exec_driver_sql(_LISTS):
            if not isinstance(name, str) or not name.strip() or len(name) > MAX_SENTENCE_LENGTH:
                raise ValueError("the name of a list is not one")
            yield name, [key for key in json.loads(keys) if _KEY.fullmatch(key)]

    def staying(self) -> tuple[str, ...]:
        """What there is that is not taken over."""
        return tuple(
            what for what, query in _STAYING.items() if self._connection.exec_driver_sql(f"{query} LIMIT 1").first()
        )

    def check(self, progress: Progress, known: frozenset[str]) -> None:
        """Read everything once, so that an invalid file is refused before any of its content is stored.

        known: the MD5s of papers that are not to be taken.
        """
        for number, md5 in enumerate(self.papers):
            progress.tick(number, len(self.papers), "checking")
            if md5 in known:
                self.stores.papers.summary(md5)
            else:
                self.paper(md5)
        _ = self.annotators, self.pilots()
        for work in self.work():
            progress.tick(len(self.papers), len(self.papers), "checking")
            self.pairs(work.keys)
        for _ in self.lists():
            pass


def _pair(row: Any) -> OtherPair:
    values = {
        **row,
        "premise": row["mined_premise"] or row["premise"],
        "hypothesis": row["mined_hypothesis"] or row["hypothesis"],
    }
    pair = convert.pair_from_row(values)  # type: ignore[arg-type]
    if not all(isinstance(text, str) and text for text in (pair.premise, pair.hypothesis, pair.hypothesis_original)):
        raise ValueError("a sentence of a pair is missing")
    if not all(isinstance(number, int) for number in (*pair.premise_at, *pair.hypothesis_at, pair.page or 0)):
        raise ValueError("the place of a pair is not one")
    own = {name: row[name] for name in ("own_split", "source_id", "source_label", "source")}
    if not all(value is None or isinstance(value, str) for value in own.values()):
        raise ValueError("what a data set says of a pair is no text")
    if own["own_split"] not in (None, *SPLITS):
        raise ValueError("the split of a pair is not one")
    if own["source"] is not None and (gold := dict(json.loads(own["source"])).get("gold_label")) is not None:
        Label(gold)
    return OtherPair(pair, row["paper"], row["identity"], int(row["ordinal"]), own)


@contextmanager
def opened_project(path: Path, progress: Progress) -> Iterator[OtherProject]:
    """A copy of the project at `path`, which is deleted afterwards.

    Raises `UserError` if it is missing, damaged, newer than this program, an answer file, or has what Pairwright never
    writes.
    """
    if not exists(path):
        raise UserError(f"There is no {path}.", hint="Check the path.")
    with claimed_to_read(path):
        check_project_file(path)
    with tempfile.TemporaryDirectory(prefix="pairwright-") as folder:
        copy = Path(folder) / path.name
        _copy(path, copy, progress)
        try:
            with Project.open(copy) as project, project.read_transaction() as stores:
                if (assignment := stores.settings.get(ASSIGNMENT)) is not None:
                    raise UserError(
                        f"{path} is an answer file of {assignment.name}, not a project with papers.",
                        hint=f"To merge it: pairwright merge {path}",
                    )
                yield OtherProject(path, stores)
        except DamagedProject as exc:
            if exc.path != copy:
                raise
            raise damaged_error(path) from exc


def _copy(path: Path, copy: Path, progress: Progress) -> None:
    try:
        with claimed_to_read(path), translate_errors(path):
            copy_database(path, copy, lambda: progress.tick(0, None, path.name), mode=reading_mode(path))
            with closing(connect(copy)) as connection:
                if find_damage(connection):
                    raise damaged_error(path)
    except OSError as exc:
        raise UserError(f"{path} cannot be copied: {exc.strerror or exc}.", hint=write_hint(exc)) from exc
