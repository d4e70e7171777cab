"""The data map in the window: what it shows, how pairs are selected, and what is done with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.jobs.lab.experiments.map_files import map_path
from desktop.jobs.pairs.lists import load_lists, put_list
from desktop.ui.pages.experiments.data_map_raster import MapPoints, paint_points
from desktop.ui.pages.experiments.data_map_view import DataMapView
from desktop.ui.pages.experiments.page import ExperimentsPage
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import TextQuestion
from miner.lab.experiments.cartography import select_subset
from miner.lab.experiments.experiment import Subset
from miner.lab.experiments.experiment_file import parse_experiment
from miner.progress import Progress
from storage.pairs.filters import PairFilter, PairStatus
from tests.desktop.map_factory import RUN, enter_mapped_experiment, write_synthetic_map
from tests.desktop.ui.conftest import pop_problems, show_page


@pytest.fixture
def view(context: ProjectContext, qtbot: QtBot) -> DataMapView:
    """Showing the map of a project's experiment."""
    id = enter_mapped_experiment(context.project)
    write_synthetic_map(context.project)
    view = DataMapView(context)
    qtbot.addWidget(view)
    view.resize(760, 560)
    view.show()
    view.show_experiment(id)
    qtbot.waitUntil(lambda: view.map is not None)
    return view


