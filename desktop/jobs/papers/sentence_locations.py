"""Finds the sentences of a pair on the pages of its paper's PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.jobs.papers.evidence import Evidence, SentenceRole
from desktop.jobs.papers.pdf_lookup import Pdf, PdfState, find_pdf, is_pdf_of
from desktop.jobs.papers.pdfs import OpenPdf, PdfCache
from desktop.translation import tr
from miner.errors import UnreadableFile, UserError
from miner.parsing.files import FileKind
from miner.progress import Job, Progress
from miner.records import Box
from storage.project import Project

if TYPE_CHECKING:
    from miner.parsing.embedded.sentence_search import FoundSentence

_TOLERANCE_PT = 8.0  # by which the parser's boxes may differ from the text found


@dataclass(frozen=True, slots=True)
class PdfLocations:
    """A pair's PDF and where on its pages the sentences are.

    `sizes`: width and height of each page as shown, in points. `boxes`: of the sentences that could be located; `lines`
    has the whole line around each box. `phrase_boxes`: of the linking phrase; empty if it has none or is not located.
    `page`: where the parser put the pair, from 1.
    """

    key: str
    pdf: Pdf
    sizes: tuple[tuple[float, float], ...] = ()
    boxes: Mapping[SentenceRole, tuple[Box, ...]] = field(default_factory=dict)
    lines: Mapping[SentenceRole, tuple[Box, ...]] = field(default_factory=dict)
    phrase_boxes: tuple[Box, ...] = ()
    page: int | None = None


def find_in_pdf(project: Project, cache: PdfCache, evidence: Evidence, *, changed: bool = False) -> Job[PdfLocations]:
    """Find the pair's PDF and its sentences in it; `changed`: even if the PDF has changed since it was added."""

    def work(progress: Progress) -> PdfLocations:
        progress.tick(0, 1)
        pdf = find_pdf(project, cache, evidence, progress)
        if pdf.state is PdfState.READY or (changed and pdf.state is PdfState.CHANGED):
            return _locate(cache, evidence, pdf, progress)
        return PdfLocations(evidence.key, pdf)

    return Job(tr("Looking for the PDF of {quoted_title}", quoted_title=_quoted_title(evidence)), work)


def find_in_file(cache: PdfCache, evidence: Evidence, path: Path) -> Job[PdfLocations]:
    """Find the pair's sentences in a file that a person chose; `UserError` if it is not this paper's PDF.

    It must be the file that was added. For a paper that came without a PDF, it must hold the sentences.
    """

    def work(progress: Progress) -> PdfLocations:
        progress.tick(0, 1)
        hashes = cache.hashes(path)
        pdf = Pdf(PdfState.READY, path, hashes.sha256, is_newly_found=True)
        if is_pdf_of(evidence.paper, hashes):
            return _locate(cache, evidence, pdf, progress)
        if evidence.paper.kind == FileKind.PDF:
            raise UserError(
                tr(
                    "{name} is not the PDF that was added as {quoted_title}: its content differs.",
                    name=path.name,
                    quoted_title=_quoted_title(evidence),
                ),
                hint=tr("Choose the file that was added. Add another version as a paper of its own."),
            )
        found = _locate(cache, evidence, pdf, progress)
        if found.pdf.state is PdfState.READY and not found.boxes:
            raise UserError(
                tr("{name} does not hold the two sentences.", name=path.name),
                hint=tr("Choose the PDF of {quoted_title}.", quoted_title=_quoted_title(evidence)),
            )
        return found

    return Job(tr("Looking into {name}", name=path.name), work)


def _locate(cache: PdfCache, evidence: Evidence, pdf: Pdf, progress: Progress) -> PdfLocations:
    assert pdf.path is not None
    try:
        return _locate_sentences(cache.open(pdf.path, progress), evidence, pdf)
    except UnreadableFile as exc:
        return PdfLocations(
            evidence.key, Pdf(PdfState.UNREADABLE, pdf.path, pdf.sha256, problem=str(exc), hint=exc.hint)
        )


