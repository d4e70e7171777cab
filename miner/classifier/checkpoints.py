"""Checkpoints: folders with a model. They are found and checked here, without torch; `loading` loads their networks.

Only safetensors are read, since pickled weights can run any program; code that comes with a model is never run.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from miner import codec
from miner.classifier.examples import LABELS
from miner.classifier.recipe import Cut
from miner.errors import UserError
from miner.installation import extra_error, is_installed
from miner.paths import check_ordinary, expand_home
from miner.records import Label

STARTER = Path(__file__).parent / "starter"
STARTER_NAME = "starter"
WEIGHTS, CONFIG, TOKENIZER, CARD = "model.safetensors", "config.json", "tokenizer.json", "pairwright.json"
HEAD_WEIGHTS, TOKENIZER_CONFIG = "head.safetensors", "tokenizer_config.json"
"""The head of a model of ours; the other files are those of an encoder of transformers."""
LEARNED_PAIRS = "learned_pairs.json"
"""What an exported model has learned, by keys and hashes of pairs."""
POOLER_TENSORS = ("pooler.dense.weight", "pooler.dense.bias")
"""By transformers' names, in an encoder that is kept with its pooler."""
MAX_CLASSES = 1_000
TRIAL_PAIRS = (("A sentence.", "Another one, which is longer."), ("", ""))
"""Predicted when a model is loaded, as files can fit in their shapes and not in their numbers."""
_INDEX = "model.safetensors.index.json"
_PICKLE_SUFFIXES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
_LAYER_COUNTS = ("num_hidden_layers", "num_layers", "n_layers", "n_layer")  # names in configurations of transformers
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+$")
_HUB_FILES = ["*.safetensors", "*.safetensors.index.json", "*.json", "*.txt", "*.model"]
_LABEL_NAMES = {
    **{label.value: label for label in Label},
    **{label.value[0]: label for label in Label},
    "contrast": Label.CONTRASTING,
    "reason": Label.REASONING,
    "entail": Label.ENTAILMENT,
    "independent": Label.NEUTRAL,
}
_FILES_HINT = (
    "Download it elsewhere and choose its folder: it must hold model.safetensors, config.json and tokenizer.json."
)


class UnknownClassOrder(UserError):
    """The classes of a model are only numbered: the user must say which of them is which relation."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """The description of a model trained by Pairwright: the content of `pairwright.json`.

    `base`: the checkpoint that its training started from. `trained_on`: sentences for users. Its logits go through
    `calibration.sharpen` with `entropy_power` and are then divided by `temperature`. `least_probabilities`: of each
    class, by the percentage of pairs whose class a set may miss, the probability from which on the set has the class
    (`conformal.least_probabilities`). `evidence`: of each class, the power for its likelihood ratio in `doubt.doubt`.
    """

    name: str
    head: str
    base: str
    trained_on: str
    licence: str = ""
    temperature: float = 1.0
    entropy_power: float = 0.0
    max_tokens: int = 112
    hypothesis_only: bool = False
    cut: Cut = Cut.LONGEST_FIRST
    alone: bool = False
    token_types: bool = True
    labels: tuple[str, ...] = tuple(label.value for label in LABELS)
    least_probabilities: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    evidence: tuple[float, ...] = ()
    metrics: Mapping[str, Any] = field(default_factory=dict)
    recipe: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A folder with a usable model. `classes`: its classes in order; None for an encoder without classes.

    `digest`: identifies the model. `card`: None for models that Pairwright has not trained.
    """

    path: Path
    name: str
    digest: str
    classes: tuple[str, ...] | None
    card: ModelCard | None = None

    @property
    def labels(self) -> tuple[Label, ...] | None:
        """The classes, where they are the four relations."""
        named = self.classes is not None and sorted(self.classes) == sorted(LABELS)
        return tuple(map(Label, self.classes or ())) if named else None

    @property
    def can_suggest(self) -> bool:
        return self.labels is not None


