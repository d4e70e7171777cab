"""The steps from papers to a data set: which are done, where they lead, and that they can be closed for good."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.jobs.next_steps import Step, StepsDone, load_steps_done
from desktop.ui.shell.window import MainWindow
from desktop.ui.widgets.labels import PlainLabel
from miner.progress import Job, Progress
from storage.changes import Changes
from storage.project import Project


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


def test_who_asks_is_told_that_all_steps_are_done_also_where_a_pair_has_the_room(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = Job("Looking", lambda progress: StepsDone(frozenset(Step)))
    monkeypatch.setattr("desktop.jobs.next_steps.load_steps_done", lambda project: done)
    steps = window.central.steps
    assert window.context is not None
    window.context.events.changed.emit(Changes(pairs=True))
    qtbot.waitUntil(lambda: states(window) == ["done"] * 5)
    assert not steps.isVisible()
    window.show_page("review")
    window.action_registry["help.steps"].trigger()
    qtbot.waitUntil(steps.isVisible)
    assert "All steps are done" in [label.text() for label in steps.findChildren(PlainLabel)]
    window.show_page("papers")
    assert not steps.isVisible()


def test_a_release_counts_as_an_export(project: Project) -> None:
    def done() -> frozenset[Step]:
        return load_steps_done(project).work(Progress()).done

    assert Step.EXPORT not in done()
    with project.transaction() as stores:
        for statement in (
            "INSERT INTO releases VALUES (1, 'v1', '2026-01-01T00:00:00+00:00', '', '{}', '[]', '', NULL)",
            "INSERT INTO release_files VALUES (1, 'train.jsonl', 1, 1, '', '', NULL)",
        ):
            stores._connection.exec_driver_sql(statement)
    assert Step.EXPORT in done()
