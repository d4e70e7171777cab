"""Pictures of the page Review: answering, its panels and questions, and mending a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from storage.pairs.filters import PairFilter, PairStatus
from tests.gui_driver import Wait, pause
from tests.screenshots.steps import run_actions

if TYPE_CHECKING:
    from desktop.ui.shell.window import MainWindow
    from tests.screenshots.camera import Camera


def _mend(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    """The dialog that mends a sentence, over the pair on the screen."""
    from desktop.ui.evidence.mend_dialog import MendDialog

    if not camera.wants("full-review-mend"):
        return
    window.context.actions["review.close"].trigger()  # type: ignore[union-attr]  # a project is open
    window.context.actions["review.mend"].trigger()  # type: ignore[union-attr]
    yield camera.wait_until_idle()
    [dialog] = window.findChildren(MendDialog)
    premise, _ = dialog.editors.values()
    yield from camera.take("full-review-mend")
    premise.text.setPlainText(f"{premise.value} And this is what the parser lost.")
    yield from camera.take("full-review-mend-changed")
    dialog.save()
    yield camera.wait_until_idle()
    yield from camera.take("full-review-mended")
    window.context.actions["edit.undo"].trigger()  # type: ignore[union-attr]
    yield camera.wait_until_idle()


def review_scenes(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    do = partial(run_actions, window, camera, "review")
    page = window.page("review")
    page.start_first_round()
    yield camera.wait_until_idle()
    yield from do("reasoning", "contrasting")
    yield from camera.take("full-review-answering")
    assert window.context is not None
    chosen = PairFilter(domains=frozenset(("coastal engineering",)), statuses=frozenset((PairStatus.OPEN,)))
    window.context.review_requested.emit(chosen)  # of PDFs, both of them
    yield camera.wait_until_idle()
    yield from do("context")
    yield pause(1)
    yield from camera.take("full-review-context")
    yield from do("guide")
    yield from camera.take("full-review-guide")
    yield from do("guide", "bad")
    yield from camera.take("full-review-bad")
    yield from do("close", "note")
    yield from camera.take("full-review-note")
    yield from _mend(window, camera)
    yield from do("close")
