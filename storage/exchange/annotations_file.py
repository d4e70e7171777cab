"""What people did that an export depends on, as a file beside it: all kinds of answers, bad pairs, pilots, splits …

Annotators have numbers instead of names, in the order of their keys. Texts of papers that may not be passed on are not
in the file where the export leaves them out.
"""

from __future__ import annotations

import heapq
import json
import math
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from miner import codec
from miner.errors import UserError
from miner.kinds.questionnaire import PairKinds
from miner.kinds.taxonomy import Direction
from miner.paths import check_ordinary
from miner.records import NEUTRAL_STRATEGIES, AnnotatedNeutral, Answer, Label, Strategy
from miner.splits import SPLITS
from storage.annotation.annotators import Role
from storage.annotation.answer_context import NO_CONTEXT
from storage.annotation.answers import AnswerSource
from storage.annotation.imported_kinds import store_kinds
from storage.annotation.marks import MarkKind
from storage.connections import driver_connection
from storage.dataset.export_options import ALL_PAIRS, ExportOptions
from storage.dataset.released_splits import store_released_splits
from storage.exchange.export_fields import has_suggestions
from storage.exchange.kinds_columns import is_category
from storage.pairs.annotated_neutrals import EVER_ANNOTATED
from storage.pairs.current_suggestions import CURRENT_RUN_ID, PROBABILITY_SCALE
from storage.pairs.filters import PassedOn, fields_passed_on, with_value
from storage.pairs.judgement import PILOT_KEYS
from storage.pairs.mended_texts import SentenceField
from storage.pairs.pair_kinds import COUNTED
from storage.pairs.tags import clean_tag, join_tags, split_tags
from storage.stores import Stores

_MD5 = re.compile("[0-9a-f]{32}")
_EPOCH = "1970-01-01T00:00:00+00:00"
_MAX_LINE = 100_000  # bytes
_BRACKETS = (b"[\n", b"]\n")

# A pair that is no longer mined is in no export, and a rebuild does not have it.
_IS_CURRENT = "EXISTS (SELECT 1 FROM pairs WHERE pairs.key = e.pair_key AND current)"
_LATEST_ANSWERS = f"""
    SELECT pair_key, annotator, new, via FROM label_events AS e LEFT JOIN annotators ON annotators.key = annotator
    WHERE new IS NOT NULL AND e.id = (
        SELECT max(id) FROM label_events WHERE pair_key = e.pair_key AND annotator = e.annotator
    ) AND {_IS_CURRENT}
    ORDER BY pair_key, iif(role = 'adjudicator', at, ''), annotator  -- the last adjudicator's answer holds
"""
_LATEST_MARKS = f"""
    SELECT pair_key, kind, new FROM mark_events AS e WHERE new IS NOT NULL AND kind IN ('bad', 'flag', 'tag') AND id = (
        SELECT max(id) FROM mark_events WHERE pair_key = e.pair_key AND annotator = e.annotator AND kind = e.kind
    ) AND {_IS_CURRENT} ORDER BY pair_key, kind, annotator
"""
_MENDED = """
    SELECT pairs.key, iif(mined_premise IS NULL, NULL, premise), iif(mined_hypothesis IS NULL, NULL, hypothesis)
    FROM pairs JOIN papers ON papers.id = paper_id WHERE pairs.edited AND pairs.current {of_papers} ORDER BY pairs.key
"""
_PILOTS = f"SELECT DISTINCT pair_key FROM ({PILOT_KEYS}) AS e WHERE {_IS_CURRENT} ORDER BY 1"
_REDISTRIBUTABLE = "AND papers.licence IN (SELECT licence FROM temp.redistributable)"
_MODEL = f"""
    SELECT digest, name, temperature FROM suggestion_runs JOIN models ON models.id = model_id
    WHERE suggestion_runs.id = {CURRENT_RUN_ID}
"""
_SUGGESTIONS = f"""
    SELECT pairs.key, suggestions.label, confidence, doubt, contrasting, reasoning, entailment, neutral
    FROM suggestions JOIN pairs ON pairs.id = suggestions.pair
    WHERE suggestions.run = {CURRENT_RUN_ID} AND pairs.current ORDER BY pairs.key
"""
_KINDS = f"{COUNTED.format(wanted='', condition=_IS_CURRENT)} ORDER BY e.pair_key, e.annotator"
_ANNOTATORS = f"SELECT annotator FROM ({_LATEST_ANSWERS}) UNION SELECT annotator FROM ({_KINDS}) ORDER BY 1"
_FIRST = itemgetter(0)


