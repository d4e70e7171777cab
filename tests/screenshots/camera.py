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
from storage.pairs.filters import ANY_KIND, PairFilter, PairStatus
from storage.project import Project
from tests.gui_driver import Wait, drive, pause
from tests.kinds_factory import annotate_kinds
from tests.precision_factory import answer_sample
from tests.sample_papers import SAMPLES
from tests.screenshots.experiment_scenes import experiment_scenes
from tests.screenshots.guide_pictures import GUIDE
from tests.screenshots.guide_scenes import guide_scenes
from tests.screenshots.project_factory import start_kinds_rounds, start_round

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap
    from PySide6.QtWidgets import QWidget

    from desktop.ui.shell.window import MainWindow

PAGES = (
    *("papers", "review", "kinds", "annotate", "pairs", "suggest", "disagreements", "dashboard", "tables", "export"),
    *("agreement", "precision", "audit", "train", "experiments", "mining", "problems", "settings"),
)
ROUND_PICTURES = (
    *("round-annotate", "round-conflicts", "round-answers"),
    *("round-answers-guide", "round-answers-settings", "round-answers-done"),
)
KINDS_ROUND_PICTURES = ("round-kinds-form", "round-kinds-annotate", "round-kinds-feedback", "round-kinds-answers")
PRECISION_PICTURE = "precision-answered"
_IDLE_S = 0.4  # without a running job, after which a page is complete


