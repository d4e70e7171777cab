"""A job's result in words."""

from __future__ import annotations

from typing import NamedTuple


class ResultProblem(NamedTuple):
    """One thing that went wrong while the job went on, and what to do."""

    text: str
    hint: str = ""


class ResultText(NamedTuple):
    """A job's result in words: one line, and further sentences."""

    sentence: str
    notes: tuple[str, ...] = ()
    problems: tuple[ResultProblem, ...] = ()


def joined(parts: list[str]) -> str:
    """The parts with commas between them."""
    return ", ".join(parts) + "."
