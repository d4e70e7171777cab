"""The banner above the table of papers. It offers the next step: resume an import, parse, mine or review."""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import Signal, Slot

from desktop.jobs.papers.outdated import OutdatedPapers
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.papers.import_controller import ImportController
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.notices import Banner
from storage.papers.table import PaperTotals


class _Step(Enum):
    RESUME = auto()
    PARSE_AGAIN = auto()
    MINE = auto()
    REVIEW = auto()


class NextStepBanner(Banner):
    """Hidden while papers are being added or mined, and when there is nothing to do."""

    mine_requested = Signal()
    review_requested = Signal()

    def __init__(self, context: ProjectContext, imports: ImportController) -> None:
        super().__init__(context.theme)
        self._context, self._imports = context, imports
        self._totals: PaperTotals | None = None
        self._outdated = OutdatedPapers()
        self._step: _Step | None = None
        self.action_requested.connect(self._on_action)
        self.dismissed.connect(self._on_dismissed)

    def show_totals(self, totals: PaperTotals | None, outdated: OutdatedPapers) -> None:
        """Show the next step for a project with these totals (None while unknown) and outdated papers."""
        self._totals, self._outdated = totals, outdated
        self._step = self._next_step()
        match self._step:
            case _Step.RESUME:
                number = self._imports.remaining_count
                verb = "is" if number == 1 else "are"
                text = tr("Adding papers was cancelled: {files} {verb} left.", files=count(number, "file"), verb=verb)
                self.show_text(text, tr("Add the other {number:,}", number=number), can_close=True)
            case _Step.PARSE_AGAIN:
                papers = count(outdated.papers, "paper was", "papers were")
                text = tr(
                    "{papers} parsed by an earlier version. Parsed and mined again, they get titles, authors, years",
                    papers=papers,
                )
                text += tr(" and journals from their pages, whole words and cleaner pairs; all answers are kept.")
                self.show_text(text, tr("Parse again"), can_close=True)
            case _Step.MINE if totals is not None:
                verb = "waits" if totals.unmined == 1 else "wait"
                text = tr("{papers} {verb} to be mined.", papers=count(totals.unmined, "paper"), verb=verb)
                if outdated.has_older_rules and totals.unmined < totals.papers:
                    text += tr(
                        " The mining rules are newer, so all {papers:,} papers are mined again; all answers are kept.",
                        papers=totals.papers,
                    )
                self.show_text(text, tr("Mine now"))
            case _Step.REVIEW if totals is not None:
                verb = "is" if totals.pairs == 1 else "are"
                self.show_text(
                    tr("{pairs} {verb} ready.", pairs=count(totals.pairs, "pair"), verb=verb),
                    tr("Review"),
                    can_close=True,
                )
            case _:
                self.show_text("")

    def _next_step(self) -> _Step | None:
        totals, imports, read_only = self._totals, self._imports, self._context.read_only
        if totals is None or imports.is_running:
            return None
        if imports.remaining_count and not read_only:
            return _Step.RESUME
        if self._outdated.is_offered and not read_only:
            return _Step.PARSE_AGAIN
        if totals.unmined and not read_only:
            return _Step.MINE
        return _Step.REVIEW if imports.has_new_pairs and totals.pairs else None

    @Slot()
    def _on_action(self) -> None:
        if self._step is _Step.RESUME:
            self._imports.resume()
        elif self._step is _Step.PARSE_AGAIN:
            self._imports.parse_outdated()
        elif self._step is _Step.MINE:
            self.mine_requested.emit()
        else:
            self._hide_review()
            self.review_requested.emit()

    @Slot()
    def _on_dismissed(self) -> None:
        if self._step is _Step.RESUME:
            self._imports.discard_remaining()
        elif self._step is _Step.PARSE_AGAIN:
            self._imports.close_offer()
            self.show_totals(self._totals, self._outdated._replace(is_offered=False))
        else:
            self._hide_review()

    def _hide_review(self) -> None:
        self._imports.has_new_pairs = False
        self.show_totals(self._totals, self._outdated)
