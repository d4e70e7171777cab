"""Cosines of sentences by an encoder."""

from __future__ import annotations

from pathlib import Path

import pytest

from miner.classifier.checkpoints import STARTER, inspect_checkpoint
from miner.classifier.device import processor
from miner.classifier.recipe import Precision
from miner.classifier.sentence_similarity import CosinePredictor, load_similarities
from tests.desktop.model_factory import make_encoder


@pytest.mark.parametrize("which", ["tiny", "starter"])
def test_a_text_is_most_similar_to_itself(tmp_path: Path, which: str) -> None:
    folder = STARTER if which == "starter" else make_encoder(tmp_path / "tiny")
    similarities = load_similarities(inspect_checkpoint(folder), processor(Precision.FP32))
    texts = ["The results improve.", "We therefore prune it, which takes a day of one processor.", "Nothing"]
    found = similarities(texts, texts[:2])
    assert [len(row) for row in found] == [2, 2, 2]
    assert found[0][0] == pytest.approx(1, abs=1e-5)
    assert found[1][1] == pytest.approx(1, abs=1e-5)
    assert found[0][1] == pytest.approx(found[1][0], abs=1e-5)
    assert found[0][1] < 0.999


def test_the_cosine_of_a_pair_is_the_probability_of_the_first_class(tmp_path: Path) -> None:
    predictor = CosinePredictor(inspect_checkpoint(make_encoder(tmp_path / "tiny")), processor(Precision.FP32), 2)
    found = predictor.predict([("a b", "a b"), ("a b", "zz9")], lambda done, total, what: None)
    assert found[0] == pytest.approx([1, 0], abs=1e-5)
    assert found.sum(1) == pytest.approx([1, 1])
    assert 0 <= found[1, 0] < 0.999
    assert predictor.predict([], lambda done, total, what: None).shape == (0, 2)
