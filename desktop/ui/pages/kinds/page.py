"""The Kinds page: its tabs, each built when it is first shown."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.translation import tr
from desktop.ui.pages.kinds.answer_tab import KindsAnswerTab
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.fields import Tabs
from storage.changes import Changes

_LATER = (  # title, module and class of the tabs that draw plots
    (tr("Agreement"), "desktop.ui.pages.kinds.agreement_tab", "KindsAgreementTab"),
    (tr("Figures"), "desktop.ui.pages.kinds.figures_tab", "KindsFiguresTab"),
)


class KindsPage(Page):
    """Asks about the kinds of reasoning of pairs, and shows the results."""

    title = tr("Kinds")

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.heading.hide()
        self.answer = KindsAnswerTab(context)
        self.tabs = Tabs()
        self.tabs.tabBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the questions
        self.tabs.setAccessibleName(tr("Kinds of reasoning"))
        self.tabs.addTab(self.answer, tr("Answer"))
        self.tabs.setTabBarAutoHide(True)
        later = _LATER if context.assignment is None else ()  # an answer file is for answers alone
        self._room = [self._add_empty_tab(title) for title, _, _ in later]
        self._built: dict[int, Page] = {0: self.answer}
        self.body.addWidget(self.tabs, 1)
        self.answer.badge_changed.connect(self.badge_changed)
        self.tabs.currentChanged.connect(self._show_tab)
        context.kinds_requested.connect(self._show_answer)
        context.kinds_round_requested.connect(self._show_answer)

    def refresh(self, changes: Changes) -> None:
        """Do nothing: the tab on the screen receives changes itself."""
        self._show_tab()

    def activate(self) -> None:
        super().activate()
        self._show_tab()

    def is_action_enabled(self, name: str) -> bool:
        return self.answer.is_action_enabled(name)

    def is_action_checked(self, name: str) -> bool | None:
        return self.answer.is_action_checked(name)

    def tab(self, place: int) -> Page:
        """The tab at this place; it is built at the first call."""
        if place not in self._built:
            _, module, name = _LATER[place - 1]
            built: Any = getattr(import_module(module), name)(self.context)
            self._built[place] = built
            self._room[place - 1].addWidget(built)
        return self._built[place]

    @Slot()
    def _show_tab(self) -> None:
        tab = self.tab(self.tabs.currentIndex())
        self.lead_focus_to(tab)
        tab.activate()

    @Slot()
    def _show_answer(self) -> None:
        self.tabs.setCurrentIndex(0)

    def _add_empty_tab(self, title: str) -> QVBoxLayout:
        """Add an empty tab, and return the layout for its contents."""
        widget = QWidget()
        layout = QVBoxLayout(widget)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.tabs.addTab(widget, title)
        return layout
