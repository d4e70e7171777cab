"""Traits of hypotheses mean the same in Python and in SQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from miner.audit.traits import find_traits
from miner.records import HypothesisTrait
from storage.pairs import traits

_PIECES = st.sampled_from((
    "However", "thus", ", however,", " yet;", "On the other hand", "that is", "Ä", "ß", "é", "x", " ", "(", "“", '"',
    "’", "'", "[", "]", "[3]", " et al.", "et al", "let all ", "(2019)", ", 2019a)", "1066", "5", "0", ".", "!", "?",
    ",", "\n", "ſ", "\N{KELVIN SIGN}", "words and more words that go on for long enough ",
))  # fmt: skip

_TOKENIZER = "unicode61 remove_diacritics 2"  # as in migration 0001


def _in_sql(hypothesis: str) -> set[HypothesisTrait]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE pairs (id INTEGER PRIMARY KEY, hypothesis TEXT)")
        connection.execute(
            f"CREATE VIRTUAL TABLE pairs_text USING fts5 (premise, hypothesis, tokenize = '{_TOKENIZER}')"
        )
        connection.execute("INSERT INTO pairs VALUES (1, ?)", (hypothesis,))
        connection.execute("INSERT INTO pairs_text (rowid, premise, hypothesis) VALUES (1, '', ?)", (hypothesis,))
        return {
            trait
            for trait in HypothesisTrait
            if connection.execute(f"SELECT {traits.condition(trait)} FROM pairs").fetchone()[0]
        }


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=8).map("".join))
@example("")
@example("it froze at 0 degrees.")
@example(f"{'x' * 58}, however, it froze.")
@example(f"{'x' * 59}, however, it froze.")
def test_a_trait_is_the_same_in_python_and_in_sql(hypothesis: str) -> None:
    assert _in_sql(hypothesis) == find_traits(hypothesis)


@pytest.mark.parametrize(
    ("hypothesis", "wanted"),
    [
        ("the samples froze.", set()),
        ("“The samples” froze.", {HypothesisTrait.CAPITAL}),
        ("Äcker froze.", {HypothesisTrait.CAPITAL}),
        ("thus the samples froze.", {HypothesisTrait.PHRASE_START}),
        ("thusly the samples froze.", set()),
        ("the samples, therefore, froze.", {HypothesisTrait.PHRASE_NEAR}),
        ("the samples that therefore froze.", set()),
        ("they let all samples freeze.", set()),
        ("Berg et al. froze them.", {HypothesisTrait.CAPITAL, HypothesisTrait.CITATION}),
        ("they froze [12].", {HypothesisTrait.CITATION, HypothesisTrait.DIGIT}),
        ("they froze in 1999.", {HypothesisTrait.DIGIT}),
        ("they “froze.”", set()),
        ("they froze", {HypothesisTrait.NO_STOP}),
    ],
)
def test_traits_are_found_where_a_reader_would_see_them(hypothesis: str, wanted: set[HypothesisTrait]) -> None:
    assert find_traits(hypothesis) == wanted
