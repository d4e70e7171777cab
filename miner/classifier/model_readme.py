"""The README.md of an exported model: what it is, what it learned from, and how other programs load it."""

from __future__ import annotations

import re

from miner.classifier.checkpoints import ModelCard

_LICENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,40}")
_LOAD = """\
```python
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("FOLDER")
encoder = AutoModel.from_pretrained("FOLDER")
```"""


def model_readme(card: ModelCard) -> str:
    """The text, with the hub's YAML in front."""
    licence = card.licence.lower() if _LICENCE.fullmatch(card.licence) else "unknown"
    front = ["---", f"license: {licence}", "library_name: transformers", "tags:", "- natural-language-inference"]
    front += ["- scientific-text", "---"]
    parts = ["\n".join(front), f"# {_line(card.name)}", _about(card), "## As an encoder", _LOAD, _weights(card)]
    if dev := card.metrics.get("dev"):
        parts.insert(3, f"On {dev['n']:,} dev pairs: macro F1 {100 * dev['macro_f1']:.1f}.")
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
