"""What is on the screen in the pictures of the guide: the sample project, without what belongs to no step."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from storage.pairs.filters import PairFilter, PairStatus
from tests.gui_driver import Wait
from tests.screenshots.project_factory import start_round

if TYPE_CHECKING:
    from desktop.ui.shell.window import MainWindow
    from tests.screenshots.camera import Camera

_UNANSWERED = frozenset((PairStatus.OPEN,))


def guide_scenes(window: MainWindow, camera: Camera, project: Path, folder: Path) -> Iterator[Wait]:
    """The open window on `project`, then on a copy of it with a round, which is made in `folder`."""
    yield from _take(window, camera, "papers", "papers")
    window.central.steps.close_for_good()
    for name, page in (("model", "suggest"), ("doubted", "disagreements"), ("experiments", "experiments")):
        yield from _take(window, camera, page, name)
    window.show_page("train")
    yield camera.wait_until_idle()
    window.page("train").runs.table.selectRow(1)  # type: ignore[attr-defined]  # of TrainPage
    yield from _take(window, camera, "train", "train")
    window.page_controller.show_setting("parser")
    yield from _take(window, camera, "settings", "settings")
    yield from _review(window, camera)
    assert window.context is not None
    window.context.pairs_requested.emit(PairFilter(text="line", labels=frozenset(("contrasting", "reasoning"))))
    yield from _take(window, camera, "pairs", "pairs")
    window.context.pairs_requested.emit(PairFilter())
    yield from _take(window, camera, "export", "export", by_paper=True)
    yield from _audit(window, camera)
    copy = Path(shutil.copyfile(project, folder / "round.pairwright"))
    start_round(copy, folder)
    window.open(copy)
    yield camera.wait_until(lambda: window.context is not None and window.context.path == copy)
    yield camera.wait_until_idle()
    yield from _take(window, camera, "annotate", "rounds")


def _take(window: MainWindow, camera: Camera, page: str, name: str, *, by_paper: bool = False) -> Iterator[Wait]:
    window.show_page(page)
    yield camera.wait_until_idle()
    if by_paper:
        window.page(page).form.in_splits.setChecked(True)  # type: ignore[attr-defined]  # of ExportPage
        window.page(page).folder.setText("/home/ada/first-data-set")  # type: ignore[attr-defined]
        yield camera.wait_until_idle()
    window.central.hide_offer()
    yield from camera.take(f"guide-{name}")


def _review(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    window.show_page("review")
    yield camera.wait_until_idle()
    assert window.context is not None
    window.context.review_requested.emit(PairFilter(text="local people have always", statuses=_UNANSWERED))
    yield camera.wait_until_idle()
    yield from _take(window, camera, "review", "review")
    window.context.review_requested.emit(PairFilter(domains=frozenset(("nlp",)), statuses=_UNANSWERED, flagged=False))
    yield camera.wait_until_idle()
    window.action_registry["review.guide"].trigger()
    yield from _take(window, camera, "review", "definitions")
    window.action_registry["review.guide"].trigger()


def _audit(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    from desktop.ui.pages.audit.page import AuditPage

    window.show_page("audit")
    yield camera.wait_until_idle()
    page = window.page("audit")
    assert isinstance(page, AuditPage)
    page.audit()
    yield camera.wait_until(lambda: not page.is_busy)
    page.findings.choose("hypothesis_alone")
    yield from _take(window, camera, "audit", "audit")
