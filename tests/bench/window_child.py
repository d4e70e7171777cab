"""What tests.bench.window measures in fresh processes: `python -m tests.bench.window_child PART DATA-DIR ...`.

The last line on stdout is what was measured, as JSON; stalls are printed to stderr. Times are of the monotonic clock,
which all processes share.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.gui_driver import drive, pause

if TYPE_CHECKING:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication, QMainWindow

    from desktop.ui.pages.review.page import ReviewPage
    from desktop.ui.shell.window import MainWindow
    from storage.pairs.filters import PairFilter
    from tests.bench.window_watch import PaintTimer, Watchdog
    from tests.gui_driver import Wait


Found = dict[str, Any]
_WATCHED = 30  # seconds


def start_empty(data: Path) -> Found:
    """The least a Qt program can be."""
    from PySide6.QtWidgets import QApplication, QMainWindow

    QApplication.setStyle("Fusion")
    app = QApplication([])
    window = QMainWindow()
    window.resize(1280, 800)
    window.show()
    return _when_ready(app, window, app.exec)


def start_pairwright(data: Path) -> Found:
    from desktop.app import main

    def run() -> int:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        [window] = [widget for widget in app.topLevelWidgets() if isinstance(widget, QMainWindow)]
        found.update(_when_ready(app, window, original))
        return 0

    from PySide6.QtWidgets import QApplication, QMainWindow

    found: Found = {}
    original = QApplication.exec
    QApplication.exec = staticmethod(run)  # type: ignore[method-assign]
    main(["--data-dir", str(data)])
    return found


def _when_ready(app: QApplication, window: QMainWindow, run: Callable[[], int]) -> Found:
    """Runs the program until its window has been painted and its thread is free; `ready`: when that was."""
    from PySide6.QtCore import QEvent, QObject, QTimer

    found: Found = {}

    class PaintListener(QObject):
        def eventFilter(self, _: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and not found:
                found["ready"] = 0.0
                QTimer.singleShot(0, ready)
            return False

    def ready() -> None:
        found["ready"] = time.monotonic()
        app.quit()

    listener = PaintListener(window)
    window.installEventFilter(listener)
    run()
    return found


def keys(data: Path, project: Path) -> Found:
    """From a key press in Review to the moment the next pair has been painted, 199 times."""
    from PySide6.QtCore import Qt

    from desktop.ui.pages.review.page import ReviewPage
    from tests.bench.window_watch import PaintTimer

    found: Found = {"times": []}

    def script(window: MainWindow) -> Iterator[Wait]:
        yield from _open_page(window, "review")
        page = window.page("review")
        assert isinstance(page, ReviewPage)
        session = page.session
        assert window.context is not None
        window.context.set_annotator("bench")
        yield lambda: page.stack.currentWidget() is not page.blank
        if session.item is None:
            page.start_first_round()
        yield lambda: session.item is not None
        yield pause(1)
        painted = PaintTimer(window)
        for number in range(199):
            before = session.item
            assert before is not None

            def is_next(before: object = before) -> bool:
                return session.item is not None and session.item is not before

            key = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)[number % 4]
            yield from _press(window, page, key, painted, is_next, found["times"])

    return _run_script([str(project)], data, script, found)


def tag_keys(data: Path, project: Path) -> Found:
    """In a round of errors: from a digit to its tag painted, and from Enter to the next pair painted, for 40 pairs."""
    from PySide6.QtCore import Qt

    from desktop.ui.pages.review.page import ReviewPage
    from storage.annotation.rounds import Round, RoundOrder
    from storage.pairs.filters import PairFilter
    from storage.pairs.tags import LABEL_WRONG
    from storage.project import Project
    from tests.bench.window_watch import PaintTimer

    found: Found = {"times": []}
    with Project.open(project) as opened, opened.transaction() as stores:
        keys = tuple(stores.pair_table.keys(stores.pair_table.ids(PairFilter())[:40]))
        stores.queues.start("bench", Round(1, RoundOrder.ERRORS, PairFilter(), len(keys), keys, 1))

    def script(window: MainWindow) -> Iterator[Wait]:
        yield from _open_page(window, "review")
        page = window.page("review")
        assert isinstance(page, ReviewPage)
        session = page.session
        assert window.context is not None
        window.context.set_annotator("bench")
        yield lambda: session.item is not None and page.tag_bar.isVisible()
        yield pause(1)
        painted = PaintTimer(window)
        button = page.tag_bar.buttons[LABEL_WRONG]
        for _ in keys[1:]:  # behind the last one is no pair
            yield from _press(window, page, Qt.Key.Key_1, painted, button.isChecked, found["times"])
            before = session.item

            def is_next(before: object = before) -> bool:
                return session.item is not None and session.item.pair.key != before.pair.key

            yield from _press(window, page, Qt.Key.Key_Return, painted, is_next, found["times"])

    return _run_script([str(project)], data, script, found)


def _press(
    window: MainWindow,
    page: ReviewPage,
    key: Qt.Key,
    painted: PaintTimer,
    shown: Callable[[], bool],
    times: list[float],
) -> Iterator[Wait]:
    """Press a key, and again as long as it only scrolls a pair that is longer than the window; the seconds it took."""
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    painted.wait_for(shown)
    while painted.at is None:
        page.notice.show_text("")
        started = time.perf_counter()
        QTest.keyClick(QApplication.focusWidget() or window, key)
        yield lambda: painted.at is not None or not page.notice.isHidden()
        if painted.at is None:
            yield pause(0.1)
    times.append(painted.at - started)
    yield pause(0.03)  # nobody is faster; what is read ahead meanwhile is part of the design


def kinds_keys(data: Path, project: Path) -> Found:
    """From a key press on the Kinds page to the moment the next question has been painted, for 40 pairs."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from desktop.ui.pages.kinds.page import KindsPage
    from tests.bench.window_watch import PaintTimer

    found: Found = {"times": []}
    ticks = (Qt.Key.Key_R, Qt.Key.Key_S, Qt.Key.Key_B)
    keys = (  # reasoning; enough; reasoning, places, and; the premise gives the hypothesis
        *(Qt.Key.Key_2, Qt.Key.Key_E, Qt.Key.Key_R, Qt.Key.Key_Return, Qt.Key.Key_S, Qt.Key.Key_Return),
        *(Qt.Key.Key_B, Qt.Key.Key_Return, Qt.Key.Key_F),
    )

    def script(window: MainWindow) -> Iterator[Wait]:
        yield from _open_page(window, "kinds")
        page = window.page("kinds")
        assert isinstance(page, KindsPage)
        tab, session = page.answer, page.answer.session
        assert window.context is not None
        window.context.set_annotator("bench")
        yield lambda: tab.stack.currentWidget() is tab.start_form
        yield pause(1)
        tab.draw(40)
        yield lambda: session.item is not None
        yield pause(1)

        def shown() -> tuple[object, object]:
            return session.queue.current, session.questions and session.questions.asked

        painted = PaintTimer(window)
        while session.item is not None:
            for key in keys:
                if key in ticks:
                    QTest.keyClick(QApplication.focusWidget() or window, key)
                    yield pause(0.03)
                    continue
                before = shown()
                is_last = session.queue.waiting_count == 1 and key == Qt.Key.Key_F
                painted.wait_for(lambda before=before: session.item is not None and shown() != before)
                while painted.at is None and session.item is not None:
                    tab.notice.show_text("")
                    started = time.perf_counter()
                    QTest.keyClick(QApplication.focusWidget() or window, key)
                    yield lambda: painted.at is not None or not tab.notice.isHidden() or session.item is None
                    if painted.at is None and not is_last:  # the pair was longer than the window: press again
                        yield pause(0.1)
                if painted.at is not None:
                    found["times"].append(painted.at - started)
                yield pause(0.03)  # nobody is faster

    return _run_script([str(project)], data, script, found)


