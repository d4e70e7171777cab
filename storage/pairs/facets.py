"""What pairs are filtered, sorted and counted by, packed into one number per pair that an index holds.

The number tells class, distant and gold label, status, strategy and marks in a few bits each. `pairs_in_order` holds
it beside each pair's place (an index on an expression, so that SQLite keeps it right), and a filter reads that index
alone: a million pairs in 60 ms, where the columns themselves take twice that and the pairs' rows a second.
`pairs_judged` holds the same of those few pairs that people have said something of.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from miner.records import Label, PairFlag, Strategy
from storage.pairs.filters import PairFilter, PairStatus

_LABEL_VALUES = tuple(label.value for label in Label)
_STATUS_VALUES = (PairStatus.OPEN.value, PairStatus.SETTLED.value, PairStatus.UNSETTLED.value, PairStatus.BAD.value)
_STRATEGY_VALUES = tuple(strategy.value for strategy in Strategy)


class Facet(NamedTuple):
    """Where a field stands in the number; its members count from `first`, 0 being none of them."""

    shift: int
    bits: int
    members: tuple[str, ...] = ()
    first: int = 1

    @property
    def sql(self) -> str:
        return f"(({PACKED_FACETS}) >> {self.shift} & {(1 << self.bits) - 1})"

    @property
    def mask(self) -> int:
        return (1 << self.bits) - 1 << self.shift

    def number(self, member: str) -> int | None:
        """What stands there for a member; "" is none; None for what cannot stand there."""
        if member in self.members:
            return self.members.index(member) + self.first
        return 0 if member == "" and self.first else None

    def member(self, packed: int) -> str:
        number = packed >> self.shift & (1 << self.bits) - 1
        return self.members[number - self.first] if number >= self.first else ""


FACETS = {  # by field of `PairFilter`
    "statuses": Facet(1, 2, _STATUS_VALUES, 0),
    "distant": Facet(3, 3, _LABEL_VALUES),
    "gold": Facet(6, 3, _LABEL_VALUES),
    "labels": Facet(9, 3, _LABEL_VALUES),
    "strategies": Facet(12, 3, _STRATEGY_VALUES),
}
CURRENT_BIT = 1
IS_ANNOTATED = "pairs.status <> 'open' OR pairs.flagged OR pairs.noted"  # as `pairs_judged` says it
MARK_BITS = {"flagged": 1 << 15, "noted": 1 << 16, "contested": 1 << 17, "accepted": 1 << 21}
FLAG_BITS = {PairFlag.CROSSES_PARAGRAPH: 1 << 18, PairFlag.PREMISE_HAS_PHRASE: 1 << 19, PairFlag.NO_COMMA: 1 << 20}
PACKED_FIELDS = frozenset((*FACETS, *MARK_BITS, "flags", "disagrees"))  # that `conditions` is about


def _cases(column: str, members: Iterable[str]) -> str:
    cases = " ".join(f"WHEN '{member}' THEN {number}" for number, member in enumerate(members, 1))
    return f"CASE pairs.{column} {cases} ELSE 0 END"


PACKED_FACETS = f"""pairs.current
    + 2 * ({_cases("status", _STATUS_VALUES[1:])})
    + 8 * ({_cases("distant_label", _LABEL_VALUES)})
    + 64 * ({_cases("gold", _LABEL_VALUES)})
    + 512 * (CASE pairs.status WHEN 'settled' THEN {_cases("gold", _LABEL_VALUES)}
        WHEN 'open' THEN {_cases("distant_label", _LABEL_VALUES)} ELSE 0 END)
    + 4096 * ({_cases("strategy", _STRATEGY_VALUES)})
    + 32768 * pairs.flagged + 65536 * pairs.noted + 131072 * pairs.contested
    + 262144 * (instr(pairs.flags, '"crosses_paragraph"') > 0)
    + 524288 * (instr(pairs.flags, '"premise_has_phrase"') > 0)
    + 1048576 * (instr(pairs.flags, '"no_comma"') > 0)
    + 2097152 * pairs.accepted"""


def conditions(filter: PairFilter) -> list[str] | None:
    """What the filter asks of the number, as SQL terms that all must hold; None when nothing can."""
    equal, mask = 0, 0  # single values of several fields are one comparison
    terms: list[str] = []
    for field, facet in FACETS.items():
        members: frozenset[str] = getattr(filter, field)
        if not members or (field == "statuses" and PairStatus.GONE in members):
            continue
        numbers = [number for number in map(facet.number, members) if number is not None]
        if not numbers:
            return None
        if len(numbers) == 1:
            equal, mask = equal | numbers[0] << facet.shift, mask | facet.mask
        else:
            terms.append(f"({sum(1 << number for number in numbers)} >> {facet.sql} & 1)")
    for field, bit in MARK_BITS.items():
        if (wanted := getattr(filter, field)) is not None:
            equal, mask = equal | bit * wanted, mask | bit
    if PairStatus.GONE not in filter.statuses:
        equal, mask = equal | CURRENT_BIT, mask | CURRENT_BIT
    elif len(filter.statuses) == 1:
        mask |= CURRENT_BIT
    else:
        still = sum(1 << (FACETS["statuses"].number(status) or 0) for status in filter.statuses - {PairStatus.GONE})
        terms.append(f"(({PACKED_FACETS}) & {CURRENT_BIT} = 0 OR {still} >> {FACETS['statuses'].sql} & 1)")
    if filter.flags:
        terms.append(f"({PACKED_FACETS}) & {sum(FLAG_BITS[flag] for flag in filter.flags)}")
    if filter.disagrees is not None:
        distant, gold = FACETS["distant"].sql, FACETS["gold"].sql
        terms.append(f"{distant} AND {gold} AND {distant} {'<>' if filter.disagrees else '='} {gold}")
    return [f"({PACKED_FACETS}) & {mask} = {equal}", *terms] if mask else terms


def matches_only_annotated(filter: PairFilter) -> bool:
    """Every pair the filter means is one that people have said something of."""
    if PairStatus.GONE in filter.statuses:
        return False
    said = frozenset((PairStatus.SETTLED, PairStatus.UNSETTLED, PairStatus.BAD))
    asked = (
        filter.flagged,
        filter.noted,
        filter.contested,
        filter.accepted,
        filter.disagrees is not None,
        bool(filter.annotators),
    )
    return (
        True in asked
        or (bool(filter.gold) and "" not in filter.gold)
        or bool(filter.statuses and filter.statuses <= said)
    )
