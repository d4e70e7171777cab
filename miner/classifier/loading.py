"""From a checkpoint to a network, and back."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from miner.classifier.checkpoints import CARD, CONFIG, STARTER, TOKENIZER, WEIGHTS, Card, Checkpoint
from miner.classifier.device import Device
from miner.classifier.encoding import Encoder
from miner.classifier.examples import LABELS
from miner.classifier.network import Finished, PairNetwork, cut_layers
from miner.classifier.recipe import Head, Recipe
from miner.errors import UserError

os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

if TYPE_CHECKING:
    from torch import nn
    from transformers import PretrainedConfig


class Loaded(NamedTuple):
    """A network ready to predict, and what makes its input; `temperature` its logits are divided by."""

    network: nn.Module
    encoder: Encoder
    temperature: float


def load(checkpoint: Checkpoint, device: Device) -> Loaded:
    """The network of a checkpoint that can suggest, on the device; `UserError` where its files do not fit together."""
    tokenizer = _tokenizer(checkpoint.path)
    card = checkpoint.card
    if card is None:
        if checkpoint.labels is None:
            hint = "Train it first: it becomes a model of the project."
            raise UserError(f"{checkpoint.name} is an encoder that knows no classes yet.", hint=hint)
        order = [checkpoint.labels.index(label) for label in LABELS]
        network: nn.Module = Finished(_pretrained(checkpoint, "AutoModelForSequenceClassification"), order)
        return Loaded(network.to(device.kind).eval(), Encoder(tokenizer, _limit(network, 256)), 1.0)
    network = _ours(checkpoint, card)
    encoder = Encoder(tokenizer, card.max_tokens, hypothesis_only=card.hypothesis_only)
    return Loaded(network.to(device.kind).eval(), encoder, card.temperature)


def start(checkpoint: Checkpoint, recipe: Recipe) -> tuple[PairNetwork, Tokenizer]:
    """A network to be trained, on the processor: the checkpoint's own, or its encoder with a new head."""
    tokenizer = _tokenizer(checkpoint.path)
    if checkpoint.card is not None:
        return _ours(checkpoint, checkpoint.card), tokenizer
    encoder = _pretrained(checkpoint, "AutoModel")
    config: PretrainedConfig = encoder.config  # type: ignore[assignment]
    cut_layers(encoder, config, recipe.layers)
    return PairNetwork(encoder, config, recipe.head), tokenizer


def save(folder: Path, network: PairNetwork, tokenizer: Tokenizer, card: Card, *, half: bool = False) -> None:
    """Write a checkpoint, whole or not at all; what was there before stays until the new one is. `half`: in float16."""
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        tensors = {name: value.detach().cpu().contiguous() for name, value in network.state_dict().items()}
        if half:
            tensors = {name: value.half() if value.is_floating_point() else value for name, value in tensors.items()}
        save_file(tensors, part / WEIGHTS, metadata={"format": "pt"})
        config = {**network.config.to_diff_dict(), "model_type": network.config.model_type}
        (part / CONFIG).write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        tokenizer.no_padding()
        tokenizer.no_truncation()
        tokenizer.save(str(part / TOKENIZER), pretty=False)
        (part / CARD).write_text(card.to_json(), encoding="utf-8")
        for file in part.iterdir():
            with file.open("rb") as written:
                os.fsync(written.fileno())
        old = folder.with_name(folder.name + ".old")
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        part.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except (OSError, SafetensorError) as exc:
        shutil.rmtree(part, ignore_errors=True)
        raise UserError(f"The model cannot be saved to {folder}: {exc}.", hint="Make room on the disk.") from exc


def set_card(folder: Path, **changes: object) -> None:
    """Change fields of a checkpoint's card."""
    values = json.loads((folder / CARD).read_text(encoding="utf-8"))
    card = replace(Card(**{**values, "labels": tuple(values["labels"])}), **changes)  # type: ignore[arg-type]
    part = folder / (CARD + ".part")
    part.write_text(card.to_json(), encoding="utf-8")
    part.replace(folder / CARD)


def _ours(checkpoint: Checkpoint, card: Card) -> PairNetwork:
    from transformers import AutoConfig, AutoModel

    try:
        config = AutoConfig.from_pretrained(checkpoint.path, local_files_only=True)
        encoder = AutoModel.from_config(  # type: ignore[no-untyped-call]
            config, attn_implementation="sdpa", **_without_pooler(config)
        )
        network = PairNetwork(encoder, config, Head(card.head))
        tensors = {name: value.float() for name, value in load_file(checkpoint.path / WEIGHTS).items()}
        network.load_state_dict(tensors)
    except (OSError, ValueError, RuntimeError, KeyError, SafetensorError) as exc:
        raise _unfit(checkpoint, exc) from exc
    order = [LABELS.index(label) for label in checkpoint.labels or LABELS]
    if order != list(range(len(LABELS))):
        raise _unfit(checkpoint, ValueError("its classes stand in another order"))
    return network


def _pretrained(checkpoint: Checkpoint, kind: str) -> nn.Module:
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    options = {"local_files_only": True, "use_safetensors": True, "trust_remote_code": False, "dtype": torch.float32}
    try:
        config = transformers.AutoConfig.from_pretrained(checkpoint.path, local_files_only=True)
        extra = _without_pooler(config) if kind == "AutoModel" else {}
        loader = getattr(transformers, kind)
        network: nn.Module = loader.from_pretrained(checkpoint.path, config=config, **options, **extra)
    except (OSError, ValueError, RuntimeError, KeyError, ImportError, SafetensorError) as exc:
        raise _unfit(checkpoint, exc) from exc
    return network


def _without_pooler(config: PretrainedConfig) -> dict[str, bool]:
    """Encoders of BERT's kin come with a layer that only pre-training used."""
    return {"add_pooling_layer": False} if config.model_type in ("bert", "roberta", "xlm-roberta", "camembert") else {}


def _tokenizer(path: Path) -> Tokenizer:
    try:
        if (path / TOKENIZER).is_file():
            return Tokenizer.from_file(str(path / TOKENIZER))
        from transformers import AutoTokenizer

        slow = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        return Tokenizer.from_str(slow.backend_tokenizer.to_str())
    except Exception as exc:
        hint = "Put the tokenizer.json of the model there."
        raise UserError(f"The tokenizer in {path} cannot be read: {str(exc)[:200]}.", hint=hint) from exc


def _limit(network: nn.Module, wanted: int) -> int:
    """As many tokens as wanted, or as the encoder has places for."""
    places = getattr(network.classifier.config, "max_position_embeddings", None)  # type: ignore[union-attr]
    return min(wanted, places - 2) if places and places > 2 else wanted


def _unfit(checkpoint: Checkpoint, exc: Exception) -> UserError:
    first = (str(exc).strip().splitlines() or [type(exc).__name__])[0][:300]
    hint = "Choose another model, or download this one again."
    return UserError(f"The model {checkpoint.name} cannot be loaded: {first}.", hint=hint)


def is_starter(checkpoint: Checkpoint) -> bool:
    return checkpoint.path == STARTER
