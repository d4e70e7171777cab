"""Divides pairs into folds, or holds some out, by paper: pairs of one paper stay together."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from miner.classifier.examples import TrainingExample
from miner.errors import UserError
from miner.libraries import NDArray, np

_SIZE_WEIGHT = 0.01  # weight of a part's size, compared with one class
_MIN_PAPERS = 8


def group_of(example: TrainingExample, by_pair: bool) -> str:
    """The example's group, which is never divided: its paper, or the example alone if `by_pair` or without a paper."""
    return example.paper if example.paper and not by_pair else f"\0{example.key}"


def has_few_papers(examples: Sequence[TrainingExample], minimum: int = 0) -> bool:
    """Whether there are too few papers, fewer than 8 or `minimum`, to divide them into similar sets."""
    return len({group_of(example, False) for example in examples}) < max(_MIN_PAPERS, minimum)


def folds_by_paper(papers: Sequence[str], labels: NDArray[Any], k: int, seed: int) -> NDArray[np.int64]:
    """The fold, 0 to `k` - 1, of each pair: each paper in one fold, each class as evenly as the papers allow.

    The order of the pairs does not matter. A paper "" is unknown (imported pairs may have none): each such pair is a
    group by its position. `UserError` when there are fewer papers than folds.
    """
    names, paper_indices = _papers(papers)
    if len(names) < k:
        hint = f"Add papers, or take {len(names)} folds." if len(names) > 1 else "Add papers."
        raise UserError(f"{k} folds need {k} papers with labels; there are {len(names)}.", hint=hint)
    return _assign_parts(names, paper_indices, labels, np.full(k, 1 / k), seed)[paper_indices]


def draw_held_out(papers: Sequence[str], labels: NDArray[Any], share: float, seed: int) -> NDArray[np.bool_]:
    """Which pairs to hold out, (n,): whole papers, at least one, with about this share of each class.

    Otherwise as `folds_by_paper`. `UserError` for a single paper.
    """
    names, paper_indices = _papers(papers)
    if len(names) < 2:
        raise UserError("All labelled pairs are of one paper, so none can be kept for checking.", hint="Add papers.")
    is_held_out = _assign_parts(names, paper_indices, labels, np.array([1 - share, share]), seed) == 1
    if not is_held_out.any():
        is_held_out[np.bincount(paper_indices).argmin()] = True
    return np.asarray(is_held_out[paper_indices])


def _assign_parts(
    names: Sequence[str], paper_indices: NDArray[np.int64], labels: NDArray[Any], shares: NDArray[np.float64], seed: int
) -> NDArray[np.int64]:
    """The part of each paper, (n_papers,). Large papers are assigned first; equal ones by a hash of seed and name.

    A paper goes to the part where it adds least to the sum of count ** 2 / share over parts and classes. That sum is
    smallest when every part has its share of every class. The number of all pairs counts as a further class with a
    small weight, so that parts have similar sizes and none is empty.
    """
    labels = np.asarray(labels, np.int64)
    width = int(labels.max(initial=0)) + 1
    classes = np.bincount(paper_indices * width + labels, minlength=len(names) * width).reshape(-1, width)
    counts = np.column_stack([classes, classes.sum(1)]).astype(np.float64)
    weights = 1 / np.maximum(counts.sum(0), 1) ** 2
    weights[-1] *= _SIZE_WEIGHT
    sizes = counts[:, -1].tolist()
    order = sorted(
        range(len(names)),
        key=lambda n: (-sizes[n], blake2b(f"{seed}\0{names[n]}".encode(), digest_size=8).digest()),
    )
    parts = np.zeros((len(shares), width + 1))
    part_of_paper = np.zeros(len(names), np.int64)
    several = sum(size > 1 for size in sizes)
    for n in order[:several]:
        growth = ((2 * parts + counts[n]) * counts[n] * weights).sum(1) / shares
        part_of_paper[n] = part = int(growth.argmin())
        parts[part] += counts[n]
    _assign_single_pairs(
        order[several:], classes.argmax(1).tolist(), parts.tolist(), weights.tolist(), shares.tolist(), part_of_paper
    )
    return part_of_paper


def _assign_single_pairs(
    order: Sequence[int],
    labels: Sequence[int],
    parts: list[list[float]],
    weights: Sequence[float],
    shares: Sequence[float],
    part_of_paper: NDArray[np.int64],
) -> None:
    """The same for papers with one pair, in plain Python: there may be very many."""
    for n in order:
        label = labels[n]
        growths = [
            ((2 * part[label] + 1) * weights[label] + (2 * part[-1] + 1) * weights[-1]) / share
            for part, share in zip(parts, shares, strict=True)
        ]
        part_of_paper[n] = smallest = growths.index(min(growths))
        parts[smallest][label] += 1
        parts[smallest][-1] += 1


def _papers(papers: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The names of the papers, and for each pair the index of its paper."""
    known: dict[str, int] = {}
    paper_indices = [known.setdefault(paper or f"\0{number}", len(known)) for number, paper in enumerate(papers)]
    return list(known), np.array(paper_indices, np.int64)
