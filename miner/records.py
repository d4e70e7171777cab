"""The words the whole program speaks: papers and their prose, pairs and their labels.

All frozen, picklable and without behaviour that reaches outside. Text is NFC Unicode; offsets are characters, ends
exclusive; pages count from 1; boxes are PDF points from the page's top left corner, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Label(StrEnum):
    """The four relations of scientific NLI (SciNLI, section 3.1); the value is what files hold."""

    CONTRASTING = "contrasting"
    REASONING = "reasoning"
    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"


class Answer(StrEnum):
    """What an annotator can say: the four relations, or that two sentences alone do not tell."""

    CONTRASTING = "contrasting"
    REASONING = "reasoning"
    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    UNCLEAR = "unclear"


class Strategy(StrEnum):
    """How a pair came to be."""

    LINKED = "linked"
    BOTH_RANDOM = "both_random"
    FIRST_RANDOM = "first_random"
    SECOND_RANDOM = "second_random"
    IMPLICIT = "implicit"
    IMPORTED = "imported"


NEUTRAL_STRATEGIES = (Strategy.BOTH_RANDOM, Strategy.FIRST_RANDOM, Strategy.SECOND_RANDOM)


class SectionKind(StrEnum):
    """Which prose a section holds; nothing else of a paper is kept (method: which text counts)."""

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
    """Characters `start` to `end` of a paragraph's text stand in `box`: a line of the page, or a GROBID sentence."""

    start: int
    end: int
    box: Box


class Sentence(NamedTuple):
    """Characters `start` to `end` of a paragraph's text, without surrounding white space."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text, its sentences in order, and where its lines stand on the pages (empty when not known).

    `after_break` says that something which ends a thought (a display formula, a list, a table in the text) stands
    between the paragraph before and this one, so that the two are not neighbours in reading.
    """

    text: str
    sentences: tuple[Sentence, ...] = ()
    spans: tuple[Span, ...] = ()
    after_break: bool = False

    def sentence(self, index: int) -> str:
        start, end = self.sentences[index]
        return self.text[start:end]

    def boxes(self, sentence: Sentence) -> tuple[Box, ...]:
        """Where the sentence stands: a box for each line it touches, cut to its share of the line's characters."""
        found = []
        for start, end, box in self.spans:
            first, last = max(start, sentence.start), min(end, sentence.end)
            if first < last:
                width = (box.x1 - box.x0) / (end - start)
                found.append(box._replace(x0=box.x0 + (first - start) * width, x1=box.x0 + (last - start) * width))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    paragraphs: tuple[Paragraph, ...]
    kind: SectionKind = SectionKind.BODY


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper's metadata and prose.

    `md5` is the paper's identity: lower-case hex of the PDF's bytes, because that is what GROBID's TEI names its PDF
    by, so a PDF and its TEI are one paper whichever comes first. `sha256` is of the file given (the PDF when there is
    one). For papers given as structured text both are of the title, year, DOI and prose as tidied. `splitter` names the
    parameters its sentences were found with. `hidden_words` are not in the prose: they cannot be seen on the pages.
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
    sections: tuple[Section, ...] = ()


class Place(NamedTuple):
    """A sentence of a paper, by position: section, paragraph in the section, sentence in the paragraph, all from 0."""

    section: int
    paragraph: int
    sentence: int


class Flag(StrEnum):
    """What a user may want to know, filter by or exclude."""

    CROSSES_PARAGRAPH = "crosses_paragraph"
    PREMISE_HAS_PHRASE = "premise_has_phrase"
    NO_COMMA = "no_comma"


@dataclass(frozen=True, slots=True)
class Pair:
    """Premise and hypothesis of one paper.

    `hypothesis` is the text of the data set: linking phrase removed, first letter by the casing policy.
    `hypothesis_original` is the sentence as the paper has it. `key` is the pair's identity: see `pair_key`.
    """

    key: str
    premise: str
    hypothesis: str
    hypothesis_original: str
    strategy: Strategy
    distant_label: Label | None
    phrase: str | None
    premise_at: Place
    hypothesis_at: Place
    page: int | None = None
    flags: tuple[Flag, ...] = ()


class Drop(NamedTuple):
    """A reason candidates were dropped for, and the strategy they were candidates of."""

    strategy: Strategy
    reason: str


@dataclass(frozen=True, slots=True)
class Funnel:
    """In = kept + dropped, by strategy and reason."""

    candidates: Mapping[Strategy, int] = field(default_factory=dict)
    kept: Mapping[Strategy, int] = field(default_factory=dict)
    dropped: Mapping[Drop, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mined:
    """What one paper gave: its pairs in reading order, neutral ones last, and the funnel that accounts for the rest."""

    pairs: tuple[Pair, ...]
    funnel: Funnel


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a model says of a pair: the label it holds most likely, and how likely it holds each, in `Label`'s order.

    `confidence` is the label's probability, calibrated. `doubt`: 1 - the probability of the distant label, by a model
    that had not learned it, as far as is known; `margin`: that probability less the greatest of the others, -1 to 1.
    Both are None where there is no distant label, or the model had learned it. `model` is the model's name.
    """

    label: Label
    confidence: float
    probabilities: tuple[float, ...]
    doubt: float | None
    margin: float | None
    model: str
