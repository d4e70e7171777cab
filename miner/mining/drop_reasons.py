"""Why mining drops candidates: each reason with its name and what it means. The rules themselves are elsewhere."""

from __future__ import annotations

from typing import NamedTuple

from miner.records import OTHER_LANGUAGE


class DropText(NamedTuple):
    """What people are told of a reason: its name in figures, and a sentence. since: the version of the rules that the
    reason came with (`miner.versions`)."""

    name: str
    meaning: str
    since: str = "0"


FILTER_TEXTS = {
    "fragment": DropText(
        "Incomplete beginnings", "The sentence starts in lower case or with punctuation: its beginning is missing."
    ),
    "open_end": DropText(
        "Formula or “:” at end",
        "The sentence ends in a colon or goes on in a formula, or the next one is glued on.",
        since="2",
    ),
    "no_final_punctuation": DropText(
        "No final punctuation", "No full stop, question or exclamation mark at the end: the sentence is unfinished."
    ),
    "unreadable": DropText(
        "Unreadable characters",
        "A character of the sentence cannot be read: its font does not say what it is.",
        since="5",
    ),
    "brackets": DropText("Unmatched brackets", "The numbers of opening and closing brackets differ."),
    "too_short": DropText("Too short", "Fewer words than the lower limit."),
    "too_long": DropText("Too long", "More words than the upper limit."),
    "math": DropText("Formulas", "A quarter or more of the words are formulas, symbols or single letters."),
    "citation_only": DropText("Only citations", "Nothing but a citation."),
    "heading_glued": DropText("Headings in the sentence", "The sentence begins with a heading."),
    "second_phrase": DropText("A second linking phrase", "A second linking phrase follows the first one."),
    "not_english": DropText("Not English", "The sentence is not English."),
    "no_verb": DropText("No verb", "No finite verb."),
    "duplicate": DropText("Duplicates", "An earlier pair of the project has the same two sentences."),
}
"""The cleaning filters, in the order of application."""
FILTERS = {name: text.meaning for name, text in FILTER_TEXTS.items()}
"""Every cleaning filter and what it drops, in the order of application."""
_TRAPS = {
    "trap_in_contrast_to": DropText(
        "“In contrast to …”", "“In contrast to …”, “On the contrary to …”: a preposition, not a link."
    ),
    "trap_as_a_result_of": DropText(
        "“As a result of …”", "“As a result of …”, “As a consequence of …”: a preposition, not a link."
    ),
    "trap_thus_far": DropText("“Thus far”", "“Thus far”: means until now."),
    "trap_that_is": DropText(
        "“That is why …”", "“That is why …”, “That is the …”: a statement about “that”, not a restatement."
    ),
    "trap_however_degree": DropText("“However small …”", "“However small …”: a degree, not a contrast."),
    "trap_particularly": DropText(
        "“Particularly in …”", "“Particularly noteworthy …”, “Particularly in …”: a degree, not a link."
    ),
    "trap_precisely": DropText("“Precisely the …”", "“Precisely the …”: a degree, not a link."),
    "trap_yet": DropText("“Yet another …”", "“Yet another …”, “Yet to be …”: not a contrast."),
    "trap_no_comma": DropText(
        "No comma after phrase", "No comma after the phrase, and none of the rules that accept it without one."
    ),
}
DRAW_PROBLEMS = {
    "too_near": DropText("Too close in the paper", "The two drawn sentences are too close to each other."),
    "same_paragraph": DropText(
        "Both in one paragraph", "The two drawn sentences are in one paragraph, where they are likelier to be related."
    ),
    "linking_phrase": DropText("With a linking phrase", "The drawn sentence starts with a linking phrase."),
    "connective": DropText(
        "With a connective", "The drawn hypothesis starts with another connective, which no linked hypothesis does."
    ),
}
"""The rules of drawing that a neutral candidate may break."""
_CHOICES = {
    "shared_words": DropText(
        "Shared topic", "The two drawn sentences share rare words or a topic of the paper, as related ones do."
    ),
    "little_shared": DropText(
        "Too few shared words",
        "The two drawn sentences have few words in common. Some such pairs are dropped, so that this does not give "
        "neutral pairs away.",
    ),
    "over_quota": DropText("Enough neutral pairs", "The paper has enough neutral pairs already."),
}
"""Why a draw is not chosen that breaks no rule. Annotated pairs are not checked: people have judged them."""
DROP_TEXTS = {
    OTHER_LANGUAGE: DropText("Other language", "The paper is not in English, and linking phrases are."),
    **_TRAPS,
    "no_premise": DropText("No sentence before it", "The sentence opens its section: there is nothing before it."),
    "after_break": DropText(
        "Formula or list between", "A formula, list or table stands between the sentence and the one before."
    ),
    "crosses_paragraph": DropText("In another paragraph", "The sentence before stands in another paragraph."),
    **FILTER_TEXTS,
    **DRAW_PROBLEMS,
    **_CHOICES,
}
"""Every reason that a candidate can be dropped for."""
