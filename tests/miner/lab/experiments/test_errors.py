"""Which misread pairs are drawn, and how errors are counted."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from miner.lab.experiments.errors import CellPrediction, MisreadPair, count_errors, draw_pairs, misread_pairs

_PAIRS = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 3), st.integers(-1, 3)), unique_by=lambda one: one[0], max_size=60
).map(lambda rows: [MisreadPair(f"{key}", label, predicted, 1) for key, label, predicted in rows])


def _prediction(key: str, label: int, predicted: int, words: int = 20) -> CellPrediction:
    return CellPrediction(key, label, predicted, "physics", "linked", "However", words)


@settings(deadline=None)
@given(pairs=_PAIRS, number=st.integers(0, 70), seed=st.integers(0, 5), evenly=st.booleans())
def test_a_draw_does_not_depend_on_the_order_and_a_larger_one_has_more(
    pairs: list[MisreadPair], number: int, seed: int, evenly: bool
) -> None:
    drawn = draw_pairs(pairs, number, seed, evenly=evenly)
    assert len(drawn) == len(set(drawn)) == min(number, len(pairs))
    assert drawn == draw_pairs(pairs[::-1], number, seed, evenly=evenly)
    assert set(drawn) <= set(draw_pairs(pairs, number + 3, seed, evenly=evenly))


@settings(deadline=None)
@given(pairs=_PAIRS, number=st.integers(1, 60), seed=st.integers(0, 5))
def test_an_even_draw_has_no_kind_twice_before_another_once(pairs: list[MisreadPair], number: int, seed: int) -> None:
    kinds = {pair.key: (pair.label, pair.predicted) for pair in pairs}
    drawn = Counter(kinds[key] for key in draw_pairs(pairs, number, seed, evenly=True))
    there = Counter(kinds.values())
    most = max(drawn.values(), default=0)
    assert all(drawn[kind] >= min(there[kind], most - 1) for kind in there)


def test_a_pair_that_runs_misread_differently_counts_by_the_most_frequent_class() -> None:
    predictions = [_prediction("a", 0, wrong) for wrong in (2, 1, 2, 0)] + [_prediction("b", 1, 1)]
    assert misread_pairs(predictions) == [MisreadPair("a", 0, 2, 3)]


def test_no_answer_is_an_error_of_its_own() -> None:
    counts = count_errors([_prediction("a", 0, -1), _prediction("b", 0, 0, 70)], ("yes", "no"), {}, str)
    [confusion] = counts.confusions
    assert confusion == ("yes", "no answer", 1)
    assert (counts.wrong, counts.read, counts.tags) == (1, 0, ())
