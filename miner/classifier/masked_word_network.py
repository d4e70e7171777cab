"""The network that predicts masked words.

Source: Devlin et al., BERT (NAACL 2019), section 3.1; the head as in its authors' code.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.functional import gelu, linear

from miner.classifier.encoding import Batch
from miner.classifier.network import token_states

_INITIAL_DEVIATION = 0.02


class MaskedWordHead(nn.Module):
    """BERT's: a dense layer with GELU and normalisation; the decoder is the word embeddings and a bias of each word."""

    def __init__(self, width: int, words: int, embedding_width: int, epsilon: float) -> None:
        super().__init__()
        self.dense = nn.Linear(width, embedding_width)
        self.norm = nn.LayerNorm(embedding_width, eps=epsilon)
        self.bias = nn.Parameter(torch.zeros(words))
        nn.init.normal_(self.dense.weight, std=_INITIAL_DEVIATION)
        nn.init.zeros_(self.dense.bias)

    def forward(self, states: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """Logits of shape (tokens, words). `words`: the encoder's word embeddings."""
        return linear(self.norm(gelu(self.dense(states))), words, self.bias)


class MaskedWordNetwork(nn.Module):
    """An encoder that predicts words."""

    def __init__(self, encoder: nn.Module, head: MaskedWordHead, *, token_types: bool) -> None:
        super().__init__()
        self.encoder, self.head = encoder, head
        self._has_token_types = token_types

    def forward(self, batch: Batch, places: torch.Tensor) -> torch.Tensor:
        """Logits of the words at these places, shape (places, words); `places` as `Batch.mask`."""
        states = token_states(self.encoder, batch, token_types=self._has_token_types)[places]
        words = self.encoder.get_input_embeddings().weight  # type: ignore[operator]
        logits: torch.Tensor = self.head(states, words).float()
        return logits
