"""Folds and held-out sets keep the pairs of a paper together."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.classifier.folds import draw_held_out, folds_by_paper
from miner.errors import UserError


def corpus(seed: int, papers: int, pairs: int) -> list[tuple[int, int]]:
    """Pairs as (paper, label), at least one of each paper."""
    rng = np.random.default_rng(seed)
    owners = [*range(papers), *rng.integers(0, papers, pairs).tolist()]
    return list(zip(owners, rng.integers(0, 4, len(owners)).tolist(), strict=True))


corpora = st.builds(corpus, st.integers(0, 1000), st.integers(10, 30), st.integers(0, 150))


def of(pairs: list[tuple[int, int]]) -> tuple[list[str], np.ndarray]:
    return [f"paper {paper}" for paper, _ in pairs], np.array([label for _, label in pairs])


def test_papers_are_dealt_as_worked_by_hand() -> None:
    # a: 4 contrasting, b: 4 reasoning, c: 2 contrasting + 1 reasoning, d: 1 contrasting + 2 reasoning; two folds.
    # There are 7 of each class; growth is told in 49ths, sizes left aside where they decide nothing.
    # a and b share no class, so size decides: they go apart. c grows by (2·4 + 2)·2 + 1·1 = 21 with a, by 2·2 +
    # (2·4 + 1)·1 = 13 with b, so it goes there; d by (2·4 + 1)·1 + 2·2 = 13 with a, by (2·2 + 1)·1 + (2·5 + 2)·2 = 29
    # with b and c.
    papers = [*"aaaa", *"bbbb", *"ccc", *"ddd"]
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 1, 1])
    fold = dict(zip(papers, folds_by_paper(papers, labels, 2, seed=1).tolist(), strict=True))
    assert fold["a"] == fold["d"] != fold["b"] == fold["c"]


@given(corpora, st.integers(2, 10), st.integers(0, 3))
def test_no_paper_is_in_two_folds_and_no_fold_is_empty(pairs: list[tuple[int, int]], k: int, seed: int) -> None:
    papers, labels = of(pairs)
    fold = folds_by_paper(papers, labels, k, seed)
    assert len({(paper, number) for paper, number in zip(papers, fold.tolist(), strict=True)}) == len(set(papers))
    assert set(fold.tolist()) == set(range(k))


@given(corpora, st.integers(0, 1000))
def test_the_order_of_pairs_does_not_matter(pairs: list[tuple[int, int]], seed: int) -> None:
    papers, labels = of(pairs)
    mixed = np.random.default_rng(seed).permutation(len(pairs))
    first = folds_by_paper(papers, labels, 5, seed=1)
    second = folds_by_paper([papers[n] for n in mixed], labels[mixed], 5, seed=1)
    assert first[mixed].tolist() == second.tolist()


def test_classes_are_spread_evenly() -> None:
    rng = np.random.default_rng(1)
    papers = [f"paper {n}" for n in rng.integers(0, 300, 3000)]
    labels = rng.choice(4, 3000, p=[0.6, 0.25, 0.1, 0.05])
    fold = folds_by_paper(papers, labels, 5, seed=1)
    for label in range(4):
        counts = np.bincount(fold[labels == label], minlength=5)
        assert counts.max() - counts.min() <= 0.05 * counts.sum() / 5 + 2


def test_another_seed_deals_otherwise() -> None:
    papers = [f"paper {n}" for n in range(40)]
    labels = np.arange(40) % 4
    folds = [folds_by_paper(papers, labels, 4, seed).tolist() for seed in range(3)]
    assert all(first != second for first, second in pairwise(folds))


def test_more_folds_than_papers_is_refused() -> None:
    with pytest.raises(UserError, match="5 folds need 5 papers with labels; there are 2"):
        folds_by_paper(["a", "b", "a"], np.zeros(3, int), 5, seed=1)


def test_pairs_of_unknown_papers_stand_alone() -> None:
    fold = folds_by_paper([""] * 20, np.arange(20) % 4, 5, seed=1)
    assert np.bincount(fold).tolist() == [4] * 5


@given(corpora, st.floats(0.05, 0.5), st.integers(0, 3))
def test_what_is_held_out_shares_no_paper_with_the_rest(pairs: list[tuple[int, int]], share: float, seed: int) -> None:
    papers, labels = of(pairs)
    held = draw_held_out(papers, labels, share, seed)
    apart = {paper for paper, there in zip(papers, held, strict=True) if there}
    assert apart
    assert apart.isdisjoint(paper for paper, there in zip(papers, held, strict=True) if not there)


def test_the_share_held_out_is_that_of_every_class() -> None:
    rng = np.random.default_rng(1)
    papers = [f"paper {n}" for n in rng.integers(0, 300, 3000)]
    labels = rng.choice(4, 3000, p=[0.6, 0.25, 0.1, 0.05])
    held = draw_held_out(papers, labels, 0.15, seed=1)
    for label in range(4):
        assert held[labels == label].mean() == pytest.approx(0.15, abs=0.02)


def test_of_two_papers_one_is_held_out_and_of_one_none_can_be() -> None:
    assert draw_held_out(["a", "a", "b"], np.array([0, 1, 0]), 0.1, seed=1).tolist() == [False, False, True]
    with pytest.raises(UserError, match="one paper"):
        draw_held_out(["a", "a"], np.array([0, 1]), 0.1, seed=1)