def table(data: Path, project: Path) -> Found:
    """Opening the project, filters and searches, and a scroll through all of the table; then the peak of memory."""

    from PySide6.QtWidgets import QTableView

    from desktop.ui.pages.pairs.table_model import PairTableModel
    from tests.bench.window_watch import PaintTimer, Watchdog

    found: Found = {"filters": [], "names": []}

    def script(window: MainWindow) -> Iterator[Wait]:
        yield pause(0.5)
        painted = PaintTimer(window)
        started = time.perf_counter()
        window.open(project)
        painted.wait_for(lambda: _rows_shown(window, "papers"))
        yield lambda: painted.at is not None
        found["opened"] = painted.at - started
        yield from _open_page(window, "papers")
        window.project_commands.close()
        yield pause(0.5)

        started = time.perf_counter()
        window.open(project)
        yield lambda: window.context is not None and window.current_page()
        window.show_page("pairs")
        page = window.page("pairs")
        [view] = [view for view in page.findChildren(QTableView) if isinstance(view.model(), PairTableModel)]
        model = view.model()
        assert isinstance(model, PairTableModel)
        painted.wait_for(lambda: model.line(0) is not None)
        yield lambda: painted.at is not None
        found["paired"] = painted.at - started
        yield from _open_page(window, "pairs")

        for filter in _filters():
            resets: list[bool] = []
            connection = model.modelReset.connect(lambda resets=resets: resets.append(True))
            painted.wait_for(lambda resets=resets: resets and (not model.rowCount() or model.line(0) is not None))
            assert window.context is not None
            started = time.perf_counter()
            window.context.pairs_requested.emit(filter)
            yield lambda: painted.at is not None
            model.modelReset.disconnect(connection)
            found["filters"].append(painted.at - started)
            found["names"].append(json.dumps(filter.to_data()))
            yield pause(0.15)
        window.context.pairs_requested.emit(PairFilter())
        yield pause(2)

        bar = view.verticalScrollBar()
        watchdog = Watchdog(window)
        started = time.perf_counter()
        steps = found["steps"] = 600
        for step in range(steps + 1):
            bar.setValue(round(bar.maximum() * step / steps))
            yield pause(0.012)
        found["scrolled"] = time.perf_counter() - started
        _report_stalls(watchdog, found)
        found["megabytes"] = _peak()

    from storage.pairs.filters import PairFilter

    return _run_script([], data, script, found)


