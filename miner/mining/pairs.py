"""The recipe: a paper's sentences in, its pairs and the account of what was dropped out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from miner.mining.candidates import Candidate, Dropped, Settler
from miner.mining.filters import FILTERS
from miner.mining.language import Linguist
from miner.mining.neutral import DRAW_PROBLEMS, draw_neutrals
from miner.mining.neutral import max_neutrals as max_neutrals
from miner.mining.patterns import TRAPS, Matcher, matcher_of
from miner.mining.prose import Prose
from miner.mining.settings import MiningSettings
from miner.records import Flag, Mined, Paper, Strategy

RULES = "1"  # raise it when the same paper and settings may give other pairs: projects are then mined again

REASONS = {
    **TRAPS,
    "no_premise": "The sentence opens its section: there is nothing before it.",
    "after_break": "A formula, list or table stands between the sentence and the one before.",
    "crosses_paragraph": "The sentence before stands in another paragraph.",
    **FILTERS,
    **DRAW_PROBLEMS,
}
"""Every reason a candidate can be dropped for, and what it means."""


def mine_paper(
    paper: Paper,
    settings: MiningSettings,
    linguist: Linguist,
    on_dropped: Callable[[Dropped], None] | None = None,
) -> Mined:
    """The paper's linked pairs in reading order, implicit ones if asked for, neutral ones last, and the funnel.

    The same paper, settings and linguist give the same result, anywhere. Paragraphs must have their sentences.
    `on_dropped` is given each candidate that became no pair.
    """
    matcher, prose = matcher_of(settings.phrases), Prose(paper)
    settler = Settler(paper.md5, prose, settings, matcher, linguist, on_dropped)
    candidates = list(_linked_candidates(prose, settings, matcher, settler))
    linked = settler.settle(candidates)
    kept = [candidate for candidate, pair in zip(candidates, linked, strict=True) if pair]
    implicit = settler.settle(list(_implicit_candidates(prose, matcher, settler))) if settings.implicit else []
    neutral = draw_neutrals(paper.md5, kept, settings, settler)
    return Mined((*filter(None, linked), *filter(None, implicit), *neutral), settler.tally.funnel())


def _linked_candidates(
    prose: Prose, settings: MiningSettings, matcher: Matcher, settler: Settler
) -> Iterator[Candidate]:
    """Neighbours whose second sentence starts with a phrase that is on and links; the rest is counted and dropped."""
    section_before = -1
    for (section, _, paragraph), first in zip(prose.paragraphs, prose.firsts, strict=True):
        text, inside = paragraph.text, section == section_before
        section_before = section
        for number, (start, end) in enumerate(paragraph.sentences):
            if not matcher.starts(text, start):
                continue
            link = matcher.find(" ".join(text[start:end].split()))
            if link is None or not link.phrase.on:
                continue
            settler.tally.candidates[Strategy.LINKED] += 1
            flags: tuple[Flag, ...] = () if link.comma else (Flag.NO_COMMA,)
            problem = link.trap
            if number == 0:
                flags = (Flag.CROSSES_PARAGRAPH, *flags)
                problem = problem or _border_problem(inside, paragraph.after_break, settings.crosses_paragraph)
            index = first + number
            if problem:
                settler.tally.drop(Strategy.LINKED, problem, partial(_neighbours, prose, index))
                continue
            yield Candidate(Strategy.LINKED, index - 1, index, link.rest, link.phrase.label, link.phrase.text, flags)


def _neighbours(prose: Prose, index: int) -> tuple[str, str]:
    return prose.sentence(index - 1) if index else "", prose.sentence(index)


def _border_problem(inside: bool, after_break: bool, crossing: bool) -> str | None:
    """Why a sentence that opens its paragraph may not take the last one of the paragraph before.

    A break bars it even after a full stop: what the phrase takes up is then the formula or the list, not the sentence.
    """
    if not inside:
        return "no_premise"
    if after_break:
        return "after_break"
    return None if crossing else "crosses_paragraph"


def _implicit_candidates(prose: Prose, matcher: Matcher, settler: Settler) -> Iterator[Candidate]:
    """Neighbours in a paragraph whose second sentence starts with no linking phrase (MisMatched)."""
    for (_, _, paragraph), first in zip(prose.paragraphs, prose.firsts, strict=True):
        for number in range(1, len(paragraph.sentences)):
            if not matcher.starts(paragraph.text, paragraph.sentences[number].start):
                settler.tally.candidates[Strategy.IMPLICIT] += 1
                yield Candidate(Strategy.IMPLICIT, first + number - 1, first + number)
