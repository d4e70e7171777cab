"""Where a pair comes from: its paragraphs, its paper's PDF, and where on the pages its sentences stand."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.jobs.papers.pdfs import Opened, PdfCache
from miner.errors import Unreadable, UserError
from miner.parsing.files import Kind
from miner.paths import is_file, is_folder
from miner.progress import Job, Progress
from miner.records import Box, Pair, Place, Sentence
from storage.papers.evidence import PaperFile, Stretch
from storage.papers.files import Source
from storage.papers.store import PaperSummary
from storage.project import Project, Stores
from storage.untrusted import may_be_looked_at

if TYPE_CHECKING:
    from miner.parsing.embedded.sentence_search import FoundSentence

log = logging.getLogger(__name__)

_TEI_ENDINGS = (".gz", ".xml", ".tei", ".grobid")
_SLACK = 8.0  # points by which found and given places of a sentence may differ
_SUBFOLDERS = 100


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


class PdfState(StrEnum):
    READY = "ready"
    CHANGED = "changed"  # a file lies there, but not the one that was added
    MOVED = "moved"
    NONE = "none"  # the paper came without one
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Pdf:
    """The PDF of a paper. `found`: it lies where the project does not know of yet; `why` and `hint`: if unreadable."""

    state: PdfState
    path: Path | None = None
    sha256: str = ""
    found: bool = False
    why: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Sight:
    """A pair's PDF and where in it the sentences stand.

    `sizes`: of each page as shown, in points. `boxes` has only what could be located, `lines` the whole line
    that each box is in. `phrase` covers the linking phrase, empty where there is none or where it could not be located.
    """

    key: str
    pdf: Pdf
    sizes: tuple[tuple[float, float], ...] = ()
    boxes: Mapping[Role, tuple[Box, ...]] = field(default_factory=dict)
    lines: Mapping[Role, tuple[Box, ...]] = field(default_factory=dict)
    phrase: tuple[Box, ...] = ()
    page: int | None = None


def load(project: Project, key: str) -> Job[Evidence | None]:
    """What the project itself holds; None when the pair is gone with its paper."""

    def work(progress: Progress) -> Evidence | None:
        progress.tick(0, 1)
        with project.reading() as stores:
            return _evidence(stores, key)

    return Job("Looking up where the pair comes from", work)


def look(project: Project, shelf: PdfCache, evidence: Evidence, *, changed: bool = False) -> Job[Sight]:
    """The pair's PDF and the places in it; with `changed` also in one that was changed since it was added."""

    def work(progress: Progress) -> Sight:
        progress.tick(0, 1)
        pdf = _find(project, shelf, evidence, progress)
        if pdf.state is PdfState.READY or (changed and pdf.state is PdfState.CHANGED):
            return _sight(shelf, evidence, pdf, progress)
        return Sight(evidence.key, pdf)

    return Job(f"Looking for the PDF of {_name(evidence)}", work)


def locate(shelf: PdfCache, evidence: Evidence, path: Path) -> Job[Sight]:
    """The same in a file that a person chose; `UserError` when it is not this paper's PDF.

    It must be the file that was added. Of a paper that came without a PDF it must hold the sentences.
    """

    def work(progress: Progress) -> Sight:
        progress.tick(0, 1)
        md5, sha256 = shelf.hashes(path)
        pdf = Pdf(PdfState.READY, path, sha256, found=True)
        if _is_known(evidence, md5, sha256):
            return _sight(shelf, evidence, pdf, progress)
        if evidence.paper.kind == Kind.PDF:
            raise UserError(
                f"{path.name} is not the PDF that was added as {_name(evidence)}: its content differs.",
                hint="Choose the very file that was added. Another version is another paper: add it.",
            )
        sight = _sight(shelf, evidence, pdf, progress)
        if sight.pdf.state is PdfState.READY and not sight.boxes:
            raise UserError(
                f"{path.name} does not hold the two sentences.", hint=f"Choose the PDF of {_name(evidence)}."
            )
        return sight

    return Job(f"Looking into {path.name}", work)


