"""Tags that say why a system's answer to a pair is an error; a mark holds them in words, separated by commas.

The usual tags are the reasons that the authors of SciNLI give for errors they read (section 5: lack of knowledge of the
domain, long sentences), and those that follow from how pairs are mined. People may add their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from storage.sql import SqlClause

LABEL_WRONG = "label wrong"
PHRASE_MISLEADS = "phrase misleads"
NEEDS_CONTEXT = "needs context"
DOMAIN_KNOWLEDGE = "domain knowledge"
LONG_SENTENCE = "long sentence"
SHARED_WORDS = "shared words"
AMBIGUOUS = "two classes fit"
DAMAGED = "sentence damaged"

USUAL_TAGS = {
    LABEL_WRONG: "The label of the pair is wrong, and the system may be right.",
    PHRASE_MISLEADS: "The linking phrase, or what gave the label, does not mean here what it usually means.",
    NEEDS_CONTEXT: "The two sentences alone do not say; the paragraph would.",
    DOMAIN_KNOWLEDGE: "Only who knows the field can tell.",
    LONG_SENTENCE: "The sentences are long, and the system missed what matters.",
    SHARED_WORDS: "The sentences share many words, or none, and that misled the system.",
    AMBIGUOUS: "Both the label and the system's answer can be defended.",
    DAMAGED: "A sentence is cut, glued or garbled.",
}
"""What the usual tags mean, in the order in which they are offered."""

MAX_LENGTH = 40  # characters of a tag
MAX_TAGS = 20  # of a pair, by one person
IS_TAGGED = """e.kind = 'tag' AND e.new IS NOT NULL AND e.id = (
    SELECT max(id) FROM mark_events WHERE kind = 'tag' AND pair_key = e.pair_key AND annotator = e.annotator
)"""
"""The mark `e` holds the present tags of a pair by an annotator (SQL)."""
_SEPARATOR = ", "
TAGS_LISTED = f"""'[' || replace(json_quote(e.new), '{_SEPARATOR}', '","') || ']'"""
"""The tags of the mark `e` as a JSON list (SQL)."""
_TAGGED = f"SELECT tagged.id FROM mark_events e CROSS JOIN pairs AS tagged ON tagged.key = e.pair_key WHERE {IS_TAGGED}"
_HAS_ONE = f"""EXISTS (
    SELECT 1 FROM json_each(?) AS wanted
    WHERE instr('{_SEPARATOR}' || e.new || '{_SEPARATOR}', '{_SEPARATOR}' || wanted.value || '{_SEPARATOR}')
)"""
_SPACES = re.compile(r"\s+")


def clean_tag(text: str) -> str:
    """The tag that a person typed: without commas and needless spaces; `ValueError` if nothing is left, or too much.

    >>> clean_tag("  negation,  missed ")
    'negation missed'
    """
    tag = _SPACES.sub(" ", text.replace(",", " ")).strip()
    if not tag or len(tag) > MAX_LENGTH or not tag.isprintable():
        raise ValueError("not a tag")
    return tag


def split_tags(value: str | None) -> tuple[str, ...]:
    """The tags of a mark's value; () for None."""
    return tuple(value.split(_SEPARATOR)) if value else ()


def join_tags(tags: Iterable[str]) -> str | None:
    """The value of a mark with these tags, the usual ones first; None for no tag.

    >>> join_tags(["zeugma", "needs context", "label wrong"])
    'label wrong, needs context, zeugma'
    """
    usual = list(USUAL_TAGS)
    found = sorted(set(tags), key=lambda tag: (usual.index(tag) if tag in USUAL_TAGS else len(usual), tag))
    return _SEPARATOR.join(found) or None


def check_tags(value: str) -> None:
    """`ValueError` unless the value of a mark is one that `join_tags` makes of clean tags."""
    tags = split_tags(value)
    if len(tags) > MAX_TAGS or join_tags(tags) != value or any(clean_tag(tag) != tag for tag in tags):
        raise ValueError("unknown tags")


def conditions(tags: frozenset[str]) -> list[SqlClause]:
    """The condition over `pairs` that somebody has given the pair one of the tags, or nobody any, for ""; or none."""
    if not tags:
        return []
    has_one = f"pairs.id IN ({_TAGGED} AND {_HAS_ONE})"
    untagged = f" OR pairs.id NOT IN ({_TAGGED})" if "" in tags else ""
    return [SqlClause(f"({has_one}{untagged})", (json.dumps(sorted(tags - {""})),))]
