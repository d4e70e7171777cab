"""Propositions of sentences, with the parser of spaCy's small English model."""

from __future__ import annotations

import pytest

from miner.lab.probes.propositions import PropositionReader
from miner.mining.sentence_analysis import model_package

EXPECTED = {
    "The bacteria were killed by the acid.": [("acid", "kill", "bacteria")],
    "The model relies on attention.": [("model", "rely on", "attention")],
    "The samples were stored in a cold room.": [("sample", "be stored in", "room")],
    "We measured the depth of the lake.": [],  # "we" says nothing about the domain
    "The pump did not move the water.": [],
}


@pytest.mark.skipif(model_package(None) is None, reason="no English model of spaCy is installed")
def test_subjects_predicates_and_objects_of_sentences() -> None:
    found = PropositionReader.load().read(list(EXPECTED))
    assert {text: [tuple(one) for one in said] for text, said in zip(EXPECTED, found, strict=True)} == EXPECTED
