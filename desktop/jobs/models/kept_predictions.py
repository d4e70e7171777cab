"""The predictions of unchanged models, kept in the project so that evaluation and experiments compute them once."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from miner.errors import UserError
from storage.models.predictions import ModelPredictor, PredictorInfo, model_predictor
from storage.project import Project

_PACKAGES = ("pairwright", "torch", "transformers", "tokenizers", "scikit-learn", "numpy", "nltk", "spacy", "gguf")


class PredictingModel(NamedTuple):
    """A model, and how it is used.

    digest: of its files. input: which part of a pair it reads. classes: in their order.
    """

    digest: str
    name: str
    input: str
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptPredictions:
    """Packed probabilities by text hash, at the model's own temperature, all computed with the same arithmetic.

    predictor: the digest that identifies the kept predictions; "" where there are none.
    """

    predictor: str = ""
    arithmetic: str = ""
    device: str = ""
    by_text: Mapping[bytes, bytes] = field(default_factory=dict)


NOTHING_KEPT = KeptPredictions()


def read_kept(
    project: Project, model: PredictingModel, hashes: Iterable[bytes], device: str, arithmetic: str = ""
) -> KeptPredictions:
    """The predictions kept for these texts on this device, of the arithmetic with most of them.

    Predictions of two arithmetics are never mixed, as their probabilities differ. arithmetic: use only this one; "" for
    any.
    """
    wanted = list(hashes)
    best = NOTHING_KEPT
    with project.read_transaction() as stores:
        for one in stores.predictions.predictors_of_model(model.digest, model.input, model.classes):
            if not _fits(one, device, arithmetic):
                continue
            found = stores.predictions.packed(one.id, wanted)
            if len(found) > len(best.by_text):
                best = KeptPredictions(one.digest, one.arithmetic, one.device, found)
    return best


def predictor_info(
    model: PredictingModel, arithmetic: str, device: str, seconds: float, notes: tuple[str, ...]
) -> PredictorInfo:
    """The description of a predictor that its predictions are stored with."""
    digest = model_predictor(model.digest, model.input, model.classes, arithmetic)
    title = model.name if model.input == "both" else f"{model.name} ({model.input})"
    return PredictorInfo(digest, title, device, seconds, notes, package_versions())


def keep_predictions(project: Project, info: PredictorInfo, by_text: Mapping[bytes, bytes]) -> bool:
    """Keep new predictions; False if the project could not be written."""
    try:
        with project.transaction(bulk=True) as stores:
            stores.predictions.save(info, by_text.items(), datetime.now(UTC))
            stores.predictions.delete_unlisted()
    except UserError:  # it is open for reading alone, or busy: nothing is lost that cannot be computed
        return False
    return True


def package_versions() -> dict[str, str]:
    """The versions of Python and of the libraries that predictions may depend on."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _fits(kept: ModelPredictor, device: str, arithmetic: str) -> bool:
    if arithmetic:
        return kept.arithmetic == arithmetic
    return device == "auto" or kept.arithmetic.partition(" ")[0] == device
