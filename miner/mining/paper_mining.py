"""Mines a paper: from its sentences to its pairs, with counts of what was dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from miner.mining.annotated_neutrals import find_annotated
from miner.mining.linking_phrases import PhraseMatcher, phrase_matcher
from miner.mining.neutral_pairs import draw_neutrals
from miner.mining.pair_builder import DroppedCandidate, PairBuilder, PairCandidate
from miner.mining.prose import Prose
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.records import OTHER_LANGUAGE, AnnotatedNeutral, MinedPaper, PairFlag, Paper, Strategy

_LANGUAGES = ("", "en")  # that are mined: phrases and filters are of English; "" is not known


def mine_paper(
    paper: Paper,
    settings: MiningSettings,
    analyzer: SentenceAnalyzer,
    on_dropped: Callable[[DroppedCandidate], None] | None = None,
    *,
    annotated: Sequence[AnnotatedNeutral] = (),
) -> MinedPaper:
    """The paper's pairs and the counts of candidates: linked pairs in reading order, implicit pairs, neutral pairs.

    The paper's sentences must have been split. The same paper, settings and analyzer give the same result on every
    machine. `on_dropped` receives each candidate that was dropped. annotated: see `MinedPaper`; neither `pairs` nor
    `funnel` depend on them. A paper in another language than English gives no pairs.
    """
    refusal = None if paper.language in _LANGUAGES else OTHER_LANGUAGE
    matcher, prose = phrase_matcher(settings.phrases), Prose(paper)
    builder = PairBuilder(paper.md5, prose, settings, matcher, analyzer, on_dropped)
    candidates = list(_linked_candidates(prose, settings, matcher, builder, refusal))
    linked = builder.build(candidates)
    kept = [candidate for candidate, pair in zip(candidates, linked, strict=True) if pair]
    wants_implicit = settings.implicit and not refusal
    implicit = builder.build(list(_implicit_candidates(prose, matcher, builder))) if wants_implicit else []
    neutral = draw_neutrals(paper.md5, kept, settings, builder)
    pairs = (*filter(None, linked), *filter(None, implicit), *neutral)
    mined = MinedPaper(pairs, builder.counts.funnel())
    if refusal:
        keys = frozenset(pair.key for pair in annotated)
        return replace(mined, annotated=keys, refused=dict.fromkeys(sorted(keys), refusal))
    return find_annotated(mined, annotated, settings, builder) if annotated else mined


def _linked_candidates(
    prose: Prose, settings: MiningSettings, matcher: PhraseMatcher, builder: PairBuilder, refusal: str | None
) -> Iterator[PairCandidate]:
    """Neighbours whose second sentence starts with a phrase that is on and links; the rest is counted and dropped.

    refusal: why all candidates are dropped; None if they are not.
    """
    section_before = -1
    for placed, first in zip(prose.paragraphs, prose.first_sentences, strict=True):
        text, inside = placed.paragraph.text, placed.section == section_before
        section_before = placed.section
        for number, (start, end) in enumerate(placed.paragraph.sentences):
            if not matcher.starts(text, start):
                continue
            sentence = " ".join(text[start:end].split())
            link = matcher.find(sentence)
            if link is None or not link.phrase.on:
                continue
            builder.counts.candidates[Strategy.LINKED] += 1
            flags: tuple[PairFlag, ...] = () if link.comma else (PairFlag.NO_COMMA,)
            problem = refusal or link.trap
            if number == 0:
                flags = (PairFlag.CROSSES_PARAGRAPH, *flags)
                problem = problem or _paragraph_problem(
                    inside, placed.paragraph.after_break, settings.crosses_paragraph
                )
            rest = matcher.end_of_phrases(sentence, link)
            index = first + number
            if problem:
                builder.counts.drop(Strategy.LINKED, problem, partial(_neighbours, prose, index))
                continue
            yield PairCandidate(Strategy.LINKED, index - 1, index, rest, link.phrase.label, link.phrase.text, flags)


def _neighbours(prose: Prose, index: int) -> tuple[str, str]:
    return prose.sentence(index - 1) if index else "", prose.sentence(index)


def _paragraph_problem(inside: bool, after_break: bool, crossing: bool) -> str | None:
    """Why the last sentence of the paragraph before is no premise for the first sentence of this one; None if it is.

    After a break it never is, even if it ends with a full stop: the phrase then refers to the formula, list or table.
    """
    if not inside:
        return "no_premise"
    if after_break:
        return "after_break"
    return None if crossing else "crosses_paragraph"


def _implicit_candidates(prose: Prose, matcher: PhraseMatcher, builder: PairBuilder) -> Iterator[PairCandidate]:
    """Neighbours in a paragraph whose second sentence starts with no linking phrase (MisMatched)."""
    for placed, first in zip(prose.paragraphs, prose.first_sentences, strict=True):
        paragraph = placed.paragraph
        for number in range(1, len(paragraph.sentences)):
            if not matcher.starts(paragraph.text, paragraph.sentences[number].start):
                builder.counts.candidates[Strategy.IMPLICIT] += 1
                yield PairCandidate(Strategy.IMPLICIT, first + number - 1, first + number)