def _filters() -> list[PairFilter]:
    """What people ask for: words frequent and rare, phrases, each attribute, some together."""
    from miner.records import PairFlag, Strategy
    from storage.pairs.filters import PairFilter, PairStatus

    linked = frozenset((Strategy.LINKED,))
    return [
        *(
            PairFilter(text=text)
            for text in ("temperature", "the", "cells water", '"of the"', "surf", "zzzz", "method a")
        ),
        *(PairFilter(labels=frozenset((label,))) for label in ("contrasting", "neutral", "entailment", "")),
        PairFilter(distant=frozenset(("reasoning",))),
        PairFilter(gold=frozenset(("contrasting",))),
        *(PairFilter(statuses=frozenset((status,))) for status in PairStatus),
        PairFilter(strategies=linked),
        PairFilter(phrases=frozenset(("However",))),
        PairFilter(phrases=frozenset(("Hence", "Thus"))),
        PairFilter(domains=frozenset(("botany",))),
        PairFilter(years=(2020, 2022)),
        PairFilter(splits=frozenset(("test",))),
        PairFilter(flags=frozenset((PairFlag.NO_COMMA,))),
        PairFilter(flagged=True),
        PairFilter(noted=True),
        PairFilter(annotators=frozenset(("ada",))),
        PairFilter(contested=True),
        PairFilter(disagrees=True),
        PairFilter(premise_words=(10, 20)),
        PairFilter(overlap=(50, None)),
        PairFilter(
            strategies=linked, domains=frozenset(("astronomy", "robotics")), statuses=frozenset((PairStatus.OPEN,))
        ),
        PairFilter(text="energy", labels=frozenset(("contrasting",)), years=(2015, None)),
        PairFilter(disagrees=True, phrases=frozenset(("However",))),
        PairFilter(),
    ]


def _open_page(window: MainWindow, page: str) -> Iterator[Wait]:
    """Until the project is open, the page shown and every other page built."""
    yield lambda: window.context is not None and window.current_page()
    window.show_page(page)
    yield pause(1.5)
    yield lambda: not window.runner.running


def _rows_shown(window: MainWindow, page: str) -> bool:
    from PySide6.QtWidgets import QAbstractItemView

    if window.context is None or window.current_page() != page:
        return False
    views = [view for view in window.page(page).findChildren(QAbstractItemView) if view.isVisible()]
    return any(view.model() and view.model().rowCount() and view.model().index(0, 0).data() for view in views)


