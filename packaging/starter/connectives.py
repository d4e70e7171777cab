"""Words that connect a sentence, or a clause, with what stands before it: a model that learns to guess them learns how
sentences follow from each other, from all papers and not only from the pairs of linking phrases.

Source: Nie et al., DisSent (ACL 2019); Sileo et al., Mining Discourse Markers (NAACL 2019), for openers and a comma.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_OPENER_WITH_COMMA = re.compile(r"([A-Z][a-z]+(?:-[a-z]+)?(?: [a-z][a-z-]*){0,3}), (?=\S)")
_OPENERS = (
    *("But", "Thus", "Hence", "Therefore", "So", "Then", "Yet", "However", "Instead", "Also", "Furthermore"),
    *("Moreover", "Nevertheless", "Nonetheless", "Consequently", "Accordingly", "Similarly", "Interestingly"),
    *("Specifically", "Indeed", "This suggests that", "This indicates that", "This means that", "This implies that"),
    *("This shows that", "These results suggest that", "These results indicate that", "These findings suggest that"),
    *("These data suggest that", "Our results suggest that", "Our results show that", "We note that", "Note that"),
    *("It should be noted that", "As expected", "To address this", "To do so", "For example", "For instance"),
)
_OPENER = re.compile(rf"({'|'.join(sorted(_OPENERS, key=len, reverse=True))}) (?=\S)")
_BETWEEN = re.compile(
    r"([,;:]?) (but|whereas|because|although|even though|so that|and thus|and therefore|and hence|thus|therefore|hence"
    r"|suggesting that|indicating that|which suggests that|which indicates that|implying that|meaning that|i\.e\.,"
    r"|that is,|in other words,|for example,|for instance,|e\.g\.,|while|however,|in contrast,|thereby|nevertheless,"
    r"|moreover,|furthermore,|specifically,|namely,|in particular,|consequently,|so) "
)
_NEEDS_PUNCTUATION = ("thus", "therefore", "hence", "while", "so", "but", "thereby")
_INSIDE = re.compile(
    r", (however|therefore|thus|on the other hand|in contrast|in turn|for example|for instance|moreover|furthermore"
    r"|indeed|in particular|nevertheless|consequently|hence|by contrast|in fact|instead|specifically), "
)
_LEAST_CLAUSE = 30  # letters
_LAST_INSIDE = 80  # letters before a connective inside a sentence, which else belongs to a clause of it


class Clauses(NamedTuple):
    """Two texts and what connected them."""

    first: str
    second: str
    connective: str


def opener(sentence: str) -> tuple[str, int] | None:
    """What a sentence opens with, and where the rest begins; openers without a comma end in "_"."""
    if found := _OPENER_WITH_COMMA.match(sentence):
        return found.group(1), found.end()
    if found := _OPENER.match(sentence):
        return found.group(1) + "_", found.end()
    return None


def inside(before: str, sentence: str) -> Clauses | None:
    """The sentence before and this one without the connective that stands inside it, between commas."""
    found = _INSIDE.search(sentence)
    if not found or found.start() >= _LAST_INSIDE:
        return None
    return Clauses(before, f"{sentence[: found.start()]} {sentence[found.end() :]}", f"in:{found.group(1)}")


def clauses(sentence: str) -> Clauses | None:
    """The first two long clauses of a sentence with a connective between them."""
    for found in _BETWEEN.finditer(sentence):
        punctuation, word = found.groups()
        first, second = sentence[: found.start()], sentence[found.end() :]
        if not punctuation and (word in _NEEDS_PUNCTUATION or word.endswith(",")):
            continue
        if all(len(one) >= _LEAST_CLAUSE and one.count(" ") >= 4 for one in (first, second)):
            return Clauses(first, second, f"{punctuation and (',' if punctuation == ',' else ';')}{word}")
    return None
