"""Traits of a hypothesis as SQL conditions: the same definitions as in `miner.audit.traits`.

GLOB compares whole texts, knows ranges of characters, and takes no Python: a million pairs in about two seconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from miner.records import HypothesisTrait
from storage.sql import SqlClause


def conditions(traits: frozenset[HypothesisTrait]) -> list[SqlClause]:
    """The condition over `pairs` that the hypothesis has one of the traits; none for no traits."""
    if not traits:
        return []
    return [SqlClause(f"({' OR '.join(condition(trait) for trait in sorted(traits))})")]


@lru_cache(maxsize=len(HypothesisTrait))
def condition(trait: HypothesisTrait) -> str:
    """SQL over `pairs`: whether the hypothesis has the trait."""
    from miner.audit.traits import CAPITALS, CLOSING_MARKS, FINAL_STOPS, NEAR_START, OPENING_MARKS, lexicon_texts

    text = "pairs.hypothesis"
    start = f"ltrim({text}, {_quoted(OPENING_MARKS)})"
    match trait:
        case HypothesisTrait.CAPITAL:
            return _globs(start, [f"[{CAPITALS}]*"])
        case HypothesisTrait.PHRASE_START:
            return _globs(f"lower({start}) || ' '", [f"{phrase}[^a-z]*" for phrase in lexicon_texts()])
        case HypothesisTrait.PHRASE_NEAR:
            # A phrase that starts within the limit may end behind it.
            near = [
                _globs(f"lower(substr({text}, 1, {NEAR_START + len(phrase) + 1}))", [f"*[ ,;(]{phrase}[,;:]*"])
                for phrase in lexicon_texts()
            ]
            return f"({' OR '.join(near)})"
        case HypothesisTrait.CITATION:
            years = [f"*[( ,;]{century}[0-9][0-9]{end}*" for century in (19, 20) for end in ("[),;]", "[a-d][),;]")]
            return _globs(f"lower({text})", ["* et al[.,) ]*", "*[[][0-9]*", *years])
        case HypothesisTrait.DIGIT:
            return _globs(text, ["*[0-9]*"])
        case HypothesisTrait.NO_STOP:
            # "]" stands first in a set of characters.
            return f"NOT {_globs(text, [f'*[{FINAL_STOPS}]', f'*[{FINAL_STOPS}][{CLOSING_MARKS}]'])}"


def _globs(text: str, patterns: Iterable[str]) -> str:
    return f"({' OR '.join(f'{text} GLOB {_quoted(pattern)}' for pattern in patterns)})"


def _quoted(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
