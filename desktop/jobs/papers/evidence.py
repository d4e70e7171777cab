"""Where a pair comes from, as the project knows it: its paper, its paragraphs and the parser's boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from miner.progress import Job, Progress
from miner.records import Box, Pair, PaperPosition, Sentence
from storage.papers.evidence import LocatedParagraph, PaperFile
from storage.papers.store import PaperSummary
from storage.project import Project, Stores


class Role(StrEnum):
    PREMISE = "premise"
    HYPOTHESIS = "hypothesis"


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters `start` to `end` of a passage are the pair's sentence; up to `phrase_end` its linking phrase."""

    role: Role
    start: int
    end: int
    phrase_end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph that holds one of the sentences or both, under the title of its section."""

    title: str
    text: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the project knows of where a pair comes from.

    `sentences` are as the paper has them; `phrase` is how many characters the linking phrase takes of the hypothesis,
    what follows it up to the next word included. `missing`: sentences that the paper's text no longer holds. `boxes`
    are by the parser, `phrase_boxes` a guess from them that is rather too wide.
    """

    key: str
    current: bool
    paper: PaperSummary
    passages: tuple[Passage, ...]
    sentences: Mapping[Role, str]
    phrase: int
    missing: tuple[Role, ...]
    boxes: Mapping[Role, tuple[Box, ...]]
    phrase_boxes: tuple[Box, ...]
    page: int | None
    files: tuple[PaperFile, ...]


def load(project: Project, key: str) -> Job[Evidence | None]:
    """What the project itself holds; None when the pair is gone with its paper."""

    def work(progress: Progress) -> Evidence | None:
        progress.tick(0, 1)
        with project.reading() as stores:
            return _evidence(stores, key)

    return Job("Looking up where the pair comes from", work)


def _evidence(stores: Stores, key: str) -> Evidence | None:
    origin = stores.evidence.origin(key)
    if origin is None:
        return None
    pair, paper = origin.pair, origin.paper
    phrase = _phrase_length(pair)
    sentences = {Role.PREMISE: pair.premise, Role.HYPOTHESIS: pair.hypothesis_original}
    places = {Role.PREMISE: pair.premise_at, Role.HYPOTHESIS: pair.hypothesis_at}
    stretches: list[LocatedParagraph] = []
    marks: list[list[Mark]] = []
    boxes: dict[Role, tuple[Box, ...]] = {}
    phrase_boxes: tuple[Box, ...] = ()
    missing = []
    for role, text in sentences.items():
        found = _stretch(stores, paper.md5, places[role], text)
        if found is None:
            missing.append(role)
            continue
        stretch, sentence = found
        if stretch not in stretches:
            stretches.append(stretch)
            marks.append([])
        cut = phrase if role is Role.HYPOTHESIS else 0
        marks[stretches.index(stretch)].append(Mark(role, *sentence, sentence.start + cut))
        boxes[role] = stretch.paragraph.boxes(sentence)
        if cut:
            wide = Sentence(max(0, sentence.start - 1), min(sentence.start + cut + cut // 3 + 1, sentence.end))
            phrase_boxes = stretch.paragraph.boxes(wide)
    return Evidence(
        key=key,
        current=origin.current,
        paper=paper,
        passages=tuple(
            Passage(stretch.title, stretch.paragraph.text, tuple(sorted(found, key=lambda mark: mark.start)))
            for stretch, found in zip(stretches, marks, strict=True)
        ),
        sentences=sentences,
        phrase=phrase,
        missing=tuple(missing),
        boxes=boxes,
        phrase_boxes=phrase_boxes,
        page=pair.page,
        files=tuple(stores.evidence.files(paper.md5)),
    )


def _phrase_length(pair: Pair) -> int:
    """How many characters mining took off the hypothesis; only the case of what is left may differ."""
    cut = len(pair.hypothesis_original) - len(pair.hypothesis)
    if cut > 0 and pair.hypothesis_original[cut + 1 :] == pair.hypothesis[1:]:
        return cut
    return len(pair.phrase or "")


def _stretch(stores: Stores, md5: str, place: PaperPosition, text: str) -> tuple[LocatedParagraph, Sentence] | None:
    """The paragraph with the sentence, and where in it: at its place, else wherever a later parse has put it."""
    stretch = stores.evidence.paragraph(md5, place.section, place.paragraph)
    if stretch is not None:
        sentences = stretch.paragraph.sentences
        if place.sentence < len(sentences) and stretch.paragraph.sentence(place.sentence) == text:
            return stretch, sentences[place.sentence]
    for candidate in (stretch, stores.evidence.paragraph_with(md5, text)):
        if candidate is not None and (start := candidate.paragraph.text.find(text)) >= 0:
            return candidate, Sentence(start, start + len(text))
    return None
