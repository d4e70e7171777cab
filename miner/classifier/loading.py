"""Loads networks from checkpoints."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from miner.classifier import bert
from miner.classifier.checkpoints import (
    CONFIG,
    HEAD_WEIGHTS,
    POOLER_TENSORS,
    TRIAL_PAIRS,
    WEIGHTS,
    Checkpoint,
    ModelCard,
    is_plain_bert,
    load_error,
    require_own_classes,
)
from miner.classifier.device import Device, processor
from miner.classifier.encoding import Encoder, batch_of, load_tokenizer, position_limit
from miner.classifier.examples import LABELS
from miner.classifier.network import PairNetwork, Pooler, PublishedClassifier, cut_layers
from miner.classifier.recipe import Head, Recipe
from miner.errors import UserError

os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

import torch
from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
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
    AttributeError,
    IndexError,
    ArithmeticError,
    ImportError,
    SafetensorError,
    StrictDataclassError,
)


class LoadedModel(NamedTuple):
    """A network ready to predict, the encoder of its input, and the temperature for its logits."""

    network: nn.Module
    encoder: Encoder
    temperature: float


def load_model(checkpoint: Checkpoint, device: Device) -> LoadedModel:
    """Load the network of a checkpoint for predictions; `UserError` where its files do not fit together."""
    tokenizer = load_tokenizer(checkpoint.path)
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
        limit = token_limit(network, card.max_tokens)
        encoder = Encoder(tokenizer, limit, hypothesis_only=card.hypothesis_only, cut=card.cut, alone=card.alone)
    _check_prediction(checkpoint, network, encoder)
    return LoadedModel(network.to(device.kind).eval(), encoder, temperature)


class LoadedEncoder(NamedTuple):
    """A network without its classes: transformers' encoder, or one with its interface. encoder: makes its input.

    token_types: whether its input says which sentence a token is of. first_is_last: its token for the whole pair is the
    last one.
    """

    network: nn.Module
    encoder: Encoder
    token_types: bool
    first_is_last: bool


def load_encoder(checkpoint: Checkpoint, device: Device, max_tokens: int = 256) -> LoadedEncoder:
    """Load the encoder of a checkpoint, which may know classes or not; `UserError` where its files do not fit.

    It reads pairs as the model does; without a card, up to `max_tokens` tokens.
    """
    card, tokenizer = checkpoint.card, load_tokenizer(checkpoint.path)
    if card is not None:
        own = _load_own_network(checkpoint, card)
        limit = token_limit(own, card.max_tokens)
        reader = Encoder(tokenizer, limit, hypothesis_only=card.hypothesis_only, cut=card.cut, alone=card.alone)
        network, token_types = own.encoder, own.has_token_types
    else:
        network = _pretrained(checkpoint, "AutoModel")
        reader = Encoder(tokenizer, position_limit(network.config, max_tokens))
        token_types = getattr(network.config, "type_vocab_size", 0) > 1
    config: Any = network.config
    return LoadedEncoder(network.to(device.kind).eval(), reader, token_types, config.model_type == "xlnet")


def start_network(
    checkpoint: Checkpoint, recipe: Recipe, classes: Sequence[str] = LABELS, *, new_head: bool = False
) -> tuple[PairNetwork, Tokenizer]:
    """A network to train for these classes, on the processor: the checkpoint's own, or its encoder with a new head.

    A model of ours gets a new head if its classes are others, or if `new_head`. The recipe's seed determines the
    parameters of a new head.
    """
    tokenizer = load_tokenizer(checkpoint.path)
    card = checkpoint.card
    if card is not None and checkpoint.classes == tuple(classes) and not new_head:
        network = _load_own_network(checkpoint, card)
    else:
        if card is not None:
            own = _load_own_network(checkpoint, card)
            encoder, pooler = own.encoder, own.pooler
        else:
            encoder, pooler = _pretrained(checkpoint, "AutoModel"), {}
        config: PretrainedConfig = encoder.config  # type: ignore[assignment]
        cut_layers(encoder, config, recipe.layers)
        torch.manual_seed(recipe.seed)
        try:
            network = PairNetwork(
                encoder, config, recipe.head, len(classes), dropout=recipe.dropout, token_types=recipe.token_types
            )
        except (AttributeError, TypeError) as exc:  # the encoder has no hidden size: it is not for text
            raise load_error(checkpoint, exc) from exc
        network.pooler = pooler or _pooler(checkpoint, config)
        if isinstance(network.head, Pooler) and network.pooler:
            weight, bias = (network.pooler[name] for name in POOLER_TENSORS)
            network.head.dense.load_state_dict({"weight": weight, "bias": bias})
    _check_prediction(checkpoint, network, Encoder(tokenizer, token_limit(network, recipe.max_tokens)))
    return network, tokenizer


def _load_own_network(checkpoint: Checkpoint, card: ModelCard) -> PairNetwork:
    try:
        encoder = _build_encoder(checkpoint.path)
        network = PairNetwork(
            encoder,
            encoder.config,  # type: ignore[arg-type]
            Head(card.head),
            len(card.labels),
            token_types=card.token_types,
        )
        network.entropy_power = card.entropy_power
        weights = load_file(checkpoint.path / WEIGHTS)  # float16 becomes float32 in the network
        if (checkpoint.path / HEAD_WEIGHTS).is_file():
            network.pooler = {name: weights.pop(name).float() for name in POOLER_TENSORS if name in weights}
            network.encoder.load_state_dict(weights)
            network.head.load_state_dict(load_file(checkpoint.path / HEAD_WEIGHTS))
        else:  # a model of an earlier version: one file
            network.load_state_dict(weights)
    except _LOAD_ERRORS as exc:
        raise load_error(checkpoint, exc) from exc
    require_own_classes(checkpoint)
    return network


def _pooler(checkpoint: Checkpoint, config: PretrainedConfig) -> dict[str, torch.Tensor]:
    """The pooler's weights in a checkpoint of transformers; {} if it has none."""
    found: dict[str, torch.Tensor] = {}
    if without_pooler(config):
        for file in sorted(checkpoint.path.glob("*.safetensors")):
            with safe_open(file, "pt") as tensors:
                for name in tensors.keys():  # noqa: SIM118  it is no dictionary
                    if short := next((tensor for tensor in POOLER_TENSORS if name.endswith(tensor)), None):
                        found[short] = tensors.get_tensor(name).float()
    fits = len(found) == len(POOLER_TENSORS) and len(found[POOLER_TENSORS[0]]) == config.hidden_size
    return found if fits else {}


