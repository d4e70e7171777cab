"""Tiny models with random weights. Their tokens are letters, so that they can read any text."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors
from transformers import BertConfig, BertModel

from miner.classifier.checkpoints import CONFIG, TOKENIZER, WEIGHTS, ModelCard
from miner.classifier.network import PairNetwork
from miner.classifier.recipe import Head
from miner.classifier.saving import save_model

WIDTH = 32
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,"
_WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", *_LETTERS)


def make_model(folder: Path, *, seed: int = 0, temperature: float = 1.0, name: str = "tiny") -> Path:
    """A model of ours in `folder`."""
    torch.manual_seed(seed)
    config, encoder = _encoder()
    network = PairNetwork(encoder, config, Head.BOTH_SENTENCES)
    for parameter in network.head.parameters():
        parameter.data.mul_(8)  # so that it is sure of something
    card = ModelCard(name, Head.BOTH_SENTENCES, "nothing", "Nothing at all.", temperature=temperature, max_tokens=64)
    save_model(folder, network, _tokenizer(), card)
    return folder


def make_encoder(folder: Path, *, seed: int = 0) -> Path:
    """An encoder without classes, as others publish it."""
    torch.manual_seed(seed)
    _, encoder = _encoder()
    encoder.save_pretrained(folder)
    _tokenizer().save(str(folder / TOKENIZER))
    assert (folder / WEIGHTS).exists()
    assert (folder / CONFIG).exists()
    return folder


def _encoder() -> tuple[BertConfig, BertModel]:
    config = BertConfig(
        vocab_size=len(_WORDS),
        hidden_size=WIDTH,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=WIDTH,
        max_position_embeddings=128,
    )
    return config, BertModel(config, add_pooling_layer=False)


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(_WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    pair = "[CLS] $A [SEP] $B:1 [SEP]:1"
    marks = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair=pair, special_tokens=marks)
    return tokenizer
