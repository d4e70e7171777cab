"""Boundaries and linked pairs against the gold of CRAFT and OA-STM."""

from __future__ import annotations

from pathlib import Path

import pytest

from miner.parsing.sentences import SentenceSplitter
from tests.bench.sentences import GOALS, GOLD, LINKED, read_gold, score

SHARED = Path(__file__).parents[5] / "shared"


@pytest.mark.skipif(
    not (SHARED / "data" / "sentences").is_dir(), reason=f"no gold sentences at {SHARED}/data/sentences"
)
@pytest.mark.parametrize("corpus", GOALS)
def test_boundaries_and_linked_pairs_reach_their_figures(corpus: str) -> None:
    found = score(read_gold(SHARED / GOLD[corpus]), SentenceSplitter.bundled().split)
    assert found.f1 >= GOALS[corpus]
    assert found.linked >= LINKED
