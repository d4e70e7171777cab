"""The network of a model of ours with numpy alone, for predictions where torch is not installed.

Same results as `network.PairNetwork` with a `bert.Bert` in float32, up to rounding. Nearly all of its time goes into
products of matrices. These are taken pair by pair: in a product of more rows, the last digits of some depend, with some
processors, on which rows they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from miner.classifier.encoding import HYPOTHESIS, PREMISE
from miner.classifier.recipe import Head
from miner.libraries import NDArray, np

Array: TypeAlias = "NDArray[np.float32]"
Numbers: TypeAlias = "NDArray[np.integer[Any]]"

_BLOCK = 1 << 15  # numbers at a time, so that they stay in the processor's cache
_GELU_BOUND = np.float32(5.5**2)  # of the square: beyond, the normal distribution function is 0 or 1 in float32
_GELU_TERMS = (
    1.8055899005270556e-09,
    -1.3344533753719858e-07,
    3.969093726960014e-06,
    -5.524005358025741e-05,
    -3.313031841293323e-05,
    0.03633428393624014,
    0.7978842159492009,
)
"""Of the polynomial P, highest power first, for which tanh(x P(x²)) is erf(x / √2): fitted by least squares with
weights such that the largest error of GELU on [-9, 9] is small; it is 5.6e-7."""


class Normalization(NamedTuple):
    """Layer normalisation."""

    weight: Array
    bias: Array
    epsilon: float

    def apply(self, states: Array) -> Array:
        """The states, (pairs, tokens, width), each normalised; in place."""
        states -= states.mean(-1, keepdims=True)
        variance = np.einsum("ijk,ijk->ij", states, states)[..., None] / np.float32(states.shape[-1])
        states /= np.sqrt(variance + np.float32(self.epsilon))
        states *= self.weight
        states += self.bias
        return states


class Dense(NamedTuple):
    """A linear layer. weight: (inputs, outputs)."""

    weight: Array
    bias: Array

    def apply(self, states: Array) -> Array:
        """The layer's output for states of shape (pairs, n, inputs)."""
        result: Array = states @ self.weight
        result += self.bias
        return result


class NumpyLayer(NamedTuple):
    """A layer of the encoder. attention: queries, keys and values in one; queries are scaled already."""

    attention: Dense
    mixed: Dense
    mixed_normalization: Normalization
    inner: Dense
    outer: Dense
    outer_normalization: Normalization


class Weights:
    """The tensors of a model by name; each can be taken once. `ValueError` where one is missing or of another shape."""

    def __init__(self, tensors: Mapping[str, Array]) -> None:
        self._tensors = dict(tensors)

    def take(self, name: str, *shape: int) -> Array:
        tensor = self._tensors.pop(name, None)
        if tensor is None:
            raise ValueError(f"its weights lack {name}")
        if tensor.shape != shape:
            raise ValueError(f"{name} has the shape {tensor.shape}, not {shape}")
        return tensor.astype(np.float32)

    def dense(self, name: str, inputs: int, outputs: int) -> Dense:
        weight = self.take(f"{name}.weight", outputs, inputs)
        return Dense(np.ascontiguousarray(weight.T), self.take(f"{name}.bias", outputs))

    def normalization(self, name: str, width: int, epsilon: float) -> Normalization:
        return Normalization(self.take(f"{name}.weight", width), self.take(f"{name}.bias", width), epsilon)

    def require_empty(self) -> None:
        """`ValueError` unless every tensor was taken."""
        if self._tensors:
            raise ValueError(f"its weights have {min(self._tensors)}, which its architecture lacks")


