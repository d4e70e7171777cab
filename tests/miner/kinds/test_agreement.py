"""Agreement on kinds: examples by hand, and two scripted annotators with known error rates."""

from __future__ import annotations

import random

import pytest

from miner.kinds.agreement import kinds_agreement
from miner.kinds.questionnaire import PairKinds

CATEGORIES = ("lexical", "causal", "world")


def _kinds(*categories: str, relation: str = "reasoning", complete: bool = True) -> PairKinds:
    return PairKinds(relation, frozenset(categories), None, complete)


def test_an_example_by_hand() -> None:
    answers = {
        "1": {"ann": _kinds("lexical"), "ben": _kinds("lexical", "causal")},
        "2": {"ann": _kinds(), "ben": _kinds()},
        "3": {"ann": _kinds("causal"), "ben": _kinds("causal", relation="neutral")},
        "4": {"ann": _kinds("lexical")},
        "5": {"ann": _kinds("world"), "ben": _kinds(complete=False)},
    }
    found = kinds_agreement(answers, CATEGORIES, {"1": "reasoning", "3": "reasoning"})
    lexical, causal, world = found.categories
    assert (lexical.pairs, lexical.raw.value, lexical.kappa.value) == (3, 1.0, 1.0)
    assert lexical.prevalence == pytest.approx(2 / 6)
    assert causal.raw.value == pytest.approx(2 / 3)
    assert causal.kappa.value == pytest.approx((2 / 3 - 1 / 2) / (1 / 2))
    assert (world.kappa.value, world.prevalence) == (None, 0)  # nobody has ticked it
    assert found.average_kappa == pytest.approx((1 + 1 / 3) / 2)
    assert found.iou == pytest.approx((0.5 + 1 + 1) / 3)
    assert found.iou_ticked == pytest.approx(0.75)
    assert (found.iou_pairs, found.ticked_pairs) == (3, 2)
    assert found.inference is not None
    assert found.inference[::2] == (0.75, 4)


def test_the_same_answers_have_an_iou_of_1() -> None:
    answers = {str(pair): {who: _kinds("lexical") for who in ("ann", "ben", "cleo")} for pair in range(4)}
    found = kinds_agreement(answers, CATEGORIES, {})
    assert (found.iou, found.iou_pairs, found.inference) == (1.0, 12, None)


def test_one_annotator_alone_has_no_agreement() -> None:
    found = kinds_agreement({"1": {"ann": _kinds("causal")}}, CATEGORIES, {})
    assert (found.iou, found.average_kappa) == (None, None)
    assert {one.kappa.value for one in found.categories} == {None}


def test_two_annotators_with_known_error_rates_agree_as_theory_says() -> None:
    """Each flips a category with prevalence .4 with probability .1: kappa is (1 - 2e)² p(1 - p) / (q(1 - q))."""
    draw = random.Random(7)
    answers = {}
    for pair in range(600):
        truth = draw.random() < 0.4
        seen = [truth != (draw.random() < 0.1) for _ in range(2)]
        answers[str(pair)] = {
            who: _kinds(*["causal"] * ticked) for who, ticked in zip(("ann", "ben"), seen, strict=True)
        }
    ticked = 0.4 * 0.9 + 0.6 * 0.1
    expected = 0.8**2 * 0.4 * 0.6 / (ticked * (1 - ticked))
    [found] = kinds_agreement(answers, ("causal",), {}).categories
    assert found.kappa.interval is not None
    assert found.kappa.interval[0] < expected < found.kappa.interval[1]
    assert found.prevalence == pytest.approx(ticked, abs=0.04)
