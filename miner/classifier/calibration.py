"""Calibrating probabilities: temperature scaling, and the calibration error."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import Any, NamedTuple

from miner.classifier.examples import LABELS
from miner.classifier.folds import folds_by_paper
from miner.libraries import NDArray, np

MIN_HELD_OUT = 200
"""Least number of pairs to fit a temperature on. With 100 the calibration error was 3.3 %, with 200 2.1 %."""
_MIN_TEMPERATURE, _MAX_TEMPERATURE = 0.05, 20.0
_MIN_LOG_PROBABILITY = -1_000.0  # smaller ones are replaced by it; log 0 is infinite


def softmax(logits: NDArray[Any], temperature: float = 1.0) -> NDArray[np.float32]:
    """Probabilities, (n, classes); rows sum to 1."""
    if not len(logits):
        return np.zeros((0, logits.shape[1] or len(LABELS)), np.float32)
    scaled = logits.astype(np.float64) / temperature
    powers = np.exp(scaled - scaled.max(1, keepdims=True))
    result: NDArray[np.float32] = (powers / powers.sum(1, keepdims=True)).astype(np.float32)
    return result


def fit_temperature(log_probabilities: NDArray[Any], labels: NDArray[Any]) -> float:
    """The temperature, 0.05 to 20, that maximizes the likelihood of the labels by logits or log-probabilities (n, 4).

    1.0 without pairs. Source: Guo et al., On Calibration of Modern Neural Networks (ICML 2017), section 4.2. The
    negative log-likelihood is convex in 1 / T, so its slope has one zero, which halving finds.
    """
    if not len(labels):
        return 1.0
    logits = _shifted(log_probabilities)
    label_mean = float(logits[np.arange(len(logits)), np.asarray(labels)].mean())
    low, high = log(1 / _MAX_TEMPERATURE), log(1 / _MIN_TEMPERATURE)  # of 1 / T
    for _ in range(40):
        middle = (low + high) / 2
        slope = float((_softmax(logits * exp(middle)) * logits).sum(1).mean()) - label_mean
        low, high = (low, middle) if slope > 0 else (middle, high)
    return exp(-(low + high) / 2)


def sharpen(logits: NDArray[Any], power: float) -> NDArray[np.float64]:
    """The logits, each row divided by its normalised entropy, 0.0 to 1.0, to this power: sure rows become surer.

    A single temperature does not suit a model trained with label smoothing: its confident predictions are too low. With
    a temperature fitted afterwards this is entropy-based temperature scaling, log T = power log H + b.
    Source: Balanya, Maronas and Ramos, Adaptive temperature scaling for robust calibration of deep neural networks
    (Neural Computing and Applications, 2024), section 4.2.
    """
    logits = _shifted(logits)
    probabilities = _softmax(logits)
    entropy = -(probabilities * np.log(np.maximum(probabilities, 1e-12))).sum(1) / log(probabilities.shape[1])
    return np.asarray(logits * np.maximum(entropy, 1e-6)[:, None] ** -power)


def fit_entropy_power(logits: NDArray[Any], labels: NDArray[Any]) -> float:
    """The power for `sharpen`, 0 to 0.5 in steps of 0.01, with the best likelihood at its best temperature."""
    rows = np.arange(len(labels))

    def loss(power: float) -> float:
        sharpened = sharpen(logits, power)
        scaled = _shifted(sharpened) / fit_temperature(sharpened, labels)
        return -float(np.log(np.maximum(_softmax(scaled)[rows, np.asarray(labels)], 1e-12)).mean())

    return min((number / 100 for number in range(51)), key=loss) if len(labels) else 0.0


def apply_temperature(probabilities: NDArray[Any], temperature: float) -> NDArray[np.float32]:
    """The probabilities at another temperature: above 1 less confident, below 1 more; the order of classes is kept."""
    with np.errstate(divide="ignore"):
        logits = np.log(np.asarray(probabilities, np.float64))
    return _softmax(_shifted(logits) / temperature).astype(np.float32)


class ReliabilityBin(NamedTuple):
    """`n` predictions of similar confidence: their mean confidence and accuracy; 0.0 without predictions."""

    n: int
    confidence: float
    accuracy: float


def reliability(probabilities: NDArray[Any], labels: NDArray[Any], bins: int = 15) -> list[ReliabilityBin]:
    """Predictions in bins of equal width by the probability of their class, bin m over ((m - 1) / bins, m / bins].

    Source: Guo et al. (2017), section 2, reliability diagrams.
    """
    probabilities = np.asarray(probabilities, np.float64)
    confidences = probabilities.max(1, initial=0.0)
    correct = probabilities.argmax(1) == np.asarray(labels) if len(labels) else np.zeros(0, bool)
    # A confidence at a bound, up to rounding (0.6 as float32), belongs to the bin below.
    indices = np.clip(np.ceil(confidences * bins - 1e-6).astype(np.int64) - 1, 0, bins - 1)
    counts = np.bincount(indices, minlength=bins)
    means = np.bincount(indices, confidences, bins) / np.maximum(counts, 1)
    shares = np.bincount(indices, correct, bins) / np.maximum(counts, 1)
    return [ReliabilityBin(*row) for row in zip(counts.tolist(), means.tolist(), shares.tolist(), strict=True)]


def expected_calibration_error(probabilities: NDArray[Any], labels: NDArray[Any], bins: int = 15) -> float:
    """The mean difference of confidence and accuracy, 0.0 to 1.0; 0.0 without pairs.

    Source: Guo et al. (2017), equation 3.
    """
    bins_of_predictions = reliability(probabilities, labels, bins)
    return sum(n * abs(accuracy - confidence) for n, confidence, accuracy in bins_of_predictions) / max(1, len(labels))


def debiased_error(probabilities: NDArray[Any], labels: NDArray[Any], bins: int = 15) -> float:
    """The root mean square difference of confidence and accuracy, 0.0 to 1.0, less what chance adds to it.

    `expected_calibration_error` is above 0 for exact confidences too, since the accuracy of a bin varies by chance; on
    2,000 pairs it is then about .02. Here the variance of each bin's accuracy is subtracted, in bins of equal numbers
    of pairs. The difference may be below 0, and is then 0; so is it with fewer than two pairs.
    Source: Kumar, Liang and Ma, Verified Uncertainty Calibration (NeurIPS 2019), section 4.2, definition 4.2.
    """
    confidences = np.asarray(probabilities, np.float64).max(1, initial=0.0)
    is_right = np.asarray(probabilities).argmax(1) == np.asarray(labels) if len(labels) else np.zeros(0, bool)
    return _debiased(confidences, is_right, bins)


def class_errors(probabilities: NDArray[Any], labels: NDArray[Any], bins: int = 15) -> list[float]:
    """`debiased_error` of each class's probability as the share of pairs that are of that class."""
    shares = np.asarray(probabilities, np.float64)
    return [_debiased(shares[:, number], np.asarray(labels) == number, bins) for number in range(shares.shape[1])]


