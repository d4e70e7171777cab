"""The Experiments page: ready and past experiments on the left; one of them, and what came of it, on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QSplitter, QTabWidget, QVBoxLayout, QWidget

from desktop.jobs.experiments.overview import ExperimentsOverview
from desktop.text import count
from desktop.ui.pages.experiments.data_map_view import DataMapView
from desktop.ui.pages.experiments.experiment_list import ExperimentList
from desktop.ui.pages.experiments.result_view import ExperimentResultView
from desktop.ui.pages.experiments.text import past_entry, ready_entry
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import LatestRequest, lazy_job
from desktop.ui.widgets.labels import PlainLabel
from storage.changes import Changes
from storage.models.experiments import StoredExperiment

_OVERVIEW_MODULE = "desktop.jobs.experiments.overview"
_LIST_WIDTH = 264  # unscaled pixels


class ExperimentsPage(Page):
    title = "Experiments"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.experiments: dict[int, StoredExperiment] = {}
        self._list_request = LatestRequest(self)
        self._list_request.done.connect(self._on_overview)
        self._list_request.failed.connect(context.problems.show)
        self._lay_out()

    def refresh(self, changes: Changes) -> None:
        self._read_list()

    @property
    def experiment_id(self) -> int | None:
        """The past experiment that is shown; None while none is."""
        kind, _, name = self.list.key.partition(":")
        return int(name) if kind == "past" else None

    @Slot()
    def _read_list(self) -> None:
        job = lazy_job("Reading the experiments", _OVERVIEW_MODULE, "load_overview", self.context.project)
        self._list_request.follow(self.context.runner.read(job))

    @Slot(object)
    def _on_overview(self, overview: ExperimentsOverview) -> None:
        self.experiments = {one.id: one for one in overview.experiments}
        past = [past_entry(one) for one in overview.experiments]
        ready = [ready_entry(one) for one in overview.ready]
        self.list.show_groups([("Past experiments", past), ("Ready experiments", ready)])
        self.set_subtitle(f"{count(len(past), 'experiment')} run on this project" if past else "")

    @Slot(str)
    def _on_chosen(self, key: str) -> None:
        stored = None if self.experiment_id is None else self.experiments.get(self.experiment_id)
        self.heading_of_experiment.setText("" if stored is None else stored.name)
        self.results.show_experiment(self.experiment_id)
        self.data_map.show_experiment(self.experiment_id)

    # Layout

    def _lay_out(self) -> None:
        theme = self.context.theme
        px = theme.px
        self.list = ExperimentList(theme)
        self.list.chosen.connect(self._on_chosen)
        self.list.setMinimumWidth(px(200))
        self.heading_of_experiment = PlainLabel()
        self.heading_of_experiment.setProperty("type", "heading")
        self.results = ExperimentResultView(self.context)
        self.results.open_pairs.connect(self.context.pairs_requested)
        self.data_map = DataMapView(self.context)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.results, "Tables")
        self.tabs.addTab(self.data_map, "Data map")
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(px(8), 0, 0, 0)
        column.setSpacing(px(8))
        column.addWidget(self.heading_of_experiment)
        column.addWidget(self.tabs, 1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(px(8))
        self.splitter.addWidget(self.list)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([px(_LIST_WIDTH), px(3 * _LIST_WIDTH)])
        self.body.addWidget(self.splitter, 1)
        self.initial_focus = self.list
