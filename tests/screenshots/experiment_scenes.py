"""Pictures of the page Experiments, and of reading the errors of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests.gui_driver import Wait

if TYPE_CHECKING:
    from desktop.ui.pages.experiments.page import ExperimentsPage
    from desktop.ui.shell.window import MainWindow
    from tests.screenshots.camera import Camera


def experiment_scenes(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    from desktop.ui.pages.experiments.page import ExperimentsPage

    page = window.page("experiments")
    assert isinstance(page, ExperimentsPage)
    for name in ("artefacts", "cartography", "direction", "negatives", "prompts"):
        page.list.choose(f"ready:{name}")
        yield camera.wait_until(lambda: page.is_idle)
        yield from camera.take(f"full-experiments-{name}")
    page.panel.toggle_view()
    yield from camera.take("full-experiments-file")
    page.panel.toggle_view()
    yield from _baselines(page, camera)
    yield from _direction(page, camera)
    yield from _data_map(page, camera)
    yield from _errors(window, page, camera)


def _choose(page: ExperimentsPage, camera: Camera, name: str) -> Iterator[Wait]:
    assert page.overview is not None
    id = next(one.id for one in page.overview.experiments if one.name == name)
    page.list.choose(f"past:{id}")
    yield camera.wait_until_idle()


def _baselines(page: ExperimentsPage, camera: Camera) -> Iterator[Wait]:
    results = page.panel.results
    yield from _choose(page, camera, "Baselines")
    page.panel.tabs.setCurrentWidget(page.panel.grid)
    yield from camera.take("full-experiments-cells")
    page.panel.tabs.setCurrentWidget(results)
    table = results.cards[0].table
    table.setCurrentIndex(table.model().index(table.model().rowCount() - 1, table.model().columnCount() - 2))
    table.setFocus()
    yield camera.wait_until_idle()
    yield from camera.take("full-experiments-tables")
    for name, widget in (("domains", results.cards[1]), ("confusion", results.confusion), ("errors", results.errors)):
        bar = results.scroll_area.verticalScrollBar()
        bar.setValue(widget.mapTo(results.scroll_area.widget(), widget.rect().topLeft()).y() - 8)
        yield from camera.take(f"full-experiments-{name}")


def _direction(page: ExperimentsPage, camera: Camera) -> Iterator[Wait]:
    results = page.panel.results
    yield from _choose(page, camera, "Direction of files")
    yield from camera.take("full-experiments-direction-tables")
    results.scroll_area.ensureWidgetVisible(results.curves)
    yield from camera.take("full-experiments-direction-curves")


def _data_map(page: ExperimentsPage, camera: Camera) -> Iterator[Wait]:
    view = page.panel.data_map
    yield from _choose(page, camera, "Cartography")
    page.panel.tabs.setCurrentWidget(view)
    yield camera.wait_until_idle()
    yield from camera.take("full-experiments-map")
    view._shares.setCurrentIndex(1)
    view.plot.setFocus()
    yield camera.wait_until_idle()
    yield from camera.take("full-experiments-map-selected")


def _errors(window: MainWindow, page: ExperimentsPage, camera: Camera) -> Iterator[Wait]:
    """The question which errors to read, and the first of them in Review."""
    from desktop.ui.pages.experiments.error_round_dialog import ErrorRoundDialog
    from desktop.ui.pages.experiments.result_card import REVIEW

    yield from _choose(page, camera, "Baselines")
    page.panel.tabs.setCurrentWidget(page.panel.results)
    card = page.panel.results.cards[0]
    card.table.setCurrentIndex(card.table.model().index(0, 0))
    value = card.current
    assert value is not None
    card.number_opened.emit(value, REVIEW)
    [dialog] = window.findChildren(ErrorRoundDialog)
    yield from camera.take("full-experiments-read-errors")
    dialog.accept()
    yield camera.wait_until(lambda: window.page("review").isVisible())
    yield camera.wait_until_idle()
    yield from camera.take("full-experiments-review")
