"""Active learning: chooses pairs that a model is uncertain about and that differ from each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from zlib import crc32

from miner.libraries import NDArray, np

_VECTOR_WIDTH = 256  # of a hashed bag of words: 20,000 pairs take 20 MB
_MAX_SPREAD_ITEMS = 1_000  # more items are chosen by uncertainty alone
_WORD = re.compile(r"\w+")


def diverse_order(
    uncertainty: NDArray[Any], features: NDArray[Any] | Sequence[str], size: int, seed: int = 0
) -> NDArray[np.int64]:
    """The indices of `size` items (or all, if fewer), the most useful first.

    The next item has the largest product of uncertainty (0.0 or more) and distance to the items before: the greedy
    k-centre of Sener and Savarese (ICLR 2018, algorithm 1), weighted so that it chooses neither certain items nor mere
    outliers. `features`: vectors (n, d), compared by their angle, or texts. 500 of 20,000 items take 1 to 2 seconds.
    The seed decides between equal items.
    """
    weights = np.asarray(uncertainty, np.float32)
    count = min(size, len(weights))
    if not count:
        return np.zeros(0, np.int64)
    vectors = _unit(features if isinstance(features, np.ndarray) else bags_of_words(features))
    permutation = np.random.default_rng(seed).permutation(len(weights))  # argmax takes the first of equal items
    weights, vectors = weights[permutation], vectors[permutation]
    spread = _spread(weights, vectors, min(count, _MAX_SPREAD_ITEMS))
    rest = np.setdiff1d(np.arange(len(weights)), spread)
    rest = rest[np.argsort(-weights[rest], kind="stable")][: count - len(spread)]
    return np.asarray(permutation[np.concatenate([spread, rest])], np.int64)


def _spread(weights: NDArray[np.float32], vectors: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """The greedy choice. Gains only decrease, so an item with an old gain below the best one is not measured again.

    Source: Minoux, Accelerated Greedy Algorithms for Maximizing Submodular Set Functions (1978).
    """
    selection = np.zeros(count, np.int64)
    gains = weights.copy()  # upper bounds: each gain after the first `measured` items of the selection
    measured = np.zeros(len(weights), np.int64)
    for n in range(count):
        batch_size = 1
        while measured[top := int(gains.argmax())] < n:
            batch = np.array([top]) if batch_size == 1 else np.argpartition(gains, -batch_size)[-batch_size:]
            new = selection[measured[batch].min() : n]
            with np.errstate(invalid="ignore"):  # BLAS may raise it for lanes beyond the data, which are finite
                distances = np.maximum(0.0, 1 - (vectors[batch] @ vectors[new].T).max(1))
            gains[batch] = np.minimum(gains[batch], weights[batch] * distances)
            measured[batch] = n
            batch_size = min(batch_size * 16, len(weights))
        selection[n] = top
        gains[top] = -1.0
    return selection


def bags_of_words(texts: Sequence[str], width: int = _VECTOR_WIDTH) -> NDArray[np.float32]:
    """Texts as vectors (n, width): words hashed to columns, weighted down by how many texts have them.

    Source: Weinberger et al., Feature Hashing for Large Scale Multitask Learning (ICML 2009), with idf weights.
    """
    codes: dict[str, int] = {}
    words: list[int] = []
    rows: list[int] = []
    for row, text in enumerate(texts):
        words_of_text = {codes.setdefault(word, len(codes)) for word in _WORD.findall(text.casefold())}
        words += words_of_text
        rows += [row] * len(words_of_text)
    hashes = np.array([crc32(word.encode()) for word in codes], np.int64)
    numbers = np.array(words, np.int64)
    rarity = np.log((1 + len(texts)) / (1 + np.bincount(numbers, minlength=len(codes))))
    signs = np.where(hashes & 1, 1.0, -1.0)
    cells = np.array(rows, np.int64) * width + (hashes[numbers] >> 1) % width
    values = (rarity * signs)[numbers]
    return np.bincount(cells, values, len(texts) * width).reshape(len(texts), width).astype(np.float32)


def _unit(vectors: NDArray[Any]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)
