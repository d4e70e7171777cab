"""Labels as people type them: a word, its letter, or its number key in Review."""

from __future__ import annotations

import difflib

from miner.records import ANSWER_DEFINITIONS as _DEFINITIONS
from miner.records import Answer

LETTERS = dict(zip(_DEFINITIONS, "CRENU", strict=True))
"""The letter of each answer, in the order of their numbers, which count from 1."""
_MAX_SHOWN = 40  # characters of an invalid label in a message
_AROUND = " \t\r\n\v\f\u00a0\u200b\u2060\ufeff'\"`´‘’‚“”„.,;:()[]"
_BY_TEXT = {
    **{answer.value: answer for answer in _DEFINITIONS},
    **{letter.casefold(): answer for answer, letter in LETTERS.items()},
    **{str(number): answer for number, answer in enumerate(_DEFINITIONS, 1)},
    "?": Answer.UNCLEAR,
}


def read_label(cell: object) -> Answer | None:
    """The answer in a cell; None for an empty cell. `ValueError` lists the valid answers.

    Numbers count as they do in Review, from 1. 0, which other files use for contrasting, is refused, as one who counts
    from 0 means other labels by the other numbers too.

    >>> read_label(" Neutral "), read_label("c"), read_label("2.0"), read_label("")
    (<Answer.NEUTRAL: 'neutral'>, <Answer.CONTRASTING: 'contrasting'>, <Answer.REASONING: 'reasoning'>, None)
    """
    if cell is None:
        return None
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        raise ValueError("its label is neither a word nor a number")
    text = str(cell)[:1000].strip(_AROUND).casefold()
    number = text.removesuffix(".0").removesuffix(",0")  # of a spreadsheet, or of pandas
    if not text:
        return None
    if (answer := _BY_TEXT.get(number)) is not None:
        return answer
    if number == "0":
        raise ValueError(
            "0 is no label: the numbers are 1 contrasting, 2 reasoning, 3 entailment, 4 neutral, 5 unclear"
        )
    near = difflib.get_close_matches(text[:_MAX_SHOWN], [answer.value for answer in Answer], n=2, cutoff=0.5)
    meant = f"perhaps {' or '.join(near)} is meant" if near else f"labels are {', '.join(Answer)}"
    shown = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
    raise ValueError(f"“{shown}” is no label: {meant}")
