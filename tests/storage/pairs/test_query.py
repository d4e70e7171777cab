"""All users of a filter get the same pairs: those that a plain Python predicate gives."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from miner import codec
from miner.audit.traits import find_traits
from miner.kinds.distant_direction import distant_direction
from miner.kinds.taxonomy import RELATION
from miner.records import Answer, HypothesisTrait, Label, PairFlag, Strategy
from storage.annotation.annotation_rounds import RoundPair, RoundPlan
from storage.annotation.annotators import Role
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.annotation.rounds import RoundOrder
from storage.dataset.candidates import count_candidates, select_candidates
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.export_rows import JSON, REASON, read_batches
from storage.lab import tested_pairs
from storage.lab.experiments import StoredCell
from storage.models.predictions import PredictorInfo
from storage.pairs import judgement
from storage.pairs.filters import (
    ANY_KIND,
    PairFilter,
    PairOrder,
    PairStatus,
    Range,
    SortColumn,
    full_text_query,
    with_value,
)
from storage.pairs.judgement import keys_scope
from storage.pairs.mended_texts import SentenceField
from storage.pairs.pair_kinds import DIRECTIONS
from storage.pairs.tags import join_tags, split_tags
from storage.project import Project
from storage.stores import Stores
from tests.bench import synthetic
from tests.storage.factories import reasoned

PAIRS, PAPERS = 240, 9
NOW = datetime(2026, 7, 1, tzinfo=UTC)
_LABELS = ("", *Label)
_ALL = 10 * PAIRS

Row = Any  # a pair with all that is known of it, as `_all_pairs` reads it


@pytest.fixture(scope="module", params=[1, 2, 3], ids=["suggested", "suggested-many", "not-suggested"])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A random project with answers, changed answers, accepted suggestions and marks.

    suggested-many: with small limits, so that queries are compiled as in a large project.
    """
    seed: int = request.param
    with pytest.MonkeyPatch.context() as patch:
        if seed == 2:
            for limit in ("query.MAX_CANDIDATES", "query._MAX_ANSWERS_READ_FIRST"):
                patch.setattr(f"storage.pairs.{limit}", 2)
            for limit in ("_FIRST_MATCHES", "_FIRST_PAPERS", "_FIRST_SUGGESTIONS"):
                patch.setattr(f"storage.pairs.ordered_query.{limit}", 2)
            patch.setattr("storage.sql._MAX_PARAMETERS", 2)
        yield from _random_project(seed, tmp_path_factory)


