"""The network: an encoder of both sentences together, and a head that classifies the relation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from miner.classifier.encoding import HYPOTHESIS, PREMISE, Batch
from miner.classifier.examples import LABELS
from miner.classifier.recipe import Head

if TYPE_CHECKING:
    from transformers import PretrainedConfig


class BothSentences(nn.Module):
    """A head over the first token, the means u and v of the sentences' tokens, |u - v| and u * v.

    Source: SciNLI, section 4.1, uses [u; v; u * v; u - v] over a BiLSTM; the first token and the dense layer are added.
    """

    def __init__(self, width: int, classes: int, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.dense = nn.Linear(5 * width, width)
        self.out = nn.Linear(width, classes)

    def joined(self, states: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
        """The head's input, of shape (pairs, 5 * width)."""
        first, u, v = states[:, 0], _mean(states, sentences == PREMISE), _mean(states, sentences == HYPOTHESIS)
        return torch.cat([first, u, v, (u - v).abs(), u * v], -1)

    def features(self, states: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
        """Shape (pairs, width), between -1 and 1."""
        return torch.tanh(self.dense(self.dropout(self.joined(states, sentences))))

    def forward(self, states: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.out(self.dropout(self.features(states, sentences)))
        return logits


class FirstToken(nn.Module):
    """A head with a linear layer over the first token (SciNLI, section 4.2)."""

    def __init__(self, width: int, classes: int, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(width, classes)

    def features(self, states: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
        """Shape (pairs, width)."""
        return states[:, 0]

    def forward(self, states: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.out(self.dropout(self.features(states, sentences)))
        return logits


class Pooler(nn.Module):
    """A head with a tanh layer over the first token, then a linear one (the released code of SciNLI's authors)."""

    def __init__(self, width: int, classes: int, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.dense = nn.Linear(width, width)
        self.out = nn.Linear(width, classes)

    def features(self, states: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
        """Shape (pairs, width), between -1 and 1."""
        return torch.tanh(self.dense(states[:, 0]))

    def forward(self, states: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.out(self.dropout(self.features(states, sentences)))
        return logits


_HEADS: dict[Head, type[BothSentences | FirstToken | Pooler]] = {
    Head.BOTH_SENTENCES: BothSentences,
    Head.FIRST_TOKEN: FirstToken,
    Head.POOLER: Pooler,
}


class PairNetwork(nn.Module):
    """An encoder without its pooler, and one of the heads above.

    `pooler`: the checkpoint's own pooler, by transformers' names. It is kept for a model that is exported; training
    leaves it as it is, unless the head is a `Pooler` that starts from it.
    """

    def __init__(
        self,
        encoder: nn.Module,
        config: PretrainedConfig,
        head: Head,
        classes: int = len(LABELS),
        *,
        dropout: float = 0.1,
        token_types: bool = True,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.config = config
        self.kind = head
        self.classes = classes
        self.pooler: dict[str, torch.Tensor] = {}
        self.head: BothSentences | FirstToken | Pooler = _HEADS[head](config.hidden_size, classes, dropout)
        self._class_token_is_last = config.model_type == "xlnet"  # its token for the whole pair is the last one
        self.has_token_types = token_types and getattr(config, "type_vocab_size", 0) > 1
        self.entropy_power = 0.0  # from its card; used for predictions, not in training

    def forward(self, batch: Batch) -> torch.Tensor:
        """Logits of shape (pairs, classes), in float32; sharpened except in training."""
        logits: torch.Tensor = self.head(self._states(batch), batch.sentences).float()
        return _sharpened(logits, self.entropy_power) if self.entropy_power and not self.training else logits

    def features(self, batch: Batch) -> torch.Tensor:
        """The input of the head's last layer: shape (pairs, width), in float32."""
        return self.head.features(self._states(batch), batch.sentences).float()

    def _states(self, batch: Batch) -> torch.Tensor:
        states = token_states(self.encoder, batch, token_types=self.has_token_types)
        if self._class_token_is_last:  # moved to the front for the heads
            ends = batch.mask.sum(1) - 1
            states = torch.cat([states[torch.arange(len(ends), device=ends.device), ends][:, None], states[:, 1:]], 1)
        return states


class PublishedClassifier(nn.Module):
    """A sequence classifier of transformers; `order[i]` is the index of our label i in its output."""

    def __init__(self, classifier: nn.Module, order: list[int]) -> None:
        super().__init__()
        self.classifier = classifier
        self._order = order
        self._has_token_types = getattr(classifier.config, "type_vocab_size", 0) > 1

    def forward(self, batch: Batch) -> torch.Tensor:
        """Logits of shape (pairs, 4), in float32."""
        types: dict[str, Any] = {"token_type_ids": batch.types} if self._has_token_types else {}
        logits: torch.Tensor = self.classifier(batch.tokens, attention_mask=batch.mask.long(), **types).logits
        return logits[:, self._order].float()


def token_states(encoder: nn.Module, batch: Batch, *, token_types: bool) -> torch.Tensor:
    """The encoder's state of each token: shape (pairs, tokens, width)."""
    types: dict[str, Any] = {"token_type_ids": batch.types} if token_types else {}
    # An integer mask, since XLNet subtracts it.
    states: torch.Tensor = encoder(batch.tokens, attention_mask=batch.mask.long(), **types).last_hidden_state
    return states


def _sharpened(logits: torch.Tensor, power: float) -> torch.Tensor:
    """`calibration.sharpen` for tensors."""
    logs = torch.log_softmax(logits.double(), -1)
    entropy = -(logs.exp() * logs).sum(-1, keepdim=True) / math.log(logits.shape[-1])
    return ((logits - logits.amax(-1, keepdim=True)) * entropy.clamp(min=1e-6) ** -power).float()


def cut_layers(encoder: nn.Module, config: PretrainedConfig, layers: int) -> None:
    """Remove all but the first `layers` layers of an encoder; 0, or more layers than it has, keeps all."""
    have = getattr(config, "num_hidden_layers", 0)
    stack = next(
        (module for module in encoder.modules() if isinstance(module, nn.ModuleList) and len(module) > layers), None
    )
    if layers and layers < have and stack is not None and len(stack) == have:
        del stack[layers:]
        config.num_hidden_layers = layers
        if isinstance(kinds := getattr(config, "layer_types", None), list):
            config.layer_types = kinds[:layers]


def embeddings(encoder: nn.Module) -> list[nn.Parameter]:
    """The parameters of the embedding layers."""
    module = getattr(encoder, "embeddings", None) or encoder.get_input_embeddings()  # type: ignore[operator]
    return list(module.parameters())


def _mean(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The mean over the tokens in the mask; 0 without tokens."""
    weights = mask.to(states.dtype).unsqueeze(-1)
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1)