@dataclass(frozen=True, slots=True)
class SuggestingModel:
    """The model that suggestions are from. temperature: as Python writes the number."""

    digest: str
    name: str
    temperature: str

    def __post_init__(self) -> None:
        if not 0 < float(self.temperature) < math.inf:
            raise ValueError("not a temperature")


@dataclass(frozen=True, slots=True)
class AnnotationLine:
    """One line: of a pair by its `pair` key, of a paper's split, of the annotators, or of the suggestions' model.

    answers: (annotator, answer, how it was given). marks: (kind, value). suggestion: the label's number, then
    confidence, doubt (None if unknown) and the probability of each class in ten-thousandths. pilot: the pair is of a
    pilot round. kinds: (annotator, relation, categories, direction) of the answers about kinds that count. kept: of a
    current neutral pair, which mining keeps where it can, the MD5 of its paper, strategy, and hashes of its sentences.
    """

    annotators: dict[str, Role] | None = None
    model: SuggestingModel | None = None
    pair: str | None = None
    answers: tuple[tuple[str, Answer, AnswerSource], ...] = ()
    marks: tuple[tuple[MarkKind, str], ...] = ()
    premise: str | None = None
    hypothesis: str | None = None
    suggestion: tuple[int | None, ...] = ()
    kinds: tuple[tuple[str, Label, tuple[str, ...], Direction | None], ...] = ()
    pilot: bool = False
    kept: tuple[str, Strategy, int, int] | None = None
    paper: str | None = None
    split: str | None = None

    def __post_init__(self) -> None:
        if self.suggestion:
            label, confidence, doubt, *probabilities = self.suggestion
            numbers = [confidence, 0 if doubt is None else doubt, *probabilities]
            is_number = all(one is not None and 0 <= one <= PROBABILITY_SCALE for one in numbers)
            if label not in range(len(Label)) or len(probabilities) != len(Label) or not is_number:
                raise ValueError("not a suggestion")
        if not all(is_category(category) for _, _, categories, _ in self.kinds for category in categories):
            raise ValueError("not a category")
        if any(
            clean_tag(tag) != tag for kind, value in self.marks if kind is MarkKind.TAG for tag in split_tags(value)
        ):
            raise ValueError("not a tag")
        if self.kept is not None and not _is_neutral(*self.kept):
            raise ValueError("not a neutral pair")
        if self.split not in (None, *SPLITS):
            raise ValueError("not a split")

    @property
    def subject(self) -> tuple[object, ...]:
        """What the line is about; no other line is about the same."""
        return self.pair, self.paper, self.split is None, self.annotators is None, self.model is None


def _numbers(driver: sqlite3.Connection) -> dict[str, str]:
    """The numbers that stand for the annotators of the file's answers, by their keys."""
    return {key: f"annotator {number:03d}" for number, (key,) in enumerate(driver.execute(_ANNOTATORS), start=1)}


def options_to_publish(connection: Connection, options: ExportOptions) -> ExportOptions:
    """The options with numbers for annotators."""
    scope = options.scope
    if named := fields_passed_on(scope, PassedOn.NUMBERED):
        numbers = _numbers(driver_connection(connection))
        for field in named:
            people = frozenset(numbers.get(key, "nobody") for key in getattr(scope, field))
            scope = with_value(scope, field, people)
    return replace(options, scope=scope)


