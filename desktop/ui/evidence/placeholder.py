"""What the panel shows in place of paragraphs or a page: the reason, what to do, and buttons that do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from desktop.jobs.papers.evidence import Evidence, SentenceRole
from desktop.jobs.papers.pdf_lookup import Pdf, PdfState
from desktop.jobs.papers.sentence_locations import PdfLocations
from desktop.translation import tr
from desktop.ui.evidence.sentence_marks import ROLE_NAMES
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of
from miner.parsing.formats import FORMAT_OF, FileKind
from miner.parsing.parse_ranks import EMBEDDED


class PlaceholderAction(NamedTuple):
    """A button of a placeholder."""

    text: str
    slot: Callable[[], object]


class Placeholder(QFrame):
    """A sentence, a hint and buttons; the first button is the main one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence, self.hint = PlainLabel(), PlainLabel()
        self.hint.setProperty("type", "muted")
        for label in (self.sentence, self.hint):
            label.setWordWrap(True)
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self._button_row = row_of(STRETCH, spacing=theme.px(8))
        self._buttons: list[QPushButton] = []
        layout = column_of(
            STRETCH, self.sentence, self.hint, self._button_row, spacing=theme.px(8), margins=theme.px(24)
        )
        self.setLayout(layout)
        layout.addStretch(2)

    @property
    def buttons(self) -> list[QPushButton]:
        return list(self._buttons)

    def show_message(self, sentence: str, hint: str = "", actions: Sequence[PlaceholderAction] = ()) -> None:
        self.sentence.setText(sentence)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        for button in self._buttons:
            self._button_row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons.clear()
        for number, action in enumerate(actions):
            button = QPushButton(action.text, self)
            if number == 0:
                button.setProperty("look", "primary")
            button.clicked.connect(lambda _=False, slot=action.slot: slot())
            self._button_row.insertWidget(number, button)
            self._buttons.append(button)


def pdf_message(pdf: Pdf, evidence: Evidence) -> tuple[str, str]:
    """Why the page of a pair cannot be shown, and what to do."""
    match pdf.state:
        case PdfState.MOVED:
            return tr("The PDF is no longer at {path}.", path=pdf.path), tr(
                "Choose where it is now; Pairwright will remember."
            )
        case PdfState.CHANGED:
            return (
                tr("{path} is not the file that was added: its content has changed since.", path=pdf.path),
                tr("The marks may be in the wrong places. Locate the PDF that was added, or add this one as well."),
            )
        case PdfState.UNREADABLE:
            return pdf.problem, pdf.hint
        case _:
            if evidence.paper.kind == FileKind.ARCHIVE and evidence.paper.parser == EMBEDDED:
                return tr("This paper’s PDF is in an archive."), tr("Unpack it, and choose the PDF to see the page.")
            kind = evidence.paper.kind  # a data set's too
            form = tr(FORMAT_OF[FileKind(kind) if kind in FORMAT_OF else FileKind.PAPERS].form)
            return tr("This paper came as {form}, without a PDF.", form=form), tr(
                "If you have the PDF, choose it to see the page."
            )


def location_warning(locations: PdfLocations) -> str:
    """What is wrong with the marks on the page, in words; "" if nothing is wrong."""
    if locations.pdf.state is PdfState.CHANGED:
        return tr("This PDF changed since it was added; the marks may be in the wrong places.")
    missing = [ROLE_NAMES[role].lower() for role in SentenceRole if role not in locations.boxes]
    return (
        tr("The {missing} could not be found on the pages.", missing=tr(" and the ").join(missing)) if missing else ""
    )
