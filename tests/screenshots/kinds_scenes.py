"""Pictures of the page Kinds, and of rounds that ask for kinds of reasoning."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.gui_driver import Wait
from tests.kinds_factory import annotate_kinds
from tests.screenshots.project_factory import start_kinds_rounds
from tests.screenshots.steps import close_dialogs, open_project, run_actions

if TYPE_CHECKING:
    from desktop.ui.shell.window import MainWindow
    from tests.screenshots.camera import Camera

KINDS_ROUND_PICTURES = ("round-kinds-form", "round-kinds-annotate", "round-kinds-feedback", "round-kinds-answers")


def kinds_scenes(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    from desktop.ui.pages.kinds.page import KindsPage

    do = partial(run_actions, window, camera, "kinds")
    page = window.page("kinds")
    assert isinstance(page, KindsPage)
    tab = page.answer
    tab.draw(2)
    yield camera.wait_until(lambda: tab.session.item is not None)
    yield from camera.take("full-kinds-relation")

    def press(keys: str) -> Iterator[Wait]:
        for key in keys:
            if key == " ":
                tab.go_on()
            else:
                tab.press(key)
            yield camera.wait_until_idle()

    yield from do("reasoning")
    yield from press("oww rl rsc")
    yield from camera.take("full-kinds-reasoning")
    yield from do("guide")
    yield from camera.take("full-kinds-help")
    yield from do("guide", "note")
    yield from camera.take("full-kinds-note")
    yield from do("close")
    yield from press("  ls ")
    yield from camera.take("full-kinds-direction")
    yield from press("f")
    yield from do("neutral")
    yield from press("yn")
    yield from camera.take("full-kinds-neutral")
    yield from press("n")
    yield camera.wait_until_idle()
    yield from camera.take("full-kinds-done")
    yield from _kinds_figures(window, camera)


def _kinds_figures(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    """The tabs Agreement and Figures, also with the systems of an experiment."""
    from desktop.ui.pages.kinds.agreement_tab import KindsAgreementTab
    from desktop.ui.pages.kinds.figures_tab import KindsFiguresTab
    from desktop.ui.pages.kinds.page import KindsPage

    page = window.page("kinds")
    assert isinstance(page, KindsPage)
    if window.context is None or not any(
        map(camera.wants, ("full-kinds-agreement", "full-kinds-figures", "full-kinds-layers"))
    ):
        return
    annotate_kinds(window.context.project, {"ada": 0.03, "mk": 0.06})
    page.tabs.setCurrentIndex(1)
    agreement = page.tab(1)
    assert isinstance(agreement, KindsAgreementTab)
    yield camera.wait_until(lambda: not agreement.is_measuring)
    yield from camera.take("full-kinds-agreement")
    agreement.scroll_area.verticalScrollBar().setValue(agreement.scroll_area.verticalScrollBar().maximum())
    yield from camera.take("full-kinds-agreement-direction")
    page.tabs.setCurrentIndex(2)
    figures = page.tab(2)
    assert isinstance(figures, KindsFiguresTab)
    yield camera.wait_until(lambda: not figures.is_measuring)
    yield from camera.take("full-kinds-figures")
    systems = [action.data() for action in figures.models.menu.actions() if action.isCheckable()]
    figures.models.choose(*[name for name in systems if name.startswith("experiment:")][:2] or systems[:1])
    yield camera.wait_until(lambda: not figures.is_measuring)
    for name, card in (
        ("correlations", figures.correlations),
        ("scores", figures.models),
        ("factors", figures.factors),
    ):
        figures.scroll_area.ensureWidgetVisible(card, 0, 0)
        top = card.mapTo(figures.scroll_area.widget(), card.rect().topLeft()).y()
        figures.scroll_area.verticalScrollBar().setValue(top)
        yield from camera.take(f"full-kinds-figures-{name}")
    if camera.wants("full-kinds-layers"):
        figures.layers.bar.compute()  # of the starter
        yield camera.wait_until(lambda: figures.layers.embedding is not None and not figures.is_measuring)
        figures.scroll_area.verticalScrollBar().setValue(figures.scroll_area.verticalScrollBar().maximum())
        yield from camera.take("full-kinds-layers")
    page.tabs.setCurrentIndex(0)


def kinds_round_scenes(window: MainWindow, camera: Camera, project: Path, folder: Path) -> Iterator[Wait]:
    """A project with a pilot round for kinds, and the window of an answer file that asks for them."""
    from desktop.ui.pages.annotate.page import AnnotatePage
    from desktop.ui.pages.annotate.round_dialog import NewRoundDialog

    copy = Path(shutil.copyfile(project, folder / "kinds.pairwright"))
    file = start_kinds_rounds(copy, folder)
    yield from open_project(window, camera, copy)
    window.show_page("annotate")
    yield camera.wait_until_idle()
    yield from camera.take("round-kinds-annotate")
    page = window.page("annotate")
    assert isinstance(page, AnnotatePage)
    page.rounds.table.selectRow(1)
    page.rounds.feedback_button.click()
    yield from camera.take("round-kinds-feedback")
    close_dialogs(window)
    page.open_round_dialog()
    [dialog] = window.findChildren(NewRoundDialog)
    dialog.kind_box.setCurrentText("Kinds of reasoning")
    dialog.overlap_box.setValue(20)
    yield camera.wait_until_idle()
    yield from camera.take("round-kinds-form")
    close_dialogs(window)
    yield from open_project(window, camera, file)
    yield from camera.take("round-kinds-answers")
