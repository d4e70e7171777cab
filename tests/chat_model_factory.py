"""Tiny chat models with random weights, as folders of transformers and as GGUF files. Their tokens are characters."""

from __future__ import annotations

import string
from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<s>' + message['role'] + ':' + message['content'] + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<s>assistant:' }}{% endif %}"
)
_SPECIAL = ("<s>", "</s>", "<unk>")
_CHARACTERS = (*string.ascii_letters, *string.digits, *string.punctuation, " ", "\n")


def make_chat_model(folder: Path, *, always: str = "", template: bool = True, positions: int = 4096) -> Path:
    """A model of transformers' in a folder. always: the one character that it says again and again.

    template: whether it has a chat template. positions: how many tokens it can read.
    """
    torch.manual_seed(1)
    tokens = [always, *(one for one in (*_SPECIAL, *_CHARACTERS) if one != always)] if always else None
    vocabulary = {token: number for number, token in enumerate(tokens or (*_SPECIAL, *_CHARACTERS))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    tokenizer.decoder = decoders.Fuse()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="</s>"
    )
    if template:
        fast.chat_template = CHAT_TEMPLATE
    fast.save_pretrained(folder)
    model = LlamaForCausalLM(_config(len(vocabulary), vocabulary["<s>"], vocabulary["</s>"], positions))
    if always:
        torch.nn.init.zeros_(model.model.norm.weight)  # all tokens are equally likely: the first one is said
    model.save_pretrained(folder)
    return folder


def _config(tokens: int, start: int, end: int, positions: int) -> LlamaConfig:
    return LlamaConfig(
        vocab_size=tokens,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=positions,
        bos_token_id=start,
        eos_token_id=end,
        pad_token_id=end,
        tie_word_embeddings=False,
    )
