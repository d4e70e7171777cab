"""The Experiments page: ready and past experiments on the left; one of them, with its results, on the right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from desktop.jobs.lab.experiments.forgetting import forget_experiment
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.experiments.checker import ExperimentChecker
from desktop.ui.pages.experiments.drafts import Draft, Drafts, free_name, open_stored
from desktop.ui.pages.experiments.experiment_files import ExperimentFiles
from desktop.ui.pages.experiments.experiment_list import ExperimentList, ListEntry
from desktop.ui.pages.experiments.experiment_panel import ExperimentPanel
from desktop.ui.pages.experiments.project_experiments import ProjectExperiments, past_experiment
from desktop.ui.pages.experiments.running_experiment import RunningExperiment
from desktop.ui.pages.experiments.text import (
    NO_SPLITS,
    READ_ONLY,
    about_text,
    gaps_text,
    past_entry,
    ready_entry,
    run_text,
)
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.list_keys import remove_by
from desktop.ui.widgets.questions import Question
from miner.errors import UserError
from miner.lab.experiments.experiment_file import parse_experiment
from miner.lab.experiments.file_editing import error_line, set_value
from storage.changes import Changes
from storage.lab.experiments import ExperimentState, StoredExperiment

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.check import ExperimentCheck
    from desktop.jobs.lab.experiments.overview import ExperimentsOverview
    from desktop.jobs.lab.experiments.run import ExperimentResult
    from miner.lab.experiments.experiment import Experiment

_LIST_WIDTH = 264  # unscaled pixels


class ExperimentsPage(Page):
    title = tr("Experiments")
    least_size = (740, 360)

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.experiments = ProjectExperiments(context, self)
        self.running = RunningExperiment(context.runner, self)
        self._drafts = Drafts()
        self._checker = ExperimentChecker(context, self)
        self._checker.checked.connect(self._on_check)
        self._files = ExperimentFiles(context, self)
        self._files.opened.connect(self.open_new)
        self._key_to_choose = ""  # when it is in the list
        self._lay_out()
        self.experiments.updated.connect(self._on_overview)
        self.experiments.scores_updated.connect(self._show_list)
        self.running.stored.connect(self._on_stored)
        self.running.run_ended.connect(self._on_run_ended)
        self.running.updated.connect(self._show_state)
        self.running.done.connect(self._on_done)
        self.running.failed.connect(self._on_failed)
        self.running.ended.connect(self._on_ended)
        self._add_actions()
        self._show_state()

    # What is shown

    @property
    def key(self) -> str:
        """The key of the shown entry, such as "ready:baselines" or "past:3"; "" if there is none."""
        return self.list.key

    @property
    def overview(self) -> ExperimentsOverview | None:
        """The ready and past experiments; None until they are read."""
        return self.experiments.overview

    @property
    def stored(self) -> StoredExperiment | None:
        """The shown past experiment; None if none is shown."""
        return past_experiment(self.overview, self.key)

    @property
    def draft(self) -> Draft | None:
        return self._drafts.get(self.key)

    @property
    def experiment(self) -> Experiment | None:
        """The experiment that the file describes; None where it is not valid."""
        return None if self.draft is None else self.draft.experiment

    @property
    def is_running_here(self) -> bool:
        """Whether this window runs the experiment that is shown."""
        return self.running.run is not None and self.running.id is not None and self.key == f"past:{self.running.id}"

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being read or about to be read."""
        return not (self.experiments.is_reading or self._checker.is_checking or self.panel.grid.is_reading)

    # Changes from outside

    def refresh(self, changes: Changes) -> None:
        self.experiments.read()
        self._request_check()
        if changes.papers or changes.pairs:
            self.panel.results.refresh()  # it says which test pairs the project lacks
        if not self.panel.form.has_choices or changes.suggestions:
            self.panel.form.read_choices()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.overview is not None:
            self.experiments.read()  # another program may have begun to run one

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.experiments.watch(is_wanted=False)

    @Slot(object)
    def _on_overview(self, before: ExperimentsOverview | None) -> None:
        overview = self.overview
        assert overview is not None
        self._show_list()
        if self._key_to_choose:
            self.list.choose(self._key_to_choose)
            self._key_to_choose = ""
        elif not self.key:
            first = f"past:{overview.experiments[0].id}" if overview.experiments else f"ready:{overview.ready[0].name}"
            self.list.choose(first)
        elif self.stored not in (None, past_experiment(before, self.key)) and not self.is_running_here:
            self.panel.refresh_results()
        self.experiments.watch(is_wanted=self.running.run is None and self.isVisible())
        self._show_state()

    @Slot()
    def _show_list(self) -> None:
        if self.overview is None:
            return
        edited = self._drafts.edited_keys()
        new = [ListEntry(key, name, tr("not run yet")) for key, name in self._drafts.new_names.items()]
        past = [
            past_entry(one, self.experiments.headline(one), is_edited=f"past:{one.id}" in edited)
            for one in self.experiments.past
        ]
        ready = [ready_entry(one, is_edited=f"ready:{one.name}" in edited) for one in self.overview.ready]
        self.list.show_groups(
            [(tr("New experiments"), new), (tr("Past experiments"), past), (tr("Ready experiments"), ready)]
        )
        self.set_subtitle(
            tr("{experiments} run on this project", experiments=count(len(past), "experiment")) if past else ""
        )

    # One experiment

    @Slot(str)
    def _on_chosen(self, key: str) -> None:
        draft = self._drafts.get(key) or self._opened(key)
        if draft is None:
            return
        self._drafts.keep(key, draft)
        self.panel.form.show_check(None)
        self.panel.show_file(draft.text, draft.home)
        self.panel.show_results(self.stored)
        self._show_problem()
        self._request_check()

    def _opened(self, key: str) -> Draft | None:
        """The draft of an entry that is opened for the first time; None if it has none."""
        home = self.context.path.parent
        if self.stored is not None:
            return open_stored(self.stored, home)
        ready = () if self.overview is None else self.overview.ready
        return next((Draft(one.text, home, one.text) for one in ready if key == f"ready:{one.name}"), None)

    @Slot(str)
    def _on_text(self, text: str) -> None:
        if self.draft is None or self.draft.text == text:
            return
        was_edited, self.draft.text = self.draft.is_edited, text
        if was_edited != self.draft.is_edited:
            self._show_list()
        self._show_problem()
        self._request_check()

    def _show_problem(self) -> None:
        """Show why the file is not valid, if it is not."""
        if self.draft is None:
            return
        try:
            parse_experiment(self.draft.text)
        except UserError as exc:
            self.panel.show_problem(f"{exc} {exc.hint}".strip(), error_line(self.draft.text, str(exc)))
        else:
            self.panel.show_problem("", None)
        self._show_state()

    # What it would do

    @Slot()
    def _request_check(self) -> None:
        self._checker.clear()
        experiment, draft = self.experiment, self.draft
        if self.isVisible() and experiment is not None and draft is not None and not self.is_running_here:
            self._checker.ask(experiment, draft.home, self.panel.form.device_name)
        self._show_state()

    @Slot(object)
    def _on_check(self, check: ExperimentCheck) -> None:
        self.panel.form.show_check(check)
        if check.problem:
            hint = NO_SPLITS if check.lacks_splits else check.hint
            self.panel.show_banner(
                f"{check.problem} {hint}".strip(), tr("Export in splits") if check.lacks_splits else ""
            )
        elif check.gaps:
            self.panel.show_banner(gaps_text(check))
        else:
            self.panel.show_banner(" ".join(check.notes))
        self._show_state()

    # Running

    @Slot()
    def run(self) -> None:
        """Run the shown experiment: compute its missing cells."""
        experiment, draft = self.experiment, self.draft
        if not self.panel.run.isEnabled() or experiment is None or draft is None:
            return
        from desktop.jobs.lab.experiments.run import run_experiment

        device = self.panel.form.device_name
        job = partial(run_experiment, self.context.project, experiment, draft.home, device, text=draft.text)
        self.running.start(lambda listener: job(listener=listener))
        self._show_state()

    @Slot(int)
    def _on_stored(self, id: int) -> None:
        """Show the started experiment in the list, since it is stored in the project now."""
        self._key_to_choose = f"past:{id}"
        self._drafts.move(self.key, self._key_to_choose)
        self.panel.tabs.setCurrentWidget(self.panel.grid)
        self.experiments.read()

    @Slot()
    def _on_run_ended(self) -> None:
        if self.is_running_here:
            self.panel.refresh_results()

    @Slot(object)
    def _on_done(self, result: ExperimentResult) -> None:
        stored = result.tables.stored
        self.context.show_message(
            tr(
                "{name}: {finished:,} of {cells} computed.",
                name=stored.name,
                finished=stored.finished,
                cells=count(stored.cells, "cell"),
            )
        )

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self.panel.show_banner(f"{error} {error.hint}".strip())
        self.context.problems.show(error, is_on_page=isinstance(error, UserError) and self.isVisible())

    @Slot()
    def _on_ended(self) -> None:
        self.context.events.changed.emit(Changes(experiments=True))
        if not self.isVisible():
            self.experiments.read()
        self.panel.refresh_results()
        self.panel.data_map.refresh()
        self._show_state()

    # Other actions

    @Slot()
    def duplicate(self) -> None:
        """Open a copy as a new experiment."""
        if self.draft is None:
            return
        names = {*self._drafts.new_names.values(), *(one.name for one in self.experiments.past)}
        experiment = self.experiment
        name = experiment.name if experiment is not None else tr("Experiment")
        free = free_name(name, names)
        text = set_value(self.draft.text, ("name",), free) if experiment is not None else self.draft.text
        self.open_new(free, Draft(text, self.draft.home, text))

    @Slot()
    def forget(self) -> None:
        """Forget the shown past experiment, or the new one that was not run, after a confirmation."""
        stored, key = self.stored, self.key
        if key in self._drafts.new_names:
            self._drop_new(key)
            return
        if stored is None or not self.is_action_enabled("forget"):
            return
        text = tr("Forget {name} and its {cells}?", name=stored.name, cells=count(stored.finished, "finished cell"))
        about = tr("This can be undone; its results are kept.")
        question = Question(
            self.context.theme, tr("Forget an experiment"), text, tr("Forget"), about=about, destroys=True, parent=self
        )
        if question.confirm():
            job: Any = forget_experiment(self.context.project, stored.id)
            self._drafts.drop(key)
            message = tr("Forgot {name}.", name=stored.name)
            self.context.change(job).done.connect(lambda _: self.context.show_message(message, undo=True))

    def _drop_new(self, key: str) -> None:
        self._drafts.drop(key)
        self._show_list()
        if not self.key and self.overview is not None:
            self.list.choose(f"ready:{self.overview.ready[0].name}")

    @Slot(str)
    def _on_proposed(self, text: str) -> None:
        """Open a proposed experiment, which trains again on pairs of the map, for checking before it runs."""
        home = self.context.path.parent if self.draft is None else self.draft.home
        self.open_new(parse_experiment(text).name, Draft(text, home, text))

    @Slot(str, object)
    def open_new(self, name: str, draft: Draft) -> None:
        """List an experiment that has not been run, and show it."""
        key = self._drafts.add_new(name, draft)
        self._show_list()
        self.list.choose(key)

    @property
    def unsaved(self) -> str:
        edited = self._drafts.edited_keys()
        return tr("Experiments: {edited} not saved or run.", edited=count(len(edited), "change")) if edited else ""

    @Slot()
    def save_file(self) -> None:
        """Let the user choose where the file goes, and write it."""
        if self.draft is not None:
            self._files.save("" if self.experiment is None else self.experiment.name, self.draft.text)

    # State on screen

    def is_action_enabled(self, name: str) -> bool:
        is_changeable = not self.context.read_only
        match name:
            case "run":
                return self.panel.run.isEnabled()
            case "pause" | "stop":
                return self.running.run is not None
            case "forget":
                can_forget = self.stored is not None and self.stored.state is not ExperimentState.RUNNING
                return self.key in self._drafts.new_names or (is_changeable and can_forget)
            case "duplicate" | "save" | "file":
                return self.draft is not None
        return True

    def is_action_checked(self, name: str) -> bool | None:
        return self.panel.is_file_shown if name == "file" else None

    @Slot()
    def _show_state(self) -> None:
        panel, check, stored = self.panel, self._checker.check, self.stored
        experiment = self.experiment
        is_busy = self.running.run is not None
        question = "" if experiment is None else experiment.question
        name = "" if experiment is None else experiment.name
        if self.is_running_here or (is_busy and self.running.id is None):
            about = self.running.progress
        elif is_busy:
            about = tr("Another experiment is running.")
        else:
            about = about_text(stored, check)
        panel.show_heading(question or name or self._drafts.new_names.get(self.key, ""), about)
        can_run = check is not None and check.can_run and experiment is not None
        panel.run.setEnabled(can_run and not is_busy and not self.context.read_only)
        panel.run.setText(tr("Running…") if self.is_running_here else run_text(check))
        panel.show_running(self.running)
        live = self.running.live if self.is_running_here else {}
        panel.grid.show_live(live, self.running.failures if live else {})
        panel.duplicate.setEnabled(self.is_action_enabled("duplicate"))
        panel.forget.setVisible(self.key in self._drafts.new_names or stored is not None)
        panel.forget.setEnabled(self.is_action_enabled("forget"))
        panel.save.setEnabled(self.draft is not None)
        if self.context.read_only:
            panel.show_banner(READ_ONLY)

    # Layout

    def _lay_out(self) -> None:
        theme, px = self.context.theme, self.context.theme.px
        self.list = ExperimentList(theme)
        self.list.chosen.connect(self._on_chosen)
        self.list.activated.connect(lambda _: self.list.focusNextChild())
        remove_by(self.list, self.forget)
        self.list.setMinimumWidth(px(200))
        self.panel = ExperimentPanel(self.context)
        self.panel.data_map.new_experiment.connect(self._on_proposed)
        self.panel.text_changed.connect(self._on_text)
        self.panel.banner.action_requested.connect(lambda: self.context.page_requested.emit("export"))
        self.panel.form.device_changed.connect(self._request_check)
        self.panel.run.clicked.connect(self.run)
        self.panel.pause.clicked.connect(self.running.pause_or_resume)
        self.panel.stop.clicked.connect(self.running.stop)
        self.panel.duplicate.clicked.connect(self.duplicate)
        self.panel.forget.clicked.connect(self.forget)
        self.panel.open.clicked.connect(self._files.open)
        self.panel.save.clicked.connect(self.save_file)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(px(8))
        self.splitter.addWidget(self.list)
        self.splitter.addWidget(self.panel)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([px(_LIST_WIDTH), px(3 * _LIST_WIDTH)])
        self.side_by_side = self.splitter
        self.body.addWidget(self.splitter, 1)
        self.initial_focus = self.list

    def _add_actions(self) -> None:
        add = partial(self.context.actions.add, menu=tr("Experiments"), widget=self)
        add("experiments.run", tr("Run"), self.run, keys="Ctrl+Return", icon="flask-conical")
        add("experiments.pause", tr("Pause or resume"), self.running.pause_or_resume, icon="pause")
        add(
            "experiments.stop",
            tr("Cancel"),
            self.running.stop,
            icon="square",
            tip=tr("Results computed so far are kept"),
        )
        add("experiments.file", tr("Show the file instead of the form"), self.panel.toggle_view, keys="Ctrl+Shift+F")
        add("experiments.open", tr("Open a file…"), self._files.open, icon="folder-open", keys="Ctrl+Shift+I")
        add("experiments.save", tr("Save the file…"), self.save_file, icon="download", keys="Ctrl+S")
        add("experiments.duplicate", tr("Duplicate"), self.duplicate, icon="copy", keys="Ctrl+D")
        add("experiments.forget", tr("Forget…"), self.forget, icon="trash-2")
