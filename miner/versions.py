"""The versions of what makes papers, pairs and predictions, by which projects say what an earlier version made.

A module of its own, because the window compares them when it opens, before any parser is loaded.
"""

from __future__ import annotations

import re

EMBEDDED_VERSION = "6"
"""Of the built-in parser; increase it when the same PDF may give another paper."""
TEI_VERSION = "3"
"""Of the reader of GROBID's TEI; increase it when the same TEI may give another paper."""
JATS_VERSION = "1"
"""Of the reader of publishers' XML; increase it when the same XML may give another paper."""
JSON_LINES_VERSION = "3"
"""Increase it when the same line may give another paper."""
SPLITTER_VERSION = "3"
"""Increase it when the rules or the bundled parameters of the sentence splitter change."""
RULES_VERSION = "5"
"""Of mining; increase it when the same paper and settings may give other pairs."""
PREDICTIONS_VERSION = 1
"""Increase it when a model or a run of an experiment may predict otherwise of the same pairs: all is computed anew."""

_NUMBER = re.compile(r"\d{1,9}", re.ASCII)


def mining_program() -> str:
    """What mines, as mining runs and corpora store it; a run's identity follows from it, so it has one language."""
    from importlib.metadata import version

    return f"pairwright {version('pairwright')}, rules {RULES_VERSION}"


def is_older(stored: str, version: str) -> bool:
    """Whether a stored version, which begins with its number, comes before this one; not if it has no number.

    >>> is_older("2 9b609fa771d0", "10"), is_older("10", "10"), is_older("11", "10"), is_older("", "10")
    (True, False, False, False)
    """
    found = _NUMBER.match(stored)
    return found is not None and int(found[0]) < int(version)
