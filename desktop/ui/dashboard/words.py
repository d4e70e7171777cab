"""What the dashboard calls things."""

from __future__ import annotations

from miner.records import Strategy

NO_LABEL = "no label"
NO_DOMAIN = "No domain"

STRATEGIES = {
    Strategy.LINKED: "Linked by a phrase",
    Strategy.BOTH_RANDOM: "Both drawn",
    Strategy.FIRST_RANDOM: "Premise drawn",
    Strategy.SECOND_RANDOM: "Hypothesis drawn",
    Strategy.IMPLICIT: "Neighbours, no phrase",
    Strategy.IMPORTED: "Imported",
}

# Reasons whose code, with spaces, does not say it.
_REASONS = {
    "fragment": "Beginning missing",
    "brackets": "Brackets do not match",
    "math": "Mostly formulas",
    "citation_only": "Only a citation",
    "heading_glued": "Heading in front",
    "second_phrase": "A second phrase",
    "not_english": "Not English",
    "no_premise": "Nothing before it",
    "after_break": "Formula or list before",
    "crosses_paragraph": "Other paragraph",
    "duplicate": "Same as another pair",
    "over_quota": "More than needed",
    "too_near": "Too near each other",
    "linking_phrase": "Has a linking phrase",
    "connective": "Has a connective",
    "trap_in_contrast_to": "“In contrast to”",
    "trap_as_a_result_of": "“As a result of”",
    "trap_thus_far": "“Thus far”",
    "trap_that_is": "“That is why”",
    "trap_however_degree": "“However small”",
    "trap_particularly": "“Particularly” as degree",
    "trap_precisely": "“Precisely” as degree",
    "trap_yet": "“Yet another”",
    "trap_no_comma": "No comma",
}


def reason_name(code: str) -> str:
    """A few words for the reason a candidate was dropped for."""
    return _REASONS.get(code) or code.replace("_", " ").capitalize()


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
