"""Checkpoints small enough to make, train and load in a test, and examples that they can learn."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertModel,
    PreTrainedModel,
    RobertaConfig,
    RobertaForSequenceClassification,
    RobertaModel,
)

from miner.classifier.device import Device, processor
from miner.classifier.examples import LABELS, LabelSource, TrainingExample
from miner.classifier.recipe import Balance, Precision, Recipe
from miner.records import Label

WORDS = ["kelp", "urchin", "forest", "otter", "warm", "cold", "shrinks", "grows", "spreads", "reef", "fish", "model"]
WORDS += ["data", "however", "therefore", "thus", "also"]
_SIGNS = ("however", "therefore", "thus", "also")  # of a label each, in the hypothesis
_SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48}
NAMES = {number: label.value for number, label in enumerate(LABELS)}

QUICK = Recipe(
    name="test", layers=0, epochs=4, batch_pairs=8, learning_rate=3e-3, head_factor=2.0, max_tokens=16, patience=0,
    train_embeddings=True, balance=Balance.NONE, precision=Precision.FP32, label_smoothing=0.0, dev_share=0.2,
)  # fmt: skip


def cpu() -> Device:
    return processor(Precision.FP32)


def bert_tokenizer() -> Tokenizer:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", *WORDS]
    tokenizer = Tokenizer(models.WordPiece({word: n for n, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def roberta_tokenizer() -> Tokenizer:
    words = ["<s>", "<pad>", "</s>", "<unk>", ".", *WORDS]
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def bert(folder: Path, **changes: Any) -> Path:
    """A BERT encoder as transformers saves it."""
    return _saved(folder, BertModel, BertConfig(**_bert_sizes(changes)), bert_tokenizer())


def bert_classifier(folder: Path, names: dict[int, str] | None = NAMES, **changes: Any) -> Path:
    """A BERT sequence classifier as transformers saves it; without `names` its classes are LABEL_0 to LABEL_3."""
    named = {"id2label": names, "label2id": {name: n for n, name in names.items()}} if names else {"num_labels": 4}
    config = BertConfig(**_bert_sizes({**named, **changes}))
    return _saved(folder, BertForSequenceClassification, config, bert_tokenizer())


def roberta(folder: Path, *, classifies: bool = False) -> Path:
    """A RoBERTa, whose positions are counted from behind the index of its padding."""
    tokenizer = roberta_tokenizer()
    config = RobertaConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=34, type_vocab_size=1, pad_token_id=1,
        bos_token_id=0, eos_token_id=2, id2label=NAMES, label2id={name: n for n, name in NAMES.items()}, **_SIZES,
    )  # fmt: skip
    return _saved(folder, RobertaForSequenceClassification if classifies else RobertaModel, config, tokenizer)


def edit_json(path: Path, **changes: Any) -> None:
    """Change keys of a JSON file; None takes one away."""
    values = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({name: value for name, value in values.items() if value is not None}))


def examples(
    count: int, papers: int = 12, *, seed: int = 0, source: LabelSource = LabelSource.DISTANT
) -> list[TrainingExample]:
    """Labelled by a word of the hypothesis, about as many of each class; five pairs in a hundred wrongly."""
    rng = random.Random(seed)
    found = []
    for n in range(count):
        label = n % len(LABELS)
        premise = " ".join(rng.choices(WORDS[:-4], k=rng.randint(2, 8))) + "."
        words = rng.choices(WORDS[:-4], k=rng.randint(1, 5))
        words.insert(0, _SIGNS[rng.randrange(4) if rng.random() < 0.05 else label])
        paper = f"paper {seed} {rng.randrange(papers)}"
        found.append(TrainingExample(f"{source}-{seed}-{n}", paper, premise, " ".join(words) + ".", label, source))
    return found


def pairs(count: int, seed: int = 0) -> list[tuple[str, str]]:
    return [(one.premise, one.hypothesis) for one in examples(count, seed=seed)]


def order(*names: str) -> tuple[Label, ...]:
    return tuple(Label(name) for name in names)


def _bert_sizes(changes: dict[str, Any]) -> dict[str, Any]:
    return {"vocab_size": 5 + len(WORDS), "max_position_embeddings": 64, **_SIZES, **changes}


def _saved(folder: Path, kind: type[PreTrainedModel], config: Any, tokenizer: Tokenizer) -> Path:
    torch.manual_seed(0)
    kind(config).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
