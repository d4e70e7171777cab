"""The data map of an experiment: its training pairs by their training dynamics, and actions on selected pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from desktop.jobs.lab.experiments.data_map import load_data_map, load_mapped_pair
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.experiments.data_map_actions import DataMapActions
from desktop.ui.pages.experiments.data_map_plot import DataMapPlot
from desktop.ui.pages.experiments.mapped_pair_view import MappedPairView
from desktop.ui.plots.selectable_points import SelectionTool
from desktop.ui.services.display_names import capitalized
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import ToggleGroup
from desktop.ui.widgets.fields import ChoiceBox, ComboBox, Slider
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of, stretched
from desktop.ui.widgets.notices import EmptyState
from miner.errors import UserError
from miner.lab.experiments.experiment import Subset
from miner.libraries import NDArray, np

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.experiment_map import ExperimentMap

_READ_AFTER_MS = 120  # the pointer rests on a pair
_DEFAULT_SHARE = 33  # percent, as in MSciNLI
_NONE_CHOSEN = tr("Choose an experiment that has been run.")
_SUBSETS = {
    Subset.EASY: tr("Easy"),
    Subset.HARD: tr("Hard"),
    Subset.AMBIGUOUS: tr("Ambiguous"),
    Subset.WITHOUT_HARD: tr("All but the hard"),
}
_TOOLS = {SelectionTool.LASSO: tr("Lasso"), SelectionTool.RECTANGLE: tr("Rectangle")}


class DataMapView(QWidget):
    """The map of one experiment. Pairs are selected by drawing around them, or as a share of all."""

    new_experiment = Signal(str)  # the file of an experiment that trains again, to be shown before it runs

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.id: int | None = None
        self.map: ExperimentMap | None = None
        self.selected: NDArray[np.bool_] | None = None
        self._pair_timer = QTimer(self, singleShot=True, interval=_READ_AFTER_MS)
        self._pair_timer.timeout.connect(self._read_pair)
        self._lay_out()
        self.show_experiment(None)

    def show_experiment(self, id: int | None) -> None:
        """Read and show the map of an experiment; None shows no map."""
        self.id = id
        self._show_map(None)
        self.context.cancel_read(self._on_map)
        if id is None:
            self._show_words(_NONE_CHOSEN)
        elif self.isVisible():
            self._read()

    def refresh(self) -> None:
        """Read the map again, as it may have been made or deleted meanwhile. The selection stays if possible."""
        if self.id is not None and self.isVisible():
            self._read(self.sets.currentText())

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        if self.id is not None and self.map is None:
            self._read()

    # The map

    def _read(self, set: str = "") -> None:
        assert self.id is not None
        job = load_data_map(self.context.project, self.id, set)
        self.context.runner.read(job, self._on_map, self._on_no_map)

    @Slot(object)
    def _on_map(self, found: ExperimentMap) -> None:
        kept = self.selected if self.map is not None and found.keys == self.map.keys else None
        self._show_map(found)
        if kept is not None:
            self._select(kept)

    @Slot(object)
    def _on_no_map(self, error: Exception) -> None:
        self._show_map(None)
        if isinstance(error, UserError):
            self._show_words(f"{error} {error.hint or ''}".strip())
        else:
            self.context.problems.show(error)

    def _show_map(self, found: ExperimentMap | None) -> None:
        self.map, self.selected = found, None
        self.plot.show_map(found)
        self.pair.show_nothing()
        self.context.cancel_read(self._on_pair)
        self._shares.setCurrentIndex(0)
        if found is not None:
            self._offer(found)
            self._stack.setCurrentWidget(self._map_widget)
        self._show_selection()

    def _offer(self, found: ExperimentMap) -> None:
        self.sets.blockSignals(True)
        self.sets.clear()
        self.sets.addItems([one.name for one in found.sets])
        self.sets.setCurrentText(found.set)
        self.sets.blockSignals(False)
        self.sets.setVisible(len(found.sets) > 1)
        self.classes.offer([(capitalized(name), number) for number, name in enumerate(found.classes)])
        self._on_class()

    def _show_words(self, text: str) -> None:
        self.words.sentence.setText(text)
        self._stack.setCurrentWidget(self.words)

    @Slot()
    def _on_set(self) -> None:
        self._read(self.sets.currentText())

    # What is selected

    def selected_places(self) -> list[int]:
        """The places of the selected pairs in the map, ascending."""
        return [] if self.selected is None else self.selected.nonzero()[0].tolist()

    def _shown(self) -> NDArray[np.bool_] | None:
        """The pairs of the chosen class; None for all."""
        if self.map is None or self.classes.value is None:
            return None
        shown: NDArray[np.bool_] = self.map.labels == self.classes.value
        return shown

    @Slot()
    def _on_class(self) -> None:
        shown = self._shown()
        self.plot.show_only(shown)
        if self.subset is not None:
            self._select_share()
        elif self.selected is not None and shown is not None:
            self._select(self.selected & shown)
        else:
            self._show_selection()

    @Slot(object)
    def _on_drawn(self, inside: NDArray[np.bool_]) -> None:
        self._shares.setCurrentIndex(0)
        self._select(inside)

    @Slot()
    def _on_share(self) -> None:
        self._share.setEnabled(self.subset is not None)
        self._share_text.setEnabled(self.subset is not None)
        self._share_text.setText(f"{self._share.value()} %")
        if self.subset is not None:
            self._select_share()

    def _select_share(self) -> None:
        """Select a share of the training pairs, without the pairs that are not shown."""

        from miner.lab.experiments.cartography import select_subset

        if self.map is None or self.subset is None:
            return
        places = select_subset(self.map.data, self.subset, self.share)
        selected = np.zeros(len(self.map), np.bool_)
        selected[places] = True
        shown = self._shown()
        self._select(selected if shown is None else selected & shown)

    @property
    def subset(self) -> Subset | None:
        """The kind of the selected share; None if the selection was drawn, or nothing is selected."""
        chosen: str | None = self._shares.currentData()
        return None if chosen is None else Subset(chosen)

    @property
    def share(self) -> float:
        """The share that the slider is set to, from 0.01 to 0.99."""
        return self._share.value() / 100

    @Slot()
    def clear_selection(self) -> None:
        self._shares.setCurrentIndex(0)
        self._select(None)

    def _select(self, selected: NDArray[np.bool_] | None) -> None:
        self.selected = selected if selected is not None and selected.any() else None
        self.plot.select(self.selected)
        self._show_selection()

    def _show_selection(self) -> None:
        if self.map is None:
            self.selection_text.setText("")
        elif self.selected is None:
            shown = self._shown()
            pairs = count(len(self.map) if shown is None else int(shown.sum()), "pair")
            self.selection_text.setText(tr("{pairs}. Draw around some, or choose a share.", pairs=pairs))
        else:
            self.selection_text.setText(
                tr("{int:,} of {pairs} selected", int=int(self.selected.sum()), pairs=count(len(self.map), "pair"))
            )
        self.actions_row.show_selection(self.map, self.selected, self.subset, self.share)

    @Slot(str)
    def _on_tool(self, key: str) -> None:
        self.plot.tool = SelectionTool(key)

    # One pair

    @Slot(int)
    def _on_current(self, place: int) -> None:
        if place < 0 or self.map is None:
            self._pair_timer.stop()
            return  # the pair that was pointed at last stays
        self.pair.show_figures(self.map, place)
        self._pair_timer.start()

    @Slot()
    def _read_pair(self) -> None:
        if self.map is None or self.plot.current < 0:
            return
        key = self.map.keys[self.plot.current]
        job = load_mapped_pair(self.context.project, key)
        self.context.read(job, self._on_pair)

    @Slot(object)
    def _on_pair(self, row: object) -> None:
        self.pair.show_texts(row)  # type: ignore[arg-type]

    @Slot(int)
    def _on_activated(self, place: int) -> None:
        assert self.map is not None
        if self.map.is_here[place]:
            self.context.review_requested.emit((self.map.keys[place],))
        else:
            self.context.show_message(tr("This pair is not in the project: it cannot be opened."))

    # Layout

    def _lay_out(self) -> None:
        theme, px = self.context.theme, self.context.theme.px
        self.words = EmptyState(theme, _NONE_CHOSEN)
        self.plot = DataMapPlot(theme)
        self.plot.current_changed.connect(self._on_current)
        self.plot.activated.connect(self._on_activated)
        self.plot.drawn.connect(self._on_drawn)
        self.plot.cleared.connect(self.clear_selection)
        self.pair = MappedPairView(theme)
        self.selection_text = PlainLabel()
        self.actions_row = DataMapActions(self.context, self)
        self.actions_row.new_experiment.connect(self.new_experiment)
        self.actions_row.cleared.connect(self.clear_selection)
        self._map_widget = QWidget()
        self._map_widget.setLayout(
            column_of(
                self._controls(),
                stretched(self.plot),
                self.pair,
                row_of(self.selection_text, self.actions_row.clear_button, STRETCH),
                self.actions_row,
                spacing=px(8),
                margins=(0, px(8), 0, 0),
            )
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.words)
        self._stack.addWidget(self._map_widget)
        self.setLayout(column_of(self._stack, spacing=0))
        self._on_share()

    def _controls(self) -> FlowLayout:
        theme, px = self.context.theme, self.context.theme.px
        self.sets = ComboBox()
        self.sets.setAccessibleName(tr("Mapped set"))
        self.sets.currentIndexChanged.connect(self._on_set)
        self.classes = ChoiceBox(tr("Class"), tr("All classes"))
        self.classes.currentIndexChanged.connect(self._on_class)
        tools = ToggleGroup(theme, tr("Draw with"), {tool.value: text for tool, text in _TOOLS.items()})
        tools.key_changed.connect(self._on_tool)
        self._shares = ComboBox()
        self._shares.setAccessibleName(tr("Share to select"))
        self._shares.addItem(tr("Select…"), None)
        set_tip(self._shares, tr("Easy: the highest confidence. Hard: the lowest. Ambiguous: the highest variability."))
        for subset, text in _SUBSETS.items():
            self._shares.addItem(text, subset.value)
        self._share = Slider(Qt.Orientation.Horizontal)
        self._share.setRange(1, 99)
        self._share.setValue(_DEFAULT_SHARE)
        self._share.setAccessibleName(tr("Share in percent"))
        self._share.setFixedWidth(px(110))
        set_tip(self._share, tr("The share of the training pairs, in percent"))
        self._share_text = PlainLabel()
        self._share_text.setFixedWidth(px(36))
        self._shares.currentIndexChanged.connect(self._on_share)
        self._share.valueChanged.connect(self._on_share)
        share = QWidget()
        across = QHBoxLayout(share)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(px(8))
        for part in (self._shares, self._share, self._share_text):
            across.addWidget(part)
        row = FlowLayout(px(8))
        for control in (self.sets, self.classes, tools, share):
            row.addWidget(control)
        return row
