"""A search for the beginning of a word finds the same pairs by whole words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.pairs import word_prefixes
from storage.pairs.filters import full_text_query
from storage.pairs.word_prefixes import with_whole_words
from storage.project import Project
from storage.stores import Stores
from tests.bench import synthetic


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    path: Path = tmp_path_factory.mktemp("words") / "words.pairwright"
    synthetic.build(path, pairs=500, papers=10)
    texts = ("Élan vital of thermal Theories", "Two ΣΊΣΥΦΟΣ and élans, elaneé", "An elan\u0301t or elaN2 is Elanİ")
    with Project.open(path) as project:
        with project.transaction() as stores:
            for id, text in enumerate(texts, 1):
                stores._connection.exec_driver_sql("UPDATE pairs SET premise = ? WHERE id = ?", (text, id))
        with project.read_transaction() as stores:
            yield stores


def found(stores: Stores, words: str) -> list[int]:
    query = "SELECT rowid FROM pairs_text WHERE pairs_text MATCH ? ORDER BY rowid"
    return list(stores._connection.exec_driver_sql(query, (words,)).scalars())


@pytest.mark.parametrize(
    "typed", ["the", "THE", "elan", "theor", "water the", '"of the" elan', "sur fac", "the of elan", "con", "pro"]
)
def test_the_pairs_are_the_same(stores: Stores, typed: str) -> None:
    words = full_text_query(typed)
    whole = with_whole_words(stores._connection, words)
    assert words.endswith("*")
    assert found(stores, whole) == found(stores, words)


def test_words_that_begin_so_are_named(stores: Stores) -> None:
    whole = with_whole_words(stores._connection, full_text_query("and Elan"))
    assert whole.startswith('"and" AND ("elan" OR "elan')
    assert "*" not in whole


@pytest.mark.parametrize("typed", ["the ", "nosuchword", '"of the"', "well-kno", "élan", "a"])
def test_other_searches_stay_as_they_are(stores: Stores, typed: str) -> None:
    words = full_text_query(typed)
    assert with_whole_words(stores._connection, words) == words


def test_too_many_words_are_searched_by_their_beginning(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    words = full_text_query("the")
    number = with_whole_words(stores._connection, words).count('"') // 2
    monkeypatch.setattr(word_prefixes, "_MAX_WORDS", number)
    assert with_whole_words(stores._connection, words) != words
    monkeypatch.setattr(word_prefixes, "_MAX_WORDS", number - 1)
    assert with_whole_words(stores._connection, words) == words
