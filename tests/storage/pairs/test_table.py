"""The rows of the table of pairs; which pairs a filter has is tested in `test_query`."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from miner import codec
from miner.records import PairFlag
from storage.pairs import table
from storage.pairs.facets import FLAG_BITS, PACKED_FACETS
from storage.pairs.filters import PairFilter, PairOrder, SortColumn, depends_on_annotations, full_text_query
from storage.project import Project
from storage.stores import Stores
from tests.bench import synthetic

PAIRS, PAPERS = 3_000, 40


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "table.pairwright"
    synthetic.build(path, pairs=PAIRS, papers=PAPERS)
    with closing(sqlite3.connect(path)) as connection, connection:  # some are no longer mined
        connection.execute("UPDATE pairs SET current = 0 WHERE id % 50 = 0")
        connection.execute("UPDATE pairs SET accepted = 1 WHERE status = 'settled' AND id % 5 = 0")
    synthetic.suggest(path, share=0.8)
    return path


@pytest.fixture(scope="module")
def stores(path: Path) -> Iterator[Stores]:
    with Project.open(path) as project, project.read_transaction() as stores:
        yield stores


def test_a_list_has_all_pairs_in_order(stores: Stores, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT id FROM pairs WHERE current ORDER BY paper_id, ordinal").fetchall()
    assert len(rows) > table._CHUNK_LENGTH  # more than one piece
    for _ in range(2):  # the second list is not that of the first
        assert [(id,) for id in stores.pair_table.ids(PairFilter())] == rows
    assert not stores.pair_table.ids(PairFilter(text="nosuchword"))


def test_a_project_that_can_only_be_read_has_its_list(path: Path) -> None:
    with Project.open(path, read_only=True) as project, project.read_transaction() as stores:
        assert len(stores.pair_table.ids(PairFilter())) == stores.pair_table.count(PairFilter())


def test_papers_are_counted_by_title_the_largest_first(stores: Stores) -> None:
    counts = stores.pair_table.facet_counts(PairFilter(), "papers")
    assert len(counts) == PAPERS
    assert [count.pairs for count in counts] == sorted((count.pairs for count in counts), reverse=True)
    assert sum(count.pairs for count in counts) == stores.pair_table.count(PairFilter())
    titles = dict(stores._connection.exec_driver_sql("SELECT md5, title FROM papers").all())  # type: ignore[arg-type]
    assert all(count.title == titles[count.value] for count in counts)


def test_years_and_annotators_are_counted(stores: Stores) -> None:
    years = stores.pair_table.facet_counts(PairFilter(), "years")
    assert sum(count.pairs for count in years) == stores.pair_table.count(PairFilter())
    assert [count.value for count in years if count.value] == sorted(count.value for count in years if count.value)  # type: ignore[type-var]
    assert {count.value for count in stores.pair_table.facet_counts(PairFilter(), "annotators")} == set(
        synthetic.ANNOTATORS
    )


def test_the_index_is_on_the_packed_facets(stores: Stores) -> None:
    query = "SELECT sql FROM sqlite_master WHERE name = 'pairs_in_order'"
    kept = stores._connection.exec_driver_sql(query).scalar_one()
    assert "".join(PACKED_FACETS.replace("pairs.", "").split()) in "".join(kept.split())
    assert set(FLAG_BITS) == set(PairFlag)


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
    assert full_text_query(typed) == query


@pytest.mark.parametrize("seed", range(30))
def test_anything_typed_can_be_searched(stores: Stores, seed: int) -> None:
    draw = random.Random(seed)
    text = "".join(chr(draw.choice((draw.randrange(32, 128), draw.randrange(0x3000), 34, 42))) for _ in range(12))
    assert len(stores.pair_table.ids(PairFilter(text=text))) == stores.pair_table.count(PairFilter(text=text))


def test_a_filter_knows_whether_annotations_change_it() -> None:
    assert not depends_on_annotations(
        PairFilter(years=(2000, None), distant=frozenset({"neutral"})), PairOrder(SortColumn.YEAR)
    )
    assert depends_on_annotations(PairFilter(flagged=False), PairOrder())
    assert depends_on_annotations(PairFilter(), PairOrder(SortColumn.STATUS))


def test_the_default_filter_is_empty_json_and_invalid_filters_are_refused() -> None:
    assert PairFilter().to_data() == {}
    wrong = ("[]", '{"nothing": 1}', '{"labels": "neutral"}', '{"years": [1]}', '{"statuses": ["odd"]}', "{")
    for text in (*wrong, f'{{"years": [null, {10**20}]}}'):
        with pytest.raises(ValueError):  # noqa: PT011
            codec.decode(PairFilter, text)


def test_a_filter_may_name_any_number_of_papers(stores: Stores) -> None:
    every = frozenset(stores.papers.md5s())
    many = PairFilter(papers=every | {f"{number:032x}" for number in range(260_000)})
    assert stores.pair_table.count(many) == stores.pair_table.count(PairFilter())
    assert stores.selection.of_filter(many).count == stores.pair_table.count(PairFilter())


def test_deleted_pairs_have_no_rows(stores: Stores) -> None:
    assert [line.id for line in stores.pair_table.rows([3, 99_999_999, 1])] == [3, 1]
    [key] = stores.pair_table.keys([5])
    assert stores.pair_table.ids_of([key, "no such key"]) == [5]