class NumpyNetwork:
    """An encoder and its head. `config`: of the encoder, as in `config.json`."""

    def __init__(
        self,
        config: Mapping[str, Any],
        encoder: Weights,
        head: Weights,
        kind: Head,
        classes: int,
        *,
        token_types: bool = True,
    ) -> None:
        """`ValueError`, `KeyError` or `TypeError` where the weights do not fit the configuration."""
        self._width = width = int(config["hidden_size"])
        self._heads, inner = int(config["num_attention_heads"]), int(config["intermediate_size"])
        if self._heads < 1 or width % self._heads:
            raise ValueError(f"its width {width} is no multiple of its {self._heads} attention heads")
        epsilon = float(config["layer_norm_eps"])
        kinds = int(config["type_vocab_size"])
        self._words = encoder.take("embeddings.word_embeddings.weight", int(config["vocab_size"]), width)
        positions = int(config["max_position_embeddings"])
        self._positions = encoder.take("embeddings.position_embeddings.weight", positions, width)
        self._types = encoder.take("embeddings.token_type_embeddings.weight", kinds, width)
        self._normalization = encoder.normalization("embeddings.LayerNorm", width, epsilon)
        self._layers = [
            self._layer(encoder, f"encoder.layer.{number}", inner, epsilon)
            for number in range(int(config["num_hidden_layers"]))
        ]
        encoder.require_empty()
        self._has_token_types = token_types and kinds > 1
        self._kind, self.classes = kind, classes
        inputs = {Head.BOTH_SENTENCES: 5 * width, Head.POOLER: width}
        self._dense = head.dense("dense", inputs[kind], width) if kind in inputs else None
        self._out = head.dense("out", width, classes)
        head.require_empty()

    @property
    def words(self) -> int:
        """How many tokens it knows."""
        return len(self._words)

    def logits(self, tokens: Numbers, types: Numbers, sentences: Numbers) -> Array:
        """Logits, (pairs, classes), of pairs of the same length, without padding.

        All three have the shape (pairs, tokens); what they are says `encoding.Encoded`.
        """
        with np.errstate(all="ignore"):  # what is not finite is reported by those who asked
            features = self._features(self._states(tokens, types), sentences)
            return self._out.apply(features)[:, 0]

    def _layer(self, weights: Weights, name: str, inner: int, epsilon: float) -> NumpyLayer:
        width = self._width
        parts = [weights.dense(f"{name}.attention.self.{part}", width, width) for part in ("query", "key", "value")]
        scale = np.float32(1 / math.sqrt(width // self._heads))
        parts[0] = Dense(parts[0].weight * scale, parts[0].bias * scale)
        return NumpyLayer(
            Dense(np.concatenate([part.weight for part in parts], 1), np.concatenate([part.bias for part in parts])),
            weights.dense(f"{name}.attention.output.dense", width, width),
            weights.normalization(f"{name}.attention.output.LayerNorm", width, epsilon),
            weights.dense(f"{name}.intermediate.dense", width, inner),
            weights.dense(f"{name}.output.dense", inner, width),
            weights.normalization(f"{name}.output.LayerNorm", width, epsilon),
        )

    def _states(self, tokens: Numbers, types: Numbers) -> Array:
        """What the encoder makes of each token: shape (pairs, tokens, width)."""
        summed = self._words[tokens]
        summed += self._types[types] if self._has_token_types else self._types[0]
        summed += self._positions[: tokens.shape[1]]
        states = self._normalization.apply(summed)
        for layer in self._layers:
            mixed = layer.mixed.apply(self._attention(layer.attention.apply(states)))
            mixed += states
            states = layer.mixed_normalization.apply(mixed)
            outer = layer.outer.apply(gelu(layer.inner.apply(states)))
            outer += states
            states = layer.outer_normalization.apply(outer)
        return states

    def _attention(self, projected: Array) -> Array:
        """Shape (pairs, tokens, width), of queries, keys and values side by side, (pairs, tokens, 3 width)."""
        pairs, tokens, _ = projected.shape
        split = projected.reshape(pairs, tokens, 3, self._heads, self._width // self._heads).transpose(2, 0, 3, 1, 4)
        queries, keys, values = split
        # (pairs, heads, keys, queries): numpy reduces quickly over an axis that is not the last one.
        scores = keys @ queries.swapaxes(-1, -2)
        scores -= scores.max(-2, keepdims=True)
        np.exp(scores, out=scores)
        mixed = scores.swapaxes(-1, -2) @ values
        mixed /= scores.sum(-2)[..., None]
        result: Array = mixed.transpose(0, 2, 1, 3).reshape(pairs, tokens, self._width)
        return result

    def _features(self, states: Array, sentences: Numbers) -> Array:
        """The input of the last layer, as the heads in `network` make it: shape (pairs, 1, n)."""
        first = states[:, :1]
        if self._dense is None:
            return first
        if self._kind is Head.BOTH_SENTENCES:
            u, v = _mean(states, sentences == PREMISE), _mean(states, sentences == HYPOTHESIS)
            first = np.concatenate([first, u, v, np.abs(u - v), u * v], -1)
        result: Array = np.tanh(self._dense.apply(first))
        return result


def gelu(states: Array) -> Array:
    """x Φ(x) of each number x, in place; Φ is the normal distribution function.

    Source: Hendrycks and Gimpel, Gaussian error linear units (2016), section 2.
    """
    first, *others = map(np.float32, _GELU_TERMS)
    flat = states.reshape(-1)
    squares, sums = np.empty((2, min(_BLOCK, len(flat))), np.float32)
    for start in range(0, len(flat), _BLOCK):
        block = flat[start : start + _BLOCK]
        square, total = squares[: len(block)], sums[: len(block)]
        np.multiply(block, block, out=square)
        np.minimum(square, _GELU_BOUND, out=square)
        np.multiply(square, first, out=total)
        for number, term in enumerate(others):
            if number:
                total *= square
            total += term
        total *= block
        np.tanh(total, out=total)
        total += np.float32(1)
        block *= np.float32(0.5)
        block *= total
    return states


def _mean(states: Array, mask: np.ndarray[Any, np.dtype[np.bool_]]) -> Array:
    """The mean over the tokens in the mask, (pairs, 1, width); 0 without tokens."""
    weights = mask.astype(np.float32)[:, None, :]
    result: Array = weights @ states / np.maximum(weights.sum(-1, keepdims=True), np.float32(1))
    return result
