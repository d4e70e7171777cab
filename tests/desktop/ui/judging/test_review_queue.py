"""The queue of pairs: what comes next, what comes last, and where one is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop.ui.judging.review_queue import ReviewQueue


def answered(queue: ReviewQueue) -> list[str]:
    """Answer what is current until nothing waits; in which order."""
    order = []
    while queue.waiting_count and queue.current is not None:
        order.append(queue.current)
        queue.set_waiting(queue.current, waiting=False)
        queue.advance()
    return order


def test_a_round_goes_on_at_the_first_pair_that_waits() -> None:
    queue = ReviewQueue("abcd", "bd")
    assert queue.current == "b"
    assert queue.move(-1)
    assert queue.current == "c"
    queue.go_to("b")
    assert answered(queue) == ["b", "d"]
    assert queue.current is None


def test_pairs_that_are_put_back_come_last_and_the_current_one_stays() -> None:
    queue = ReviewQueue("abc", "bc")
    queue.remove("b")
    queue.put_back("b")
    queue.set_waiting("b", waiting=True)
    assert answered(queue) == ["c", "b"]
    queue.remove("a")
    queue.put_back("a")
    assert queue.current is None


def test_a_skipped_pair_comes_back_at_the_end() -> None:
    queue = ReviewQueue("abc", "abc")
    assert queue.skip()
    assert answered(queue) == ["b", "c", "a"]


def test_the_only_pair_that_waits_cannot_be_skipped() -> None:
    queue = ReviewQueue("abc", "b")
    assert not queue.skip()
    assert queue.current == "b"


def test_moving_ends_at_both_ends() -> None:
    queue = ReviewQueue("abc", "abc")
    assert not queue.move(-1)
    assert queue.move(1)
    assert queue.move(1)
    assert not queue.move(1)
    queue.set_waiting("c", waiting=False)
    assert queue.advance() == "a"


def test_an_answer_taken_back_waits_again() -> None:
    queue = ReviewQueue("ab", "ab")
    queue.set_waiting("a", waiting=False)
    queue.advance()
    queue.set_waiting("a", waiting=True)
    queue.go_to("a")
    assert answered(queue) == ["a", "b"]


def test_a_pair_from_elsewhere_comes_before_the_current_one() -> None:
    queue = ReviewQueue("ab", "b")
    queue.go_to("x")
    assert queue.keys == ["a", "x", "b"]
    assert queue.current == "x"
    assert queue.advance() == "b"


def test_a_pair_that_is_gone_makes_room_for_the_next() -> None:
    queue = ReviewQueue("abc", "abc")
    queue.move(1)
    queue.remove("a")
    assert queue.current == "b"
    queue.remove("b")
    assert queue.current == "c"


def test_chosen_pairs_are_all_to_be_looked_at() -> None:
    assert answered(ReviewQueue.of_all("abc")) == ["a", "b", "c"]


@given(st.lists(st.sampled_from(["answer", "skip", "left", "right"]), max_size=60), st.integers(1, 8))
def test_every_pair_is_answered_once_whatever_keys_are_pressed(verbs: list[str], size: int) -> None:
    keys = [str(number) for number in range(size)]
    queue, done = ReviewQueue(keys, keys), []
    for verb in verbs:
        if queue.current is None:
            break
        match verb:
            case "answer":
                done.append(queue.current)
                queue.set_waiting(queue.current, waiting=False)
                queue.advance()
            case "skip":
                queue.skip()
            case "left":
                queue.move(-1)
            case "right":
                queue.move(1)
    if queue.waiting_count:
        assert queue.current is not None
        if not queue.is_waiting(queue.current):
            queue.advance()
    assert sorted({*done, *answered(queue)}) == keys
    assert sorted(queue.keys) == keys


def test_a_renewed_row_keeps_the_current_key_and_those_settled_before_it() -> None:
    queue = ReviewQueue.of_all(["a", "b", "c", "d"])
    queue.set_waiting("a", waiting=False)
    queue.advance()
    queue.replace_waiting(["e", "c", "b"])
    assert queue.keys == ["a", "b", "e", "c"]
    assert queue.current == "b"
    assert [key for key in queue.keys if queue.is_waiting(key)] == ["b", "e", "c"]


def test_a_row_that_was_over_goes_on_with_what_it_is_renewed_by() -> None:
    queue = ReviewQueue.of_all(["a"])
    queue.set_waiting("a", waiting=False)
    assert queue.advance() is None
    queue.replace_waiting(["b", "c"])
    assert queue.current == "b"
