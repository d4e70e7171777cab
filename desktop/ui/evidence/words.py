"""What the panel says: of sentences that are gone, and of PDFs that cannot be shown."""

from __future__ import annotations

from collections.abc import Iterator

from desktop.jobs.papers.evidence import Evidence, Passage, SentenceMark, SentenceRole
from desktop.jobs.papers.pdf_lookup import Pdf, PdfState
from desktop.jobs.papers.sentence_locations import PdfLocations
from desktop.ui.evidence.marking import NAMES
from miner.parsing.files import FileKind


def passages(evidence: Evidence) -> Iterator[Passage]:
    """The paragraphs, then the sentences that stand in none."""
    yield from evidence.passages
    gone = "" if evidence.paper.kind == "dataset" else ", no longer in the text read from the paper"
    for role in evidence.missing:
        text = evidence.sentences[role]
        cut = evidence.phrase_length if role is SentenceRole.HYPOTHESIS else 0
        yield Passage(f"{NAMES[role]}{gone}", text, (SentenceMark(role, 0, len(text), cut),))


def trouble(pdf: Pdf, evidence: Evidence) -> tuple[str, str]:
    """Why there is no page to show, and what to do."""
    match pdf.state:
        case PdfState.MOVED:
            return f"The PDF is no longer at {pdf.path}.", "Say where it is now; Pairwright will remember."
        case PdfState.CHANGED:
            return (
                f"{pdf.path} is not the file that was added: its content changed since.",
                "The marks may stand in wrong places. Locate the PDF that was added, or add this one as well.",
            )
        case PdfState.UNREADABLE:
            return pdf.problem, pdf.hint
        case _:
            form = "TEI" if evidence.paper.kind == FileKind.TEI else "structured text"
            return f"This paper came as {form}, without a PDF.", "If you have the PDF, choose it to see the page."


def warning(locations: PdfLocations) -> str:
    if locations.pdf.state is PdfState.CHANGED:
        return "This PDF changed since it was added; the marks may stand in wrong places."
    lost = [NAMES[role].lower() for role in SentenceRole if role not in locations.boxes]
    return f"The {' and the '.join(lost)} could not be found on the pages." if lost else ""
