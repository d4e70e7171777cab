"""BERT's encoder, for the bundled model and similar models: importing transformers would take seconds.

Same results and parameter names as transformers' `BertModel` without its pooler; a test compares the two.
Source: Devlin et al., BERT (NAACL 2019), section 3; Vaswani et al. (2017), section 3.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn.functional import gelu, scaled_dot_product_attention


class BertConfig(SimpleNamespace):
    """The content of `config.json`."""

    def to_diff_dict(self) -> dict[str, Any]:
        """For `config.json`, as transformers' configurations give it."""
        return dict(vars(self))


class EncoderOutput(NamedTuple):
    """States of shape (pairs, tokens, width). hidden_states: of the embeddings, then of each layer, where asked for."""

    last_hidden_state: torch.Tensor
    hidden_states: tuple[torch.Tensor, ...] | None = None


class Embeddings(nn.Module):
    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.word_embeddings = nn.Embedding(config.vocab_size, width, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, width)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, width)
        self.LayerNorm = nn.LayerNorm(width, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, tokens: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        summed = self.word_embeddings(tokens) + self.token_type_embeddings(types) + self.position_embeddings(positions)
        result: torch.Tensor = self.dropout(self.LayerNorm(summed))
        return result


class SelfAttention(nn.Module):
    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self._heads = config.num_attention_heads
        self._dropout = config.attention_probs_dropout_prob

    def forward(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        pairs, tokens, width = states.shape
        shape = (pairs, tokens, self._heads, width // self._heads)
        query, key, value = (layer(states).view(shape).transpose(1, 2) for layer in (self.query, self.key, self.value))
        dropout = self._dropout if self.training else 0.0
        mixed = scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        return mixed.transpose(1, 2).reshape(pairs, tokens, width)


class Residual(nn.Module):
    """Dense layer, dropout, and layer normalisation of the sum with `before`."""

    def __init__(self, config: BertConfig, width: int) -> None:
        super().__init__()
        self.dense = nn.Linear(width, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, states: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.LayerNorm(self.dropout(self.dense(states)) + before)
        return result


class Layer(nn.Module):
    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.attention = nn.ModuleDict({"self": SelfAttention(config), "output": Residual(config, config.hidden_size)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(config.hidden_size, config.intermediate_size)})
        self.output = Residual(config, config.intermediate_size)

    def forward(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        states = self.attention["output"](self.attention["self"](states, mask), states)
        result: torch.Tensor = self.output(gelu(self.intermediate["dense"](states)), states)
        return result


class Bert(nn.Module):
    """The encoder, with the interface of transformers' `BertModel`."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config)
        layers = nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))
        self.encoder = nn.ModuleDict({"layer": layers})

    def get_input_embeddings(self) -> nn.Embedding:
        return self.embeddings.word_embeddings

    def forward(
        self,
        tokens: torch.Tensor,
        attention_mask: torch.Tensor,
        token_type_ids: torch.Tensor | None = None,
        *,
        output_hidden_states: bool = False,
    ) -> EncoderOutput:
        """Encode tokens of shape (pairs, tokens); `attention_mask` is 0 for padding."""
        types = torch.zeros_like(tokens) if token_type_ids is None else token_type_ids
        states = self.embeddings(tokens, types)
        mask = attention_mask[:, None, None, :].bool()
        layers: Any = self.encoder["layer"]
        hidden_states = [states]
        for layer in layers:
            states = layer(states, mask)
            if output_hidden_states:
                hidden_states.append(states)
        return EncoderOutput(states, tuple(hidden_states) if output_hidden_states else None)
