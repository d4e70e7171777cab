"""The data types of the whole program: papers and their prose, pairs and their labels.

All are immutable and picklable. Text is NFC Unicode. Offsets count characters; ends are exclusive. Pages count from 1.
Boxes are in PDF points from the top left corner of the page, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

FORMULA = "[formula]"
"""Stands in prose where a formula, or a line that could not be read, was left out."""
UNREADABLE = "\ufffd"
"""Stands in prose for a character whose font does not say what it is, and that nothing else tells."""


OTHER_LANGUAGE = "other_language"
"""Why a paper that is not in English gives no pairs: linking phrases and filters are of English."""


class Label(StrEnum):
    """The four relations of scientific NLI (SciNLI, section 3.1). Files contain the values."""

    CONTRASTING = "contrasting"
    REASONING = "reasoning"
    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"


class Answer(StrEnum):
    """Answers of an annotator: the four relations, or that the two sentences alone do not show the relation."""

    CONTRASTING = "contrasting"
    REASONING = "reasoning"
    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    UNCLEAR = "unclear"


ANSWER_DEFINITIONS = {
    Answer.CONTRASTING: "One sentence contradicts, compares with, criticises, juxtaposes or limits something said in "
    "the other.",
    Answer.REASONING: "The first gives the reason, cause or condition for the result or conclusion in the second.",
    Answer.ENTAILMENT: "One generalises, specifies or has an equivalent meaning with the other.",
    Answer.NEUTRAL: "The two sentences are semantically independent.",
    Answer.UNCLEAR: "The two sentences alone do not say. It is an answer, but no class of the data set.",
}
"""What annotators are told of each answer (SciNLI, section 3.1), in the order of the number keys of Review."""


class Strategy(StrEnum):
    """How a pair was made."""

    LINKED = "linked"
    BOTH_RANDOM = "both_random"
    FIRST_RANDOM = "first_random"
    SECOND_RANDOM = "second_random"
    IMPLICIT = "implicit"
    IMPORTED = "imported"


NEUTRAL_STRATEGIES = (Strategy.BOTH_RANDOM, Strategy.FIRST_RANDOM, Strategy.SECOND_RANDOM)


class SectionKind(StrEnum):
    """Which prose a section contains. Nothing else of a paper is kept (method: which text counts)."""

    ABSTRACT = "abstract"
    BODY = "body"
    ANNEX = "annex"


class Box(NamedTuple):
    """A rectangle on a page."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Span(NamedTuple):
    """The `box` of characters `start` to `end` of a paragraph's text: of a line, or of a sentence from GROBID."""

    start: int
    end: int
    box: Box


class Sentence(NamedTuple):
    """Characters `start` to `end` of a paragraph's text, without white space around them."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text, its sentences in order, and `spans`: where its lines are on the pages (empty when not known).

    `after_break`: a display formula, a list, a table or a run-in heading stands between the previous paragraph and this
    one, so the last sentence before and the first sentence here are not neighbours.
    """

    text: str
    sentences: tuple[Sentence, ...] = ()
    spans: tuple[Span, ...] = ()
    after_break: bool = False

    def sentence(self, index: int) -> str:
        start, end = self.sentences[index]
        return self.text[start:end]

    def boxes(self, sentence: Sentence) -> tuple[Box, ...]:
        """Where the sentence is on the pages: a box for each of its lines, cut to the sentence's part of the line."""
        boxes = []
        for start, end, box in self.spans:
            first, last = max(start, sentence.start), min(end, sentence.end)
            if first < last:
                width = (box.x1 - box.x0) / (end - start)
                boxes.append(box._replace(x0=box.x0 + (first - start) * width, x1=box.x0 + (last - start) * width))
        return tuple(boxes)


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    paragraphs: tuple[Paragraph, ...]
    kind: SectionKind = SectionKind.BODY


METADATA = ("title", "authors", "year", "doi", "journal", "licence")
"""The fields of `Paper` whose source is kept."""