def _build_encoder(path: Path) -> nn.Module:
    """The encoder that `config.json` describes, without weights."""
    values = json.loads((path / CONFIG).read_text(encoding="utf-8"))
    if is_plain_bert(values):
        return bert.Bert(bert.BertConfig(**values))
    from transformers import AutoConfig, AutoModel

    config = AutoConfig.from_pretrained(path, local_files_only=True)
    encoder: nn.Module = AutoModel.from_config(  # type: ignore[no-untyped-call]
        config, dtype=torch.float32, **without_pooler(config)
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
        extra = without_pooler(config) if kind == "AutoModel" else {}
        loader = getattr(transformers, kind)
        network, info = loader.from_pretrained(checkpoint.path, config=config, **options, **extra)
        # transformers would silently initialize missing weights at random.
        if missing := sorted(name for name in info["missing_keys"] if "pooler" not in name or kind != "AutoModel"):
            raise ValueError(f"its weights lack {missing[0]} and {len(missing) - 1} more of its architecture")
        if config.is_encoder_decoder:
            raise ValueError("it is not an encoder")
    except _LOAD_ERRORS as exc:
        raise load_error(checkpoint, exc) from exc
    return cast("nn.Module", network)


def _check_prediction(checkpoint: Checkpoint, network: nn.Module, encoder: Encoder) -> None:
    """Run the network on two pairs, on the processor; `UserError` where that fails."""
    rows = encoder.words
    try:
        inner: Any = network.encoder if isinstance(network, PairNetwork) else network.classifier
        if rows > (positions := inner.get_input_embeddings().num_embeddings):
            raise ValueError(f"its tokenizer knows {rows:,} tokens, its network {positions:,}")
        encoded = encoder.encode(TRIAL_PAIRS)
        with torch.inference_mode():
            logits = network.eval()(batch_of(encoded, [0, 1], encoder.pad, processor()))
        classes = network.classes if isinstance(network, PairNetwork) else len(LABELS)
        if tuple(logits.shape) != (2, classes):
            raise ValueError(f"it does not have {classes} classes")
        network.train()
    except _LOAD_ERRORS as exc:
        raise load_error(checkpoint, exc) from exc


def without_pooler(config: PretrainedConfig) -> dict[str, bool]:
    """The options that leave out the pooler of BERT-like encoders, which only pre-training uses."""
    return {"add_pooling_layer": False} if config.model_type in ("bert", "roberta", "xlm-roberta", "camembert") else {}


def token_limit(network: nn.Module, wanted: int) -> int:
    """The number of tokens wanted, or the network's maximum if that is smaller."""
    inner: Any = network if isinstance(network, PairNetwork) else network.classifier
    return position_limit(inner.config, wanted)