def annotation_lines(connection: Connection, options: ExportOptions) -> Iterator[bytes]:
    """The entries of the file, a list with one on each line, by the pairs' keys; none if people did nothing."""
    driver = driver_connection(connection)
    names = _numbers(driver)
    roles = dict(driver.execute("SELECT key, role FROM annotators"))
    if names:
        yield _line({"annotators": {number: roles.get(key, Role.ANNOTATOR.value) for key, number in names.items()}})
    of_papers = _REDISTRIBUTABLE if options.redistributable_only else ""
    found: list[Iterator[tuple[str, dict[str, Any]]]] = [
        (
            (key, {"answers": [[names[annotator], answer, via] for _, annotator, answer, via in given]})
            for key, given in groupby(driver.execute(_LATEST_ANSWERS), _FIRST)
        ),
        ((key, {"marks": _marks(given)}) for key, given in groupby(driver.execute(_LATEST_MARKS), _FIRST)),
        (
            (key, {"premise": premise, "hypothesis": hypothesis})
            for key, premise, hypothesis in driver.execute(_MENDED.format(of_papers=of_papers))
        ),
        (
            (key, {"kinds": [_kinds_entry(names, *one) for one in given]})
            for key, given in groupby(driver.execute(_KINDS), _FIRST)
        ),
        ((key, {"pilot": True}) for (key,) in driver.execute(_PILOTS)),
        ((key, {"kept": neutral}) for key, *neutral in driver.execute(EVER_ANNOTATED)),
    ]
    if has_suggestions(options.preset) or options.scope != ALL_PAIRS:
        model = driver.execute(_MODEL).fetchone()
        if model is not None:
            digest, name, temperature = model
            yield _line({"model": {"digest": digest, "name": name, "temperature": repr(temperature)}})
            found.append((key, {"suggestion": values}) for key, *values in driver.execute(_SUGGESTIONS))
    # Merged as they are read: a full export may have suggestions for a million pairs.
    for key, parts in groupby(heapq.merge(*found, key=_FIRST), _FIRST):
        entries = {name: value for _, part in parts for name, value in part.items() if value is not None}
        yield _line({"pair": key, **entries})
    if options.in_splits and options.keep_released:
        latest = "SELECT {0}, split, max(release) FROM release_splits WHERE {0} <> '' GROUP BY {0} ORDER BY {0}"
        for md5, split, _ in driver.execute(latest.format("md5")):
            yield _line({"paper": md5, "split": split})
        for key, split, _ in driver.execute(latest.format("pair_key")):
            yield _line({"pair": key, "split": split})


def _marks(given: Iterable[tuple[str, str, str]]) -> list[list[str]]:
    """The marks of a pair: kind and value; all tags together."""
    found: list[list[str]] = []
    tags: list[str] = []
    for _, kind, value in given:
        if kind == MarkKind.TAG:
            tags += split_tags(value)
        else:
            found.append([kind, value])
    return found + [[MarkKind.TAG.value, joined] for joined in [join_tags(tags)] if joined]


def _kinds_entry(
    names: Mapping[str, str], _: str, annotator: str, relation: str, categories: str, direction: str | None
) -> list[Any]:
    return [names[annotator], relation, categories.split(), direction]


def _is_neutral(md5: str, strategy: Strategy, *hashes: int) -> bool:
    in_range = all(-(1 << 63) <= one < 1 << 63 for one in hashes)
    return _MD5.fullmatch(md5) is not None and strategy in NEUTRAL_STRATEGIES and in_range


def annotated_by_paper(lines: Iterable[AnnotationLine]) -> dict[str, list[AnnotatedNeutral]]:
    """The neutral pairs that mining keeps where it can, by the MD5 of their paper."""
    found: dict[str, list[AnnotatedNeutral]] = {}
    for line in lines:
        if line.pair is not None and line.kept is not None:
            md5, strategy, premise, hypothesis = line.kept
            found.setdefault(md5, []).append(AnnotatedNeutral(line.pair, strategy, premise, hypothesis))
    return found


def read_annotations(path: Path) -> list[AnnotationLine]:
    """The lines of a file that may come from anybody. Raises `UserError` if it is damaged."""
    found: list[AnnotationLine] = []
    seen: set[tuple[object, ...]] = set()
    try:
        check_ordinary(path)
        with path.open("rb") as file:
            while line := file.readline(_MAX_LINE + 1):
                if line in _BRACKETS:
                    continue
                data = json.loads(line.rstrip(b",\n"))
                json.dumps(data, ensure_ascii=False).encode()  # raises for text that is not Unicode
                entry = codec.from_data(AnnotationLine, data)
                if entry.subject in seen:
                    raise ValueError("two lines are about the same")
                seen.add(entry.subject)
                found.append(entry)
    except OSError as exc:
        raise UserError(f"{path} cannot be read: {exc.strerror}.", hint="It belongs beside the manifest.") from exc
    except (ValueError, TypeError, RecursionError) as exc:
        raise UserError(f"{path} is damaged, entry {len(found) + 1:,}.", hint="Fetch it again.") from exc
    return found


