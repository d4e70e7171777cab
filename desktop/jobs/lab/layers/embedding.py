"""Pairs with kinds of reasoning at every layer of a model, as values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from miner.lab.layers.layer_embedding import GroupedBy, LayerPoints, PairGroup
from miner.libraries import NDArray, np

DEFAULT_PAIRS = 2_000
_DECIMALS = 4


class GroupSeparation(NamedTuple):
    """How well a group is separated from the others at one layer: see `miner.lab.layers.embedding.Separation`."""

    group: PairGroup
    pairs: int
    purity: float | None
    chance: float | None
    silhouette: float | None


@dataclass(frozen=True)
class EmbeddedPairs:
    """The embedded pairs: their keys in the project, or rows of a file.

    groups: the groups with pairs, categories in the taxonomy's order. members: which pairs each group has, (groups,
    pairs). left_out: how many pairs have too many categories to be embedded. of: how many pairs these were drawn from.
    """

    keys: tuple[str, ...]
    groups: tuple[PairGroup, ...]
    members: NDArray[np.bool_]
    left_out: int
    of: int

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def combinations(self) -> tuple[str, ...]:
        """The categories of each pair, joined by " + "; "" for a pair without any."""
        chosen = [(place, one.name) for place, one in enumerate(self.groups) if one.kind is GroupedBy.CATEGORY]
        rows = self.members[[place for place, _ in chosen]].T if chosen else [()] * len(self)
        names = [name for _, name in chosen]
        return tuple(" + ".join(name for name, has in zip(names, row, strict=True) if has) for row in rows)

    def names(self, kind: GroupedBy) -> tuple[str, ...]:
        """The label, the relation ("" without one) or the combination of categories of each pair."""
        if kind is GroupedBy.CATEGORY:
            return self.combinations
        found = [""] * len(self)
        for group, mask in zip(self.groups, self.members, strict=True):
            if group.kind is kind:
                for place in mask.nonzero()[0].tolist():
                    found[place] = group.name
        return tuple(found)


@dataclass(frozen=True)
class KindsEmbedding:
    """The pairs at every layer of a model; layer 0 is its word embeddings."""

    model: str
    seed: int
    pairs: EmbeddedPairs
    layers: LayerPoints

    @property
    def layer_count(self) -> int:
        """The number of layers, with the word embeddings as the first."""
        return len(self.layers.points)

    def separations(self, layer: int) -> tuple[GroupSeparation, ...]:
        """How well each group is separated from the others at a layer."""
        sizes = self.pairs.members.sum(1).tolist()
        columns = (self.layers.purity[layer], self.layers.chance, self.layers.silhouette[layer])
        rows = zip(self.pairs.groups, sizes, *(map(_figure, column.tolist()) for column in columns), strict=True)
        return tuple(GroupSeparation(*row) for row in rows)

    def best_layer(self, group: PairGroup) -> int | None:
        """The first layer at which the group's purity is highest; None if it is above chance at no layer."""
        place = self.pairs.groups.index(group)
        purity = self.layers.purity[:, place]
        return int(purity.argmax()) if (purity > self.layers.chance[place]).any() else None

    def to_data(self) -> dict[str, Any]:
        """Data for JSON, without the points."""
        return {
            "model": self.model,
            "seed": self.seed,
            "pairs": len(self.pairs),
            "of": self.pairs.of,
            "left_out": self.pairs.left_out,
            "layers": [
                {
                    "layer": layer,
                    "groups": [
                        {"by": str(one.group.kind), "name": one.group.name, **_rounded(one)}
                        for one in self.separations(layer)
                    ],
                }
                for layer in range(self.layer_count)
            ],
        }


def _rounded(one: GroupSeparation) -> dict[str, Any]:
    figures = {"purity": one.purity, "chance": one.chance, "silhouette": one.silhouette}
    return {"pairs": one.pairs} | {name: value and round(value, _DECIMALS) for name, value in figures.items()}


def _figure(value: float) -> float | None:
    return None if value != value else value
