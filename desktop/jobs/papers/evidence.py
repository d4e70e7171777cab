"""The evidence of a pair as stored in the project: its paper, its paragraphs and the parser's boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from desktop.translation import tr
from miner.progress import Job, Progress
from miner.records import Box, Pair, PaperPosition, Sentence
from storage.papers.evidence import LocatedParagraph, PaperFile
from storage.papers.metadata import PaperSummary
from storage.project import Project
from storage.stores import Stores


class SentenceRole(StrEnum):
    """The role of a sentence in its pair."""

    PREMISE = "premise"
    HYPOTHESIS = "hypothesis"


@dataclass(frozen=True, slots=True)
class SentenceMark:
    """A sentence of the pair in a passage: characters `start` to `end`; the linking phrase ends at `phrase_end`."""

    role: SentenceRole
    start: int
    end: int
    phrase_end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph with one or both sentences. title: of its section. marks: in the order of the text."""

    title: str
    text: str
    marks: tuple[SentenceMark, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of a pair as stored in the project; for a mended pair, the evidence of the mined sentences.

    `current`: mining still makes this pair. `sentences` are as printed; `phrase_length` is how many characters of the
    hypothesis the linking phrase takes, with what follows it up to the next word. `missing`: sentences that are not in
    the paper's text any more. `boxes` come from the parser; `phrase_boxes` are estimated from them, rather too wide.
    """

    key: str
    current: bool
    paper: PaperSummary
    passages: tuple[Passage, ...]
    sentences: Mapping[SentenceRole, str]
    phrase_length: int
    missing: tuple[SentenceRole, ...]
    boxes: Mapping[SentenceRole, tuple[Box, ...]]
    phrase_boxes: tuple[Box, ...]
    page: int | None
    files: tuple[PaperFile, ...]


def load_evidence(project: Project, key: str) -> Job[Evidence | None]:
    """The evidence of the pair with this key; None if it was removed with its paper."""

    def work(progress: Progress) -> Evidence | None:
        progress.tick(0, 1)
        with project.read_transaction() as stores:
            return find_evidence(stores, key)

    return Job(tr("Looking up where the pair comes from"), work)


def find_evidence(stores: Stores, key: str) -> Evidence | None:
    """The same as `load_evidence`, within an open transaction."""
    origin = stores.evidence.origin(key)
    if origin is None:
        return None
    pair, paper = origin.pair, origin.paper
    phrase_length = _phrase_length(pair)
    sentences = {SentenceRole.PREMISE: pair.premise, SentenceRole.HYPOTHESIS: pair.hypothesis_original}
    places = {SentenceRole.PREMISE: pair.premise_at, SentenceRole.HYPOTHESIS: pair.hypothesis_at}
    paragraphs: list[LocatedParagraph] = []
    marks: list[list[SentenceMark]] = []
    boxes: dict[SentenceRole, tuple[Box, ...]] = {}
    phrase_boxes: tuple[Box, ...] = ()
    missing = []
    for role, text in sentences.items():
        found = _find_paragraph(stores, paper.md5, places[role], text)
        if found is None:
            missing.append(role)
            continue
        located, sentence = found
        if located not in paragraphs:
            paragraphs.append(located)
            marks.append([])
        length = phrase_length if role is SentenceRole.HYPOTHESIS else 0
        marks[paragraphs.index(located)].append(SentenceMark(role, *sentence, sentence.start + length))
        boxes[role] = located.paragraph.boxes(sentence)
        if length:
            wide = Sentence(max(0, sentence.start - 1), min(sentence.start + length + length // 3 + 1, sentence.end))
            phrase_boxes = located.paragraph.boxes(wide)
    return Evidence(
        key=key,
        current=origin.current,
        paper=paper,
        passages=tuple(
            Passage(located.title, located.paragraph.text, tuple(sorted(its_marks, key=lambda mark: mark.start)))
            for located, its_marks in zip(paragraphs, marks, strict=True)
        ),
        sentences=sentences,
        phrase_length=phrase_length,
        missing=tuple(missing),
        boxes=boxes,
        phrase_boxes=phrase_boxes,
        page=pair.page,
        files=tuple(stores.evidence.files(paper.md5)),
    )


def _phrase_length(pair: Pair) -> int:
    """How many characters mining cut off the hypothesis. The rest may differ only in the case of its first letter."""
    length = len(pair.hypothesis_original) - len(pair.hypothesis)
    if length > 0 and pair.hypothesis_original[length + 1 :] == pair.hypothesis[1:]:
        return length
    return len(pair.phrase or "")


def _find_paragraph(
    stores: Stores, md5: str, place: PaperPosition, text: str
) -> tuple[LocatedParagraph, Sentence] | None:
    """The paragraph with the sentence, and its place there; it is found by its text if a later parse has moved it."""
    located = stores.evidence.paragraph(md5, place.section, place.paragraph)
    if located is not None:
        sentences = located.paragraph.sentences
        if 0 <= place.sentence < len(sentences) and located.paragraph.sentence(place.sentence) == text:
            return located, sentences[place.sentence]
    for candidate in (located, stores.evidence.paragraph_with(md5, text)):
        if candidate is not None and (start := candidate.paragraph.text.find(text)) >= 0:
            return candidate, Sentence(start, start + len(text))
    return None
