"""Pairs as points in two dimensions, and how well groups of them are separated (TaxiNLI, section 5 and Figure 7).

The points are placed by t-SNE, which distorts distances; so separation is measured on the states themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from miner.libraries import NDArray, np

if TYPE_CHECKING:
    Numbers = NDArray[np.float32]
    Masks = NDArray[np.bool_]

MIN_PAIRS = 30
NEIGHBOURS = 10
PERPLEXITY = 30.0
MAX_CATEGORIES = 2
"""The paper's picture has no pair with more categories."""
_DIMENSIONS = 50  # that principal components leave to t-SNE, as its authors do
_BLOCK_BYTES = 64_000_000  # of distances at once


class Separation(NamedTuple):
    """How far the pairs of a group stand apart from all others, at one layer.

    purity: the mean share of a pair's `NEIGHBOURS` nearest pairs that are of its group too. chance: what that would be
    if nearness said nothing. silhouette: the mean silhouette of the group's pairs against all others, from -1 to 1.
    Each is None for a group of fewer than two pairs, or of all.
    """

    pairs: int
    purity: float | None
    chance: float | None
    silhouette: float | None


def separations(states: Numbers, groups: Masks, tick: Callable[[float], None] = lambda share: None) -> list[Separation]:
    """The separation of each group of pairs, by Euclidean distances between their states.

    states: (pairs, size). groups: a mask over the pairs for each, (groups, pairs). Of neighbours at the same distance
    the earlier pair counts. tick receives the share that is done.
    """

    pairs = len(states)
    sizes = groups.sum(1)
    neighbours = min(NEIGHBOURS, pairs - 1)
    members = groups.T.astype(np.float32)
    centred = np.asarray(states, np.float32) - states.mean(0, dtype=np.float64).astype(np.float32)
    squares = np.einsum("ij,ij->i", centred, centred)
    purity, silhouette = np.zeros(len(groups)), np.zeros(len(groups))
    rows = max(1, _BLOCK_BYTES // (4 * max(1, pairs)))
    for start in range(0, pairs if neighbours > 0 else 0, rows):
        tick(start / pairs)
        block = slice(start, min(pairs, start + rows))
        own = np.arange(block.start, block.stop)
        distances = squares[block, None] + squares[None, :] - 2 * (centred[block] @ centred.T)
        np.sqrt(np.maximum(distances, 0, out=distances), out=distances)
        distances[own - start, own] = 0
        within = (distances @ members).astype(np.float64)
        without = distances.sum(1, dtype=np.float64)[:, None] - within
        silhouette += _silhouettes(within, without, sizes, pairs, groups[:, block].T)
        distances[own - start, own] = np.inf
        nearest = _nearest(distances, neighbours)
        alike = groups[:, nearest].mean(2)  # (groups, rows)
        purity += (alike * groups[:, block]).sum(1)
    tick(1.0)
    return [
        Separation(int(size), float(pure / size), float((size - 1) / (pairs - 1)), float(shape / size))
        if 2 <= size < pairs
        else Separation(int(size), None, None, None)
        for size, pure, shape in zip(sizes, purity, silhouette, strict=True)
    ]


def _nearest(distances: Numbers, number: int) -> NDArray[np.int64]:
    """The columns of each row's smallest values, (rows, number); of equal ones the first."""

    limit = np.partition(distances, number - 1, axis=1)[:, number - 1, None]
    below, equal = distances < limit, distances == limit
    room = number - below.sum(1, keepdims=True)
    chosen = below | (equal & (equal.cumsum(1) <= room))
    return np.nonzero(chosen)[1].reshape(len(distances), number)


def _silhouettes(
    within: NDArray[Any], without: NDArray[Any], sizes: NDArray[Any], pairs: int, members: Masks
) -> NDArray[Any]:
    """The sum over the members of each group. within, without: sums of distances to the group and to the others."""

    with np.errstate(invalid="ignore", divide="ignore"):
        own, other = within / (sizes - 1), without / (pairs - sizes)
        values = (other - own) / np.maximum(own, other)
    return np.asarray(np.where(members & np.isfinite(values), values, 0).sum(0))


def project(states: Numbers, seed: int) -> Numbers:
    """The pairs as points, (pairs, 2): t-SNE of the first principal components.

    All points are 0 where the states are all the same. In one thread, as several round differently each time.
    Source: van der Maaten and Hinton, Visualizing data using t-SNE (2008).
    """
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    pairs, size = states.shape
    values = np.asarray(states, np.float64) - states.mean(0, dtype=np.float64)
    if pairs < 2 or not values.any():
        return np.zeros((pairs, 2), np.float32)
    perplexity = max(1.0, min(PERPLEXITY, (pairs - 1) / 3))
    with threadpool_limits(1):
        if size > _DIMENSIONS:
            solver = "full" if pairs < size else "covariance_eigh"  # whichever takes less time; both are exact
            values = PCA(min(_DIMENSIONS, pairs), svd_solver=solver).fit_transform(values)
        start = "pca" if values.shape[1] > 1 and np.ptp(values[:, 1]) > 0 else "random"
        tsne = TSNE(2, perplexity=perplexity, init=start, random_state=seed, n_jobs=1)
        points: Numbers = tsne.fit_transform(values.astype(np.float32))
    return points
