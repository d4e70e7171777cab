"""Takes screenshots in one theme and scale.

`python -m tests.screenshots.camera PROJECT FOLDER THEME SIZES [WORD...]`
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QTableView

from desktop import settings
from desktop.settings import Paths, Settings
from storage.pairs.filters import ANY_KIND, PairFilter
from storage.project import Project
from tests.gui_driver import Wait, drive, pause
from tests.kinds_factory import annotate_kinds
from tests.precision_factory import answer_sample
from tests.sample_papers import SAMPLES
from tests.screenshots.experiment_scenes import experiment_scenes
from tests.screenshots.guide_pictures import GUIDE
from tests.screenshots.guide_scenes import guide_scenes
from tests.screenshots.kinds_scenes import KINDS_ROUND_PICTURES, kinds_round_scenes, kinds_scenes
from tests.screenshots.project_factory import start_round
from tests.screenshots.review_scenes import review_scenes
from tests.screenshots.steps import close_dialogs, open_project, run_actions

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap

    from desktop.ui.shell.window import MainWindow

PAGES = (
    *("papers", "review", "kinds", "annotate", "pairs", "suggest", "disagreements", "dashboard", "tables", "export"),
    *("agreement", "precision", "audit", "train", "experiments", "mining", "problems", "settings"),
)
ROUND_PICTURES = (
    *("round-annotate", "round-conflicts", "round-answers"),
    *("round-answers-guide", "round-answers-settings", "round-answers-done"),
)
PRECISION_PICTURE = "precision-answered"
_IDLE_S = 0.4  # without a running job, after which a page is complete
_WAIT_S = 120.0  # for a condition; if it is still not true then, the next picture fails


class Camera:
    def __init__(self, window: MainWindow, folder: Path, look: str, sizes: list[tuple[int, int]], words: list[str]):
        self._window, self._folder, self._look, self._sizes, self._words = window, folder, look, sizes, words
        self._missed = ""

    def wants(self, name: str) -> bool:
        return not self._words or any(word in name for word in self._words)

    def take(self, name: str) -> Iterator[Wait]:
        """A picture of each size, with any dialog where it is. TimeoutError if the window is not ready for it."""
        self._require_ready(name)
        if not self.wants(name):
            return
        for width, height in self._sizes:
            self._window.resize(width, height)
            yield self.wait_until_idle()
            self._require_ready(name)
            path = self._folder / f"{self._look.format(width=width, height=height)}" / f"{name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            self._picture().save(str(path))

    def wait_until(self, condition: Wait) -> Wait:
        """This condition; if it does not become true in time, the next picture fails."""
        end = time.monotonic() + _WAIT_S

        def is_over() -> bool:
            if condition():
                return True
            if time.monotonic() < end:
                return False
            self._missed = f"line {condition.__code__.co_firstlineno} of {condition.__code__.co_filename}"
            return True

        return is_over

    def _require_ready(self, name: str) -> None:
        if self._missed:
            said = "".join(f"\n{problem.summary} {problem.details}" for problem in self._window.problems.all)
            raise TimeoutError(f"{name} cannot be taken: {self._missed} is not true after {_WAIT_S:.0f} s.{said}")

    def wait_until_idle(self) -> Wait:
        """A condition: no job has run for a moment."""
        busy = [time.monotonic()]

        def is_idle() -> bool:
            now = time.monotonic()
            if self._window.runner.running:
                busy[0] = now
            return now - busy[0] > _IDLE_S

        return self.wait_until(is_idle)

    def _picture(self) -> QPixmap:
        from PySide6.QtGui import QColor, QPainter
        from PySide6.QtWidgets import QApplication, QWidget

        picture = self._window.grab()
        # PySide may give a deleted object that had the address of a widget, in place of the widget.
        tops = [
            widget
            for widget in QApplication.topLevelWidgets()
            if isinstance(widget, QWidget) and widget.isVisible() and widget is not self._window
        ]
        painter = QPainter(picture)
        for top in tops:
            at = self._window.mapFromGlobal(top.mapToGlobal(top.rect().topLeft()))
            painter.drawPixmap(at, top.grab())
            painter.setPen(QColor(128, 128, 128))
            painter.drawRect(top.rect().translated(at))
        painter.end()
        return picture


def main() -> int:
    project, folder, theme, sizes = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    words = sys.argv[5:]
    scale = os.environ.get("QT_SCALE_FACTOR", "1")
    chosen = [(int(size.partition("x")[0]), int(size.partition("x")[2])) for size in sizes.split(",")]
    with tempfile.TemporaryDirectory() as name:
        data = Path(name) / "data"
        mine, empty = Path(name) / project.name, Path(name) / "new.pairwright"
        shutil.copyfile(project, mine)
        shutil.copytree(project.with_suffix(".models"), mine.with_suffix(".models"))
        Project.create(empty).close()
        settings.save(Paths.below(data), Settings(theme=theme, annotator="mk", reduced_motion=True))

        def script(window: MainWindow) -> Iterator[Wait]:
            from desktop.ui.pages.suggest.page import SuggestPage

            SuggestPage.preloads_model = False
            camera = Camera(window, folder, f"{theme}-{{width}}x{{height}}-{scale}x", chosen, words)
            yield from scenes(window, camera, mine, empty)
            if any(camera.wants(name) for name in ROUND_PICTURES):
                yield from round_scenes(window, camera, project, Path(name))
            if any(camera.wants(name) for name in KINDS_ROUND_PICTURES):
                yield from kinds_round_scenes(window, camera, project, Path(name))
            if camera.wants(PRECISION_PICTURE):
                yield from precision_scenes(window, camera, project, Path(name))
            if words == [GUIDE]:
                yield from guide_scenes(window, camera, mine, Path(name))

        return drive(["--data-dir", str(data)], script)


def scenes(window: MainWindow, camera: Camera, full: Path, empty: Path) -> Iterator[Wait]:
    yield from camera.take("start")
    for kind, project in (("empty", empty), ("full", full)):
        yield from open_project(window, camera, project)
        for page in PAGES:
            if camera.wants(f"{kind}-{page}"):
                window.show_page(page)
                yield camera.wait_until_idle()
                yield from camera.take(f"{kind}-{page}")
                if kind == "full" and page in MORE:
                    yield from MORE[page](window, camera)


def round_scenes(window: MainWindow, camera: Camera, project: Path, folder: Path) -> Iterator[Wait]:
    """A project with a round of annotation, and the window that somebody else answers their file in."""
    from desktop.ui.pages.annotate.page import AnnotatePage

    copy = Path(shutil.copyfile(project, folder / "annotated.pairwright"))
    file = start_round(copy, folder)
    yield from open_project(window, camera, copy)
    window.show_page("annotate")
    yield camera.wait_until_idle()
    yield from camera.take("round-annotate")
    page = window.page("annotate")
    assert isinstance(page, AnnotatePage)
    page.merges.show_conflicts()
    yield from camera.take("round-conflicts")
    close_dialogs(window)
    yield from open_project(window, camera, file)
    yield from camera.take("round-answers")
    for answer in ("reasoning", "contrasting", "guide"):
        yield from run_actions(window, camera, "review", answer)
    yield from camera.take("round-answers-guide")
    yield from run_actions(window, camera, "review", "guide")
    window.show_page("settings")
    yield camera.wait_until_idle()
    yield from camera.take("round-answers-settings")
    window.show_page("review")
    page_of_review = window.page("review")
    for _ in range(page_of_review.session.queue.waiting_count):
        yield from run_actions(window, camera, "review", "neutral")
    yield from camera.take("round-answers-done")


def precision_scenes(window: MainWindow, camera: Camera, project: Path, folder: Path) -> Iterator[Wait]:
    """A project in which people have answered a sample of its pairs."""
    copy = Path(shutil.copyfile(project, folder / "precision.pairwright"))
    with Project.open(copy) as opened:
        answer_sample(opened, 20, right=0.88)
    yield from open_project(window, camera, copy)
    window.show_page("precision")
    yield camera.wait_until_idle()
    yield from camera.take(PRECISION_PICTURE)


def _papers(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    window.page("papers").findChild(QTableView).selectRow(3)
    yield from camera.take("full-papers-selected")
    window.project_commands.open_or_add([SAMPLES / "coastal"])
    yield camera.wait_until_idle()
    yield from camera.take("full-papers-adding")
    close_dialogs(window)


def _pairs(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    assert window.context is not None
    window.context.pairs_requested.emit(PairFilter(text="line", labels=frozenset(("contrasting", "reasoning"))))
    yield camera.wait_until_idle()
    yield from camera.take("full-pairs-filtered")
    window.action_registry["pairs.evidence"].trigger()
    yield pause(1)
    yield from camera.take("full-pairs-evidence")
    window.action_registry["pairs.evidence"].trigger()
    if camera.wants("full-pairs-kinds"):
        annotate_kinds(window.context.project, {"ada": 0.03, "mk": 0.06})
        wanted = PairFilter(kinds=frozenset({"causal", "temporal"}), kinds_differ=frozenset({ANY_KIND}))
        window.context.pairs_requested.emit(wanted)
        yield camera.wait_until_idle()
        _show_columns(window, "direction", "kinds")
        yield from camera.take("full-pairs-kinds")
    window.context.pairs_requested.emit(PairFilter())


def _show_columns(window: MainWindow, *wanted: str) -> None:
    from desktop.ui.pages.pairs.columns import COLUMNS
    from desktop.ui.pages.pairs.page import PairsPage

    page = window.page("pairs")
    assert isinstance(page, PairsPage)
    for number, column in enumerate(COLUMNS):
        if column.key in wanted:
            page.table.show_column(number, is_visible=True)


def _disagreements(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    do = partial(run_actions, window, camera, "disagreements")
    yield from do("keep", "accept")
    yield from camera.take("full-disagreements-settling")
    yield from do("context")
    yield pause(1)
    yield from camera.take("full-disagreements-context")
    yield from do("context", "accept_all")
    yield from camera.take("full-disagreements-accepting")
    close_dialogs(window)


def _suggest(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    from PySide6.QtWidgets import QScrollArea

    bar = window.page("suggest").findChild(QScrollArea).verticalScrollBar()
    bar.setValue(bar.maximum())
    yield from camera.take("full-suggest-doubts")


def _train(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    from desktop.ui.pages.train.page import TrainPage

    page = window.page("train")
    assert isinstance(page, TrainPage)
    table = page.runs.table
    table.selectRow(1)
    yield from camera.take("full-train-run")
    table.selectAll()
    yield from camera.take("full-train-comparison")


def _mining(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    from desktop.ui.pages.mining.page import MiningPage

    page = window.page("mining")
    assert isinstance(page, MiningPage)
    page.tabs.setCurrentIndex(1)
    yield from camera.take("full-mining-lexicon")


def _tables(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    from desktop.ui.pages.dashboard.tables_page import TablesPage

    page = window.page("tables")
    assert isinstance(page, TablesPage)
    page.measure()
    yield camera.wait_until_idle()
    yield from camera.take("full-tables-measured")
    bar = page.scroll_area.verticalScrollBar()
    bar.setValue(bar.maximum())
    yield from camera.take("full-tables-similarity")


def _audit(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    from desktop.ui.pages.audit.page import AuditPage

    page = window.page("audit")
    assert isinstance(page, AuditPage)
    page.audit()
    yield camera.wait_until(lambda: not page.is_busy)
    yield from camera.take("full-audit-done")
    for question in ("words", "hypothesis_alone", "neutral"):
        page.findings.choose(question)
        yield from camera.take(f"full-audit-{question}")


def _export(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    page = window.page("export")
    page.form.by_year.setChecked(True)
    page.form.years.setPlainText("train -2018, dev 36% + test 64% 2020-")
    page.form.near_duplicates.setChecked(True)
    yield camera.wait_until(lambda: page.button.isEnabled())
    yield from camera.take("full-export-years")
    page.form.near_duplicates.setChecked(False)
    page.form.in_splits.setChecked(True)
    page.form.balance.setChecked(True)
    yield camera.wait_until(lambda: page.button.isEnabled())
    folder = page.folder.text()
    page.folder.setText("/home/ada/benchmark")  # not where this program happens to run
    yield from camera.take("full-export-split")
    page.folder.setText(folder)
    page.form.card.setChecked(True)
    page.release_name.setText("1.0")
    yield camera.wait_until(lambda: page.button.isEnabled())
    page.export()
    yield camera.wait_until(lambda: page.panes.currentWidget() is page.receipt)
    yield camera.wait_until_idle()
    yield from camera.take("full-export-receipt")
    page.show_releases()
    yield camera.wait_until_idle()
    yield from camera.take("full-export-releases")
    page.form.card.setChecked(False)


def _settings(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    from desktop.ui.shell.palette import CommandPalette

    window.action_registry["help.keys"].trigger()
    yield from camera.take("full-settings-keys")
    close_dialogs(window)
    window.action_registry["help.palette"].trigger()
    yield from camera.take("full-settings-palette")
    window.findChild(CommandPalette).close()  # it would cover what comes next


MORE: dict[str, Callable[[MainWindow, Camera], Iterator[Wait]]] = {
    "papers": _papers,
    "review": review_scenes,
    "kinds": kinds_scenes,
    "pairs": _pairs,
    "disagreements": _disagreements,
    "suggest": _suggest,
    "train": _train,
    "experiments": experiment_scenes,
    "mining": _mining,
    "tables": _tables,
    "audit": _audit,
    "export": _export,
    "settings": _settings,
}

if __name__ == "__main__":
    sys.exit(main())