def remember(project: Project, md5: str, pdf: Pdf) -> Job[None]:
    """Keep where a paper's PDF was found."""

    def work(progress: Progress) -> None:
        assert pdf.path is not None
        with project.transaction() as stores:
            if stores.papers.by_md5(md5) is not None:
                stores.files.add(Source(pdf.path, Kind.PDF), md5, pdf.sha256)

    return Job("Remembering where the PDF is", work)


def _evidence(stores: Stores, key: str) -> Evidence | None:
    origin = stores.evidence.origin(key)
    if origin is None:
        return None
    pair, paper = origin.pair, origin.paper
    phrase = _phrase_length(pair)
    sentences = {Role.PREMISE: pair.premise, Role.HYPOTHESIS: pair.hypothesis_original}
    places = {Role.PREMISE: pair.premise_at, Role.HYPOTHESIS: pair.hypothesis_at}
    stretches: list[Stretch] = []
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


def _stretch(stores: Stores, md5: str, place: Place, text: str) -> tuple[Stretch, Sentence] | None:
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


def _find(project: Project, shelf: PdfCache, evidence: Evidence, progress: Progress) -> Pdf:
    """The paper's PDF: where the project knows it to be, else under the same name where its other papers are."""
    known = [file for file in evidence.files if file.line == 0 and _is_pdf(file, evidence.paper)]
    near = [file for file in known if may_be_looked_at(file.path, project.path)]
    other = Pdf(PdfState.MOVED, known[0].path) if known else Pdf(PdfState.NONE)
    for file in near:
        progress.tick(0, 1)
        try:
            md5, sha256 = shelf.hashes(file.path)
        except Unreadable as exc:
            if exc.code != "missing":
                other = Pdf(PdfState.UNREADABLE, file.path, why=str(exc), hint=exc.hint)
            continue
        if sha256 == file.sha256 or _is_known(evidence, md5, sha256):
            return Pdf(PdfState.READY, file.path, sha256)
        other = Pdf(PdfState.CHANGED, file.path, sha256)
    for path in _elsewhere(project, evidence, known):
        progress.tick(0, 1)
        try:
            md5, sha256 = shelf.hashes(path)
        except Unreadable:
            continue
        if _is_known(evidence, md5, sha256):
            return Pdf(PdfState.READY, path, sha256, found=True)
    return other


def _elsewhere(project: Project, evidence: Evidence, known: Sequence[PaperFile]) -> Iterator[Path]:
    names = {file.path.name: None for file in known}
    for file in evidence.files:
        if file.line == 0 and file not in known:
            names[_stem(file.path) + ".pdf"] = None
    if not names:
        return
    home = project.path.resolve().parent
    with project.reading() as stores:
        folders = [*(file.path.parent for file in evidence.files), home, *_subfolders(home), *stores.evidence.folders()]
    tried = {file.path for file in known}
    for folder in dict.fromkeys(folders):
        if not may_be_looked_at(folder, project.path):
            continue
        for path in (folder / name for name in names):
            if path not in tried and is_file(path):
                tried.add(path)
                yield path


def _subfolders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if is_folder(path) and not path.name.startswith("."))[
            :_SUBFOLDERS
        ]
    except OSError as exc:
        log.warning("%s cannot be searched for PDFs: %s", folder, exc)
        return []


def _is_pdf(file: PaperFile, paper: PaperSummary) -> bool:
    return file.path.suffix.lower() == ".pdf" or (paper.kind == Kind.PDF and file.sha256 == paper.sha256)


def _is_known(evidence: Evidence, md5: str, sha256: str) -> bool:
    """Whether this is the file that the paper is of. GROBID's TEI names its PDF by the MD5, which is the paper's."""
    paper = evidence.paper
    return sha256 == paper.sha256 if paper.kind == Kind.PDF else md5 == paper.md5


