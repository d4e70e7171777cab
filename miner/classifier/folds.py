"""Folds and held-out pairs by paper: what measures a model shares no paper with what it learned."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miner.classifier.examples import TrainingExample
from miner.errors import UserError

_SIZE = 0.01  # weight of the parts' sizes beside each of their classes
_FEW_PAPERS = 8


def group_of(example: TrainingExample, by_pair: bool) -> str:
    """Examples of one group are never parted: those of a paper, or each alone, `by_pair` or without a known paper."""
    return example.paper if example.paper and not by_pair else f"\0{example.key}"


def are_of_few_papers(examples: Sequence[TrainingExample], least: int = 0) -> bool:
    """Whether the papers are too few, fewer than 8 or `least`, to be parted into similar sets."""
    return len({group_of(example, False) for example in examples}) < max(_FEW_PAPERS, least)


def folds_by_paper(papers: Sequence[str], labels: NDArray[Any], k: int, seed: int) -> NDArray[np.int64]:
    """The fold, 0 to `k` - 1, of each pair: no paper in two, each class spread as evenly as its papers allow.

    The order of the pairs does not matter. A paper "" is not known (pairs of a data set may have none): each such pair
    is its own group, by its position. `UserError` when there are fewer papers than folds.
    """
    names, places = _papers(papers)
    if len(names) < k:
        hint = f"Add papers, or take {len(names)} folds." if len(names) > 1 else "Add papers."
        raise UserError(f"{k} folds need {k} papers with labels; there are {len(names)}.", hint=hint)
    return _dealt(names, places, labels, np.full(k, 1 / k), seed)[places]


def draw_held_out(papers: Sequence[str], labels: NDArray[Any], share: float, seed: int) -> NDArray[np.bool_]:
    """Which pairs to hold out, (n,): whole papers, about this share of each class, and at least one paper.

    Otherwise as `folds_by_paper`. `UserError` for a single paper.
    """
    names, places = _papers(papers)
    if len(names) < 2:
        raise UserError("All labelled pairs are of one paper, so none can be kept for checking.", hint="Add papers.")
    held = _dealt(names, places, labels, np.array([1 - share, share]), seed) == 1
    if not held.any():
        held[np.bincount(places).argmin()] = True
    return np.asarray(held[places])


def _dealt(
    names: Sequence[str], places: NDArray[np.int64], labels: NDArray[Any], shares: NDArray[np.float64], seed: int
) -> NDArray[np.int64]:
    """The part of each paper, (n_papers,). The largest papers first; equal ones by a hash of seed and name.

    A paper goes where it adds least to the sum over parts and classes of count ** 2 / share, which is least when every
    part has its share of every class. All pairs together count as one more class of little weight, so that the parts
    are of similar size and none is empty.
    """
    labels = np.asarray(labels, np.int64)
    width = int(labels.max(initial=0)) + 1
    classes = np.bincount(places * width + labels, minlength=len(names) * width).reshape(-1, width)
    counts = np.column_stack([classes, classes.sum(1)]).astype(np.float64)
    weights = 1 / np.maximum(counts.sum(0), 1) ** 2
    weights[-1] *= _SIZE
    sizes = counts[:, -1].tolist()
    order = sorted(
        range(len(names)),
        key=lambda n: (-sizes[n], blake2b(f"{seed}\0{names[n]}".encode(), digest_size=8).digest()),
    )
    parts = np.zeros((len(shares), width + 1))
    given = np.zeros(len(names), np.int64)
    several = sum(size > 1 for size in sizes)
    for n in order[:several]:
        growth = ((2 * parts + counts[n]) * counts[n] * weights).sum(1) / shares
        given[n] = part = int(growth.argmin())
        parts[part] += counts[n]
    _deal_singles(order[several:], classes.argmax(1).tolist(), parts.tolist(), weights.tolist(), shares.tolist(), given)
    return given


def _deal_singles(
    order: Sequence[int],
    labels: Sequence[int],
    parts: list[list[float]],
    weights: Sequence[float],
    shares: Sequence[float],
    given: NDArray[np.int64],
) -> None:
    """The same for papers of one pair, in plain Python: there may be very many, each of one class."""
    for n in order:
        own = labels[n]
        growths = [
            ((2 * part[own] + 1) * weights[own] + (2 * part[-1] + 1) * weights[-1]) / share
            for part, share in zip(parts, shares, strict=True)
        ]
        given[n] = least = growths.index(min(growths))
        parts[least][own] += 1
        parts[least][-1] += 1


def _papers(papers: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The papers' names, and the place of each pair's paper among them."""
    known: dict[str, int] = {}
    places = [known.setdefault(paper or f"\0{number}", len(known)) for number, paper in enumerate(papers)]
    return list(known), np.array(places, np.int64)