def import_papers(data: Path, corpus: Path) -> Found:
    """Every PDF of a folder, added and mined with the Papers page in view, and nothing else to do for the window."""
    from desktop.jobs.papers.scan import scan_files
    from desktop.ui.pages.papers.import_controller import ImportChoices, import_controller
    from tests.bench.window_watch import Watchdog

    found: Found = {}

    def script(window: MainWindow) -> Iterator[Wait]:
        window.open(data / "import.pairwright", create=True)
        yield lambda: window.context is not None
        yield pause(2)
        context = window.context
        assert context is not None
        watchdog = Watchdog(window)
        started = time.perf_counter()
        pdfs = sorted(corpus.glob("*.pdf"))
        gathered: list[Any] = []
        context.runner.read(scan_files(context.project, pdfs)).done.connect(gathered.append)
        yield lambda: gathered
        import_controller(context).add(gathered[0], ImportChoices(domain="bench"))
        quiet = [time.perf_counter()]

        def is_over() -> bool:
            if window.runner.running:
                quiet[0] = time.perf_counter()
            return time.perf_counter() - quiet[0] > 1

        yield is_over
        found["seconds"] = time.perf_counter() - started
        found["papers"] = len(pdfs)
        _report_stalls(watchdog, found)

    return _run_script([], data, script, found)


def suggest_and_train(data: Path, project: Path) -> Found:
    """Suggestions for all pairs, then a training on them, each watched for a while on its page."""
    from desktop.ui.pages.suggest.page import SuggestPage
    from desktop.ui.pages.train.page import TrainPage
    from desktop.ui.services.runner import JobState
    from tests.bench.window_watch import Watchdog

    found: Found = {}

    def script(window: MainWindow) -> Iterator[Wait]:
        yield from _open_page(window, "papers")
        window.show_page("suggest")
        page = window.page("suggest")
        assert isinstance(page, SuggestPage)
        yield lambda: page.no_suggestions.isVisible() and page.no_suggestions.button.isEnabled()
        watchdog = Watchdog(window)
        clicked = time.perf_counter()
        page.no_suggestions.button.click()
        yield page.cards.isVisible
        found["first"] = time.perf_counter() - clicked
        yield pause(_WATCHED)
        [run] = [run for run in window.runner.running if run.job.title.startswith("Suggesting")]
        found["suggested"] = run.last_tick.done if run.last_tick else 0
        run.cancel()
        yield lambda: run.state is JobState.CANCELLED
        window.show_page("train")
        train = window.page("train")
        assert isinstance(train, TrainPage)
        yield train.button.isEnabled
        train.button.click()
        steps: list[object] = []
        train.trainings._event_received.connect(steps.append)
        yield lambda: steps
        yield pause(_WATCHED)
        found["steps"] = len(steps)
        for running in window.runner.running:
            running.cancel()
        _report_stalls(watchdog, found)
        yield lambda: not window.runner.running

    return _run_script([str(project)], data, script, found)


def _run_script(
    arguments: list[str], data: Path, script: Callable[[MainWindow], Iterator[Wait]], found: Found
) -> Found:
    from PySide6.QtGui import QGuiApplication

    def watched(window: MainWindow) -> Iterator[Wait]:
        while not window.isActiveWindow():
            if QGuiApplication.platformName() == "xcb":  # there is no window manager that would give it the keyboard
                subprocess.run(["xdotool", "windowfocus", str(window.winId())], check=True)
            yield pause(0.3)
        yield from script(window)

    data.mkdir(parents=True, exist_ok=True)
    if drive(["--data-dir", str(data), *arguments], watched):
        sys.exit(1)
    return found


def _peak() -> int:
    """The most memory this program had, in MB; on Linux `ru_maxrss` begins with what the parent had at the start."""
    import resource

    status = Path("/proc/self/status")
    if status.exists():
        [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) // 1000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000


def _report_stalls(watchdog: Watchdog, found: Found) -> None:
    """The longest stall; and the worst of them on stderr, with where they were."""
    watchdog.stop()
    stalls = watchdog.stalls
    found["stall"] = stalls[0].seconds if stalls else 0.0
    for stall in stalls[:5]:
        print(f"{1000 * stall.seconds:.0f} ms at {stall.where}", file=sys.stderr)


PARTS: dict[str, Callable[..., Found]] = {
    "start_empty": start_empty,
    "start_pairwright": start_pairwright,
    "keys": keys,
    "kinds_keys": kinds_keys,
    "tag_keys": tag_keys,
    "table": table,
    "import_papers": import_papers,
    "suggest_and_train": suggest_and_train,
}

if __name__ == "__main__":
    part, data, *rest = sys.argv[1:]
    result = PARTS[part](Path(data), *map(Path, rest))
    print(json.dumps(result), flush=True)
