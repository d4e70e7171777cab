"""What an operation changed, so that every page knows what to load again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Changes:
    """What an operation changed.

    papers: the list of papers, their metadata or files. pairs: which pairs there are. annotated_keys: the pairs whose
    answers or marks changed; `many_annotated` instead if they are too many to list. settings: the project's settings.
    suggestions: which suggestions are current, or how many there are. experiments: which there are, or their results.
    """

    papers: bool = False
    pairs: bool = False
    annotated_keys: frozenset[str] = frozenset()
    many_annotated: bool = False
    settings: bool = False
    suggestions: bool = False
    experiments: bool = False


EVERYTHING = Changes(papers=True, pairs=True, many_annotated=True, settings=True, suggestions=True, experiments=True)
"""What may have changed when nobody said what did."""
