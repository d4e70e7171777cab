"""The panel of one experiment: its parts, as a form or as its file; its cells, its tables and its data map."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from desktop.translation import tr
from desktop.ui.pages.experiments.data_map_view import DataMapView
from desktop.ui.pages.experiments.file_editor import FileEditor
from desktop.ui.pages.experiments.form import ExperimentForm
from desktop.ui.pages.experiments.grid_view import GridView
from desktop.ui.pages.experiments.result_view import ExperimentResultView
from desktop.ui.pages.experiments.running_experiment import RunningExperiment
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import icon_button
from desktop.ui.widgets.fields import Tabs
from desktop.ui.widgets.labels import ElidedLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of, stretched
from desktop.ui.widgets.notices import Banner
from storage.lab.experiments import ExperimentState, StoredExperiment


class ExperimentPanel(QWidget):
    """The panel of one experiment. `text`: the text of its file, with the user's changes."""

    text_changed = Signal(str)

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.text = ""
        self._home = context.path.parent
        self._had_to_show_file = False  # since the form cannot show it
        self.form = ExperimentForm(context)
        self.form.changed.connect(self._on_changed)
        self.editor = FileEditor(context.theme)
        self.editor.changed.connect(self._on_changed)
        self.grid = GridView(context)
        self.results = ExperimentResultView(context)
        self.results.open_pairs.connect(context.pairs_requested)
        self.data_map = DataMapView(context)
        self._lay_out()

    def show_file(self, text: str, home: Path) -> None:
        """Show a file; as text only, if it is not TOML. home: the base of its relative paths."""
        self.text, self._home = text, home
        self.editor.show_text(text)
        can_show_form = self.form.show_text(text, home)
        if can_show_form and self._had_to_show_file:
            self.file_button.setChecked(False)
        elif not can_show_form and not self.is_file_shown:
            self.file_button.setChecked(True)
            self._had_to_show_file = True
        self._show_view()

    def show_results(self, stored: StoredExperiment | None) -> None:
        """Show the results of an experiment; None for an experiment that has not been run."""
        for tab in (self.grid, self.results, self.data_map):
            tab.show_experiment(None if stored is None else stored.id)
            self.tabs.setTabEnabled(self.tabs.indexOf(tab), stored is not None)
        if stored is None:
            self.tabs.setCurrentWidget(self.set_up)
        elif self.tabs.currentWidget() is self.set_up:
            self.tabs.setCurrentWidget(self.results if stored.state is ExperimentState.DONE else self.grid)

    def refresh_results(self) -> None:
        """Read the results again, except a data map that is shown already."""
        self.grid.refresh()
        self.results.refresh()
        if self.data_map.map is None:
            self.data_map.refresh()

    def show_heading(self, title: str, about: str) -> None:
        self.heading.setText(title)
        self.about.setText(about)

    def show_running(self, running: RunningExperiment) -> None:
        """Offer to pause and to cancel while an experiment is running."""
        for button in (self.pause, self.stop):
            button.setVisible(running.run is not None)
            button.setEnabled(not running.is_stopping)
        self.pause.setText(tr("Resume") if running.is_paused else tr("Pause"))
        self.context.theme.set_icon(self.pause, "play" if running.is_paused else "pause")

    def show_problem(self, text: str, line: int | None) -> None:
        """Show what is wrong with the file; "" if nothing is."""
        self.editor.show_problem(text, line)
        self.show_banner(text)

    def show_banner(self, text: str, action: str = "") -> None:
        """Show a message above the form, with a button that says what to do; "" hides message or button."""
        self.banner.show_text(text, action)

    @property
    def is_file_shown(self) -> bool:
        return self.file_button.isChecked()

    @Slot()
    def toggle_view(self) -> None:
        """Show the form in place of the file, or the file in place of the form."""
        self.tabs.setCurrentWidget(self.set_up)
        self._had_to_show_file = False
        self.file_button.toggle()

    @Slot(str)
    def _on_changed(self, text: str) -> None:
        self.text = text
        self.text_changed.emit(text)

    @Slot()
    def _show_view(self) -> None:
        """Update the shown view; the form cannot show text that is not TOML."""
        if self.is_file_shown:
            self.editor.show_text(self.text)
        elif not self.form.show_text(self.text, self._home):
            self.file_button.setChecked(True)
            self.context.show_message(tr("The form cannot show this file until its problem is corrected."))
        self._stack.setCurrentWidget(self.editor if self.is_file_shown else self.form)

    # Layout

    def _lay_out(self) -> None:
        theme, px = self.context.theme, self.context.theme.px
        self.heading = ElidedLabel(type="lead")
        self.about = ElidedLabel(type="small")
        self.pause = self._icon_button(tr("Pause"), "pause")
        self.stop = self._icon_button(tr("Cancel"), "square")
        set_tip(self.stop, tr("Stop; results computed so far are kept"))
        self.run = QPushButton(tr("R&un"))
        self.run.setProperty("look", "primary")
        self.duplicate = icon_button(theme, "copy", tr("Duplicate as a new experiment"))
        self.forget = icon_button(theme, "trash-2", tr("Forget this experiment"))
        head = row_of(stretched(column_of(self.heading, self.about, spacing=px(2))), spacing=px(8))
        for button in (self.pause, self.stop, self.duplicate, self.forget, self.run):
            head.addWidget(button)
        self.banner = Banner(theme)
        self.file_button = QPushButton(tr("File"))
        self.file_button.setCheckable(True)
        set_tip(self.file_button, tr("Show the file instead of the form; both have the same content"))
        self.file_button.setAccessibleName(tr("Show the file instead of the form"))
        self.file_button.toggled.connect(self._show_view)
        self.open = QPushButton(tr("Open a file…"))
        self.save = QPushButton(tr("Save the file…"))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.form)
        self._stack.addWidget(self.editor)
        self.set_up = QWidget()
        self.set_up.setLayout(
            column_of(
                row_of(self.file_button, STRETCH, self.open, self.save, spacing=px(8)),
                stretched(self._stack),
                spacing=px(8),
                margins=(0, px(8), 0, 0),
            )
        )
        self.tabs = Tabs()
        self.tabs.setAccessibleName(tr("The experiment"))
        for widget, text in (
            (self.set_up, tr("Set-up")),
            (self.grid, tr("Cells")),
            (self.results, tr("Tables")),
            (self.data_map, tr("Data map")),
        ):
            self.tabs.addTab(widget, text)
        self.setLayout(column_of(head, self.banner, stretched(self.tabs), spacing=px(8), margins=(px(8), 0, 0, 0)))

    def _icon_button(self, text: str, icon: str) -> QPushButton:
        theme = self.context.theme
        button = QPushButton(text)
        button.setIconSize(QSize(theme.px(14), theme.px(14)))
        theme.set_icon(button, icon)
        button.hide()
        return button
