"""TF-IDF with a logistic regression: what it makes of LevyHolt's subsets, by what it is shown of a pair."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from miner.errors import UserError
from miner.lab.experiments.system_kinds import SystemInput, TfidfSystem
from miner.lab.experiments.systems.lexical import train_tfidf
from miner.lab.experiments.systems.protocol import LabelledText, SystemData, shown
from miner.lab.probes.auc import normalized_auc
from miner.lab.probes.mesh import MeshSubset
from miner.lab.probes.triples import TriplePair, read_triples_folder

RELEASED = Path(__file__).parents[6] / "shared" / "data" / "levyholt"
PUBLISHED = {  # AUC_norm by hypothesis alone, both sentences, and both orders, by scikit-learn
    MeshSubset.DIRECTIONAL: (25.4, 39.0, 0.0),
    MeshSubset.PARAPHRASES_DIR_TRUE: (19.2, 22.8, 15.5),
    MeshSubset.PARAPHRASES_DIR_FALSE: (24.5, 27.6, 15.5),
    MeshSubset.SYMMETRIC: (21.2, 28.6, 21.1),
    MeshSubset.DIR_TRUE_UNRELATED: (13.0, 18.3, 10.3),
    MeshSubset.DIR_FALSE_UNRELATED: (10.6, 18.4, 10.3),
}
INPUTS = (SystemInput.HYPOTHESIS, SystemInput.BOTH, SystemInput.BOTH_ORDERS)


def quiet(done: int, total: int, what: str) -> None:
    pass


def area(train: list[tuple[TriplePair, bool]], test: list[tuple[TriplePair, bool]], input: SystemInput) -> float:
    """AUC_norm of a system that learns and predicts as experiments do."""
    orders = (SystemInput.BOTH, SystemInput.SWAPPED) if input is SystemInput.BOTH_ORDERS else (input,)
    data = [
        LabelledText(*shown(pair.premise, pair.hypothesis, order), int(not holds))
        for pair, holds in train
        for order in orders
    ]
    sentences = [text for pair, _ in train for text in (pair.premise, pair.hypothesis)]
    system = train_tfidf(TfidfSystem(), SystemData(data, (), ("holds", "does not hold"), sentences), quiet)
    asked = [[shown(pair.premise, pair.hypothesis, order) for pair, _ in test] for order in orders]
    scores = np.mean([system.predict(pairs, quiet)[:, 0] for pairs in asked], axis=0)
    return normalized_auc(scores, np.array([holds for _, holds in test]))


@pytest.mark.skipif(not RELEASED.exists(), reason="the released files of LevyHolt are not on this machine")
@pytest.mark.parametrize(
    "subset",
    [one if one is MeshSubset.DIRECTIONAL else pytest.param(one, marks=pytest.mark.slow) for one in PUBLISHED],
)
def test_the_subsets_of_levyholt_have_the_areas_that_scikit_learn_gives_them(subset: MeshSubset) -> None:
    parts = read_triples_folder(RELEASED)
    positives, negatives = subset.sides
    train, test = (
        [(one.pair, one.group in positives) for one in parts[part] if one.group in positives | negatives]
        for part in ("train", "test")
    )
    found = [area(train, test, input) for input in INPUTS]
    assert found == pytest.approx(PUBLISHED[subset], abs=0.3)
    assert subset is not MeshSubset.DIRECTIONAL or found[2] == pytest.approx(0, abs=1e-9)


def test_pairs_without_words_are_said() -> None:
    data = SystemData([LabelledText("", "", 0), LabelledText("", "", 1)], (), ("a", "b"))
    with pytest.raises(UserError, match="have no words"):
        train_tfidf(TfidfSystem(), data, quiet)
