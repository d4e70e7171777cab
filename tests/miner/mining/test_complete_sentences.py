"""Which sentences are complete, by the installed parser and by rules."""

from __future__ import annotations

import pytest

from miner.mining.complete_sentences import load_sentence_judge
from miner.mining.sentence_analysis import installed_models

COMPLETE = (
    "The cells grow quickly in the dark.",
    "Note that the second model was not trained.",
    "It can be seen here.",
)
BROKEN = ("The growth of cells in the dark of the laboratory.", "in the dark of the laboratory")


@pytest.mark.skipif(not installed_models(), reason="needs an English spaCy model")
def test_a_parser_finds_sentences_without_a_finite_verb() -> None:
    judge = load_sentence_judge()
    assert judge.judge(COMPLETE) == [True, True, True]
    assert judge.judge(BROKEN) == [False, False]
    assert judge.judge([]) == []
    assert (judge.is_parser, "spaCy" in judge.name) == (True, True)


def test_without_a_model_rules_look_for_a_verb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("miner.mining.complete_sentences.model_package", lambda model: None)
    judge = load_sentence_judge()
    assert (judge.judge([*COMPLETE, *BROKEN]), judge.is_parser) == ([True] * 3 + [False] * 2, False)
    assert judge.name.startswith("rules")
