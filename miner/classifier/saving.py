"""Saves networks as checkpoints: folders that transformers' `AutoModel` loads, with a head and a card beside."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from tokenizers import Tokenizer

from miner import codec
from miner.atomic_files import rename, sync_file, sync_folder
from miner.classifier.checkpoints import (
    CARD,
    CONFIG,
    HEAD_WEIGHTS,
    LEARNED_PAIRS,
    POOLER_TENSORS,
    TOKENIZER,
    TOKENIZER_CONFIG,
    WEIGHTS,
    ModelCard,
    inspect_checkpoint,
    saving_names,
)
from miner.classifier.examples import write_lines
from miner.classifier.loading import start_network, without_pooler
from miner.classifier.network import PairNetwork, Pooler
from miner.classifier.recipe import Recipe
from miner.errors import UserError
from miner.paths import write_hint

_SPECIAL_TOKENS = {
    "pad_token": ("[PAD]", "<pad>"),
    "unk_token": ("[UNK]", "<unk>"),
    "cls_token": ("[CLS]", "<s>", "<cls>"),
    "sep_token": ("[SEP]", "</s>", "<sep>"),
    "mask_token": ("[MASK]", "<mask>"),
}

_LICENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,40}")
_LOAD = """\
```python
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("FOLDER")
encoder = AutoModel.from_pretrained("FOLDER")
```"""

_LEARNED = (
    f"`{LEARNED_PAIRS}` names the pairs that the model has learned, by hashes and without their sentences, so that "
    "Pairwright neither doubts their labels nor counts them when it evaluates the model."
)


def save_model(
    folder: Path,
    network: PairNetwork,
    tokenizer: Tokenizer,
    card: ModelCard,
    *,
    half: bool = False,
    readme: str = "",
    learned: str = "",
) -> None:
    """Write a checkpoint, atomically. `half`: store the weights as float16.

    `readme`, `learned`: the texts of its README.md and of `LEARNED_PAIRS`; such a file is written only with a text.

    The encoder, its configuration and tokenizer are files as transformers has them, so that `AutoModel` loads them.
    """
    part, old = saving_names(folder)
    try:
        _finish_interrupted_save(folder)
        part.mkdir(parents=True)
        save_file(_stored(_encoder_tensors(network), half), part / WEIGHTS, metadata={"format": "pt"})
        save_file(_stored(network.head.state_dict(), half), part / HEAD_WEIGHTS, metadata={"format": "pt"})
        config = {**network.config.to_diff_dict(), "model_type": network.config.model_type}
        config.pop("architectures", None)  # of a checkpoint with another head
        (part / CONFIG).write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8", newline="\n")
        saved_tokenizer = Tokenizer.from_str(tokenizer.to_str())  # the original is in use
        saved_tokenizer.no_padding()
        saved_tokenizer.no_truncation()
        (part / TOKENIZER).write_text(saved_tokenizer.to_str(), encoding="utf-8", newline="\n")
        names = _tokenizer_config(saved_tokenizer, network, card.max_tokens)
        (part / TOKENIZER_CONFIG).write_text(json.dumps(names, indent=2) + "\n", encoding="utf-8", newline="\n")
        (part / CARD).write_text(codec.encode(card, indent=2) + "\n", encoding="utf-8", newline="\n")
        if readme:
            (part / "README.md").write_text(readme, encoding="utf-8", newline="\n")
        if learned:
            (part / LEARNED_PAIRS).write_text(learned, encoding="utf-8", newline="\n")
        for file in part.iterdir():
            file.chmod((part / CONFIG).stat().st_mode)  # safetensors writes files that only their owner can read
            sync_file(file)
        sync_folder(part)
        if folder.exists():
            rename(folder, old)  # if killed after this, `inspect_checkpoint` and the next save use the new one
        rename(part, folder)
        sync_folder(folder.parent)
        shutil.rmtree(old, ignore_errors=True)
    except (OSError, SafetensorError) as exc:
        if not folder.exists() and old.exists():
            rename(old, folder)
        shutil.rmtree(part, ignore_errors=True)
        hint = write_hint(exc) if isinstance(exc, OSError) else "Make room on the disk."
        raise UserError(f"The model cannot be saved to {folder}: {exc}.", hint=hint) from exc


def _finish_interrupted_save(folder: Path) -> None:
    """Complete or undo a save that was interrupted."""
    part, old = saving_names(folder)
    if not folder.exists() and old.exists():
        rename(part if part.exists() else old, folder)
    for leftover in (part, old):
        if leftover.exists():
            shutil.rmtree(leftover)


def update_card(folder: Path, **changes: object) -> None:
    """Change fields of a checkpoint's card; `UserError` where it cannot be written."""
    card = replace(codec.decode(ModelCard, (folder / CARD).read_bytes()), **changes)  # type: ignore[arg-type]
    write_lines(folder / CARD, [codec.encode(card, indent=2) + "\n"])


