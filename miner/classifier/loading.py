"""Loads networks from checkpoints and saves them."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from miner import codec
from miner.atomic_files import sync_file
from miner.classifier import bert
from miner.classifier.checkpoints import CARD, CONFIG, TOKENIZER, WEIGHTS, Checkpoint, ModelCard, saving_names
from miner.classifier.device import Device, processor
from miner.classifier.encoding import Encoder, batch_of
from miner.classifier.examples import LABELS, write_lines
from miner.classifier.network import PairNetwork, PublishedClassifier, cut_layers
from miner.classifier.recipe import Head, Recipe
from miner.errors import UserError
from miner.paths import write_hint

os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

import torch
from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

if TYPE_CHECKING:
    from torch import nn
    from transformers import PretrainedConfig

_LOAD_ERRORS = (
    OSError,
    ValueError,
    RuntimeError,
    KeyError,
    TypeError,
    ImportError,
    SafetensorError,
    StrictDataclassError,
)
_VOCABULARIES = ("vocab.txt", "vocab.json")


class LoadedModel(NamedTuple):
    """A network ready to predict, the encoder of its input, and the temperature for its logits."""

    network: nn.Module
    encoder: Encoder
    temperature: float


def load_model(checkpoint: Checkpoint, device: Device) -> LoadedModel:
    """Load the network of a checkpoint for predictions; `UserError` where its files do not fit together."""
    tokenizer = _tokenizer(checkpoint.path)
    card = checkpoint.card
    network: nn.Module
    if card is None:
        if checkpoint.labels is None:
            hint = "Train it first: it becomes a model of the project."
            raise UserError(f"{checkpoint.name} is an encoder that knows no classes yet.", hint=hint)
        order = [checkpoint.labels.index(label) for label in LABELS]
        network = PublishedClassifier(_pretrained(checkpoint, "AutoModelForSequenceClassification"), order)
        encoder, temperature = Encoder(tokenizer, token_limit(network, 256)), 1.0
    else:
        network, temperature = _load_own_network(checkpoint, card), card.temperature
        encoder = Encoder(tokenizer, token_limit(network, card.max_tokens), hypothesis_only=card.hypothesis_only)
    _check_prediction(checkpoint, network, encoder)
    return LoadedModel(network.to(device.kind).eval(), encoder, temperature)


def start_network(checkpoint: Checkpoint, recipe: Recipe) -> tuple[PairNetwork, Tokenizer]:
    """A network to train, on the processor: the checkpoint's own, or its encoder with a new head.

    The recipe's seed determines the parameters of a new head.
    """
    tokenizer = _tokenizer(checkpoint.path)
    if checkpoint.card is not None:
        network = _load_own_network(checkpoint, checkpoint.card)
    else:
        encoder = _pretrained(checkpoint, "AutoModel")
        config: PretrainedConfig = encoder.config  # type: ignore[assignment]
        cut_layers(encoder, config, recipe.layers)
        torch.manual_seed(recipe.seed)
        try:
            network = PairNetwork(encoder, config, recipe.head)
        except (AttributeError, TypeError) as exc:  # the encoder has no hidden size: it is not for text
            raise _load_error(checkpoint, exc) from exc
    _check_prediction(checkpoint, network, Encoder(tokenizer, token_limit(network, recipe.max_tokens)))
    return network, tokenizer


def save_model(
    folder: Path, network: PairNetwork, tokenizer: Tokenizer, card: ModelCard, *, half: bool = False
) -> None:
    """Write a checkpoint, atomically. `half`: store the weights as float16."""
    part, old = saving_names(folder)
    try:
        _finish_interrupted_save(folder)
        part.mkdir(parents=True)
        tensors = {name: value.detach().cpu().contiguous() for name, value in network.state_dict().items()}
        if half:
            tensors = {name: value.half() if value.is_floating_point() else value for name, value in tensors.items()}
        save_file(tensors, part / WEIGHTS, metadata={"format": "pt"})
        config = {**network.config.to_diff_dict(), "model_type": network.config.model_type}
        (part / CONFIG).write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        saved_tokenizer = Tokenizer.from_str(tokenizer.to_str())  # the original is in use
        saved_tokenizer.no_padding()
        saved_tokenizer.no_truncation()
        (part / TOKENIZER).write_text(saved_tokenizer.to_str(), encoding="utf-8")
        (part / CARD).write_text(codec.encode(card, indent=2) + "\n", encoding="utf-8")
        for file in part.iterdir():
            sync_file(file)
        if folder.exists():
            folder.rename(old)  # if killed after this, `inspect_checkpoint` and the next save use the new one
        part.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except (OSError, SafetensorError) as exc:
        if not folder.exists() and old.exists():
            old.rename(folder)
        shutil.rmtree(part, ignore_errors=True)
        hint = write_hint(exc) if isinstance(exc, OSError) else "Make room on the disk."
        raise UserError(f"The model cannot be saved to {folder}: {exc}.", hint=hint) from exc


def _finish_interrupted_save(folder: Path) -> None:
    """Complete or undo a save that was interrupted."""
    part, old = saving_names(folder)
    if not folder.exists() and old.exists():
        (part if part.exists() else old).rename(folder)
    for leftover in (part, old):
        if leftover.exists():
            shutil.rmtree(leftover)


def update_card(folder: Path, **changes: object) -> None:
    """Change fields of a checkpoint's card; `UserError` where it cannot be written."""
    card = replace(codec.decode(ModelCard, (folder / CARD).read_bytes()), **changes)  # type: ignore[arg-type]
    write_lines(folder / CARD, [codec.encode(card, indent=2) + "\n"])


