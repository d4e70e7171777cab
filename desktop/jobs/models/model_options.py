"""The options of suggesting labels and of training, which their commands and forms are made of."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from miner import codec
from miner.classifier.checkpoints import STARTER_NAME
from miner.classifier.recipe import FROM_STARTER, Recipe
from miner.options import declared
from miner.records import Label
from storage.dataset.options import ALL_PAIRS, ExportOptions
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:
    from storage.models.training_runs import TrainingRun


@dataclass(frozen=True, slots=True)
class SuggestOptions:
    """model: "starter", a training run's folder, any folder, or a hub name. labels: the order of classes of a
    classifier of others that does not state it. rescore: score all pairs, also those that this model has scored.
    """

    model: str = declared(
        STARTER_NAME,
        "`starter`, the number or folder of a training run, another model's folder or hub name (default: %(default)s)",
        metavar="MODEL",
    )
    labels: tuple[Label, ...] | None = None
    device: str = "auto"
    rescore: bool = declared(False, "suggest labels for all pairs again", flag="again")


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """How to train, and on which of the project's labels.

    start: the model to start from, as `SuggestOptions.model`. implicit_above: also learn from unlabelled neighbours
    whose suggestion has at least this confidence, 0.0 to 1.0; None: not. name: "" for a default one. filter: only these
    pairs. labels: the order of classes of a classifier of others that does not state it.

    Pairs of dev and test, and those that share a sentence with one, are never learned. While the project's papers are
    not split, a pair's split is the one it was imported with, else the one that an export with `split_export` gives it.
    """

    start: str = declared(STARTER_NAME, "the model to start from (default: %(default)s)", metavar="MODEL")
    recipe: Recipe = FROM_STARTER
    distant: bool = declared(True, "learn from answers alone, not from distant labels", flag="no-distant")
    answers: bool = declared(True, "learn from distant labels alone, not from answers", flag="no-answers")
    implicit_above: float | None = declared(
        None,
        "also learn from unlabelled pairs with a suggestion of this confidence or more",
        flag="implicit",
        metavar="PERCENT",
    )
    name: str = declared("", "the name of the model")
    device: str = "auto"
    labels: tuple[Label, ...] | None = None
    filter: PairFilter = ALL_PAIRS
    split_export: ExportOptions | None = None

    def to_data(self) -> dict[str, Any]:
        """As a run's `settings` store it: JSON values, without the name."""
        told_apart = {"name", "filter", "split_export"}
        data = {name: value for name, value in codec.to_data(self).items() if name not in told_apart}
        split_export = self.split_export and self.split_export.to_data()
        return {**data, "meant": self.filter.to_data(), "released": split_export}

    @classmethod
    def of_run(cls, run: TrainingRun) -> TrainOptions:
        """What the run was started with."""
        data = run.settings
        stored = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        released = data.get("released")
        return replace(
            codec.from_data(cls, stored),
            name=run.name,
            filter=codec.from_data(PairFilter, data.get("meant", {})),
            split_export=ExportOptions.from_data(released) if released else None,
        )
