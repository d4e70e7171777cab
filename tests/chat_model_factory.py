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
_BYTES = (*(chr(code) for code in range(33, 127)), "Ġ", "Ċ")  # as GPT-2 writes a space and the end of a line
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


def make_gguf(path: Path, *, always: str = "c", architecture: str = "llama", merge: str = "a b") -> Path:
    """A GGUF file with a model that says this one character again and again. merge: of its tokenizer."""
    import numpy as np
    from gguf import GGUFWriter

    tokens = [always, "<s>", "</s>", "ab", *(one for one in _BYTES if one != always)]
    width, heads = 32, 2
    writer = GGUFWriter(path, architecture)
    writer.add_context_length(4096)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_feed_forward_length(width)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_types([1, 3, 3, *[1] * (len(tokens) - 3)])
    writer.add_token_merges([merge])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_chat_template(CHAT_TEMPLATE)
    square = np.zeros((width, width), np.float32)
    table = np.ones((len(tokens), width), np.float32)
    layer = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    weights = {"token_embd": table, "output": table, "output_norm": np.zeros(width, np.float32)}
    weights |= {f"blk.0.{name}": square for name in layer}
    weights |= {f"blk.0.{name}": np.ones(width, np.float32) for name in ("attn_norm", "ffn_norm")}
    for name, values in weights.items():
        writer.add_tensor(f"{name}.weight", values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