def store_annotations(connection: Connection, lines: list[AnnotationLine]) -> None:
    """Store what people did, in a project that has no papers yet: histories wait for their pairs."""
    driver = driver_connection(connection)
    seen = NO_CONTEXT.to_json()
    for line in lines:
        if line.annotators is not None:
            for key, role in sorted(line.annotators.items()):
                driver.execute(_INSERT_ANNOTATOR, (key, key, role.value))
        if line.pair is None:
            continue
        for annotator, answer, via in line.answers:
            values = (line.pair, annotator, _EPOCH, seen, answer.value, via.value)
            driver.execute(_INSERT_ANSWER, values)
        for kind, value in line.marks:
            driver.execute(_INSERT_MARK, (line.pair, _EPOCH, kind.value, value))
        for field, text in ((SentenceField.PREMISE, line.premise), (SentenceField.HYPOTHESIS, line.hypothesis)):
            if text is not None:
                driver.execute(_INSERT_TEXT, (line.pair, _EPOCH, field.value, text))
        if line.kept is not None:  # also for a note or a withdrawn answer, which are not passed on
            driver.execute(_INSERT_WITHDRAWN_NOTE, (line.pair, _EPOCH))
    kinds = (
        (line.pair, annotator, PairKinds(relation.value, frozenset(categories), direction, complete=True))
        for line in lines
        if line.pair is not None
        for annotator, relation, categories, direction in line.kinds
    )
    store_kinds(connection, kinds, _EPOCH)
    if pilots := [(line.pair, number) for number, line in enumerate(lines) if line.pair and line.pilot]:
        driver.execute(_INSERT_PILOT, (_EPOCH,))
        driver.executemany(_INSERT_PILOT_PAIR, pilots)
    if any(line.split for line in lines):
        driver.execute(_INSERT_RELEASE, (_EPOCH,))
        splits = ((line.paper or "", line.pair or "", line.split) for line in lines if line.split)
        store_released_splits(driver, 1, splits)


_INSERT_ANNOTATOR = "INSERT INTO annotators (key, name, role) VALUES (?, ?, ?)"
_INSERT_ANSWER = """
    INSERT INTO label_events (pair_key, annotator, at, seen, old, new, action, via)
    VALUES (?, ?, ?, ?, NULL, ?, NULL, ?)
"""
_INSERT_MARK = """
    INSERT INTO mark_events (pair_key, annotator, at, kind, old, new, action) VALUES (?, '', ?, ?, NULL, ?, NULL)
"""
_INSERT_WITHDRAWN_NOTE = """
    INSERT INTO mark_events (pair_key, annotator, at, kind, old, new, action) VALUES (?, '', ?, 'note', '', NULL, NULL)
"""
_INSERT_TEXT = """
    INSERT INTO text_events (pair_key, annotator, at, field, old, new, action) VALUES (?, '', ?, ?, '', ?, NULL)
"""
_INSERT_PILOT = """
    INSERT INTO annotation_rounds (id, uid, number, kind, seed, created_at, plan, is_open)
    VALUES (1, 'pilot', 1, 'pilot', 1, ?, '{"kind": "pilot"}', 0)
"""
_INSERT_PILOT_PAIR = """
    INSERT OR IGNORE INTO annotation_round_pairs (round, pair_key, ordinal, domain) VALUES (1, ?, ?, '')
"""
_INSERT_RELEASE = """
    INSERT INTO releases (id, name, created_at, program, options, counts)
    VALUES (1, 'earlier releases', ?, '', '{}', '[]')
"""


def store_suggestions(stores: Stores, lines: list[AnnotationLine]) -> None:
    """Store the suggestions of the file, in a project that has its pairs."""
    model = next((line.model for line in lines if line.model), None)
    if model is None:
        return
    driver = driver_connection(stores._connection)
    driver.execute(
        """
        INSERT INTO models (id, digest, name, kind, folder, card, labels, added_at)
        VALUES (1, ?, ?, 'folder', '', '{}', NULL, ?)
        """,
        (model.digest, model.name, _EPOCH),
    )
    driver.execute(
        """
        INSERT INTO suggestion_runs (id, model_id, temperature, state, device, program, started_at, pairs, held_out)
        VALUES (1, 1, ?, 'complete', '', '', ?, 0, 0)
        """,
        (float(model.temperature), _EPOCH),
    )
    rows = [(*line.suggestion, line.pair) for line in lines if line.pair and line.suggestion]
    driver.executemany(
        """
        INSERT INTO suggestions (pair, run, label, confidence, doubt, contrasting, reasoning, entailment, neutral)
        SELECT id, 1, ?, ?, ?, ?, ?, ?, ? FROM pairs WHERE key = ?
        """,
        rows,
    )


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