def find_checkpoint(reference: str, *, models: Path | None = None, labels: Sequence[Label] | None = None) -> Checkpoint:
    """The checkpoint for a reference: "starter", a run in the folder `models`, any folder, or a name at the hub.

    `labels`: the order of classes of a classifier that does not name them. `UserError` where there is no usable model.
    """
    if reference == STARTER_NAME:
        return inspect_checkpoint(STARTER, name=STARTER_NAME)
    try:
        run_folder = models / reference / "checkpoint" if models is not None and reference else None
        if run_folder is not None and _complete_folder(run_folder).is_dir():
            return inspect_checkpoint(run_folder, name=reference)
        path = expand_home(reference)
        if reference and _complete_folder(path).is_dir():
            return inspect_checkpoint(path.absolute(), labels=labels)
        if path.is_file():
            hint = "Choose the folder that holds the model, not a file in it."
            raise UserError(f"{path} is a file.", hint=hint)
    except OSError as exc:  # the name is too long, or the folder is not readable
        raise UserError(f"The model at {reference} cannot be read: {exc}.", hint="Choose another folder.") from exc
    if _HUB_NAME.fullmatch(reference):
        return inspect_checkpoint(_from_hub(reference), name=reference, labels=labels)
    raise UserError(
        f"There is no model at {reference}.", hint="Choose a folder, a hub name (owner/name), or `starter`."
    )


def inspect_checkpoint(path: Path, *, name: str = "", labels: Sequence[Label] | None = None) -> Checkpoint:
    """The checkpoint in a folder; `UserError` where it cannot be used. Its path differs if saving was interrupted."""
    given, name, path = name, name or path.name, _complete_folder(path)
    weights = _weights(path)
    config = _read_object(path / CONFIG)
    if not isinstance(config.get("model_type"), str):
        raise UserError(f"{path / CONFIG} does not say which architecture it is of.", hint=_FILES_HINT)
    if config.get("auto_map"):
        hint = "Pairwright runs no program that comes with a model. Choose one of a known architecture."
        raise UserError(f"{name} needs code of its own.", hint=hint)
    tensors = [name for file in weights for name in read_header(file)]
    _require_layers(path / CONFIG, config, len(tensors))
    card = _card(path) if (path / CARD).exists() else None
    if card is not None:
        order: tuple[str, ...] | None = tuple(_LABEL_NAMES.get(name.strip().lower(), name) for name in card.labels)
    else:
        order = _order(path, name, config, labels, tensors)
    name = card.name if card and card.name and not given else name
    return Checkpoint(path, name, _digest(path, weights, order), order, card)


def saving_names(folder: Path) -> tuple[Path, Path]:
    """Paths for saving to a folder: of the new checkpoint until it is complete, and of the old one meanwhile."""
    return folder.with_name(folder.name + ".part"), folder.with_name(folder.name + ".old")


def _complete_folder(folder: Path) -> Path:
    """The folder; or the new one beside it, if a program was killed between the two renames of saving."""
    if not folder.name or folder.exists():
        return folder
    new, old = saving_names(folder)
    return next((path for path in (new, old) if old.is_dir() and path.is_dir()), folder)


def read_header(weights: Path) -> dict[str, Any]:
    """Names, types and shapes of the tensors in a safetensors file; `UserError` where it is damaged or cut off.

    Source: the format's description, huggingface.co/docs/safetensors.
    """
    try:
        check_ordinary(weights)
        size = weights.stat().st_size
        with weights.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length <= min(size, 100_000_000):
                raise ValueError
            tensors = json.loads(file.read(length))
        tensors.pop("__metadata__", None)
        ends = [entry["data_offsets"][1] for entry in tensors.values()]
        if not all(isinstance(end, int) for end in ends):
            raise ValueError
    except OSError as exc:
        raise UserError(f"{weights} cannot be read: {exc.strerror}.") from exc
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as exc:
        raise UserError(f"{weights} is damaged.", hint="Download it again.") from exc
    expected_size = 8 + length + max(ends, default=0)
    if size < expected_size:
        hint = "Download it again."
        raise UserError(f"{weights} is cut off: {size:,} of {expected_size:,} bytes are there.", hint=hint)
    if size > expected_size:
        raise UserError(f"{weights} is damaged.", hint="Download it again.")
    return dict(tensors)


