"""What systems read of a pair with several pieces of evidence, and models whose classes are labels."""

from __future__ import annotations

import numpy as np
import pytest

from miner.classifier.examples import TrainingExample
from miner.lab.experiments.class_mapping import class_weights, in_classes
from miner.lab.experiments.experiment import OTHERS
from miner.lab.experiments.system_kinds import SystemInput
from miner.lab.experiments.systems.protocol import MAX_TO_LEARN, Array, Pairs, Tick, readings_to_learn
from miner.lab.experiments.systems.system_run import _predict


class _Overlap:
    """The share of the hypothesis's words that the premise has."""

    def predict(self, pairs: Pairs, tick: Tick) -> Array:
        shares = [len({*first.split()} & {*second.split()}) / len(second.split()) for first, second in pairs]
        return np.array([(share, 1 - share) for share in shares], np.float32)


def test_the_best_piece_of_evidence_counts() -> None:
    texts = ("a b\na b c\n\nx", "x", "")
    test = [TrainingExample(str(number), "", text, "a b c d", 0) for number, text in enumerate(texts)]
    found = _predict(_Overlap(), test, SystemInput.EVIDENCE, lambda done, total, what: None)
    assert found[:, 0] == pytest.approx([0.75, 0.0, 0.0])
    together = _predict(_Overlap(), test[:1], SystemInput.BOTH, lambda done, total, what: None)
    assert together[0, 0] == pytest.approx(0.75)


def test_a_few_pieces_are_learned_of_each_pair() -> None:
    lines = [str(number) for number in range(30)]
    found = readings_to_learn("\n".join(lines), "h", SystemInput.EVIDENCE)
    assert len(found) <= MAX_TO_LEARN
    assert found[0] == ("0", "h")
    assert len(readings_to_learn("\n".join(lines[:8]), "h", SystemInput.EVIDENCE)) == 8
    assert readings_to_learn("p", "h", SystemInput.BOTH_ORDERS) == [("p", "h"), ("h", "p")]


def test_the_classes_of_a_model_are_labels_of_the_experiments_classes() -> None:
    classes = {"holds": ["holds", "entailment"], "does not": [OTHERS]}
    weights = class_weights(["contrasting", "entailment", "neutral"], classes)
    assert weights is not None
    assert in_classes(np.array([[0.2, 0.5, 0.3]], np.float32), weights)[0] == pytest.approx([0.5, 0.5])
    assert class_weights(["contrasting", "neutral"], classes) is None
    own = class_weights(["does not", "holds"], classes)  # a model of these very classes
    assert own is not None
    assert in_classes(np.array([[0.2, 0.8]], np.float32), own)[0] == pytest.approx([0.8, 0.2])
    some = class_weights(["entailment", "neutral", "other"], {"a": ["entailment"], "b": ["neutral"]})
    assert some is not None
    assert in_classes(np.array([[0.3, 0.1, 0.6]], np.float32), some)[0] == pytest.approx([0.75, 0.25])