def _random_project(seed: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    draw = random.Random(seed)
    path = tmp_path_factory.mktemp("queries") / "random.pairwright"
    synthetic.build(path, pairs=PAIRS, papers=PAPERS, seed=seed)
    if seed < 3:
        synthetic.suggest(path, share=1 / seed, seed=seed)
    with Project.open(path) as project:
        with project.transaction() as stores:
            annotate(stores, draw)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE papers SET domain = '' WHERE id % 4 = 0")
            connection.execute("UPDATE papers SET year = NULL WHERE id % 5 = 0")
            connection.execute("UPDATE papers SET journal = iif(id % 3 = 0, 'Acta', 'Nature') WHERE id % 4 > 0")
            connection.execute("UPDATE pairs SET strategy = 'implicit', distant_label = NULL WHERE id % 11 = 0")
            connection.execute("UPDATE pairs SET current = 0 WHERE status != 'open' AND id % 6 = 0")
        yield project


def annotate(stores: Stores, draw: random.Random) -> None:
    keys = list(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))
    for key in draw.sample(keys, PAIRS // 2):
        for annotator in draw.sample(("mk", "ada", "jo"), draw.choice((1, 1, 2, 3))):
            via = draw.choice((AnswerSource.ANSWER, AnswerSource.ANSWER, AnswerSource.ACCEPTED))
            answers: list[Answer | None] = [draw.choice(list(Answer))]
            answers += draw.choice(([], [None], [draw.choice(list(Answer))]))
            stores.answers.append(NewAnswer(key, annotator, NOW, answer, via) for answer in answers)
    for size in (PAIRS // 3, PAIRS // 4):
        drawn = [RoundPair(key, "", None) for key in draw.sample(keys, size)]
        stores.annotation_rounds.add(RoundPlan(), drawn, ["mk"], NOW)
    for name, share in (("hard", 5), ("easy", 7)):
        stores.pair_lists.put(name, draw.sample(keys, PAIRS // share), NOW)
    _enter_cells(stores, draw.sample(keys, PAIRS // 2), draw)
    roles = [(name, name, role) for name, role in (("jo", Role.EXPERT), ("ada", Role.ANNOTATOR))]
    for role in roles:
        stores._connection.exec_driver_sql("INSERT INTO annotators (key, name, role) VALUES (?, ?, ?)", role)
    judgement.refresh(stores._connection, keys)
    for kind, value in ((MarkKind.FLAG, FLAG_VALUE), (MarkKind.NOTE, "Look again."), (MarkKind.BAD, "other")):
        action = stores.actions.begin("mk", kind, NOW)
        stores.marks.put(keys_scope(draw.sample(keys, PAIRS // 12)), "mk", kind, value, NOW, action=action)

    for annotator in ("mk", "ada", "mk"):  # some change their tags, or take them back
        for tags in _TAG_SETS:
            action = stores.actions.begin(annotator, "tag", NOW)
            scope = keys_scope(draw.sample(keys, PAIRS // 12))
            stores.marks.put(scope, annotator, MarkKind.TAG, join_tags(tags), NOW, action=action)
    _answer_kinds(stores, keys, draw)
    for key in draw.sample(keys, PAIRS // 12):
        for field in (SentenceField.PREMISE, SentenceField.HYPOTHESIS):
            stores.texts.mend(key, "mk", {field: f"mended {key}"}, NOW, action=None)


def _answer_kinds(stores: Stores, keys: list[str], draw: random.Random) -> None:
    """Some answer again, or take their answers back; those of an expert do not count."""
    taxonomy = stores.kinds.put_taxonomy(files("miner.kinds").joinpath("taxonomy.toml").read_text(encoding="utf-8"))
    action = stores.actions.begin("mk", "Answer", NOW)
    for key in draw.sample(keys, PAIRS // 3):
        for who in draw.sample(("mk", "ada", "bo", "jo"), draw.choice((1, 2, 3, 4, 4))):
            for answers in draw.choices(_KIND_ANSWERS, k=draw.choice((1, 1, 2))):
                stores.kinds.answer(taxonomy, key, who, answers, NOW, action=action)


_KIND_ANSWERS = (
    reasoned("c", "f"),
    reasoned("ct", "f"),
    reasoned("t", "b", "entailment"),
    reasoned("c", "u", "contrasting"),
    reasoned("c"),  # not finished
    {RELATION: frozenset(["unclear"])},
    {},
)
_TAG_SETS: tuple[tuple[str, ...], ...] = (
    ("label wrong",),
    ("label", "needs context", "zeugma"),
    ("needs context",),
    (),
)


def _enter_cells(stores: Stores, keys: list[str], draw: random.Random) -> None:
    """Two cells of one test part: one has predictions for all of its pairs, the other for most."""
    tested = [tested_pairs.TestedPair(key, key.encode(), draw.randrange(4), "", "", "", 20) for key in keys]
    part = stores.test_parts.enter(tested)
    id = stores.experiments.start("Test", {"classes": {name: [name] for name in _CLASSES}}, "test", NOW)
    cells = [StoredCell(name, name, "", 0, "", "set", 1, part, "") for name in ("one", "two")]
    stores.experiments.set_cells(id, cells)
    for cell, share in zip(cells, (1.0, 0.8), strict=True):
        info = PredictorInfo(cell.key, cell.key, "processor", 1.0, (), {})
        rows = [(key.encode(), struct.pack("<4f", *draw.choice(_PREDICTED))) for key in keys if draw.random() < share]
        stores.cell_predictions.save(info, rows, [cell.key], NOW)


_CLASSES = ("up", "down", "left", "right")
_PREDICTED = ((1.0, 0.0, 0.0, 0.0), (0.1, 0.6, 0.2, 0.1), (0.2, 0.2, 0.3, 0.3), (0.0, 0.0, 0.0, 1.0), (0.0,) * 4)


class _Pairs(list[Row]):
    def __repr__(self) -> str:
        return f"{len(self)} pairs"  # a failure's report would else hold all of them


@pytest.fixture(scope="module")
def pairs(project: Project) -> list[Row]:
    return _Pairs(_all_pairs(project.path))


def _all_pairs(path: Path) -> list[Row]:
    """All pairs as they lie in the file, in order of ids."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        papers = {row["id"]: dict(row) for row in connection.execute("SELECT * FROM papers")}
        suggestions = {row["pair"]: dict(row) for row in connection.execute("SELECT * FROM suggestions")}
        now: dict[tuple[str, str], str | None] = {}
        own: dict[tuple[str, str], str | None] = {}  # without accepted suggestions
        for key, annotator, answer, via in connection.execute(
            "SELECT pair_key, annotator, new, via FROM label_events ORDER BY id"
        ):
            now[key, annotator] = answer
            own[key, annotator] = answer if via == "answer" else None
        tagged = {
            (key, who): value
            for key, who, value in connection.execute(
                "SELECT pair_key, annotator, new FROM mark_events WHERE kind = 'tag' ORDER BY id"
            )
        }
        rounds = [
            (key, str(number))
            for key, number in connection.execute(
                "SELECT pair_key, number FROM annotation_round_pairs JOIN annotation_rounds ON id = round"
            )
        ]
        kinds = _read_kinds(connection)
        lists = list(connection.execute("SELECT pair_key, name FROM listed_pairs JOIN pair_lists ON id = list"))
        cells = _read_cells(connection)
        found = []
        for row in connection.execute("SELECT * FROM pairs ORDER BY id"):
            suggestion = suggestions.get(row["id"])
            found.append(
                SimpleNamespace(
                    **{name: row[name] for name in row.keys() if name not in ("flags", "label")},  # noqa: SIM118
                    paper=papers[row["paper_id"]],
                    flags=frozenset(json.loads(row["flags"])),
                    label={"open": row["distant_label"], "settled": row["gold"]}.get(row["status"]),
                    by={who for (key, who), answer in now.items() if key == row["key"] and answer is not None},
                    own={who: answer for (key, who), answer in own.items() if key == row["key"] and answer is not None},
                    rounds={number for key, number in rounds if key == row["key"]},
                    tags={tag for (key, _), value in tagged.items() if key == row["key"] for tag in split_tags(value)},
                    lists={name for key, name in lists if key == row["key"]},
                    cells=cells.get(row["key"], {}),
                    kinds=kinds.get(row["key"], []),
                    suggestion=suggestion,
                    suggested=None if suggestion is None else list(Label)[suggestion["label"]],
                )
            )
    return found


def _read_cells(connection: sqlite3.Connection) -> dict[str, dict[str, tuple[bool, str] | None]]:
    """By pair: the cells that test it, each with whether it is misread there and as what; None if not predicted."""
    predicted = {}
    for cell, hash, packed in connection.execute(
        "SELECT r.key, text_hash, probabilities FROM cell_results r JOIN predictions p ON p.predictor = r.predictor"
    ):
        values = struct.unpack("<4f", packed)
        predicted[cell, hash] = max(range(4), key=lambda place, values=values: values[place]) if any(values) else None
    found: dict[str, dict[str, tuple[bool, str] | None]] = {}
    for cell, key, hash, label in connection.execute(
        "SELECT c.key, pair_key, text_hash, i.class FROM experiment_cells c JOIN test_items i ON i.part = c.part"
    ):
        reading = None
        if (cell, hash) in predicted:
            place = predicted[cell, hash]
            reading = (place != label, "" if place is None else _CLASSES[place])
        found.setdefault(key, {})[cell] = reading
    return found


def _read_kinds(connection: sqlite3.Connection) -> dict[str, list[tuple[set[str], str | None]]]:
    """By pair: the categories and the direction that each annotator gives whose answers count."""
    roles = dict(connection.execute("SELECT key, role FROM annotators"))
    latest = {
        (key, who): (new is not None and bool(complete) and relation != "unclear", set(categories.split()), direction)
        for key, who, new, complete, relation, categories, direction in connection.execute(
            "SELECT pair_key, annotator, new, complete, relation, categories, direction FROM kind_events ORDER BY id"
        )
    }
    found: dict[str, list[tuple[set[str], str | None]]] = {}
    for (key, who), (counts, categories, direction) in latest.items():
        if counts and roles.get(who, "annotator") == "annotator":
            found.setdefault(key, []).append((categories, direction))
    return found


def _has_kinds(pair: Row, filter: PairFilter) -> bool:
    """Whether people's answers about kinds, and the direction, are what the filter asks for."""
    given = [categories for categories, _ in pair.kinds]
    ticked = Counter(category for categories in given for category in categories)
    most = {category for category, votes in ticked.items() if 2 * votes >= len(given)}
    differing = {category for category, votes in ticked.items() if votes < len(given)}
    said = Counter(direction for _, direction in pair.kinds if direction)
    people = next((direction for direction, votes in said.items() if 2 * votes > said.total()), None)
    direction = people or distant_direction(pair.distant_label, pair.phrase or "") or ""
    return all(
        (
            not filter.kinds or bool(filter.kinds & (most or {""})),
            not filter.kinds_differ or bool(filter.kinds_differ & (differing | {ANY_KIND} if differing else set())),
            filter.kinds_answered in (None, bool(given)),
            not filter.direction or direction in filter.direction,
        )
    )


def _is_tested(pair: Row, filter: PairFilter) -> bool:
    """Whether one of the filter's cells is tested on the pair and predicts what it asks for."""
    if not filter.cells and not filter.predicted and filter.misread is None:
        return True
    tested = [reading for cell, reading in pair.cells.items() if not filter.cells or cell in filter.cells]
    if not filter.predicted and filter.misread is None:
        return bool(tested)
    return any(
        filter.misread in (None, reading[0]) and (not filter.predicted or reading[1] in filter.predicted)
        for reading in tested
        if reading is not None
    )


def is_meant(pair: Row, filter: PairFilter) -> bool:
    """Whether the filter means the pair, by the words of `PairFilter`'s description."""
    return all(
        (
            pair.current if not filter.statuses else _status(pair) in filter.statuses or _gone(pair, filter),
            _among(pair.label, filter.labels),
            _among(pair.distant_label, filter.distant),
            _among(pair.gold, filter.gold),
            _among(pair.strategy, filter.strategies),
            _among(pair.phrase, filter.phrases),
            _among(pair.split, filter.splits),
            _among(pair.paper["domain"], filter.domains),
            _among(pair.paper["md5"], filter.papers),
            _among(pair.paper["journal"], filter.journals),
            not filter.flags or bool(filter.flags & pair.flags),
            not filter.traits or bool(filter.traits & find_traits(pair.hypothesis)),
            not filter.annotators or bool(filter.annotators & pair.by),
            not filter.differing or len({pair.own[who] for who in filter.differing & pair.own.keys()}) > 1,
            not filter.tags or bool(filter.tags & (pair.tags or {""})),
            not filter.rounds or bool(filter.rounds & (pair.rounds or {""})),
            not filter.lists or bool(filter.lists & (pair.lists or {""})),
            not filter.outside_lists & (pair.lists or {""}),
            _is_tested(pair, filter),
            _within(pair.paper["year"], filter.years),
            _within(pair.premise_words + pair.hypothesis_words, filter.words),
            _within(pair.premise_words, filter.premise_words),
            _within(pair.hypothesis_words, filter.hypothesis_words),
            _within(pair.overlap, filter.overlap),
            all(
                getattr(filter, mark) in (None, bool(getattr(pair, mark)))
                for mark in ("flagged", "noted", "contested", "accepted", "edited")
            ),
            filter.disagrees is None
            or (bool(pair.gold and pair.distant_label) and filter.disagrees == (pair.gold != pair.distant_label)),
            _is_suggested(pair, filter),
            _has_kinds(pair, filter),
            _has_words(pair, filter.text),
        )
    )


def _status(pair: Row) -> str | None:
    return pair.status if pair.current else None


def _gone(pair: Row, filter: PairFilter) -> bool:
    return not pair.current and PairStatus.GONE in filter.statuses


def _among(value: str | None, wanted: frozenset[Any]) -> bool:
    return not wanted or (value or "") in wanted


def _within(value: int | None, limits: Range | None) -> bool:
    low, high = limits or (None, None)
    if value is None:
        return low is None and high is None
    return (low is None or value >= low) and (high is None or value <= high)


def _is_suggested(pair: Row, filter: PairFilter) -> bool:
    suggestion = pair.suggestion or {"confidence": None, "doubt": None}
    whole = {name: None if suggestion[name] is None else suggestion[name] // 100 for name in ("confidence", "doubt")}
    agrees = None if pair.suggested is None or pair.label is None else pair.suggested == pair.label
    return (
        _among(pair.suggested, filter.suggested)
        and _within(whole["confidence"], filter.confidence)
        and _within(whole["doubt"], filter.doubt)
        and (filter.suggestion_agrees is None or agrees is filter.suggestion_agrees)
    )


def _has_words(pair: Row, text: str) -> bool:
    """All words and "phrases" in either sentence, the last word being a beginning where it has three letters."""
    sentences = [re.findall(r"\w+", sentence.lower()) for sentence in (pair.premise, pair.hypothesis)]
    pieces = [(phrase, False) if phrase else (word, True) for phrase, word in re.findall(r'"([^"]*)"?|([^\s"]+)', text)]
    asked = [(re.findall(r"\w+", piece.lower()), is_word) for piece, is_word in pieces]
    asked = [(words, is_word) for words, is_word in asked if words]
    if not asked:
        return True
    begun = asked[-1][1] and re.search(r"\w\w\w$", text) is not None

    def holds(words: list[str], last: bool) -> bool:
        for sentence in sentences:
            for start in range(len(sentence) - len(words) + 1):
                here = sentence[start : start + len(words)]
                if here[:-1] == words[:-1] and (here[-1].startswith(words[-1]) if last else here[-1] == words[-1]):
                    return True
        return False

    return all(holds(words, begun and number == len(asked) - 1) for number, (words, _) in enumerate(asked))


def _some(*members: Any, most: int = 3) -> st.SearchStrategy[frozenset[Any]]:
    return st.frozensets(st.sampled_from(members), min_size=1, max_size=most)


def _limits(low: int, high: int) -> st.SearchStrategy[Range]:
    side = st.none() | st.integers(low, high)
    return st.tuples(side, side)


_YES_NO = st.booleans()
FILTER_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "text": st.sampled_from(('"of the"', "the", "of", "the wat", "THE of", "data mod", "nowhere", "* ...", "tor")),
    "labels": _some(*_LABELS),
    "distant": _some(*_LABELS),
    "gold": _some(*_LABELS),
    "statuses": _some(*PairStatus, most=5),
    "strategies": _some(*Strategy),
    "phrases": _some("", "However", "Thus", "Hence", "Therefore", "Never"),
    "domains": _some("", "immunology", "coastal engineering", "astronomy", "nothing"),
    "journals": _some("", "Acta", "Nature", "Science"),
    "years": _limits(2000, 2026),
    "splits": _some("", "train", "dev"),
    "papers": _some(*(synthetic._hex(f"paper {number}") for number in range(PAPERS)), "0" * 32),
    "flags": _some(*PairFlag),
    "traits": _some(*HypothesisTrait),
    "annotators": _some("mk", "ada", "jo", "nobody"),
    "differing": _some("mk", "ada", "jo", "nobody"),
    "rounds": _some("", "1", "2", "3", "x"),
    "lists": _some("", "hard", "easy", "none"),
    "outside_lists": _some("", "hard", "easy", "none"),
    "cells": _some("one", "two", "three"),
    "misread": st.booleans(),
    "predicted": _some("", "up", "down", "none"),
    "words": _limits(20, 60),
    "tags": _some("", "label wrong", "label", "needs context", "zeugma", "wrong"),
    "premise_words": _limits(8, 30),
    "hypothesis_words": _limits(8, 30),
    "overlap": _limits(0, 60),
    "suggested": _some(*_LABELS, "nonsense"),
    "confidence": _limits(20, 100),
    "doubt": _limits(0, 100),
    "kinds": _some("", "causal", "temporal", "lexical", "caus"),
    "kinds_differ": _some(ANY_KIND, "causal", "temporal", "lexical"),
    "kinds_answered": st.booleans(),
    "direction": _some(*DIRECTIONS, "x"),
    **dict.fromkeys(("flagged", "noted", "contested", "disagrees", "suggestion_agrees", "accepted", "edited"), _YES_NO),
}


@st.composite
def _filters(draw: st.DrawFn) -> PairFilter:
    fields = draw(st.lists(st.sampled_from(sorted(FILTER_VALUES)), max_size=4, unique=True))
    return PairFilter(**{field: draw(FILTER_VALUES[field]) for field in fields})


_DRAWN_ORDERS = [
    order
    for order in RoundOrder
    if order not in (RoundOrder.ASSIGNED, RoundOrder.TIES, RoundOrder.ERRORS, RoundOrder.PRECISION)
]
_ORDERS = st.builds(PairOrder, st.sampled_from(SortColumn), st.booleans())
each_filter = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def _keys(pairs: list[Row]) -> list[str]:
    return sorted(pair.key for pair in pairs)


@each_filter
@given(filter=_filters(), order=_ORDERS, limit=st.integers(1, 40))
def test_the_table_shows_the_pairs_of_a_filter_in_order(
    project: Project, pairs: list[Row], filter: PairFilter, order: PairOrder, limit: int
) -> None:
    meant = [pair for pair in pairs if is_meant(pair, filter)]
    with project.read_transaction() as stores:
        ids = list(stores.pair_table.ids(filter, order))
        assert sorted(ids) == [pair.id for pair in meant]
        assert list(stores.pair_table.ids(filter, order, limit)) == ids[:limit]
        assert stores.pair_table.count(filter) == len(meant)
    assert codec.from_data(PairFilter, filter.to_data()) == filter
    by_id = {pair.id: pair for pair in meant}
    places = [_place(by_id[id], order, bool(full_text_query(filter.text))) for id in ids]
    assert places == sorted(places)


_RANKS = {value: rank for ranked in (Label, Strategy, list(PairStatus)) for rank, value in enumerate(ranked)}
_VALUES: dict[SortColumn, Callable[[Row], Any]] = {
    SortColumn.LABEL: lambda pair: pair.label and _RANKS[pair.label],
    SortColumn.DISTANT: lambda pair: pair.distant_label and _RANKS[pair.distant_label],
    SortColumn.GOLD: lambda pair: pair.gold and _RANKS[pair.gold],
    SortColumn.STATUS: lambda pair: _RANKS[pair.status],
    SortColumn.STRATEGY: lambda pair: _RANKS[pair.strategy],
    SortColumn.PHRASE: lambda pair: pair.phrase and [ord(letter) for letter in pair.phrase],
    SortColumn.SPLIT: lambda pair: pair.split and [ord(letter) for letter in pair.split],
    SortColumn.DOMAIN: lambda pair: [ord(letter) for letter in pair.paper["domain"].lower()] or None,
    SortColumn.TITLE: lambda pair: [ord(letter) for letter in pair.paper["title"].lower()] or None,
    SortColumn.YEAR: lambda pair: pair.paper["year"],
    SortColumn.PREMISE_WORDS: lambda pair: pair.premise_words,
    SortColumn.HYPOTHESIS_WORDS: lambda pair: pair.hypothesis_words,
    SortColumn.OVERLAP: lambda pair: pair.overlap,
    SortColumn.SUGGESTED: lambda pair: pair.suggestion and pair.suggestion["label"],
    SortColumn.CONFIDENCE: lambda pair: pair.suggestion and pair.suggestion["confidence"],
    SortColumn.DOUBT: lambda pair: pair.suggestion and pair.suggestion["doubt"],
}


def _place(pair: Row, order: PairOrder, text: bool) -> tuple[Any, ...]:
    """What the table sorts by; nothing known comes last in either direction."""
    way = -1 if order.descending else 1
    if order.column is SortColumn.PAPER:
        return (way * pair.id,) if text else (way * pair.paper_id, pair.ordinal)
    value = _VALUES[order.column](pair)
    ties = (pair.paper_id, pair.ordinal)
    if order.column in (SortColumn.CONFIDENCE, SortColumn.DOUBT):
        ties = (way * pair.id, 0)
    if value is None:
        return (True, (), *ties)
    turned = tuple(way * number for number in value) if isinstance(value, list) else (way * value,)
    ended = (*turned, 0 if not order.descending else 1) if isinstance(value, list) else turned
    return (False, ended, *ties)


@each_filter
@given(
    filter=_filters(),
    field=st.sampled_from(
        sorted(
            FILTER_VALUES.keys()
            - {"annotators", "differing", "rounds", "lists", "outside_lists", "cells", "tags", "text"}
        )
    ),
)
@example(filter=PairFilter(statuses=frozenset(PairStatus)), field="disagrees")
def test_facets_count_the_pairs_of_a_filter(project: Project, pairs: list[Row], filter: PairFilter, field: str) -> None:
    if field in ("words", "premise_words", "hypothesis_words", "overlap", "confidence", "doubt"):
        return  # of a number there are no counts
    without = with_value(filter, field, None)
    meant = [pair for pair in pairs if is_meant(pair, without)]
    with project.read_transaction() as stores:
        found = {count.value: count.pairs for count in stores.pair_table.facet_counts(filter, field)}
    if field == "statuses":
        assert found.pop(PairStatus.GONE, 0) == sum(not pair.current for pair in pairs)
    for value, number in found.items():
        asked = (value, value) if field == "years" else value if isinstance(value, bool) else frozenset([value])
        if value is not None:
            assert number == sum(is_meant(pair, with_value(without, field, asked)) for pair in meant)
    if field not in (
        "flags",
        "traits",
        "disagrees",
        "suggestion_agrees",
        "misread",
        "predicted",
        "kinds",
        "kinds_differ",
    ):  # which a pair may have several of, or none
        assert sum(found.values()) == len(meant)


def test_named_values_are_counted_over_all_pairs(project: Project, pairs: list[Row]) -> None:
    current = [pair for pair in pairs if pair.current]
    for field, own in (("lists", "lists"), ("cells", "cells"), ("tags", "tags"), ("rounds", "rounds")):
        expected = Counter(value for pair in current for value in getattr(pair, own))
        with project.read_transaction() as stores:
            counts = stores.pair_table.facet_counts(PairFilter(text="the"), field)
        assert {count.value: count.pairs for count in counts} == expected, field


@each_filter
@given(filter=_filters())
def test_a_bulk_action_is_about_the_pairs_of_a_filter(project: Project, pairs: list[Row], filter: PairFilter) -> None:
    meant = [pair for pair in pairs if is_meant(pair, filter)]
    with project.read_transaction() as stores:
        selection = stores.selection.of_filter(filter)
        assert selection.count == len(meant)
        assert selection.first_keys(_ALL) == tuple(pair.key for pair in meant)
        assert stores.selection.of_keys(_keys(meant)).first_keys(_ALL) == selection.first_keys(_ALL)


@each_filter
@given(filter=_filters())
def test_an_export_writes_the_pairs_of_a_filter(project: Project, pairs: list[Row], filter: PairFilter) -> None:
    meant = [pair for pair in pairs if pair.current and is_meant(pair, filter)]
    options = ExportOptions(Preset.FULL, strategies=frozenset(Strategy), scope=filter)
    with project.read_transaction() as stores:
        select_candidates(stores._connection, options)
        rows = [row for batch in read_batches(stores._connection, options) for row in batch]
        left_out = count_candidates(stores._connection).left_out
    written = [json.loads(row[JSON])["pairID"] for row in rows if row[REASON] is None]
    assert sorted(written) == _keys([pair for pair in meant if pair.status in ("open", "settled")])
    assert left_out.get("not_shown", 0) == sum(bool(pair.current) for pair in pairs) - len(meant)


@each_filter
@given(filter=_filters())
def test_figures_of_suggestions_are_of_the_pairs_of_a_filter(
    project: Project, pairs: list[Row], filter: PairFilter
) -> None:
    meant = [pair for pair in pairs if is_meant(pair, filter)]
    cells = Counter(
        (pair.distant_label or "", pair.suggested or "", "" if pair.accepted else pair.gold or "") for pair in meant
    )
    with project.read_transaction() as stores:
        assert {cell[:3]: cell.pairs for cell in stores.suggestion_statistics.matrix(filter)} == cells
        accepted = stores.suggestion_statistics.accept_counts(filter)
    waiting = [pair for pair in meant if pair.current and pair.status == "open" and pair.suggested]
    assert (accepted.count, accepted.labels) == (
        len(waiting),
        {label: sum(pair.suggested is label for pair in waiting) for label in Label},
    )
    assert accepted.differing == sum(
        bool(pair.distant_label) and pair.suggested != pair.distant_label for pair in waiting
    )


@each_filter
@given(filter=_filters(), order=st.sampled_from(_DRAWN_ORDERS), annotator=st.sampled_from(("mk", "nobody")))
def test_a_round_asks_for_the_pairs_of_a_filter(
    project: Project, pairs: list[Row], filter: PairFilter, order: RoundOrder, annotator: str
) -> None:
    meant = [pair for pair in pairs if is_meant(pair, filter)]
    with project.read_transaction() as stores:
        drawn = stores.rounds.draw(filter, annotator, order, _ALL, 7)
        assert stores.rounds.keys_of(filter, _ALL) == [
            pair.key for pair in sorted(meant, key=lambda pair: (pair.paper_id, pair.ordinal))
        ]
    waiting = [pair for pair in meant if pair.status != "bad" and annotator not in pair.by]
    if order is RoundOrder.DISAGREEMENTS:
        waiting = [pair for pair in waiting if pair.suggestion and pair.suggestion["doubt"] is not None]
    elif order in (RoundOrder.LEAST_CERTAIN, RoundOrder.ACTIVE):
        waiting = [pair for pair in waiting if pair.suggestion]
    if order in (RoundOrder.DISAGREEMENTS, RoundOrder.LEAST_CERTAIN, RoundOrder.ACTIVE) and not filter.statuses:
        waiting = [pair for pair in waiting if pair.current]
    assert sorted(drawn) == _keys(waiting)
    if order is RoundOrder.BY_PAPER:
        assert drawn == [pair.key for pair in sorted(waiting, key=lambda pair: (pair.paper["md5"], pair.ordinal))]


@each_filter
@given(filter=_filters(), above=st.none() | st.sampled_from((0.0, 0.5)))
def test_training_learns_from_the_pairs_of_a_filter(
    project: Project, pairs: list[Row], filter: PairFilter, above: float | None
) -> None:
    with project.read_transaction() as stores:
        examples = stores.training_runs.examples(distant=True, answers=True, implicit_above=above, filter=filter)
        found = [example.key for example in examples]

    def is_learned(pair: Row) -> bool:
        if pair.status == "settled":
            return True
        if pair.strategy == Strategy.IMPLICIT:
            is_sure = pair.suggestion is not None and pair.suggestion["confidence"] >= 10_000 * (above or 0)
            return bool(pair.status == "open" and above is not None and is_sure)
        return bool(pair.status == "open" and pair.distant_label)

    meant = [pair for pair in pairs if pair.current and is_meant(pair, filter) and is_learned(pair)]
    assert sorted(found) == _keys(meant)


def test_the_random_projects_have_pairs_for_unusual_filters(pairs: list[Row]) -> None:
    """The projects have pairs for these filters."""
    assert {pair.status for pair in pairs} == {"open", "settled", "unsettled", "bad"}
    for filter in (
        PairFilter(statuses=frozenset([PairStatus.GONE])),
        PairFilter(text="the"),
        PairFilter(contested=True),
        PairFilter(accepted=True),
        PairFilter(disagrees=False),
        PairFilter(domains=frozenset([""])),
        PairFilter(kinds_differ=frozenset([ANY_KIND])),
        PairFilter(kinds=frozenset(["causal"]), direction=frozenset(["unclear"])),
        PairFilter(annotators=frozenset(["ada"]), flags=frozenset([PairFlag.NO_COMMA])),
    ):
        assert any(is_meant(pair, filter) for pair in pairs)
