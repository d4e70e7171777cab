"""Where on the pages of its paper's PDF the sentences of a pair stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.jobs.papers.evidence import Evidence, Role
from desktop.jobs.papers.pdf_lookup import Pdf, PdfState, find_pdf, is_pdf_of
from desktop.jobs.papers.pdfs import OpenPdf, PdfCache
from miner.errors import Unreadable, UserError
from miner.parsing.files import FileKind
from miner.progress import Job, Progress
from miner.records import Box
from storage.project import Project

if TYPE_CHECKING:
    from miner.parsing.embedded.sentence_search import FoundSentence

_SLACK = 8.0  # points by which found and given places of a sentence may differ


@dataclass(frozen=True, slots=True)
class PdfLocations:
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


def find_in_pdf(project: Project, cache: PdfCache, evidence: Evidence, *, changed: bool = False) -> Job[PdfLocations]:
    """The pair's PDF and the places in it; with `changed` also in one that was changed since it was added."""

    def work(progress: Progress) -> PdfLocations:
        progress.tick(0, 1)
        pdf = find_pdf(project, cache, evidence, progress)
        if pdf.state is PdfState.READY or (changed and pdf.state is PdfState.CHANGED):
            return _locate(cache, evidence, pdf, progress)
        return PdfLocations(evidence.key, pdf)

    return Job(f"Looking for the PDF of {_name(evidence)}", work)


def find_in_file(cache: PdfCache, evidence: Evidence, path: Path) -> Job[PdfLocations]:
    """The same in a file that a person chose; `UserError` when it is not this paper's PDF.

    It must be the file that was added. Of a paper that came without a PDF it must hold the sentences.
    """

    def work(progress: Progress) -> PdfLocations:
        progress.tick(0, 1)
        hashes = cache.hashes(path)
        pdf = Pdf(PdfState.READY, path, hashes.sha256, found=True)
        if is_pdf_of(evidence.paper, hashes):
            return _locate(cache, evidence, pdf, progress)
        if evidence.paper.kind == FileKind.PDF:
            raise UserError(
                f"{path.name} is not the PDF that was added as {_name(evidence)}: its content differs.",
                hint="Choose the very file that was added. Another version is another paper: add it.",
            )
        found = _locate(cache, evidence, pdf, progress)
        if found.pdf.state is PdfState.READY and not found.boxes:
            raise UserError(
                f"{path.name} does not hold the two sentences.", hint=f"Choose the PDF of {_name(evidence)}."
            )
        return found

    return Job(f"Looking into {path.name}", work)


def _locate(cache: PdfCache, evidence: Evidence, pdf: Pdf, progress: Progress) -> PdfLocations:
    assert pdf.path is not None
    try:
        with cache.open(pdf.path, progress) as opened:
            return _places(opened, evidence, pdf)
    except Unreadable as exc:
        return PdfLocations(evidence.key, Pdf(PdfState.UNREADABLE, pdf.path, pdf.sha256, why=str(exc), hint=exc.hint))


def _places(opened: OpenPdf, evidence: Evidence, pdf: Pdf) -> PdfLocations:
    """Each sentence where its text stands on the page; where that is not found, by the parser's boxes.

    Text first: the parser knows lines, and only guesses where in them a sentence starts.
    """
    sizes = opened.sizes()
    boxes: dict[Role, tuple[Box, ...]] = {}
    lines: dict[Role, tuple[Box, ...]] = {}
    phrase: tuple[Box, ...] = ()
    for role in evidence.sentences:
        given: tuple[Box, ...] = ()
        if pdf.state is PdfState.READY:
            given = tuple(box for box in evidence.boxes.get(role, ()) if 1 <= box.page <= len(sizes))
        if found := _find_sentence(opened, evidence, role, given, len(sizes)):
            boxes[role], lines[role] = found.boxes, found.lines
            if role is Role.HYPOTHESIS and evidence.phrase:
                phrase = found.head or (evidence.phrase_boxes if given else ())
    return PdfLocations(evidence.key, pdf, sizes, boxes, lines, phrase, evidence.page)


def _find_sentence(
    opened: OpenPdf, evidence: Evidence, role: Role, given: tuple[Box, ...], pages: int
) -> FoundSentence | None:
    """By the sentence's text, mended by the parser's boxes; by these alone where the text is not there."""
    from miner.parsing.embedded.sentence_search import FoundSentence

    head = evidence.phrase if role is Role.HYPOTHESIS else 0
    found = _find_text(opened, evidence, evidence.sentences[role], head, given, pages)
    if not given:
        return found
    if not found:
        return FoundSentence(given, given, (), whole=True)
    return found if found.whole else _completed(found, given)


def _find_text(
    opened: OpenPdf, evidence: Evidence, text: str, head: int, given: Sequence[Box], pages: int
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


def _completed(found: FoundSentence, given: Sequence[Box]) -> FoundSentence:
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