def _stem(path: Path) -> str:
    name = path.name
    while name.lower().endswith(_TEI_ENDINGS):
        name = name.rpartition(".")[0]
    return name


def _sight(shelf: PdfCache, evidence: Evidence, pdf: Pdf, progress: Progress) -> Sight:
    assert pdf.path is not None
    try:
        with shelf.open(pdf.path, progress) as opened:
            return _places(opened, evidence, pdf)
    except Unreadable as exc:
        return Sight(evidence.key, Pdf(PdfState.UNREADABLE, pdf.path, pdf.sha256, why=str(exc), hint=exc.hint))


def _places(opened: Opened, evidence: Evidence, pdf: Pdf) -> Sight:
    """Each sentence where its text stands on the page; where that is not found, by the parser's boxes.

    Text first: the parser knows lines, and only guesses where in them a sentence starts.
    """
    from miner.parsing.embedded.sentence_search import FoundSentence

    sizes = opened.sizes()
    boxes: dict[Role, tuple[Box, ...]] = {}
    lines: dict[Role, tuple[Box, ...]] = {}
    phrase: tuple[Box, ...] = ()
    for role, text in evidence.sentences.items():
        given = tuple(box for box in evidence.boxes.get(role, ()) if 1 <= box.page <= len(sizes))
        given = given if pdf.state is PdfState.READY else ()
        head = evidence.phrase if role is Role.HYPOTHESIS else 0
        found = _find_text(opened, evidence, text, head, given, len(sizes))
        if not found and given:
            found = FoundSentence(given, given, (), whole=True)
        if found and given and not found.whole:
            found = _mended(found, given)
        if found:
            boxes[role], lines[role] = found.boxes, found.lines
        if head and found:
            phrase = found.head or (evidence.phrase_boxes if given else ())
    return Sight(evidence.key, pdf, sizes, boxes, lines, phrase, evidence.page)


def _find_text(
    opened: Opened, evidence: Evidence, text: str, head: int, given: Sequence[Box], pages: int
) -> FoundSentence | None:
    """The sentence on the pages its boxes name; without boxes near the pair's page, then on any."""

    from miner.parsing.embedded.sentence_search import find_sentence

    if given:
        likely: Sequence[int] = [box.page for box in given]
    else:
        page = evidence.page
        near = [page, page + 1, page - 1] if page is not None else []
        likely = [number for number in (*near, *range(1, pages + 1)) if 1 <= number <= pages]
    return find_sentence(opened, likely, text, head=head, near=given)


def _mended(found: FoundSentence, given: Sequence[Box]) -> FoundSentence:
    """What was found only in part, without what lies apart from the boxes given, and with those that it lacks."""
    pieces = [
        (near, box, line)
        for box, line in zip(found.boxes, found.lines, strict=True)
        if (near := _nearest(box, given)) is not None
    ]
    covered = {near for near, _, _ in pieces}
    pieces += [(number, box, box) for number, box in enumerate(given) if number not in covered]
    pieces.sort(key=lambda piece: piece[0])
    head = found.head if all(_nearest(box, given) is not None for box in found.head) else ()
    return found._replace(
        boxes=tuple(box for _, box, _ in pieces), lines=tuple(line for _, _, line in pieces), head=head
    )


def _nearest(box: Box, given: Sequence[Box]) -> int | None:
    """Which of the boxes given the middle of a box lies in, or almost."""
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    near = [
        (abs(y - (y0 + y1) / 2), number)
        for number, (page, x0, y0, x1, y1) in enumerate(given)
        if box.page == page and x0 - 4 * _SLACK <= x <= x1 + 4 * _SLACK and y0 - _SLACK <= y <= y1 + _SLACK
    ]
    return min(near)[1] if near else None


def _name(evidence: Evidence) -> str:
    return f"“{evidence.paper.title}”" if evidence.paper.title else "this paper"