class FieldSource(NamedTuple):
    """Where the value of a field of `METADATA` comes from, such as "first page", and whether it is sure."""

    field: str
    source: str
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class PaperDescription:
    """What is known of a paper beside its text and where its metadata come from.

    `md5` is the paper's identity: the MD5 of the PDF in lower-case hex. GROBID's TEI contains it too, so a PDF and its
    TEI are the same paper. Of a publisher's XML it is the MD5 of the XML; a paper that comes as both keeps that of the
    file that came first, in a corpus that of the XML (`miner.references.same_paper`). `sha256` is of the imported file
    (of the PDF when there is one).
    For papers from JSON lines both are hashes of title, year, DOI and prose. `splitter` names the rules and parameters
    of the sentence splitter.
    `hidden_words`: number of words that cannot be seen on the pages; they are not in the prose. `repaired_characters`:
    number of characters on the pages for which the PDF gives others than are printed, by its `repaired_fonts`.
    `licence`: as SPDX writes it, "" where none is stated (`miner.parsing.licences`). `language`: of the prose, by
    ISO 639-1; "" where it is not known. `words`: number of words of the prose that could be looked up; `unknown_words`:
    those of them that are no words; `unknown_lines`: the worst lines.
    """

    md5: str
    sha256: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    domain: str = ""
    pages: int | None = None
    parser: str = ""
    parser_version: str = ""
    splitter: str = ""
    hidden_words: int = 0
    repaired_characters: int = 0
    repaired_fonts: int = 0
    licence: str = ""
    journal: str = ""
    keywords: tuple[str, ...] = ()
    language: str = ""
    words: int = 0
    unknown_words: int = 0
    unknown_lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Paper(PaperDescription):
    """One paper's metadata and prose. `sources`: where the metadata come from."""

    sources: tuple[FieldSource, ...] = ()
    sections: tuple[Section, ...] = ()


class PaperPosition(NamedTuple):
    """Position of a sentence: section in the paper, paragraph in the section, sentence in the paragraph, from 0."""

    section: int
    paragraph: int
    sentence: int


class PairFlag(StrEnum):
    """Properties of a pair to show, filter by or exclude."""

    CROSSES_PARAGRAPH = "crosses_paragraph"
    PREMISE_HAS_PHRASE = "premise_has_phrase"
    NO_COMMA = "no_comma"


class HypothesisTrait(StrEnum):
    """A property of a hypothesis that can be told without understanding it; `miner.audit.traits` defines each.

    CAPITAL: its first letter is a capital. PHRASE_START: it begins with a linking phrase. PHRASE_NEAR: near its start
    is a linking phrase before a comma, colon or semicolon. CITATION, DIGIT: it has a citation, a digit. NO_STOP: it
    does not end in a full stop, exclamation or question mark.
    """

    CAPITAL = "capital"
    PHRASE_START = "phrase_start"
    PHRASE_NEAR = "phrase_near"
    CITATION = "citation"
    DIGIT = "digit"
    NO_STOP = "no_stop"


@dataclass(frozen=True, slots=True)
class Pair:
    """Premise and hypothesis of one paper.

    `hypothesis`: the text for the data set, without the linking phrase, its first letter by the casing policy.
    `hypothesis_original`: the sentence as it is in the paper. `key`: the pair's identity, see `pair_key`.
    """

    key: str
    premise: str
    hypothesis: str
    hypothesis_original: str
    strategy: Strategy
    distant_label: Label | None
    phrase: str | None
    premise_at: PaperPosition
    hypothesis_at: PaperPosition
    page: int | None = None
    flags: tuple[PairFlag, ...] = ()


class AnnotatedNeutral(NamedTuple):
    """A neutral pair that somebody has annotated, which mining keeps where it can.

    The hashes are `miner.mining.identity.sentence_hash` of both sentences as they are in the paper.
    """

    key: str
    strategy: Strategy
    premise_hash: int
    hypothesis_hash: int


class DropReason(NamedTuple):
    """A reason for dropping candidates, and the strategy of these candidates."""

    strategy: Strategy
    reason: str


@dataclass(frozen=True, slots=True)
class Funnel:
    """How many candidates became pairs: candidates = kept + dropped, by strategy (and reason)."""

    candidates: Mapping[Strategy, int] = field(default_factory=dict)
    kept: Mapping[Strategy, int] = field(default_factory=dict)
    dropped: Mapping[DropReason, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MinedPaper:
    """The pairs of one paper, in reading order with neutral pairs last, and the counts of its candidates.

    annotated: the keys of all `AnnotatedNeutral` that were given. extra: those that were not drawn now and are valid,
    so that drawn ones may give way to them (`miner.mining.neutral_quota`); they are not counted. refused: why the
    others are no longer valid, by key: a key of `miner.mining.annotated_neutrals.REFUSALS`.
    """

    pairs: tuple[Pair, ...]
    funnel: Funnel
    annotated: frozenset[str] = frozenset()
    extra: tuple[Pair, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A model's prediction for a pair: the most probable label, and the probabilities of all labels in `Label`'s order.

    `confidence`: the calibrated probability of `label`. `doubt`: the probability that the distant label is wrong, by
    `miner.classifier.doubt`. `margin`: the probability of the distant label minus the greatest of the others, -1 to 1.
    Both are None where the pair has no distant label, or where the model is known to have learned it. `model`: the
    model's name.
    """

    label: Label
    confidence: float
    probabilities: tuple[float, ...]
    doubt: float | None
    margin: float | None
    model: str
