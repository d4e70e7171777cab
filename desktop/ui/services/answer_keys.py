"""The keys of the answers. They are the same on every page: a key never means two classes."""

from __future__ import annotations

from miner.records import Answer

ANSWER_KEYS = {
    Answer.CONTRASTING: "1",
    Answer.REASONING: "2",
    Answer.ENTAILMENT: "3",
    Answer.NEUTRAL: "4",
    Answer.UNCLEAR: "5, U",
}


def answer_setting(answer: Answer) -> str:
    """The name of an answer's keys in the settings, such as `answer.neutral`."""
    return f"answer.{answer.value}"
