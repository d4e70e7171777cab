"""The steps from papers to a data set: which are done, where they lead, and that they can be closed for good."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop.ui.shell.window import MainWindow
from storage.changes import Changes


def states(window: MainWindow) -> list[str]:
    return [button.accessibleName().partition(": ")[2] for button in window.central.steps.buttons.values()]


def test_steps_say_what_is_done_lead_to_their_pages_and_close_for_good(window: MainWindow, qtbot: QtBot) -> None:
    steps = window.central.steps
    qtbot.waitUntil(steps.isVisible)
    assert states(window) == ["done", "done", "next", "later", "later"]
    steps.buttons["export"].click()
    assert window.current_page() == "export"
    assert not steps.buttons["export"].isChecked()
    steps.close_button.click()
    assert window.context is not None
    window.context.events.changed.emit(Changes(pairs=True))
    qtbot.wait(600)
    assert not steps.isVisible()
    window.action_registry["help.steps"].trigger()
    qtbot.waitUntil(steps.isVisible)
