"""Names of authors as "Given Family", from the forms in which bibliographies write them."""

from __future__ import annotations

from collections.abc import Iterable

from miner.references.reference import plain_text

MAX_AUTHORS = 5_000  # the longest lists of physics have 3,000


def name_from_parts(family: str, given: str = "", suffix: str = "", particle: str = "") -> str:
    """The name in reading order.

    >>> name_from_parts("Lovelace", "Ada B.", "Jr.")
    'Ada B. Lovelace Jr.'
    """
    return " ".join(filter(None, map(plain_text, (given, particle, family, suffix))))


def name_from_commas(text: str) -> str:
    """The name in reading order, of "Family, Given" or "Family, Given, Suffix" as RIS has it.

    >>> name_from_commas("Lovelace, Ada B."), name_from_commas("World Health Organization")
    ('Ada B. Lovelace', 'World Health Organization')
    """
    family, _, rest = text.partition(",")
    given, _, suffix = rest.partition(",")
    return name_from_parts(family, given, suffix)


def authors(names: Iterable[str]) -> tuple[str, ...]:
    """The names, without empty ones and "et al."."""
    kept = (name for name in names if name and name.lower().rstrip(".") not in ("others", "et al", "and others"))
    return tuple(name for name, _ in zip(kept, range(MAX_AUTHORS), strict=False))
