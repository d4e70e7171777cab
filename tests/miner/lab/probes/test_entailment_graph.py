"""Entailment graphs from files of any kind."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from miner.lab.probes.entailment_graph import MAX_LINE, read_graph


def test_edges_between_the_predicates_that_are_asked_for() -> None:
    lines = ["Degrade\tbreak  down\t0.5\n", "degrade\tbreak down\t.7\r\n", "degrade\tattack\t1\n", "\n"]
    found = read_graph(lines, {"degrade"}, {"break down"})
    assert (found.scores, found.edges, found.bad, found.problem) == ({("degrade", "break down"): 0.7}, 3, 0, "")


def test_lines_that_are_no_edge_are_counted_and_the_first_one_is_said() -> None:
    wrong = ["a\tb", "a\tb\tNaN", "a\tb\t1e400", "a\tb\t-1", "a\tb\tx", "\tb\t1", "a" * MAX_LINE, "a\tb\t1\t2"]
    found = read_graph(["a\tb\t1", *wrong], {"a"}, {"b"})
    assert (dict(found.scores), found.bad, found.problem) == (
        {("a", "b"): 1.0},
        8,
        "line 2: there are 2 columns, not 3",
    )


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(max_size=30)))
def test_any_text_is_read_without_an_error(lines: list[str]) -> None:
    found = read_graph(lines, {"a"}, {"b"})
    assert all(0 <= score <= 1 for score in found.scores.values())