def _locate_sentences(opened: OpenPdf, evidence: Evidence, pdf: Pdf) -> PdfLocations:
    """Locate each sentence by its text; if the text is not found, by the parser's boxes.

    The text is preferred, because the parser knows a sentence's lines, but only estimates where in them it starts.
    """
    sizes = opened.sizes()
    boxes: dict[SentenceRole, tuple[Box, ...]] = {}
    lines: dict[SentenceRole, tuple[Box, ...]] = {}
    phrase_boxes: tuple[Box, ...] = ()
    for role in evidence.sentences:
        parser_boxes: tuple[Box, ...] = ()
        if pdf.state is PdfState.READY:
            parser_boxes = tuple(box for box in evidence.boxes.get(role, ()) if 1 <= box.page <= len(sizes))
        if found := _find_sentence(opened, evidence, role, parser_boxes, len(sizes)):
            boxes[role], lines[role] = found.boxes, found.lines
            if role is SentenceRole.HYPOTHESIS and evidence.phrase_length:
                phrase_boxes = found.head or (evidence.phrase_boxes if parser_boxes else ())
    return PdfLocations(evidence.key, pdf, sizes, boxes, lines, phrase_boxes, evidence.page)


def _find_sentence(
    opened: OpenPdf, evidence: Evidence, role: SentenceRole, parser_boxes: tuple[Box, ...], pages: int
) -> FoundSentence | None:
    """Find a sentence by its text, corrected by the parser's boxes; only by the boxes if the text is not found."""
    from miner.parsing.embedded.sentence_search import FoundSentence

    head = evidence.phrase_length if role is SentenceRole.HYPOTHESIS else 0
    found = _find_text(opened, evidence, evidence.sentences[role], head, parser_boxes, pages)
    if not parser_boxes:
        return found
    if not found:
        return FoundSentence(parser_boxes, parser_boxes, (), whole=True)
    return found if found.whole else _merge_with_boxes(found, parser_boxes)


def _find_text(
    opened: OpenPdf, evidence: Evidence, text: str, head: int, parser_boxes: Sequence[Box], pages: int
) -> FoundSentence | None:
    """Search the pages of the parser's boxes; without boxes, those near the pair's page, then all."""
    from miner.parsing.embedded.sentence_search import find_sentence

    if parser_boxes:
        likely: Sequence[int] = [box.page for box in parser_boxes]
    else:
        page = evidence.page
        near = [page, page + 1, page - 1] if page is not None else []
        likely = [number for number in (*near, *range(1, pages + 1)) if 1 <= number <= pages]
    return find_sentence(opened, likely, text, head=head, near=parser_boxes)


def _merge_with_boxes(found: FoundSentence, parser_boxes: Sequence[Box]) -> FoundSentence:
    """A sentence found in part: without pieces far from the parser's boxes, and with the boxes that have no piece."""
    pieces = [
        (near, box, line)
        for box, line in zip(found.boxes, found.lines, strict=True)
        if (near := _nearest(box, parser_boxes)) is not None
    ]
    covered = {near for near, _, _ in pieces}
    pieces += [(number, box, box) for number, box in enumerate(parser_boxes) if number not in covered]
    pieces.sort(key=lambda piece: piece[0])
    head = found.head if all(_nearest(box, parser_boxes) is not None for box in found.head) else ()
    return found._replace(
        boxes=tuple(box for _, box, _ in pieces), lines=tuple(line for _, _, line in pieces), head=head
    )


def _nearest(box: Box, parser_boxes: Sequence[Box]) -> int | None:
    """The index of the parser's box that the centre of a box is in, or close to; None if there is none."""
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    near = [
        (abs(y - (y0 + y1) / 2), number)
        for number, (page, x0, y0, x1, y1) in enumerate(parser_boxes)
        if box.page == page
        and x0 - 4 * _TOLERANCE_PT <= x <= x1 + 4 * _TOLERANCE_PT
        and y0 - _TOLERANCE_PT <= y <= y1 + _TOLERANCE_PT
    ]
    return min(near)[1] if near else None


def _quoted_title(evidence: Evidence) -> str:
    return f"“{evidence.paper.title}”" if evidence.paper.title else tr("this paper")
