"""The values of a pair, as projects and corpora store them."""

from __future__ import annotations

import json
import re
from typing import Any

from miner.mining.identity import sentence_hash
from miner.records import Pair

_WORD = re.compile(r"\w+")

_Values = dict[str, Any]  # by name


def casefold_sentences(premise: str, hypothesis: str) -> tuple[str, str]:
    """Case-folded, to compare pairs: whether a hypothesis begins with a capital is a setting."""
    return premise.casefold(), hypothesis.casefold()


def word_overlap(premise: str, hypothesis: str) -> int:
    """The percentage of the hypothesis' words that the premise has too, ignoring case (SciNLI, section 3.4)."""
    words = _WORD.findall(hypothesis.casefold())
    premise_words = set(_WORD.findall(premise.casefold()))
    return round(100 * sum(word in premise_words for word in words) / len(words)) if words else 0


def pair_values(pair: Pair) -> _Values:
    """The values of a pair, by column, without those of its paper, run and annotation."""
    return {
        "key": pair.key,
        "premise": pair.premise,
        "hypothesis": pair.hypothesis,
        "hypothesis_original": pair.hypothesis_original,
        "strategy": pair.strategy.value,
        "distant_label": pair.distant_label and pair.distant_label.value,
        "phrase": pair.phrase,
        "premise_section": pair.premise_at.section,
        "premise_paragraph": pair.premise_at.paragraph,
        "premise_sentence": pair.premise_at.sentence,
        "hypothesis_section": pair.hypothesis_at.section,
        "hypothesis_paragraph": pair.hypothesis_at.paragraph,
        "hypothesis_sentence": pair.hypothesis_at.sentence,
        "page": pair.page,
        "flags": json.dumps(pair.flags, separators=(",", ":")) if pair.flags else "[]",
        "premise_hash": sentence_hash(pair.premise),
        "hypothesis_hash": sentence_hash(pair.hypothesis_original),
        **counted_values(pair.premise, pair.hypothesis),
    }


def counted_values(premise: str, hypothesis: str) -> _Values:
    """The columns that are counted of a pair's two sentences."""
    return {
        "premise_words": len(premise.split()),
        "hypothesis_words": len(hypothesis.split()),
        "overlap": word_overlap(premise, hypothesis),
    }
