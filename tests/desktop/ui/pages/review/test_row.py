"""The row of pairs: what comes next, what comes last, and where one is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop.ui.pages.review.row import Row


def answered(row: Row) -> list[str]:
    """Answer what is current until nothing waits; in which order."""
    order = []
    while row.waiting and row.current is not None:
        order.append(row.current)
        row.settle(row.current)
        row.advance()
    return order


def test_a_round_goes_on_at_the_first_pair_that_waits() -> None:
    row = Row("abcd", "bd")
    assert row.current == "b"
    assert row.move(-1)
    assert row.current == "c"
    row.go_to("b")
    assert answered(row) == ["b", "d"]
    assert row.current is None


def test_a_skipped_pair_comes_back_at_the_end() -> None:
    row = Row("abc", "abc")
    assert row.skip()
    assert answered(row) == ["b", "c", "a"]


def test_the_only_pair_that_waits_cannot_be_skipped() -> None:
    row = Row("abc", "b")
    assert not row.skip()
    assert row.current == "b"


def test_moving_ends_at_both_ends() -> None:
    row = Row("abc", "abc")
    assert not row.move(-1)
    assert row.move(1)
    assert row.move(1)
    assert not row.move(1)
    row.settle("c")
    assert row.advance() == "a"


def test_an_answer_taken_back_waits_again() -> None:
    row = Row("ab", "ab")
    row.settle("a")
    row.advance()
    row.unsettle("a")
    row.go_to("a")
    assert answered(row) == ["a", "b"]


def test_a_pair_from_elsewhere_comes_before_the_current_one() -> None:
    row = Row("ab", "b")
    row.go_to("x")
    assert row.keys == ["a", "x", "b"]
    assert row.current == "x"
    assert row.advance() == "b"


def test_a_pair_that_is_gone_makes_room_for_the_next() -> None:
    row = Row("abc", "abc")
    row.move(1)
    row.remove("a")
    assert row.current == "b"
    row.remove("b")
    assert row.current == "c"


def test_chosen_pairs_are_all_to_be_looked_at() -> None:
    assert answered(Row.of_all("abc")) == ["a", "b", "c"]


@given(st.lists(st.sampled_from(["answer", "skip", "left", "right"]), max_size=60), st.integers(1, 8))
def test_every_pair_is_answered_once_whatever_keys_are_pressed(verbs: list[str], size: int) -> None:
    keys = [str(number) for number in range(size)]
    row, done = Row(keys, keys), []
    for verb in verbs:
        if row.current is None:
            break
        match verb:
            case "answer":
                done.append(row.current)
                row.settle(row.current)
                row.advance()
            case "skip":
                row.skip()
            case "left":
                row.move(-1)
            case "right":
                row.move(1)
    if row.waiting:
        assert row.current is not None
        if not row.waits(row.current):
            row.advance()
    assert sorted({*done, *answered(row)}) == keys
    assert sorted(row.keys) == keys


def test_a_renewed_row_keeps_the_current_key_and_those_settled_before_it() -> None:
    row = Row.of_all(["a", "b", "c", "d"])
    row.settle("a")
    row.advance()
    row.renew(["e", "c", "b"])
    assert row.keys == ["a", "b", "e", "c"]
    assert row.current == "b"
    assert [key for key in row.keys if row.waits(key)] == ["b", "e", "c"]


def test_a_row_that_was_over_goes_on_with_what_it_is_renewed_by() -> None:
    row = Row.of_all(["a"])
    row.settle("a")
    assert row.advance() is None
    row.renew(["b", "c"])
    assert row.current == "b"
