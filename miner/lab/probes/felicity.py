"""Whether positives and negatives are things that one can say: a list to judge (Directional inference, appendix E.2).

The judge sees the predicate with the kinds of the two arguments in place of their names, and not which are positive.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from miner.errors import UserError
from miner.lab.probes.negatives import Bundle, NegativeItem, items_of
from miner.lab.probes.propositions import Proposition
from miner.statistics import Interval, wilson

if TYPE_CHECKING:
    from spacy.language import Language

EACH = 100
"""How many positives and negatives a round has, where there are as many."""
HEADER = ("id", "proposition", "can be said (yes or no)")
MAX_BYTES = 10_000_000
_KINDS = {
    "PERSON": "person",
    "NORP": "group",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PRODUCT": "product",
    "EVENT": "event",
    "WORK_OF_ART": "work",
    "LAW": "law",
    "LANGUAGE": "language",
    **dict.fromkeys(("DATE", "TIME"), "time"),
    **dict.fromkeys(("PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"), "quantity"),
}
_OTHER = "thing"
_ANSWERS = {"yes": True, "y": True, "1": True, "true": True, "no": False, "n": False, "0": False, "false": False}


class Felicity(NamedTuple):
    """How many of the judged items are felicitous, with the share's 95 % interval (Wilson)."""

    judged: int
    felicitous: int
    interval: Interval


class FelicityReport(NamedTuple):
    """The felicity of positives and of negatives. p: of such a difference by chance (Fisher's exact test, two-sided).

    unjudged: lines without an answer.
    """

    positives: Felicity
    negatives: Felicity
    p: float
    unjudged: int


def draw_felicity(bundles: Iterable[Bundle], seed: int = 1, each: int = EACH) -> list[NegativeItem]:
    """As many positives as negatives, at most `each`, without repetition, in an order that reveals nothing."""
    different = {item.key: item for bundle in bundles for item in items_of(bundle)}  # bundles may share a negative
    items = sorted(different.values(), key=lambda item: _rank(seed, item.key))
    drawn = [[item for item in items if item.holds is holds] for holds in (True, False)]
    number = min(each, *map(len, drawn))
    return sorted((item for side in drawn for item in side[:number]), key=lambda item: _rank(seed + 1, item.key))


def argument_kinds(nlp: Language, sentence: str, proposition: Proposition) -> tuple[str, str]:
    """What subject and object are by spaCy's types of named entities, such as "organization"; else "thing"."""
    doc = nlp(sentence)
    found = {token.lemma_.lower(): token.ent_type_ for token in doc if token.ent_type_}
    subject, object = (_KINDS.get(found.get(name.split()[-1], ""), _OTHER) for name in proposition[::2])
    return subject, object


def masked(proposition: Proposition, kinds: tuple[str, str]) -> str:
    """The proposition with kinds for its arguments: "thing A degrade thing B"."""
    return f"{kinds[0]} A {proposition.predicate} {kinds[1]} B"


def felicity_table(rows: Iterable[tuple[str, str]]) -> str:
    """The file to judge, tab-separated: a line for each key and masked proposition."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows((key, shown, "") for key, shown in rows)
    return text.getvalue()


def read_felicity(text: str, labels: Mapping[str, bool]) -> FelicityReport:
    """The judgements in a file.

    labels: whether each key is of a positive. `UserError` for a line that cannot be right, for an unknown key, and
    where nothing is judged.
    """
    counts = {True: [0, 0], False: [0, 0]}
    unjudged = 0
    seen = set()
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter="\t"))
    except csv.Error as exc:
        raise UserError(f"The judged file is no table: {exc}.", hint="Save it as tab-separated text.") from exc
    for number, row in enumerate(rows, 1):
        if not row or row[0] == HEADER[0]:
            continue
        hint = "Write yes or no into the third column, and change nothing else."
        if len(row) < 2 or row[0] not in labels or row[0] in seen:
            what = "has the item of another line" if row and row[0] in seen else "is none of the drawn items"
            raise UserError(f"Line {number:,} of the judged file {what}.", hint=hint)
        seen.add(row[0])
        answer = row[2].strip().casefold() if len(row) > 2 else ""
        if not answer:
            unjudged += 1
        elif answer not in _ANSWERS:
            raise UserError(f"Line {number:,} of the judged file says “{answer[:40]}”.", hint=hint)
        else:
            counts[labels[row[0]]][_ANSWERS[answer]] += 1
    if not any(map(sum, counts.values())):
        raise UserError("Nothing is judged yet.", hint=f"Write yes or no into the column “{HEADER[2]}”.")
    p = fisher_exact(*counts[True], *counts[False])
    return FelicityReport(_felicity(*counts[True]), _felicity(*counts[False]), p, unjudged)


def fisher_exact(a: int, b: int, c: int, d: int) -> float:
    """The two-sided p of the table [[a, b], [c, d]]: of all tables with its sums, those that are no likelier.

    >>> f"{fisher_exact(3, 1, 1, 3):.4f}"
    '0.4857'

    Source: R. A. Fisher, Statistical Methods for Research Workers, section 21.02; as scipy.stats.fisher_exact.
    """
    row, column, total = a + b, a + c, a + b + c + d
    ways = [
        comb(row, x) * comb(total - row, column - x) for x in range(max(0, column + row - total), min(row, column) + 1)
    ]
    observed = comb(row, a) * comb(total - row, column - a)
    return sum(one for one in ways if one <= observed) / sum(ways)


def _felicity(infelicitous: int, felicitous: int) -> Felicity:
    judged = infelicitous + felicitous
    return Felicity(judged, felicitous, wilson(felicitous, judged))


def _rank(seed: int, key: str) -> bytes:
    return blake2b(f"{seed}\0{key}".encode(), digest_size=8).digest()


def read_labels(lines: Iterable[Mapping[str, Any]]) -> dict[str, bool]:
    """Whether each item of a negatives file is a positive, by its key; `KeyError`, `TypeError` for another file."""
    found = {}
    for bundle in lines:
        for name in ("positive", "negatives"):
            for item in [bundle[name]] if name == "positive" else bundle[name]:
                found[str(item["id"])] = name == "positive"
    return found
