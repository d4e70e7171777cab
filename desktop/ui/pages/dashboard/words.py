"""What the dashboard calls things."""

from __future__ import annotations

NO_LABEL = "no label"
NO_DOMAIN = "No domain"


def percent(share: float) -> str:
    """A share as people read it; never 0 or 100 % of what is only nearly so."""
    if 0 < share < 0.005:
        return "under 1 %"
    if 0.995 <= share < 1:
        return "over 99 %"
    return f"{share:.0%}".replace("%", " %")


def listed(parts: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""
