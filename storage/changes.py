"""What an operation touched, so that whoever shows it knows what to read again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Changes:
    """`papers`: the list of papers, their metadata or files. `mined`: which pairs there are. `judged`: keys of pairs
    whose answers or marks changed; `many` instead when they are too many to name. `settings`: the project's own.
    `suggested`: which suggestions are shown, or how many.
    """

    papers: bool = False
    mined: bool = False
    judged: frozenset[str] = frozenset()
    many: bool = False
    settings: bool = False
    suggested: bool = False
