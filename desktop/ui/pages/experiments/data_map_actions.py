"""The actions on the pairs that are selected on a data map."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from desktop.jobs.pairs.lists import ListsChanged, add_list, keep_list, put_list
from desktop.jobs.review.answers import mark
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.questions import TextQuestion
from miner.errors import UserError
from miner.lab.experiments.experiment import Experiment, Subset
from miner.libraries import NDArray, np
from miner.progress import Job
from storage.annotation.marks import MarkKind
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.experiment_map import ExperimentMap
    from desktop.jobs.review.answers import ActionResult

_MAX_REVIEWED_KEYS = 1_000  # more are reviewed as a list
_LONG_FROM = 1_000  # pairs: the change is shown as a job
_REASON = tr("seen on a data map")


class DataMapActions(QWidget):
    """The buttons below a map. `clear_button` is to be placed beside the number of selected pairs."""

    new_experiment = Signal(str)  # its file
    cleared = Signal()

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._map: ExperimentMap | None = None
        self._selected: NDArray[np.bool_] | None = None
        self._share: tuple[Subset | None, float] = (None, 0.0)
        self.show_button = _button(tr("Show in Pairs"), self.show_in_pairs)
        self.review_button = _button(tr("Review…"), self.review)
        self.exclude_button = _button(tr("Exclude…"), self.exclude)
        self.keep_button = _button(tr("Keep as list…"), self.keep)
        self.clear_button = _button(tr("Clear"), self.cleared.emit)
        self.clear_button.setProperty("look", "quiet")
        self.clear_button.setAccessibleName(tr("Clear the selection"))
        policy = self.clear_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that the map stays as high
        self.clear_button.setSizePolicy(policy)
        self.train_button = QToolButton()
        self.train_button.setText(tr("Train again…"))
        self.train_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.train_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.train_button)
        self.shares_action = menu.addAction(tr("On parts of the map…"))
        self.shares_action.triggered.connect(self.train_on_shares)
        self.without_action = menu.addAction(tr("Without the selected pairs…"))
        self.without_action.triggered.connect(self.train_without)
        self.train_button.setMenu(menu)
        set_tip(self.show_button, tr("Put the selected pairs into a list and show it on the page Pairs"))
        set_tip(self.exclude_button, tr("Mark the selected pairs as bad, so that trainings and exports leave them out"))
        set_tip(
            self.train_button, tr("Make an experiment that trains again on some of these pairs; it does not start yet")
        )
        layout = FlowLayout(context.theme.px(8), self)
        for button in (
            self.show_button,
            self.review_button,
            self.exclude_button,
            self.keep_button,
            self.train_button,
        ):
            layout.addWidget(button)

    def show_selection(
        self,
        found: ExperimentMap | None,
        selected: NDArray[np.bool_] | None,
        subset: Subset | None,
        share: float,
    ) -> None:
        """Set the selection, and enable the actions that apply. subset, share: if it is a share of all pairs."""
        self._map, self._selected, self._share = found, selected, (subset, share)
        has_pairs = found is not None and selected is not None and bool((found.is_here & selected).any())
        can_write = has_pairs and not self._context.read_only
        self.review_button.setEnabled(has_pairs)
        for button in (self.show_button, self.exclude_button, self.keep_button):
            button.setEnabled(can_write)
        self.clear_button.setVisible(selected is not None)
        self.train_button.setEnabled(found is not None)
        self.without_action.setEnabled(can_write)

    def keys(self) -> list[str]:
        """The keys of the selected pairs that are in the project, in the map's order."""
        if self._map is None or self._selected is None:
            return []
        return [self._map.keys[place] for place in (self._selected & self._map.is_here).nonzero()[0].tolist()]

    @Slot()
    def show_in_pairs(self) -> None:
        self._put(self._own_name(), self.keys(), self._context.pairs_requested.emit)

    @Slot()
    def review(self) -> None:
        """Review the selected pairs; many pairs become a list, from which a round can be drawn."""
        keys = self.keys()
        if len(keys) <= _MAX_REVIEWED_KEYS or self._context.read_only:
            self._context.review_requested.emit(tuple(keys[:_MAX_REVIEWED_KEYS]))
        else:
            self._put(self._own_name(), keys, self._context.review_requested.emit)

    @Slot()
    def exclude(self) -> None:
        """Mark the selected pairs as bad, after the person has confirmed this and given a reason."""
        context, keys = self._context, self.keys()
        if context.ask_annotator(self) is None:
            return
        pairs = count(len(keys), "pair")
        about = tr(
            "{pairs} will be marked as bad and left out of trainings and exports. You can undo it in one step.",
            pairs=pairs,
        )
        reason = TextQuestion(
            context.theme,
            tr("Exclude pairs"),
            tr("Why?"),
            tr("Exclude {pairs}", pairs=pairs),
            text=_REASON,
            about=about,
            parent=self,
        ).ask()
        if reason is None:
            return
        job = mark(context.project, keys, context.annotator, MarkKind.BAD, reason)
        context.change(job, is_long=len(keys) > _LONG_FROM).done.connect(self._on_excluded)

    @Slot(object)
    def _on_excluded(self, result: ActionResult) -> None:
        self._context.show_message(tr("{title}: done", title=result.title), undo=bool(result.count))

    @Slot()
    def keep(self) -> None:
        """Ask for a name and keep the selected pairs as a list."""
        keys = self.keys()
        title, pairs = tr("Keep as list"), count(len(keys), "pair")
        about = tr("{pairs} of the map. A list with the same name is replaced, which you can undo.", pairs=pairs)
        name = self._ask_name(title, about, tr("Keep the list"))
        if name:
            self._save(
                keep_list(self._context.project, name, keys),
                len(keys),
                lambda _: self._context.show_message(tr("Kept {pairs} as “{name}”.", pairs=pairs, name=name)),
            )

    @Slot()
    def train_on_shares(self) -> None:
        """Make an experiment on the subsets of the papers, with the slider's subset at its share."""
        from miner.lab.experiments.retraining import SubsetShares, trained_on_shares

        found, (subset, share) = self._map, self._share
        assert found is not None
        shares = SubsetShares()
        if subset is Subset.WITHOUT_HARD:
            shares = SubsetShares(without_hard=(share,))
        elif subset is not None:
            shares = SubsetShares(easy=share, hard=share, ambiguous=share)
        self._propose(trained_on_shares(found.experiment, found.set, shares))

    @Slot()
    def train_without(self) -> None:
        """Keep the selected pairs as a list, and make an experiment that leaves it out of the training."""
        from miner.lab.experiments.retraining import trained_without_list

        found, keys = self._map, self.keys()
        assert found is not None
        about = tr(
            "The experiment trains with and without the {pairs}, which become a new list.",
            pairs=count(len(keys), "selected pair"),
        )
        name = self._ask_name(tr("Train without the selected pairs"), about, tr("Make the experiment"))
        if not name:
            return
        try:
            experiment = trained_without_list(found.experiment, found.set, name)
        except UserError as exc:
            self._context.problems.show(exc)
            return
        job = add_list(self._context.project, name, keys)
        self._save(job, len(keys), lambda _: self._propose(experiment))

    def _propose(self, experiment: Experiment) -> None:
        from miner.lab.experiments.experiment_toml import toml_text

        self.new_experiment.emit(toml_text(experiment))

    def _own_name(self) -> str:
        """The name of the list for pairs that are only reviewed; the next selection replaces that list."""
        assert self._map is not None
        return tr("Map of experiment {id}", id=self._map.id)

    def _ask_name(self, title: str, about: str, action: str) -> str | None:
        return TextQuestion(self._context.theme, title, tr("Name of the list"), action, about=about, parent=self).ask()

    def _put(self, name: str, keys: list[str], then: Callable[[PairFilter], object]) -> None:
        """Store a list that the program names, then do something with the filter that stands for it."""
        filter = PairFilter(lists=frozenset({name}))
        self._save(put_list(self._context.project, name, keys), len(keys), lambda _: then(filter))

    def _save(self, job: Job[ListsChanged], pairs: int, then: Callable[[object], object]) -> None:
        run: JobRun = self._context.change(job, is_long=pairs > 20 * _LONG_FROM)
        run.done.connect(then)


def _button(text: str, slot: Callable[[], object]) -> QPushButton:
    return push_button(text, slot)
