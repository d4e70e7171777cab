"""Cosines of sentences by an encoder."""

from __future__ import annotations

from pathlib import Path

import pytest

from miner.classifier.checkpoints import STARTER, inspect_checkpoint
from miner.classifier.device import processor
from miner.classifier.recipe import Precision
from miner.classifier.sentence_similarity import load_similarities
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