def _debiased(confidences: NDArray[np.float64], is_right: NDArray[np.bool_], bins: int) -> float:
    order = np.argsort(confidences, kind="stable")
    total = 0.0
    for part in np.array_split(order, max(1, min(bins, len(order) // 2))):
        if len(part) > 1:
            share = float(is_right[part].mean())
            difference = float(confidences[part].mean()) - share
            total += len(part) * (difference**2 - share * (1 - share) / (len(part) - 1))
    return sqrt(max(0.0, total / max(1, len(order))))


def cross_fitted_ece(
    log_probabilities: NDArray[Any], labels: NDArray[Any], papers: Sequence[str], folds: int = 5, seed: int = 0
) -> float:
    """The calibration error to expect for other pairs: each fold is scaled by a temperature fitted on the other folds.

    On the pairs that the temperature was fitted on, the error would be too low.
    """
    fold = folds_by_paper(papers, labels, folds, seed)
    logits, labels = np.asarray(log_probabilities), np.asarray(labels)
    scaled = np.zeros(logits.shape)
    for number in np.unique(fold):
        inside = fold == number
        temperature = fit_temperature(logits[~inside], labels[~inside])
        scaled[inside] = _softmax(_shifted(logits[inside]) / temperature)
    return expected_calibration_error(scaled, labels)


def _shifted(logits: NDArray[Any]) -> NDArray[np.float64]:
    """The logits, shifted so that the largest of each row is 0."""
    logits = np.asarray(logits, np.float64)
    return np.asarray(np.maximum(logits - logits.max(1, keepdims=True), _MIN_LOG_PROBABILITY))


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Softmax of shifted logits."""
    powers: NDArray[np.float64] = np.exp(logits)
    return np.asarray(powers / powers.sum(1, keepdims=True))