def export_model(path: Path, folder: Path, name: str, learned: str = "") -> None:
    """Save the checkpoint of ours in `path` to a new folder, with a README for the hub; `UserError` as `save_model`.

    learned: as of `save_model`.
    """
    checkpoint = inspect_checkpoint(path, name=name)
    card = checkpoint.card
    if card is None:
        raise ValueError(f"{path} has no card")
    network, tokenizer = start_network(checkpoint, Recipe(), card.labels)
    save_model(folder, network, tokenizer, card, readme=_readme(card, is_told=bool(learned)), learned=learned)


def _readme(card: ModelCard, *, is_told: bool) -> str:
    """The README.md of an exported model: what it is, what it learned from, how to load it; the hub's YAML in front.

    is_told: whether the folder has `LEARNED_PAIRS`.
    """
    licence = card.licence.lower() if _LICENCE.fullmatch(card.licence) else "unknown"
    front = ["---", f"license: {licence}", "library_name: transformers", "tags:", "- natural-language-inference"]
    front += ["- scientific-text", "---"]
    parts = ["\n".join(front), f"# {_line(card.name)}", _about(card), "## As an encoder", _LOAD, _weights(card)]
    if dev := card.metrics.get("dev"):
        parts.insert(3, f"On {dev['n']:,} dev pairs: macro F1 {100 * dev['macro_f1']:.1f}.")
    if is_told:
        parts.append(_LEARNED)
    return "\n\n".join(parts) + "\n"


def _about(card: ModelCard) -> str:
    classes = ", ".join(map(_line, card.labels))
    return (
        f"A model trained with Pairwright to tell how two sentences are related: {classes}. Started from "
        f"{_line(card.base)}. Trained on: {_line(card.trained_on)} Longest input: {card.max_tokens:,} tokens."
    )


def _weights(card: ModelCard) -> str:
    return (
        "`model.safetensors` holds the encoder alone, with a pooler where its architecture has one (training has "
        f"{'changed' if card.head == 'pooler' else 'not changed'} it). `head.safetensors` holds the head that tells "
        "the classes apart, and `pairwright.json` describes it: Pairwright opens the folder as a model, to suggest, to "
        "evaluate, or to train on from it."
    )


def _line(text: str) -> str:
    """The text as one line of Markdown without formatting."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", " ".join(text.split()))


def _encoder_tensors(network: PairNetwork) -> dict[str, torch.Tensor]:
    """The encoder's weights by transformers' names, with a pooler where its architecture has one.

    The pooler is the head's, or the start model's, or changes nothing but for its tanh: transformers would otherwise
    make one at random.
    """
    tensors = network.encoder.state_dict()
    if without_pooler(network.config):
        width = network.config.hidden_size
        if isinstance(network.head, Pooler):
            tensors |= dict(zip(POOLER_TENSORS, (network.head.dense.weight, network.head.dense.bias), strict=True))
        else:
            tensors |= network.pooler or dict(zip(POOLER_TENSORS, (torch.eye(width), torch.zeros(width)), strict=True))
    return tensors


def _stored(tensors: Mapping[str, torch.Tensor], half: bool) -> dict[str, torch.Tensor]:
    """The tensors as they are saved."""
    stored = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
    return {name: value.half() if half and value.is_floating_point() else value for name, value in stored.items()}


def _tokenizer_config(tokenizer: Tokenizer, network: PairNetwork, max_tokens: int) -> dict[str, Any]:
    """The content of `tokenizer_config.json`: what transformers cannot read in the tokenizer itself."""
    found = {
        kind: next((text for text in texts if tokenizer.token_to_id(text) is not None), None)
        for kind, texts in _SPECIAL_TOKENS.items()
    }
    inputs = ["input_ids", *["token_type_ids"] * network.has_token_types, "attention_mask"]
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": max_tokens,
        "model_input_names": inputs,
        **{kind: text for kind, text in found.items() if text},
    }
