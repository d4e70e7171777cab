"""A job's result in words."""

from __future__ import annotations

from typing import NamedTuple


class ResultProblem(NamedTuple):
    """A problem that did not stop the job, and what to do about it."""

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
