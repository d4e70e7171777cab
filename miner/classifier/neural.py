"""Networks over word vectors: CBOW, CNN and BiLSTM (SciNLI, sections 4.1 and 4.2; MSciNLI, appendix B)."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from miner.classifier.encoding import HYPOTHESIS, PREMISE, Batch
from miner.classifier.vectors import Array

CNN_WIDTHS, CNN_FILTERS = (3, 5, 9), 64


class WordSums(nn.Module):
    """CBOW: the sum of a sentence's vectors."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.width = width

    def forward(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return (states * mask.unsqueeze(-1)).sum(1)


class Convolutions(nn.Module):
    """CNN: 64 filters each of 3, 5 and 9 words, each averaged over the sentence."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.filters = nn.ModuleList(nn.Conv1d(width, CNN_FILTERS, size, padding="same") for size in CNN_WIDTHS)
        self.width = CNN_FILTERS * len(CNN_WIDTHS)

    def forward(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        weights = mask.to(states.dtype).unsqueeze(1)
        found = [
            torch.relu(convolve((states * mask.unsqueeze(-1)).transpose(1, 2))) * weights for convolve in self.filters
        ]
        return torch.cat([states_of_filter.sum(2) / weights.sum(2) for states_of_filter in found], 1)


class Recurrence(nn.Module):
    """BiLSTM: the mean of the states of both directions."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, hidden, batch_first=True, bidirectional=True)
        self.width = 2 * hidden

    def forward(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        lengths = mask.sum(1)
        packed = pack_padded_sequence(states, lengths.cpu(), batch_first=True, enforce_sorted=False)
        found, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=states.shape[1])
        return (found * mask.unsqueeze(-1)).sum(1) / lengths.unsqueeze(-1)


ENCODERS: dict[str, type[WordSums | Convolutions | Recurrence]] = {
    "cbow": WordSums,
    "cnn": Convolutions,
    "bilstm": Recurrence,
}


class SentencePair(nn.Module):
    """Word vectors, and an encoder for each sentence: gives [u; v; u * v; u - v], (pairs, 4 * width)."""

    def __init__(self, architecture: str, vectors: Array, hidden: int) -> None:
        super().__init__()
        width = vectors.shape[1]
        self.embedding = nn.Embedding(len(vectors), width, padding_idx=0)
        self.embedding.weight.data.copy_(torch.from_numpy(vectors))
        self.first = ENCODERS[architecture](width, hidden)
        self.second = ENCODERS[architecture](width, hidden)
        self.width = 4 * self.first.width

    def forward(self, batch: Batch) -> torch.Tensor:
        u = self.first(*self._side(batch, PREMISE))
        v = self.second(*self._side(batch, HYPOTHESIS))
        return torch.cat([u, v, u * v, u - v], 1)

    def _side(self, batch: Batch, side: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The vectors of one sentence, moved to the front, and their mask."""
        there = batch.sentences == side
        lengths = there.sum(1)
        longest = int(lengths.max())
        places = torch.arange(longest, device=lengths.device)
        starts = there.int().argmax(1)
        indices = (starts.unsqueeze(1) + places).clamp(max=batch.tokens.shape[1] - 1)
        mask = places < lengths.unsqueeze(1)
        tokens = batch.tokens.gather(1, indices) * mask
        return self.embedding(tokens), mask


class NeuralNetwork(nn.Module):
    """A classifier of pairs over word vectors, for `Trainer` and `BatchRunner`.

    hidden_layer: SciNLI's linear layer with ReLU before the last one; MSciNLI has none.
    """

    def __init__(
        self, architecture: str, vectors: Array, hidden: int, classes: int, *, hidden_layer: bool = True
    ) -> None:
        super().__init__()
        self.encoder = SentencePair(architecture, vectors, hidden)
        self.classes = classes
        layers: list[nn.Module] = []
        width = self.encoder.width
        if hidden_layer:
            layers, width = [nn.Linear(width, hidden), nn.ReLU()], hidden
        self.head = nn.Sequential(*layers, nn.Linear(width, classes))

    def forward(self, batch: Batch) -> torch.Tensor:
        """Logits of shape (pairs, classes), in float32."""
        logits: torch.Tensor = self.head(self.encoder(batch)).float()
        return logits
