"""The Experiments page: ready and past experiments, the form, the file and the grid, and a run from the window."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.grid import load_headlines
from desktop.jobs.lab.experiments.running import experiment_lock
from desktop.jobs.open_project import OpenedProject, open_project
from desktop.jobs.papers.edits import remove
from desktop.ui.pages.experiments.drafts import Draft
from desktop.ui.pages.experiments.page import ExperimentsPage
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.questions import Question
from miner.lab.experiments.experiment_file import parse_experiment, ready_names
from miner.progress import Progress
from miner.records import Label
from storage.changes import Changes
from storage.lab.experiments import ExperimentState
from storage.models.registry import ModelKind
from storage.project import Project
from tests.desktop.experiment_factory import OUTSIDE, Scripted, finish_cells, store_experiment
from tests.desktop.jobs.lab.experiments.test_run import write_rows
from tests.desktop.ui.conftest import show_page

ShowPage = Callable[[ProjectContext], ExperimentsPage]
MINE = """# about it
name = "Mine"
question = "Is it easy?"
seeds = [1]

[data.all]
train = {}  # all of them
test = {}

[[system]]
kind = "naive_bayes"

[[system]]
kind = "lexical"
features = ["length"]

[[table]]
columns = "score"
"""
ODD_FILES = (
    "data = 3",
    "system = 3",
    "system = [1]",
    "table = { rows = 2 }",
    "[data.a]\nunion = 3",
    '[data.a]\nof = "b"\nshare = "much"',
    '[data.a]\nwhere = [1]\ntrain = 5\n[data.b]\nunion = [["a"]]\nfiles = 3',
    '[[system]]\nkind = ["x"]\ninput = [1]\nfeatures = 3\n[[system]]\nkind = "encoder"\nstart = 3\nrecipe = {}',
    '[[system]]\nkind = "prompt"\ntemplate = "Own {premise}"\nshots = "many"\n[[table]]\nof = []',
    'name = 3\nseeds = "all"\nquestion = []',
)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported")
    files = [
        write_rows(folder / f"{split}.csv", seed, size) for split, seed, size in (("train", 0, 12), ("test", 1, 6))
    ]
    with Project.create(folder / "labelled.pairwright") as project:
        import_data_sets(project, files, "").work(Progress())
    return project.path


@pytest.fixture
def labelled(tmp_path: Path, imported: Path, open_context: Callable[[OpenedProject], ProjectContext]) -> ProjectContext:
    """A project of imported pairs with a train and a test split."""
    path = Path(shutil.copy(imported, tmp_path))
    return open_context(open_project(path).work(Progress()))


@pytest.fixture
def open_page(qtbot: QtBot) -> ShowPage:
    def build(context: ProjectContext) -> ExperimentsPage:
        page = ExperimentsPage(context)
        show_page(page, qtbot)
        wait_until_read(page, qtbot)
        return page

    return build


def wait_until_read(page: ExperimentsPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.overview is not None and page.is_idle)


def show_text(page: ExperimentsPage, qtbot: QtBot, text: str) -> None:
    """Open a text as a new experiment."""
    page.open_new("mine", Draft(text, page.context.path.parent, text))
    wait_until_read(page, qtbot)


def titles(page: ExperimentsPage) -> list[str]:
    root = page.list.invisibleRootItem()
    return [item.text(0) for place in range(root.childCount()) if (item := root.child(place)) is not None]


def texts(page: ExperimentsPage) -> str:
    """All that is written on the page."""
    return "\n".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def test_the_ready_experiments_are_listed_by_their_questions(context: ProjectContext, open_page: ShowPage) -> None:
    page = open_page(context)
    assert titles(page)[:2] == ["Ready experiments", "How well do baselines and encoders do?"]
    assert len(titles(page)) == len(ready_names()) + 1
    assert page.key == "ready:baselines"
    assert page.panel.heading.text() == "How well do baselines and encoders do?"


def test_a_project_without_splits_says_what_to_do(context: ProjectContext, open_page: ShowPage, qtbot: QtBot) -> None:
    page = open_page(context)
    assert "has no pairs. Experiments need a split" in page.panel.banner.text()
    assert not page.panel.run.isEnabled()
    with qtbot.waitSignal(context.page_requested) as asked:
        page.panel.banner.button.click()
    assert asked.args == ["export"]


def test_what_is_changed_in_the_form_is_in_the_file_and_the_comments_stay(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    page = open_page(labelled)
    show_text(page, qtbot, MINE)
    [card] = page.panel.form.sets
    balanced = [box for box in card.findChildren(QCheckBox) if box.accessibleName() == "Train part of all: balanced"]
    balanced[0].click()
    [seeds] = [field for field in page.panel.form.findChildren(QLineEdit) if field.accessibleName() == "Seeds"]
    seeds.clear()
    QTest.keyClicks(seeds, "3, 4")
    text = page.panel.text
    assert tomllib.loads(text)["data"]["all"]["train"] == {"balanced": True}
    assert tomllib.loads(text)["seeds"] == [3, 4]
    assert "# about it" in text
    assert "# all of them" in text
    page.panel.toggle_view()
    assert page.panel.editor.editor.toPlainText() == text
    wait_until_read(page, qtbot)


def test_what_is_changed_in_the_file_is_in_the_form(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    page = open_page(labelled)
    show_text(page, qtbot, MINE)
    page.panel.toggle_view()
    page.panel.editor.editor.setPlainText(MINE.replace("naive_bayes", "cnn").replace("Mine", "Yours"))
    page.panel.toggle_view()
    assert not page.panel.is_file_shown
    assert [card.accessibleName() for card in page.panel.form.systems] == [
        "System 1: CNN",
        "System 2: Lexicalized",
    ]
    assert page.experiment is not None
    assert page.experiment.name == "Yours"
    wait_until_read(page, qtbot)


def test_a_problem_of_the_file_is_said_with_its_line(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    page = open_page(labelled)
    show_text(page, qtbot, MINE)
    page.panel.toggle_view()
    page.panel.editor.editor.setPlainText(MINE.replace("features", "fetures"))
    assert "Line 15: System 2 has an unknown key: fetures. Did you mean features?" in page.panel.editor.notice.text
    assert not page.panel.run.isEnabled()
    page.panel.editor.go.click()
    assert page.panel.editor.editor.textCursor().blockNumber() == 14
    page.panel.editor.editor.setPlainText("name = ")
    page.panel.toggle_view()
    assert page.panel.is_file_shown  # what is not TOML has no form
    assert "Line 1" in page.panel.editor.notice.text
    page.panel.editor.editor.setPlainText(MINE)
    assert page.panel.editor.notice.text == ""
    wait_until_read(page, qtbot)
    assert page.panel.run.isEnabled()


def test_systems_and_sets_are_added_renamed_and_removed(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    page = open_page(labelled)
    show_text(page, qtbot, MINE)
    form = page.panel.form
    form.add_system("people")
    form.systems[0].remove.click()
    form.add_set("Other sets together")
    form.sets[0].name_field.setText("every pair")
    form.sets[0].name_field.editingFinished.emit()
    experiment = parse_experiment(page.panel.text)
    assert [system.title for system in experiment.systems] == ["Lexicalized: length", "Experts"]
    assert experiment.data["together"].union == ("every pair",)
    assert "# all of them" in page.panel.text
    wait_until_read(page, qtbot)


def test_a_set_that_is_a_probe_says_so_and_can_be_of_triples(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    page = open_page(labelled)
    page.list.choose("ready:direction")
    wait_until_read(page, qtbot)
    qtbot.waitUntil(lambda: "directed pairs; the probe needs 30" in page.panel.banner.label.text())
    card = page.panel.form.sets[0]
    groups = next(box for box in card.findChildren(QComboBox) if box.accessibleName() == "Probe of Directional")
    assert groups.currentText() == "DirTrue against DirFalse: direction"
    assert card.filter_label.text() == "Made of all pairs of the project"
    assert not any(box.accessibleName().startswith("Labels of") for box in card.findChildren(QComboBox))
    folder = next(
        field for field in card.findChildren(QLineEdit) if field.accessibleName() == "Folder of triples of Directional"
    )
    qtbot.keyClicks(folder, "levyholt")
    groups.setCurrentIndex(groups.findText("All four groups"))
    parsed = parse_experiment(page.panel.form.text).data["Directional"]
    assert (parsed.triples, parsed.probe) == ("levyholt", "Full")
    qtbot.waitUntil(lambda: "There is no folder levyholt" in card.notice.text)


def test_what_is_missing_is_asked_for_where_it_is_named(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    page = open_page(labelled)
    page.list.choose("ready:datasets")
    wait_until_read(page, qtbot)
    other = next(card for card in page.panel.form.sets if card.name == "other")
    assert "There is no file other/train.csv. Choose one." in other.notice.text
    banner = page.panel.banner.label.text()
    assert banner == "There is no file other/train.csv. Choose one. 2 more are missing, as said below."
    assert not page.panel.run.isEnabled()
    show_text(page, qtbot, MINE + '\n[[system]]\nkind = "bilstm"\nvectors = "glove.txt"\n')
    assert page.panel.form.systems[2].notice.text == "There is no file glove.txt. Choose one."
    assert page.panel.run.isEnabled()  # the others can be run


def test_the_grid_fills_and_the_experiment_is_kept_forgotten_and_copied(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(labelled)
    show_text(page, qtbot, MINE)
    assert "2 cells · 2 runs to compute" in page.panel.about.text()
    page.panel.run.click()
    assert page.panel.pause.isVisible()
    seen: set[str] = set()
    page.running.updated.connect(lambda: seen.update(page.panel.grid.counts()))
    qtbot.waitUntil(lambda: page.running.run is None, timeout=120_000)
    wait_until_read(page, qtbot)
    assert "running" in seen
    assert page.key == "past:1"
    assert page.panel.grid.counts() == {"done": 2}
    assert page.panel.run.text() == "R&un again"
    assert page.stored is not None
    assert page.stored.text == MINE
    qtbot.waitUntil(lambda: "best macro F1" in page.list.currentItem().data(0, Qt.ItemDataRole.AccessibleTextRole))
    page.duplicate()
    assert titles(page)[:2] == ["New experiments", "Mine 2"]
    wait_until_read(page, qtbot)
    assert "2 cells, 2 of them known · nothing to compute" in page.panel.about.text()
    page.list.choose("past:1")
    asked: list[str] = []
    monkeypatch.setattr(Question, "confirm", lambda question: bool(asked.append(question.question.text())) or True)
    page.panel.forget.click()
    assert asked == ["Forget Mine and its 2 finished cells?"]
    qtbot.waitUntil(lambda: page.overview is not None and not page.overview.experiments)
    wait_until_read(page, qtbot)


def test_a_failed_cell_says_why(labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot) -> None:
    page = open_page(labelled)
    show_text(page, qtbot, MINE + '\n[[system]]\nkind = "bilstm"\nvectors = "glove.txt"\n')
    page.panel.run.click()
    qtbot.waitUntil(lambda: page.running.run is None, timeout=120_000)
    wait_until_read(page, qtbot)
    assert page.panel.grid.counts() == {"done": 2, "failed": 1}
    assert "glove.txt" in page.panel.grid.reasons.text()
    assert page.panel.run.text() == "R&un again"  # the file is still missing


def enter(project: Project, state: ExperimentState, *, has_ended: bool) -> None:
    with project.transaction() as stores:
        id = stores.experiments.start("Mine", tomllib.loads(MINE), "pairwright", datetime.now(UTC), text=MINE)
        if has_ended:
            stores.experiments.end(id, state, datetime.now(UTC))


def test_an_experiment_whose_program_was_killed_is_said_to_be_interrupted(
    labelled: ProjectContext, open_page: ShowPage
) -> None:
    enter(labelled.project, ExperimentState.RUNNING, has_ended=False)
    page = open_page(labelled)
    assert page.panel.about.text().startswith("Interrupted: its program ended while it ran.")


@pytest.fixture
def run_elsewhere(labelled: ProjectContext) -> Iterator[None]:
    enter(labelled.project, ExperimentState.RUNNING, has_ended=False)
    with experiment_lock(labelled.project):
        yield


@pytest.mark.usefixtures("run_elsewhere")
def test_one_that_another_program_runs_is_seen_as_running(labelled: ProjectContext, open_page: ShowPage) -> None:
    page = open_page(labelled)
    assert page.panel.about.text().startswith("Running")
    assert not page.is_action_enabled("forget")


def test_a_model_that_came_while_the_page_was_hidden_can_be_started_from(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    page = open_page(labelled)
    qtbot.waitUntil(lambda: page.panel.form.has_choices and not labelled.runner.running)
    page.hide()
    with labelled.project.transaction() as stores:
        stores.models.enter("digest", "new one", ModelKind.HUB, "owner/new", {}, tuple(Label))
    labelled.events.changed.emit(Changes(suggestions=True))
    page.show()
    page.activate()
    qtbot.waitUntil(lambda: not labelled.runner.running and page.is_idle)
    assert "new one" in [choice.name for choice in page.panel.form._choices]


def test_a_file_is_opened_and_saved(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(labelled)
    (tmp_path / "mine.toml").write_text(MINE, encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "mine.toml"), ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "copy.toml"), ""))
    page.panel.open.click()
    qtbot.waitUntil(lambda: page.key == "new:1")
    wait_until_read(page, qtbot)
    page.panel.save.click()
    qtbot.waitUntil(lambda: (tmp_path / "copy.toml").exists())
    assert (tmp_path / "copy.toml").read_text(encoding="utf-8") == MINE
    page.panel.forget.click()
    assert page.key.startswith("ready:")
    wait_until_read(page, qtbot)


def test_edits_stay_while_another_experiment_is_looked_at(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    page = open_page(labelled)
    page.panel.form.systems[0].remove.click()
    changed = page.panel.text
    page.list.choose("ready:artefacts")
    wait_until_read(page, qtbot)
    page.list.choose("ready:baselines")
    wait_until_read(page, qtbot)
    assert page.panel.text == changed
    assert "edited" in str(page.list.currentItem().data(0, Qt.ItemDataRole.AccessibleTextRole))


def test_every_ready_experiment_has_a_form_that_changes_nothing_by_itself(
    labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    page = open_page(labelled)
    assert page.overview is not None
    for one in page.overview.ready:
        page.list.choose(f"ready:{one.name}")
        assert not page.panel.is_file_shown
        assert page.panel.text == one.text
        parsed: Any = parse_experiment(one.text)
        assert len(page.panel.form.systems) == len(parsed.systems)
        assert len(page.panel.form.sets) == len(parsed.data)
    wait_until_read(page, qtbot)


def test_no_file_is_too_odd_to_be_shown(labelled: ProjectContext, open_page: ShowPage, qtbot: QtBot) -> None:
    page = open_page(labelled)
    for text in ODD_FILES:
        show_text(page, qtbot, text)
        assert page.panel.text == text
        assert page.panel.banner.text() != ""
        assert not page.panel.run.isEnabled()
        page.panel.toggle_view()
        page.panel.toggle_view()
        assert page.panel.text == text
    page.duplicate()
    wait_until_read(page, qtbot)


def run_again(project: Project, script: Scripted) -> None:
    """Store a second run of an experiment, after a change of the data: as many cells, with other predictions."""
    with project.transaction() as stores:
        [stored] = stores.experiments.all()
        at = stored.started_at + timedelta(hours=1)
        cells = [cell._replace(key=f"{cell.key} again") for cell in stores.experiments.cells(script.id)]
        assert stores.experiments.start(stored.name, stored.recipe, stored.program, at) == script.id
        stores.experiments.set_cells(script.id, cells)
    finish_cells(project, script, cells)
    with project.transaction() as stores:
        stores.experiments.end(script.id, ExperimentState.DONE, at + timedelta(minutes=1))


def test_the_best_number_in_the_list_is_of_the_last_run(
    context: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    script = store_experiment(context.project)
    page = open_page(context)

    def listed() -> str:
        return str(page.list.currentItem().data(0, Qt.ItemDataRole.AccessibleTextRole))

    qtbot.waitUntil(lambda: "best macro F1" in listed())
    first = listed()
    run_again(context.project, script)
    context.events.changed.emit(Changes(experiments=True))
    wait_until_read(page, qtbot)
    best = load_headlines(context.project, (script.id,)).work(Progress())[script.id]
    assert f"{best.score:.1f}" in listed()
    assert listed() != first


def test_removed_papers_and_their_return_are_seen_in_the_results(
    context: ProjectContext, open_page: ShowPage, qtbot: QtBot
) -> None:
    store_experiment(context.project)
    page = open_page(context)
    results = page.panel.results
    qtbot.waitUntil(lambda: results.details is not None and not results.is_reading)
    assert "No longer in the project" not in results.outside.text
    with context.project.read_transaction() as stores:
        ids = stores.paper_table.ids_of(list(stores.papers.md5s()))
    with qtbot.waitSignal(context.events.changed):
        context.change(remove(context.project, ids, "an annotator"))
    qtbot.waitUntil(lambda: "No longer in the project: all " in results.outside.text)
    assert "Their papers were removed or mined anew" in results.outside.text
    assert f"Not in the project: all {OUTSIDE} test pairs of file. They come from files" in results.outside.text
    context.annotator = "an annotator"
    context.undo()
    qtbot.waitUntil(lambda: "No longer in the project" not in results.outside.text)
    wait_until_read(page, qtbot)