def _load_own_network(checkpoint: Checkpoint, card: ModelCard) -> PairNetwork:
    try:
        encoder = _build_encoder(checkpoint.path)
        network = PairNetwork(encoder, encoder.config, Head(card.head))  # type: ignore[arg-type]
        network.entropy_power = card.entropy_power
        network.load_state_dict(load_file(checkpoint.path / WEIGHTS))  # float16 becomes float32 here
    except _LOAD_ERRORS as exc:
        raise _load_error(checkpoint, exc) from exc
    order = [LABELS.index(label) for label in checkpoint.labels or LABELS]
    if order != list(range(len(LABELS))):
        raise _load_error(checkpoint, ValueError("its classes stand in another order"))
    return network


def _build_encoder(path: Path) -> nn.Module:
    """The encoder that `config.json` describes, without weights."""
    values = json.loads((path / CONFIG).read_text(encoding="utf-8"))
    if bert.is_plain(values):
        return bert.Bert(bert.BertConfig(**values))
    from transformers import AutoConfig, AutoModel

    config = AutoConfig.from_pretrained(path, local_files_only=True)
    encoder: nn.Module = AutoModel.from_config(  # type: ignore[no-untyped-call]
        config, dtype=torch.float32, **_without_pooler(config)
    )
    return encoder


def _pretrained(checkpoint: Checkpoint, kind: str) -> nn.Module:
    import transformers

    transformers.utils.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    options = {"local_files_only": True, "use_safetensors": True, "trust_remote_code": False, "dtype": torch.float32}
    options |= {"output_loading_info": True}
    try:
        config = transformers.AutoConfig.from_pretrained(checkpoint.path, local_files_only=True)
        extra = _without_pooler(config) if kind == "AutoModel" else {}
        loader = getattr(transformers, kind)
        network, info = loader.from_pretrained(checkpoint.path, config=config, **options, **extra)
        # transformers would silently initialize missing weights at random.
        if missing := sorted(name for name in info["missing_keys"] if "pooler" not in name or kind != "AutoModel"):
            raise ValueError(f"its weights lack {missing[0]} and {len(missing) - 1} more of its architecture")
        if config.is_encoder_decoder:
            raise ValueError("it is not an encoder")
    except _LOAD_ERRORS as exc:
        raise _load_error(checkpoint, exc) from exc
    return cast("nn.Module", network)


def _check_prediction(checkpoint: Checkpoint, network: nn.Module, encoder: Encoder) -> None:
    """Run the network on two pairs, on the processor; `UserError` where that fails."""
    rows = encoder.words
    try:
        inner: Any = network.encoder if isinstance(network, PairNetwork) else network.classifier
        if rows > (positions := inner.get_input_embeddings().num_embeddings):
            raise ValueError(f"its tokenizer knows {rows:,} tokens, its network {positions:,}")
        encoded = encoder.encode([("A sentence.", "Another one, which is longer."), ("", "")])
        with torch.inference_mode():
            logits = network.eval()(batch_of(encoded, [0, 1], encoder.pad, processor()))
        if tuple(logits.shape) != (2, len(LABELS)):
            raise ValueError("it does not have four classes")
        network.train()
    except (*_LOAD_ERRORS, AttributeError, IndexError) as exc:
        raise _load_error(checkpoint, exc) from exc


def _without_pooler(config: PretrainedConfig) -> dict[str, bool]:
    """Options that leave out the pooler of BERT-like encoders, which is only for pre-training."""
    return {"add_pooling_layer": False} if config.model_type in ("bert", "roberta", "xlm-roberta", "camembert") else {}


def _tokenizer(path: Path) -> Tokenizer:
    try:
        if (path / TOKENIZER).is_file():
            return Tokenizer.from_file(str(path / TOKENIZER))
        if not any(file.name in _VOCABULARIES or file.suffix == ".model" for file in path.iterdir()):
            raise ValueError("there is none")  # transformers would make an empty one
        from transformers import AutoTokenizer

        slow = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        return Tokenizer.from_str(slow.backend_tokenizer.to_str())
    except Exception as exc:
        hint = "Put the tokenizer.json of the model there."
        raise UserError(f"The tokenizer in {path} cannot be read: {str(exc)[:200]}.", hint=hint) from exc


def token_limit(network: nn.Module, wanted: int) -> int:
    """The number of tokens wanted, or the network's maximum if that is smaller."""
    inner: Any = network if isinstance(network, PairNetwork) else network.classifier
    config = inner.config
    positions = getattr(config, "max_position_embeddings", None)
    # RoBERTa's positions start at 2.
    return min(wanted, positions - 2) if isinstance(positions, int) and positions > 2 else wanted


def _load_error(checkpoint: Checkpoint, exc: Exception) -> UserError:
    first_line = " ".join(str(exc).split()[:60])[:300] or type(exc).__name__
    hint = "Choose another model, or download this one again."
    return UserError(f"The model {checkpoint.name} cannot be loaded: {first_line}.", hint=hint)
