"""Traits of a hypothesis as SQL conditions: the same definitions as in `miner.audit.traits`.

GLOB compares whole texts and knows ranges of characters, so that no Python runs for each of a million pairs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import assert_never

from miner.records import HypothesisTrait
from storage.sql import SqlClause

# Few hypotheses have a phrase's words, and the full-text index knows which.
_HAS_PHRASE_WORDS = "pairs.id IN (SELECT rowid FROM pairs_text WHERE pairs_text MATCH {words})"


def conditions(traits: frozenset[HypothesisTrait]) -> list[SqlClause]:
    """The condition over `pairs` that the hypothesis has one of the traits; [] without traits."""
    if not traits:
        return []
    return [SqlClause(f"({' OR '.join(condition(trait) for trait in sorted(traits))})")]


@lru_cache(maxsize=len(HypothesisTrait))
def condition(trait: HypothesisTrait) -> str:
    """SQL over `pairs`: whether the hypothesis has the trait."""
    from miner.audit.traits import (
        AFTER_PHRASE,
        CAPITALS,
        CLOSING_MARKS,
        FINAL_STOPS,
        NEAR_START,
        OPENING_MARKS,
        lexicon_texts,
    )

    text = "pairs.hypothesis"
    start = f"ltrim({text}, {_quoted(OPENING_MARKS)})"
    match trait:
        case HypothesisTrait.CAPITAL:
            return _globs(start, [f"[{CAPITALS}]*"])
        case HypothesisTrait.PHRASE_START:
            begins = _globs(f"lower({start}) || ' '", [f"{phrase}[{AFTER_PHRASE}]*" for phrase in lexicon_texts()])
            return _if(_HAS_PHRASE_WORDS.format(words=_phrase_words()), begins)
        case HypothesisTrait.PHRASE_NEAR:
            # A phrase that starts within the limit may end after it.
            near = [
                _globs(f"lower(substr({text}, 1, {NEAR_START + len(phrase) + 1}))", [f"*[ ,;(]{phrase}[,;:]*"])
                for phrase in lexicon_texts()
            ]
            return _if(_HAS_PHRASE_WORDS.format(words=_phrase_words()), f"({' OR '.join(near)})")
        case HypothesisTrait.CITATION:
            years = [f"*[( ,;]{century}[0-9][0-9]{end}*" for century in (19, 20) for end in ("[),;]", "[a-d][),;]")]
            forms = (
                _if(f"instr({text}, ' et al')", _globs(text, ["* et al[.,) ]*"])),
                _if(f"instr({text}, '[')", _globs(text, ["*[[][0-9]*"])),
                _if(_globs(text, ["*[0-9][0-9][0-9][0-9]*"]), _globs(text, years)),
            )
            return f"({' OR '.join(forms)})"
        case HypothesisTrait.DIGIT:
            return _globs(text, ["*[0-9]*"])
        case HypothesisTrait.NO_STOP:
            # "]" stands first in a set of characters.
            return f"NOT {_globs(f'substr({text}, -2)', [f'*[{FINAL_STOPS}]', f'*[{FINAL_STOPS}][{CLOSING_MARKS}]'])}"
    assert_never(trait)


def _phrase_words() -> str:
    """A query of the full-text index for all hypotheses that have a phrase anywhere."""
    from miner.audit.traits import lexicon_texts

    phrases = " OR ".join(f'"{phrase}"' for phrase in lexicon_texts())
    return _quoted(f"hypothesis : ({phrases})")


def _if(is_possible: str, condition: str) -> str:
    """The condition, looked at only where the first, cheaper one holds; of an AND, SQLite chooses the order."""
    return f"CASE WHEN {is_possible} THEN {condition} ELSE 0 END"


def _globs(text: str, patterns: Iterable[str]) -> str:
    return f"({' OR '.join(f'{text} GLOB {_quoted(pattern)}' for pattern in patterns)})"


def _quoted(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
