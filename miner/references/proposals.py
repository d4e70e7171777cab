"""Finds values of a reference that its paper lacks, or has differently.

An empty value is filled, and an unsure value replaced; an equal value confirms an unsure value. A sure value that
differs, and whatever a person has set, is a conflict: people decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from miner.journals import journal_words
from miner.letters import plain_letters
from miner.references.likeness import normal_title
from miner.references.reference import Reference, plain_doi

FIELDS = ("title", "authors", "year", "doi", "journal", "keywords")
"""The fields of papers that references fill, in the order in which they are shown."""
Value = str | int | tuple[str, ...] | None
_WORD = re.compile(r"[^\W_]+")


class ProposalKind(StrEnum):
    """FILL: the paper's value is empty or unsure. CONFIRM: it is unsure, and agrees. CONFLICT: it is sure, and differs.

    CONFLICT is also what differs from a value that a person has set.
    """

    FILL = "fill"
    CONFIRM = "confirm"
    CONFLICT = "conflict"


class Proposal(NamedTuple):
    """The value of a paper's field now, and in the reference. `by_hand`: a person has set or confirmed it."""

    md5: str
    field: str
    now: Value
    new: Value
    kind: ProposalKind
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class DescribedPaper:
    """The values of a paper's `FIELDS`, the names of the unsure ones, and of those that people have set."""

    md5: str
    values: Mapping[str, Value]
    unsure: frozenset[str] = frozenset()
    by_hand: frozenset[str] = frozenset()


def propose(paper: DescribedPaper, reference: Reference) -> list[Proposal]:
    """The values that the reference adds to the paper, confirms or contradicts, in the order of `FIELDS`."""
    found = []
    for field in FIELDS:
        now, new = paper.values[field], getattr(reference, field)
        if not new:
            continue
        by_hand, unsure = field in paper.by_hand, field in paper.unsure
        if now and _AGREE[field](now, new):
            if unsure and not by_hand:
                found.append(Proposal(paper.md5, field, now, now, ProposalKind.CONFIRM))
        elif by_hand or (now and not unsure):
            found.append(Proposal(paper.md5, field, now, new, ProposalKind.CONFLICT, by_hand))
        else:
            found.append(Proposal(paper.md5, field, now, new, ProposalKind.FILL))
    return found


def _same_names(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the lists name the same people, be it by initials."""
    return len(one) == len(other) and all(map(_same_name, one, other))


def _same_name(one: str, other: str) -> bool:
    first, second = _WORD.findall(plain_letters(one)), _WORD.findall(plain_letters(other))
    if not first or not second or first[-1] != second[-1]:
        return sorted(first) == sorted(second)
    return all(a.startswith(b) or b.startswith(a) for a, b in zip(first[:-1], second[:-1], strict=False))


def _same_journal(one: str, other: str) -> bool:
    """Whether the names are one, be it abbreviated: each word begins with its abbreviation."""
    first, second = journal_words(one), journal_words(other)
    return len(first) == len(second) and all(
        a.startswith(b) or b.startswith(a) for a, b in zip(first, second, strict=True)
    )


def _same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    return {normal_title(word) for word in one} == {normal_title(word) for word in other}


_AGREE: dict[str, Callable[..., bool]] = {
    "title": lambda one, other: normal_title(one) == normal_title(other),
    "authors": _same_names,
    "year": lambda one, other: one == other,
    "doi": lambda one, other: (plain_doi(one) or one.casefold()) == other,
    "journal": _same_journal,
    "keywords": _same_words,
}
