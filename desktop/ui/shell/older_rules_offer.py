"""Offers to split the papers of an earlier version's project, whose rules of gold apply to all pairs until then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from desktop.translation import tr
from desktop.ui.services.problems import Problems
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from desktop.ui.shell.central_widget import CentralWidget
from desktop.ui.shell.navigation import PAGES_OF_ONE_PAIR
from storage.changes import Changes

if TYPE_CHECKING:  # the window starts without the database
    from desktop.jobs.review.older_rules import OlderRules


class OlderRulesOffer(QObject):
    """Makes the offer once a session for each project, and withdraws it when the papers are split.

    The Rounds page makes the same offer itself; on pages with a single pair the offer waits, as the pair needs the
    room.
    """

    def __init__(
        self,
        central: CentralWidget,
        current_page: Callable[[], str],
        runner: JobRunner,
        problems: Problems,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._central, self._current_page, self._runner = central, current_page, runner
        self._problems = problems
        self._context: ProjectContext | None = None
        self._offered: set[Path] = set()

    def use(self, context: ProjectContext | None) -> None:
        """Make the offer for this project if needed; None if no project is open."""
        self._runner.cancel_read(self._on_read)
        self._central.hide_offer()
        self._context = None
        if context is None or context.read_only or context.assignment is not None or context.path in self._offered:
            return
        self._context = context
        context.events.changed.connect(self._on_changed)
        self._read()

    def on_page_shown(self, name: str) -> None:
        if name == "annotate":
            self._central.hide_offer()
        self._central.offer.setVisible(bool(self._central.offer.text()) and name not in PAGES_OF_ONE_PAIR)

    def _read(self) -> None:
        if self._context is not None:
            from desktop.jobs.review.older_rules import load_older_rules

            job = load_older_rules(self._context.project)
            self._runner.read(job, self._on_read, self._problems.show)

    @Slot(object)
    def _on_changed(self, changes: Changes) -> None:
        if changes.settings and self._central.offer.text():
            self._read()

    @Slot(object)
    def _on_read(self, rules: OlderRules | None) -> None:
        if rules is None or self._context is None:
            self._central.hide_offer()
            return
        from desktop.jobs.review.older_rules import older_rules_text

        self._offered.add(self._context.path)
        if self._current_page() != "annotate":
            self._central.show_offer(older_rules_text(rules), tr("Split the papers…"))
            self.on_page_shown(self._current_page())