def is_plain_bert(config: Mapping[str, Any]) -> bool:
    """Whether our encoders, with torch and with numpy, support all that an encoder's configuration asks for."""
    plain = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False}
    return all(config.get(name, usual) == usual for name, usual in plain.items()) and "model_type" in config


def works_with_numpy(checkpoint: Checkpoint) -> bool:
    """Whether a model predicts without torch: one of ours with a plain BERT."""
    return checkpoint.card is not None and is_plain_bert(_read_object(checkpoint.path / CONFIG))


def require_own_classes(checkpoint: Checkpoint) -> None:
    """`UserError` where a model of ours has the four relations in another order."""
    if checkpoint.labels is not None and checkpoint.labels != LABELS:
        raise load_error(checkpoint, ValueError("its classes stand in another order"))


def load_error(checkpoint: Checkpoint, exc: Exception) -> UserError:
    """The error for a model whose files do not fit together."""
    text = f"{exc} is missing" if isinstance(exc, KeyError) else str(exc)
    first_line = " ".join(text.split()[:60])[:300] or type(exc).__name__
    hint = "Choose another model, or download this one again."
    return UserError(f"The model {checkpoint.name} cannot be loaded: {first_line}.", hint=hint)


def _require_layers(file: Path, config: Mapping[str, Any], tensors: int) -> None:
    """`UserError` where a configuration asks for more layers than there are tensors: building them fills the memory."""
    for name in _LAYER_COUNTS:
        layers = config.get(name)
        if isinstance(layers, int | float) and layers > tensors:
            what = f"{file} is damaged: {layers:,} layers cannot be made of the {tensors:,} tensors of its weights."
            raise UserError(what, hint="Download it again.")


def _weights(path: Path) -> list[Path]:
    if not path.is_dir():
        raise UserError(f"There is no folder {path}.", hint=_FILES_HINT)
    if (path / WEIGHTS).is_file():
        weight_files = [path / WEIGHTS]
    elif (path / _INDEX).is_file():
        parts = _read_object(path / _INDEX).get("weight_map")
        names = parts.values() if isinstance(parts, dict) else ()
        weight_files = sorted({path / Path(name).name for name in names if isinstance(name, str)})
    else:
        weight_files = []
    if weight_files and all(file.is_file() for file in weight_files):
        for file in (*weight_files, *[path / HEAD_WEIGHTS] * (path / HEAD_WEIGHTS).is_file()):
            read_header(file)
        return weight_files
    if not weight_files and any(file.suffix in _PICKLE_SUFFIXES for file in path.iterdir()):
        hint = "Pickled weights can run any program, so they are not opened. Ask for the model's safetensors."
        raise UserError(f"The model in {path} comes only as a pickle.", hint=hint)
    raise UserError(f"There are no weights ({WEIGHTS}) in {path}.", hint=_FILES_HINT)


def _order(
    path: Path, name: str, config: Mapping[str, Any], labels: Sequence[Label] | None, tensors: Sequence[str]
) -> tuple[Label, ...] | None:
    """The order of a classifier's classes: `labels`, or by the names of its classes; None for an encoder."""
    architectures = config.get("architectures")
    classifies = isinstance(architectures, list) and any(
        str(kind).endswith("ForSequenceClassification") for kind in architectures
    )
    if not classifies or not any(tensor.startswith(("classifier", "score", "logits_proj")) for tensor in tensors):
        return None
    given = config.get("id2label")
    names: dict[str, Any] = given if isinstance(given, dict) else {}
    count = len(names) if names else config.get("num_labels", 2)
    if count != len(LABELS):
        hint = "Choose one with the four relations, or an encoder, and train it."
        raise UserError(f"{name} has {count} classes, not {len(LABELS)}.", hint=hint)
    if labels is not None:
        if sorted(labels) != sorted(LABELS):
            raise UserError("The order of classes must name each of the four relations once.")
        return tuple(labels)
    try:
        order = tuple(_label(str(names[key])) for key in sorted(names, key=int))
    except (KeyError, ValueError):
        order = ()
    if sorted(order) != sorted(LABELS):
        names_text = ", ".join(str(value) for value in names.values())
        hint = (
            "Say in which order: --labels contrasting,reasoning,entailment,neutral (SciNLI's own files have this one)."
        )
        what = f"{name} does not say which of its classes is which relation ({names_text})."
        raise UnknownClassOrder(what, hint=hint)
    return order


