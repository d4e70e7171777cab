"""Pairs as a table shows them: any filter gives what its plain meaning gives."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import pytest

from miner import codec
from miner.records import Flag, Label, Strategy
from storage.pairs.facets import FACETS, FLAGS, MARKS, PACKED
from storage.pairs.filters import Column, Order, PairFilter, Status, follows_people, match, where
from storage.project import Project, Stores
from tests.bench import synthetic

PAIRS, PAPERS = 3_000, 40


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("browse") / "made.pairwright"
    synthetic.build(path, pairs=PAIRS, papers=PAPERS)
    with closing(sqlite3.connect(path)) as connection, connection:  # some are no longer mined
        connection.execute("UPDATE pairs SET current = 0 WHERE id % 50 = 0")
        connection.execute("UPDATE pairs SET accepted = 1 WHERE status = 'settled' AND id % 5 = 0")
    synthetic.suggest(path, share=0.8)
    return path


@pytest.fixture(scope="module")
def stores(made: Path) -> Iterator[Stores]:
    with Project.open(made) as project, project.reading() as stores:
        yield stores


def plainly(stores: Stores, filter: PairFilter) -> list[int]:
    condition, parameters = where(filter)
    query = f"SELECT pairs.id FROM pairs JOIN papers ON papers.id = paper_id WHERE {condition} ORDER BY pairs.id"
    return list(stores.connection.exec_driver_sql(query, tuple(parameters)).scalars())


SETS = {
    "labels": ("", *Label),
    "distant": tuple(Label),
    "gold": ("", *Label),
    "statuses": tuple(Status),
    "strategies": tuple(Strategy),
    "phrases": ("", "However", "Thus", "Hence", "Never"),
    "splits": ("", "train", "dev"),
    "domains": ("immunology", "botany", "nothing"),
    "flags": tuple(Flag),
    "annotators": ("mk", "ada", "nobody"),
    "suggested": ("", *Label, "nonsense"),
}


def some_filter(draw: random.Random) -> PairFilter:
    values: dict[str, object] = {}
    for name in draw.sample([field.name for field in fields(PairFilter)], draw.choice((1, 1, 2, 3, 4))):
        if name in SETS:
            values[name] = frozenset(draw.sample(SETS[name], draw.randint(1, 2)))
        elif name == "text":
            values[name] = draw.choice(("the", "wat", "the of", '"of the"', "torment", "nowhere", "*", "data mod"))
        elif name == "papers":
            values[name] = frozenset(synthetic._hex(f"paper {draw.randrange(PAPERS)}") for _ in range(3))
        elif name == "years":
            values[name] = draw.choice(((2020, None), (None, 2010), (2015, 2016)))
        elif name in ("confidence", "doubt"):
            values[name] = draw.choice(((50, None), (None, 40), (60, 75), (99, 100), (90, 80), (None, None)))
        elif name in ("premise_words", "hypothesis_words", "overlap"):
            values[name] = draw.choice(((20, None), (None, 12), (10, 15), (90, 80)))
        else:
            values[name] = draw.random() < 0.5
    return PairFilter(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(250))
def test_a_filter_gives_the_pairs_it_plainly_means(stores: Stores, seed: int) -> None:
    draw = random.Random(seed)
    filter = some_filter(draw)
    order = Order(draw.choice(list(Column)), draw.random() < 0.5)
    expected = plainly(stores, filter)
    found = stores.browse.ids(filter, order)
    assert sorted(found) == expected
    assert stores.browse.count(filter) == len(expected)
    assert stores.browse.ids(filter, order, 20) == found[:20]
    assert codec.from_data(PairFilter, filter.to_data()) == filter


@pytest.mark.parametrize("column", Column)
@pytest.mark.parametrize("text", ["", "the"])
def test_the_order_is_the_one_asked_for(stores: Stores, column: Column, text: str) -> None:
    ids = stores.browse.ids(PairFilter(text=text), Order(column))
    lines = stores.browse.lines(ids)
    assert [line.id for line in lines] == list(ids)
    if column is Column.PAPER:
        return
    ranks = {label: rank for rank, label in enumerate((*Label, ""))} | {
        status: rank for rank, status in enumerate(("open", "settled", "unsettled", "bad"))
    }
    strategies = {strategy: rank for rank, strategy in enumerate(Strategy)}
    values = [getattr(line, column.value) for line in lines]
    if column in (Column.LABEL, Column.DISTANT, Column.GOLD, Column.STATUS, Column.SUGGESTED):
        keys: list[object] = [ranks[value] for value in values]
    elif column is Column.STRATEGY:
        keys = [strategies[value] for value in values]
    else:
        keys = [
            (value is None or value == "", value.casefold() if isinstance(value, str) else value or 0)
            for value in values
        ]
    assert keys == sorted(keys)  # type: ignore[type-var]


def test_a_full_order_turns_round(stores: Stores) -> None:
    up, down = (stores.browse.ids(PairFilter(), Order(Column.OVERLAP, turned)) for turned in (False, True))
    overlaps = [[line.overlap for line in stores.browse.lines(ids)] for ids in (up, down)]
    assert overlaps[0] == overlaps[1][::-1]


@pytest.mark.parametrize(
    "field",
    [*FACETS, *MARKS, "flags", "disagrees", "suggested", "suggestion_agrees", "phrases", "splits", "domains", "papers"],
)
@pytest.mark.parametrize("filter", [PairFilter(), PairFilter(text="the", years=(2015, None))])
def test_shares_count_what_the_filter_would_give(stores: Stores, field: str, filter: PairFilter) -> None:
    for share in stores.browse.shares(filter, field):
        if isinstance(share.value, bool):
            narrowed = replace(filter, **{field: share.value})
        else:
            narrowed = replace(filter, **{field: frozenset([share.value])})
        if share.value is not Status.GONE or not filter.text:
            assert share.pairs == len(plainly(stores, narrowed))


def test_years_and_annotators_are_counted(stores: Stores) -> None:
    years = stores.browse.shares(PairFilter(), "years")
    assert sum(share.pairs for share in years) == stores.browse.count(PairFilter())
    assert [share.value for share in years if share.value] == sorted(share.value for share in years if share.value)  # type: ignore[type-var]
    assert {share.value for share in stores.browse.shares(PairFilter(), "annotators")} == set(synthetic.ANNOTATORS)


def test_what_is_filtered_by_is_what_the_index_holds(stores: Stores) -> None:
    query = "SELECT sql FROM sqlite_master WHERE name = 'pairs_in_order'"
    kept = stores.connection.exec_driver_sql(query).scalar_one()
    assert "".join(PACKED.replace("pairs.", "").split()) in "".join(kept.split())
    assert set(FLAGS) == set(Flag)


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("water level", '"water" "level"*'),
        ("water ", '"water"'),
        ("th", '"th"'),
        ('"in the" wat', '"in the" "wat"*'),
        ('"in the', '"in the"'),
        ("scan-based", '"scan-based"*'),
        ("NOT (a OR b) premise:c*", '"NOT" "(a" "OR" "b)" "premise:c*"'),
        ("... — *", ""),
        ("\0", ""),
    ],
)
def test_what_is_typed_is_searched_as_words(typed: str, query: str) -> None:
    assert match(typed) == query


@pytest.mark.parametrize("seed", range(30))
def test_anything_typed_can_be_searched(stores: Stores, seed: int) -> None:
    draw = random.Random(seed)
    text = "".join(chr(draw.choice((draw.randrange(32, 128), draw.randrange(0x3000), 34, 42))) for _ in range(12))
    assert list(stores.browse.ids(PairFilter(text=text))) == plainly(stores, PairFilter(text=text))


def test_what_people_say_changes_only_what_asks_for_it() -> None:
    assert not follows_people(PairFilter(text="the", distant=frozenset({"neutral"})), Order(Column.YEAR))
    assert follows_people(PairFilter(flagged=False), Order())
    assert follows_people(PairFilter(), Order(Column.STATUS))


def test_no_filter_is_written_in_two_letters_and_nonsense_is_refused() -> None:
    assert PairFilter().to_data() == {}
    wrong = ("[]", '{"nothing": 1}', '{"labels": "neutral"}', '{"years": [1]}', '{"statuses": ["odd"]}', "{")
    for text in (*wrong, f'{{"years": [null, {10**20}]}}'):
        with pytest.raises(ValueError):  # noqa: PT011
            codec.decode(PairFilter, text)


def test_a_filter_may_name_any_number_of_papers(stores: Stores) -> None:
    every = frozenset(stores.papers.in_order())
    many = PairFilter(papers=every | {f"{number:032x}" for number in range(260_000)})
    assert stores.browse.count(many) == stores.browse.count(PairFilter())
    assert len(plainly(stores, many)) == stores.browse.count(PairFilter())


def test_lines_of_pairs_that_are_gone_are_missing(stores: Stores) -> None:
    assert [line.id for line in stores.browse.lines([3, 99_999_999, 1])] == [3, 1]
    [key] = stores.browse.keys([5])
    assert stores.browse.ids_of([key, "no such key"]) == [5]