class Camera:
    def __init__(self, window: MainWindow, folder: Path, look: str, sizes: list[tuple[int, int]], words: list[str]):
        self._window, self._folder, self._look, self._sizes, self._words = window, folder, look, sizes, words

    def wants(self, name: str) -> bool:
        return not self._words or any(word in name for word in self._words)

    def take(self, name: str) -> Iterator[Wait]:
        """A picture of each size, with any dialog where it is."""
        if not self.wants(name):
            return
        for width, height in self._sizes:
            self._window.resize(width, height)
            yield self.wait_until_idle()
            path = self._folder / f"{self._look.format(width=width, height=height)}" / f"{name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            self._picture().save(str(path))

    def wait_until_idle(self) -> Wait:
        """A condition: no job has run for a moment."""
        busy = [time.monotonic()]

        def is_idle() -> bool:
            now = time.monotonic()
            if self._window.runner.running:
                busy[0] = now
            return now - busy[0] > _IDLE_S

        return is_idle

    def _picture(self) -> QPixmap:
        from PySide6.QtGui import QColor, QPainter
        from PySide6.QtWidgets import QApplication

        picture = self._window.grab()
        tops: list[QWidget] = [
            widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget is not self._window
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
        yield from _open(window, camera, project)
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
    yield from _open(window, camera, copy)
    window.show_page("annotate")
    yield camera.wait_until_idle()
    yield from camera.take("round-annotate")
    page = window.page("annotate")
    assert isinstance(page, AnnotatePage)
    page.merges.show_conflicts()
    yield from camera.take("round-conflicts")
    _close_dialogs(window)
    yield from _open(window, camera, file)
    yield from camera.take("round-answers")
    for answer in ("reasoning", "contrasting", "guide"):
        yield from _run_actions(window, camera, "review", answer)
    yield from camera.take("round-answers-guide")
    yield from _run_actions(window, camera, "review", "guide")
    window.show_page("settings")
    yield camera.wait_until_idle()
    yield from camera.take("round-answers-settings")
    window.show_page("review")
    page_of_review = window.page("review")
    while page_of_review.session.item is not None:
        yield from _run_actions(window, camera, "review", "neutral")
    yield from camera.take("round-answers-done")


def precision_scenes(window: MainWindow, camera: Camera, project: Path, folder: Path) -> Iterator[Wait]:
    """A project in which people have answered a sample of its pairs."""
    copy = Path(shutil.copyfile(project, folder / "precision.pairwright"))
    with Project.open(copy) as opened:
        answer_sample(opened, 20, right=0.88)
    yield from _open(window, camera, copy)
    window.show_page("precision")
    yield camera.wait_until_idle()
    yield from camera.take(PRECISION_PICTURE)


def kinds_round_scenes(window: MainWindow, camera: Camera, project: Path, folder: Path) -> Iterator[Wait]:
    """A project with a pilot round for kinds, and the window of an answer file that asks for them."""
    from desktop.ui.pages.annotate.page import AnnotatePage
    from desktop.ui.pages.annotate.round_dialog import NewRoundDialog

    copy = Path(shutil.copyfile(project, folder / "kinds.pairwright"))
    file = start_kinds_rounds(copy, folder)
    yield from _open(window, camera, copy)
    window.show_page("annotate")
    yield camera.wait_until_idle()
    yield from camera.take("round-kinds-annotate")
    page = window.page("annotate")
    assert isinstance(page, AnnotatePage)
    page.rounds.table.selectRow(1)
    page.rounds.feedback_button.click()
    yield from camera.take("round-kinds-feedback")
    _close_dialogs(window)
    page.open_round_dialog()
    [dialog] = window.findChildren(NewRoundDialog)
    dialog.kind_box.setCurrentText("Kinds of reasoning")
    dialog.overlap_box.setValue(20)
    yield camera.wait_until_idle()
    yield from camera.take("round-kinds-form")
    _close_dialogs(window)
    yield from _open(window, camera, file)
    yield from camera.take("round-kinds-answers")


def _open(window: MainWindow, camera: Camera, project: Path) -> Iterator[Wait]:
    window.open(project)
    yield lambda: window.context is not None and window.context.path == project
    yield camera.wait_until_idle()


def _close_dialogs(window: MainWindow) -> None:
    from PySide6.QtWidgets import QApplication

    for widget in QApplication.topLevelWidgets():
        if widget is not window and widget.isVisible():
            widget.close()


def _run_actions(window: MainWindow, camera: Camera, page: str, *names: str) -> Iterator[Wait]:
    for name in names:
        window.action_registry[f"{page}.{name}"].trigger()
        yield camera.wait_until_idle()


def _papers(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    window.page("papers").findChild(QTableView).selectRow(3)
    yield from camera.take("full-papers-selected")
    window.project_commands.open_or_add([SAMPLES / "coastal"])
    yield camera.wait_until_idle()
    yield from camera.take("full-papers-adding")
    _close_dialogs(window)


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


def _review(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    do = partial(_run_actions, window, camera, "review")
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


def _kinds(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    from desktop.ui.pages.kinds.page import KindsPage

    do = partial(_run_actions, window, camera, "kinds")
    page = window.page("kinds")
    assert isinstance(page, KindsPage)
    tab = page.answer
    tab.draw(2)
    yield lambda: tab.session.item is not None
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
    yield lambda: not agreement.is_measuring
    yield from camera.take("full-kinds-agreement")
    agreement.scroll_area.verticalScrollBar().setValue(agreement.scroll_area.verticalScrollBar().maximum())
    yield from camera.take("full-kinds-agreement-direction")
    page.tabs.setCurrentIndex(2)
    figures = page.tab(2)
    assert isinstance(figures, KindsFiguresTab)
    yield lambda: not figures.is_measuring
    yield from camera.take("full-kinds-figures")
    systems = [action.data() for action in figures.models.menu.actions() if action.isCheckable()]
    figures.models.choose(*[name for name in systems if name.startswith("experiment:")][:2] or systems[:1])
    yield lambda: not figures.is_measuring
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
        yield lambda: figures.layers.embedding is not None and not figures.is_measuring
        figures.scroll_area.verticalScrollBar().setValue(figures.scroll_area.verticalScrollBar().maximum())
        yield from camera.take("full-kinds-layers")
    page.tabs.setCurrentIndex(0)


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
    do = partial(_run_actions, window, camera, "disagreements")
    yield from do("keep", "accept")
    yield from camera.take("full-disagreements-settling")
    yield from do("context")
    yield pause(1)
    yield from camera.take("full-disagreements-context")
    yield from do("context", "accept_all")
    yield from camera.take("full-disagreements-accepting")
    _close_dialogs(window)


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
    yield lambda: not page.is_busy
    yield from camera.take("full-audit-done")
    for question in ("words", "hypothesis_alone", "neutral"):
        page.findings.choose(question)
        yield from camera.take(f"full-audit-{question}")


def _export(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    page = window.page("export")
    page.form.by_year.setChecked(True)
    page.form.years.setPlainText("train -2018, dev 36% + test 64% 2020-")
    page.form.near_duplicates.setChecked(True)
    yield page.button.isEnabled
    yield from camera.take("full-export-years")
    page.form.near_duplicates.setChecked(False)
    page.form.in_splits.setChecked(True)
    page.form.balance.setChecked(True)
    yield page.button.isEnabled
    yield from camera.take("full-export-split")
    page.form.card.setChecked(True)
    page.release_name.setText("1.0")
    yield page.button.isEnabled
    page.export()
    yield lambda: page.panes.currentWidget() is page.receipt
    yield camera.wait_until_idle()
    yield from camera.take("full-export-receipt")
    page.show_releases()
    yield camera.wait_until_idle()
    yield from camera.take("full-export-releases")
    page.form.card.setChecked(False)


def _settings(window: MainWindow, camera: Camera) -> Iterator[Wait]:
    window.action_registry["help.keys"].trigger()
    yield from camera.take("full-settings-keys")
    _close_dialogs(window)
    window.action_registry["help.palette"].trigger()
    yield from camera.take("full-settings-palette")


MORE: dict[str, Callable[[MainWindow, Camera], Iterator[Wait]]] = {
    "papers": _papers,
    "review": _review,
    "kinds": _kinds,
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