def _label(name: str) -> Label:
    return _LABEL_NAMES[name.strip().lower()]


def _card(path: Path) -> ModelCard:
    values = _read_object(path / CARD)
    try:
        card = codec.from_data(ModelCard, values)
        fits = 2 <= len(set(card.labels)) == len(card.labels) <= MAX_CLASSES and 0 < card.temperature < 1000
        fits &= "labels" in values  # their order must not be guessed
        least = card.least_probabilities.values()
        fits &= all(len(row) == len(card.labels) and all(0 <= share <= 1 for share in row) for row in least)
        fits &= len(card.evidence) in (0, len(card.labels)) and all(0 < power < 10 for power in card.evidence)
        if not fits or not 0 <= card.entropy_power <= 1 or not 8 <= card.max_tokens <= 4096:
            raise ValueError
    except (KeyError, ValueError) as exc:
        raise UserError(
            f"{path / CARD} is not a model's card of this Pairwright.", hint="Choose another model."
        ) from exc
    return card


def _from_hub(name: str) -> Path:
    if not is_installed("huggingface_hub"):
        raise extra_error("models", "huggingface_hub", f"Fetching {name} from the hub")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # read when the library is imported
    from huggingface_hub import constants, snapshot_download
    from huggingface_hub.errors import (
        HfHubHTTPError,
        HFValidationError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    # The network errors of the hub's HTTP library, which differs between versions.
    unreachable = cast("type[Exception]", HfHubHTTPError.__mro__[1])
    cached: Path | None = None
    try:
        cached = Path(snapshot_download(name, allow_patterns=_HUB_FILES, local_files_only=True))
    except LocalEntryNotFoundError:
        cached = None  # not downloaded, or not completely
    except HFValidationError as exc:
        raise UserError(f"{name} is not a valid name at the hub.", hint=_FILES_HINT) from exc
    if cached is not None and any(cached.glob("*.safetensors")):
        return cached
    try:
        return Path(snapshot_download(name, allow_patterns=_HUB_FILES))
    except (RepositoryNotFoundError, RevisionNotFoundError) as exc:
        message = f"The hub has no public model {name}."
        raise UserError(message, hint=f"Correct the name (owner/name). {_FILES_HINT}") from exc
    except (unreachable, OSError) as exc:
        if cached is not None:  # `inspect_checkpoint` reports what is missing
            return cached
        where = Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
        raise UserError(f"{name} is not in {where}, and the hub cannot be reached.", hint=_FILES_HINT) from exc


def _read_object(path: Path) -> dict[str, Any]:
    try:
        check_ordinary(path)
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as exc:
        raise UserError(f"There is no {path}.", hint=_FILES_HINT) from exc
    except RecursionError as exc:
        raise UserError(f"{path} cannot be read: it is nested too deeply.", hint=_FILES_HINT) from exc
    except (OSError, ValueError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else exc
        raise UserError(f"{path} cannot be read: {why}.", hint="Download it again.") from exc
    if not isinstance(content, dict):
        raise UserError(f"{path} is not a file of a model.", hint=_FILES_HINT)
    return content


def _digest(path: Path, weights: Sequence[Path], order: Sequence[str] | None) -> str:
    """A hash of the model's files and the order of its classes."""
    digest = blake2b(digest_size=16)
    try:
        for part in (*weights, path / HEAD_WEIGHTS, path / CONFIG, path / TOKENIZER, path / CARD):
            if part.is_file():
                with part.open("rb") as file:
                    while piece := file.read(1 << 20):
                        digest.update(piece)
    except OSError as exc:
        raise UserError(f"The model in {path} cannot be read: {exc}.") from exc
    digest.update(json.dumps(order and [str(label) for label in order]).encode())
    return digest.hexdigest()