def drag(view: DataMapView, qtbot: QtBot, way: list[QPointF]) -> None:
    points = [point.toPoint() for point in way]
    qtbot.mousePress(view.plot, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        qtbot.mouseMove(view.plot, point)
    qtbot.mouseRelease(view.plot, Qt.MouseButton.LeftButton, pos=points[-1])


def names(context: ProjectContext) -> list[str]:
    return [one.name for one in load_lists(context.project).work(Progress())]


def answer(monkeypatch: pytest.MonkeyPatch, text: str | None) -> None:
    monkeypatch.setattr(TextQuestion, "ask", lambda self: text)


def test_a_rectangle_selects_the_pairs_inside_and_says_how_many(view: DataMapView, qtbot: QtBot) -> None:
    assert view.map is not None
    view._on_tool("rectangle")
    area = view.plot.points_rect()
    middle = QPointF(area.right(), area.center().y())
    drag(view, qtbot, [area.topLeft() - QPointF(4, 4), area.center(), middle])
    expected = np.flatnonzero((view.map.data.confidence > 0.5) & (view.map.data.variability < 0.5))
    found = view.selected_places()
    assert len(set(found) ^ set(expected.tolist())) <= 2  # what lies on the line
    assert view.selection_text.text() == f"{len(found):,} of {len(view.map):,} pairs selected"
    qtbot.keyClick(view.plot, Qt.Key.Key_Escape)
    assert view.selected is None
    assert not view.actions_row.show_button.isEnabled()


def test_a_lasso_selects_what_it_encloses(view: DataMapView, qtbot: QtBot) -> None:
    area = view.plot.points_rect()
    ends = [QPointF(area.left() - 6, area.bottom() + 6), QPointF(area.right(), area.bottom() + 6)]
    drag(view, qtbot, [*ends, QPointF(area.left() - 6, area.top())])
    assert view.map is not None
    assert view.selected is not None
    low = view.map.data.confidence[view.selected]
    assert 0 < len(low) < len(view.map)
    assert low.mean() < view.map.data.confidence.mean()
    drag(view, qtbot, [QPointF(area.right() - 2, area.top() + 2), QPointF(area.right() - 9, area.top() + 9)])
    assert view.selected is None  # nothing is inside


@pytest.mark.parametrize("subset", Subset)
def test_the_keyboard_selects_the_papers_shares(view: DataMapView, qtbot: QtBot, subset: Subset) -> None:
    assert view.map is not None
    box, slider = view._shares, view._share
    for _ in range(1 + list(Subset).index(subset)):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert view.subset is subset
    assert view.selected_places() == select_subset(view.map.data, subset, 0.33).tolist()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert view._share_text.text() == "34 %"
    assert view.selected_places() == select_subset(view.map.data, subset, 0.34).tolist()


def test_a_class_can_be_shown_alone(view: DataMapView) -> None:
    assert view.map is not None
    view._shares.setCurrentIndex(1)
    everything = set(view.selected_places())
    view.classes.setCurrentIndex(2)
    assert {view.map.labels[place] for place in view.selected_places()} == {1}
    assert set(view.selected_places()) < everything
    view.classes.setCurrentIndex(0)
    assert set(view.selected_places()) == everything


def test_the_pair_that_is_pointed_at_is_read_and_a_click_opens_it(
    view: DataMapView, context: ProjectContext, qtbot: QtBot
) -> None:
    assert view.map is not None
    at = view.plot.point_of(3).toPoint()
    place = view.plot.place_at(QPointF(at))
    qtbot.mouseMove(view.plot, QPoint(1, 1))
    qtbot.mouseMove(view.plot, at)
    qtbot.waitUntil(lambda: view.pair.premise.text() not in ("", "…"))
    assert f"confidence {view.map.data.confidence[place]:.2f}" in view.pair.figures.text()
    with qtbot.waitSignal(context.review_requested) as asked:
        qtbot.mouseClick(view.plot, Qt.MouseButton.LeftButton, pos=at)
    assert asked.args == [(view.map.keys[place],)]
    with qtbot.waitSignal(context.review_requested) as asked:
        qtbot.keyClick(view.plot, Qt.Key.Key_Left)
        qtbot.keyClick(view.plot, Qt.Key.Key_Return)
    assert asked.args == [(view.map.keys[view.plot.current],)]
    moved = view.map.data.variability[view.plot.current]
    assert moved <= view.map.data.variability[place]


def test_selected_pairs_are_shown_reviewed_and_kept(
    view: DataMapView, context: ProjectContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert view.map is not None
    view._shares.setCurrentIndex(2)
    keys = [view.map.keys[place] for place in view.selected_places()]
    with qtbot.waitSignal(context.pairs_requested) as asked:
        view.actions_row.show_button.click()
    [filter] = asked.args
    assert filter == PairFilter(lists=frozenset({f"Map of experiment {view.id}"}))
    with context.project.read_transaction() as stores:
        assert stores.pair_table.count(filter) == len(keys)
    with qtbot.waitSignal(context.review_requested) as asked:
        view.actions_row.review_button.click()
    assert asked.args == [tuple(keys)]
    answer(monkeypatch, "hard ones")
    view.actions_row.keep_button.click()
    qtbot.waitUntil(lambda: names(context) == [f"Map of experiment {view.id}", "hard ones"])


def test_selected_pairs_are_excluded_in_one_step_that_can_be_undone(
    view: DataMapView, context: ProjectContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bad() -> int:
        with context.project.read_transaction() as stores:
            return stores.pair_table.count(PairFilter(statuses=frozenset({PairStatus.BAD})))

    view._shares.setCurrentIndex(2)
    answer(monkeypatch, None)
    view.actions_row.exclude_button.click()
    answer(monkeypatch, "noise")
    view.actions_row.exclude_button.click()
    qtbot.waitUntil(lambda: bad() == len(view.selected_places()))
    with qtbot.waitSignal(context.undone):
        context.undo()
    assert bad() == 0


def test_an_experiment_that_trains_again_is_proposed_as_a_file(
    view: DataMapView, qtbot: QtBot, context: ProjectContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qtbot.waitSignal(view.new_experiment) as asked:
        view.actions_row.shares_action.trigger()
    made = parse_experiment(asked.args[0])
    assert list(made.data)[1:] == ["33 % easy", "33 % hard", "33 % ambiguous", "without 5 % hard", "without 25 % hard"]
    view._shares.setCurrentIndex(2)
    answer(monkeypatch, "hard ones")
    with qtbot.waitSignal(view.new_experiment) as asked:
        view.actions_row.without_action.trigger()
    made = parse_experiment(asked.args[0])
    assert made.data["all without hard ones"].where == {"outside_lists": ["hard ones"]}
    assert names(context) == ["hard ones"]


def test_another_list_of_the_name_stays_and_no_experiment_is_proposed(
    view: DataMapView, qtbot: QtBot, context: ProjectContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert view.map is not None
    keys = view.map.keys[:3]
    put_list(context.project, "hard ones", keys).work(Progress())
    proposed: list[str] = []
    view.new_experiment.connect(proposed.append)
    view._shares.setCurrentIndex(2)
    answer(monkeypatch, "hard ones")
    view.actions_row.without_action.trigger()
    qtbot.waitUntil(lambda: bool(context.problems.all))
    [problem] = pop_problems(context.problems)
    assert problem.summary == "There is a list called “hard ones” already."
    with context.project.read_transaction() as stores:
        assert stores.pair_lists.keys("hard ones") == sorted(keys)
    assert proposed == []


def test_a_map_that_is_not_there_is_explained(view: DataMapView, context: ProjectContext, qtbot: QtBot) -> None:
    id = view.id
    path = map_path(context.project, RUN)
    path.write_bytes(path.read_bytes()[:1000])
    view.refresh()
    qtbot.waitUntil(lambda: "is damaged" in view.words.sentence.text())
    path.unlink()
    view.show_experiment(id)
    qtbot.waitUntil(lambda: "was deleted" in view.words.sentence.text())
    assert view.words.isVisible()
    view.show_experiment(None)
    assert "Choose an experiment" in view.words.sentence.text()


def test_a_map_of_pairs_from_files_can_be_looked_at_but_not_acted_on(
    context: ProjectContext, qtbot: QtBot, tmp_path: Path
) -> None:
    id = enter_mapped_experiment(context.project)
    write_synthetic_map(context.project, 500)
    view = DataMapView(context)
    qtbot.addWidget(view)
    view.show()
    view.show_experiment(id)
    qtbot.waitUntil(lambda: view.map is not None)
    view._shares.setCurrentIndex(1)
    assert len(view.selected_places()) == 165
    assert not view.actions_row.show_button.isEnabled()
    view._on_activated(0)  # says so


def test_a_proposed_experiment_is_a_new_one_on_the_page(context: ProjectContext, qtbot: QtBot) -> None:
    id = enter_mapped_experiment(context.project)
    write_synthetic_map(context.project)
    page = ExperimentsPage(context)
    show_page(page, qtbot)
    qtbot.waitUntil(lambda: page.overview is not None and bool(page.overview.experiments))
    page.list.choose(f"past:{id}")
    page.panel.tabs.setCurrentWidget(page.panel.data_map)
    qtbot.waitUntil(lambda: page.panel.data_map.map is not None)
    page.panel.data_map.actions_row.shares_action.trigger()
    assert page.key.startswith("new:")
    assert page.experiment is not None
    assert page.experiment.name == "Cartography, shares of all"
    assert page.panel.tabs.currentWidget() is page.panel.set_up
    qtbot.waitUntil(lambda: not context.runner.running)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_points_have_the_colour_of_their_correctness(theme: Theme, qapp: QApplication, scheme: str) -> None:
    theme.apply(scheme, 1.0, reduced_motion=True)
    points = MapPoints(*(np.array(column) for column in ([10.5, 50.5, 90.5, 300.0], [20.5] * 4, [0.0, 0.5, 1.0, 1.0])))
    image = paint_points(points, None, (100, 40), 1.6, theme)
    assert (image.width(), image.height()) == (100, 40)
    card = theme.color("card")
    for x, share in ((10, 0.0), (50, 0.5), (90, 1.0)):
        wanted, found = theme.scale_color(share), image.pixelColor(x, 20)
        assert _distance(found, wanted) < _distance(found, card)
    faint = paint_points(points, np.array([False, True, True, True]), (100, 40), 1.6, theme)
    assert _distance(faint.pixelColor(10, 20), card) < _distance(image.pixelColor(10, 20), card)


def _distance(one: QColor, other: QColor) -> float:
    pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return sum(abs(a - b) for a, b in pairs)
