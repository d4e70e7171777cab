"""The card with pairs at every layer of a model: a slider for the layer, and how well each group is separated there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QSlider,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.lab.experiments.data_map import load_mapped_pair
from desktop.jobs.lab.layers.embedding import GroupSeparation, KindsEmbedding
from desktop.jobs.pairs.lists import put_list
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.kinds.embedding_bar import EmbeddingBar
from desktop.ui.pages.kinds.embedding_plot import EmbeddingPlot
from desktop.ui.plots.card import NumbersModel
from desktop.ui.plots.figures import Figure, PlotMark
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import ToggleGroup, push_button
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.fields import Slider
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of, stretched
from desktop.ui.widgets.tables import style_table
from miner.kinds.taxonomy import released_taxonomy
from miner.lab.layers.embedding import MAX_CATEGORIES, NEIGHBOURS
from miner.lab.layers.layer_embedding import GroupedBy
from miner.libraries import NDArray, np
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:
    from storage.pairs.table import PairTableRow

LIST_NAME = tr("Layer of a model")
"""Of the list with the pairs that were opened last."""
_READ_AFTER_MS = 120  # the pointer rests on a pair
_PLOT_HEIGHT = 420  # unscaled pixels
_NUMBERS_WIDTH = 496
_GROUPINGS = {
    GroupedBy.CATEGORY: tr("Kinds"),
    GroupedBy.LABEL: tr("Label"),
    GroupedBy.RELATION: tr("Annotators' label"),
}
_NOTHING = tr("Nothing is computed yet. Choose a model, then press “Compute embedding”.")
_HINT = tr("Point at a pair to read it; a click opens it in Pairs. Draw around pairs, or choose a row, to select some.")
_TIP = tr(
    "Purity: of the {neighbours} nearest neighbours of a pair, the share in the same group. "
    "Chance: the purity of a random layout. Silhouette: from −1 to 1, above 0 where pairs are "
    "closer to their own group than to others. Best: the layer with the highest purity.",
    neighbours=NEIGHBOURS,
)
_ABOUT = tr(
    "Purity and silhouette are computed on the hidden states of the model, which the picture shows only approximately."
)


class EmbeddingCard(Card):
    """Shows the kept embedding of the chosen model. A new one is computed only on request."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context.theme, tr("At which layer does a model tell the kinds of reasoning apart?"), parent)
        self.context = context
        self.embedding: KindsEmbedding | None = None
        self.selected: NDArray[np.bool_] | None = None
        self._names = {key: one.name for key, one in released_taxonomy().category.items()}
        self._pair_timer = QTimer(self, singleShot=True, interval=_READ_AFTER_MS)
        self._pair_timer.timeout.connect(self._read_pair)
        self.copy_button = self.add_button("", "copy", tr("Copy numbers"))
        self.copy_button.clicked.connect(self.copy)
        self._lay_out()
        self._show_embedding(None)

    @property
    def is_measuring(self) -> bool:
        return self.bar.is_measuring

    def refresh(self) -> None:
        """Look for models, and read again what there is of the chosen one's."""
        self.bar.refresh()

    # What is shown

    @Slot(object)
    def _on_found(self, found: KindsEmbedding | None) -> None:
        if found is None or self.embedding is None or not _is_same(self.embedding, found):
            self._show_embedding(found)

    def _show_embedding(self, found: KindsEmbedding | None) -> None:
        self.embedding, self.selected = found, None
        self.plot.show_embedding(found, self._names)
        self._show_hint()
        if found is None:
            self.waiting_label.setText(_NOTHING)
            self._show_content(is_there=False)
            self.show_note("")
            return
        self.slider.blockSignals(True)
        self.slider.setRange(0, found.layer_count - 1)
        self.slider.setValue(self.plot.layer)
        self.slider.blockSignals(False)
        self._show_content(is_there=True)
        self._show_layer()
        self._show_selection()

    def _show_content(self, *, is_there: bool) -> None:
        """Show the plot with its numbers, or a smaller note that there is no embedding."""
        policy = QSizePolicy.Policy.Preferred if is_there else QSizePolicy.Policy.Ignored
        self._content.setSizePolicy(policy, policy)
        self.body.setCurrentIndex(int(is_there))

    @Slot()
    def _show_layer(self) -> None:
        """Show the slider's layer and its numbers."""
        found = self.embedding
        if found is None:
            return
        layer = self.slider.value()
        self.plot.show_layer(layer)
        what = tr("Word embeddings") if layer == 0 else tr("Layer {layer}", layer=layer)
        self.layer_text.setText(
            what if layer == 0 else tr("{what} of {layer_count}", what=what, layer_count=found.layer_count - 1)
        )
        numbers = [self._row(one) for one in self._groups()]
        columns = (_GROUPINGS[self.plot.by], tr("Pairs"), tr("Purity"), tr("Chance"), tr("Silhouette"), tr("Best"))
        self.numbers.show_figure(Figure(columns=columns, numbers=tuple(numbers), decimals=1))
        self.show_note(self._about(found))

    def _groups(self) -> list[GroupSeparation]:
        assert self.embedding is not None
        found = self.embedding.separations(self.slider.value())
        return [one for one in found if one.group.kind is self.plot.by]

    def _row(self, one: GroupSeparation) -> PlotMark:
        assert self.embedding is not None
        name = one.group.name
        text = self._names.get(name, name) if one.group.kind is GroupedBy.CATEGORY else name[:1].upper() + name[1:]
        best = self.embedding.best_layer(one.group)
        silhouette = "–" if one.silhouette is None else f"{one.silhouette:+.2f}".replace("-", "−")
        purity = "–" if one.purity is None else one.purity
        chance = "–" if one.chance is None else one.chance
        shown_best = "–" if best is None else str(best)
        note = tr("Select the row to highlight its pairs in the plot.") if one.pairs else ""
        return PlotMark(note, None, (text, one.pairs, purity, chance, silhouette, shown_best))

    def _about(self, found: KindsEmbedding) -> str:
        parts = [count(len(found.pairs), "pair")]
        if found.pairs.of > len(found.pairs):
            parts = [
                tr(
                    "{pairs:,} of {pairs_2}, drawn at random",
                    pairs=len(found.pairs),
                    pairs_2=count(found.pairs.of, "pair"),
                )
            ]
        if found.pairs.left_out:
            parts.append(
                tr(
                    "{left_out:,} with more than {max_categories} kinds left out",
                    left_out=found.pairs.left_out,
                    max_categories=MAX_CATEGORIES,
                )
            )
        return f"{'; '.join(parts)}. {_ABOUT}"

    def tsv(self) -> str:
        return self.numbers.tsv()

    @Slot(str)
    def _on_by(self, key: str) -> None:
        self.plot.color_by(GroupedBy(key))
        self._select(None)
        self._show_layer()

    # Pairs

    @Slot(object)
    def _select(self, selected: NDArray[np.bool_] | None) -> None:
        self.selected = selected if selected is not None and selected.any() else None
        self.plot.select(self.selected)
        self._show_selection()

    @Slot()
    def _clear(self) -> None:
        self.table.clearSelection()
        self._select(None)

    @Slot()
    def _on_row(self) -> None:
        rows = self.table.selectionModel().selectedRows()
        if rows and self.embedding is not None:
            groups = [one.group for one in self._groups()]
            self._select(self.embedding.pairs.members[self.embedding.pairs.groups.index(groups[rows[0].row()])])

    def _show_selection(self) -> None:
        number = 0 if self.selected is None else int(self.selected.sum())
        self.selection_text.setText(tr("{pairs} selected", pairs=count(number, "pair")) if number else "")
        self.open_button.setEnabled(bool(number) and not self.context.read_only)
        self.clear_button.setEnabled(bool(number))

    @Slot()
    def open_selected(self) -> None:
        if self.selected is not None:
            self._open(self.selected.nonzero()[0].tolist())

    @Slot(int)
    def _on_activated(self, place: int) -> None:
        self._open([place])

    def _open(self, places: list[int]) -> None:
        """Show pairs on the Pairs page, as a list that replaces the previous one."""
        assert self.embedding is not None
        if self.context.read_only:
            self.context.show_message(tr("This project is read-only, so no list of pairs can be saved."))
            return
        keys = [self.embedding.pairs.keys[place] for place in places]
        job = put_list(self.context.project, LIST_NAME, keys)
        self.context.change(job).done.connect(partial(self._show_list, PairFilter(lists=frozenset({LIST_NAME}))))

    def _show_list(self, filter: PairFilter, _: object) -> None:
        self.context.pairs_requested.emit(filter)

    @Slot(int)
    def _on_current(self, place: int) -> None:
        if place < 0 or self.embedding is None:
            self._pair_timer.stop()
            return  # the pair that was pointed at last stays
        pairs = self.embedding.pairs
        kinds = [self._names.get(name, name) for name in pairs.combinations[place].split(" + ") if name]
        label = pairs.names(GroupedBy.LABEL)[place]
        self.pair_kinds.setText(f"{label[:1].upper()}{label[1:]} · {', '.join(kinds) or 'no kind'}")
        self._pair_timer.start()

    @Slot()
    def _read_pair(self) -> None:
        if self.embedding is None or self.plot.current < 0:
            return
        key = self.embedding.pairs.keys[self.plot.current]
        job = load_mapped_pair(self.context.project, key)
        self.context.read(job, self._on_pair)

    @Slot(object)
    def _on_pair(self, row: PairTableRow | None) -> None:
        self.premise.setText(tr("This pair is not in the project.") if row is None else row.premise)
        self.hypothesis.setText("" if row is None else row.hypothesis)

    def _show_hint(self) -> None:
        self.context.cancel_read(self._on_pair)
        self.pair_kinds.setText(_HINT)
        self.premise.setText("")
        self.hypothesis.setText("")

    # Layout

    def _lay_out(self) -> None:
        px = self.context.theme.px
        self.bar = EmbeddingBar(self.context)
        self.bar.found.connect(self._on_found)
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(1, self.bar)
        content = column_of(
            self._layer_row(),
            stretched(row_of(stretched(self._plot()), self._numbers(), spacing=px(12))),
            spacing=px(8),
        )
        self.pair_kinds, self.premise, self.hypothesis = ElidedLabel(), ElidedLabel(), ElidedLabel()
        self.pair_kinds.setProperty("type", "small")
        for label in (self.pair_kinds, self.premise, self.hypothesis):
            content.addWidget(label)
        content.addLayout(self._selection_row())
        self._content = QWidget()
        self._content.setLayout(content)
        self.body.addWidget(self._content)

    def _layer_row(self) -> QHBoxLayout:
        theme, px = self.context.theme, self.context.theme.px
        self.by = ToggleGroup(theme, tr("Colours"), {one.value: text for one, text in _GROUPINGS.items()})
        self.by.key_changed.connect(self._on_by)
        self.slider = Slider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr("Layer"))
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setTickInterval(1)
        self.slider.valueChanged.connect(self._show_layer)
        self.layer_text = PlainLabel()
        self.layer_text.setMinimumWidth(px(180))
        return row_of(self.by, stretched(self.slider), self.layer_text, spacing=px(12))

    def _plot(self) -> EmbeddingPlot:
        self.plot = EmbeddingPlot(self.context.theme)
        self.plot.setMinimumHeight(self.context.theme.px(_PLOT_HEIGHT))
        self.plot.current_changed.connect(self._on_current)
        self.plot.activated.connect(self._on_activated)
        self.plot.drawn.connect(self._select)
        self.plot.cleared.connect(self._clear)
        return self.plot

    def _numbers(self) -> QTableView:
        theme = self.context.theme
        self.numbers = NumbersModel(self)
        self.table = QTableView()
        self.table.setModel(self.numbers)
        self.table.setAccessibleName(tr("How well each group is separated at this layer"))
        set_tip(self.table, _TIP)
        style_table(self.table, theme)
        self.table.setFixedWidth(theme.px(_NUMBERS_WIDTH))
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.selectionModel().selectionChanged.connect(self._on_row)
        return self.table

    def _selection_row(self) -> QHBoxLayout:
        self.selection_text = PlainLabel()
        self.open_button = push_button(
            tr("Show in Pairs"),
            self.open_selected,
            tip=tr("Put the selected pairs into a list and show it on the page Pairs"),
        )
        self.clear_button = QPushButton(tr("Clear"))
        self.clear_button.setAccessibleName(tr("Clear the selection"))
        self.clear_button.setProperty("look", "quiet")
        self.clear_button.clicked.connect(self._clear)
        return row_of(
            self.open_button, self.clear_button, self.selection_text, STRETCH, spacing=self.context.theme.px(8)
        )


def _is_same(one: KindsEmbedding, other: KindsEmbedding) -> bool:
    """Whether both embeddings look the same on the screen."""
    return (
        one.model == other.model
        and one.pairs.keys == other.pairs.keys
        and one.pairs.groups == other.pairs.groups
        and one.layers.points.shape == other.layers.points.shape
        and bool((one.pairs.members == other.pairs.members).all())
        and bool((one.layers.points == other.layers.points).all())
    )
