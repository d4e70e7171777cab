"""A long day at the window: memory, widgets and the time of a key stay as they were after the first hour.

A scripted annotator answers in the real window, takes answers back, searches Pairs, visits other pages and changes the
theme, round after round. After a warm-up the memory may grow by a tenth, the 95th percentile of a key by a half (other
programs run beside it), and no widget may be left over.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench import synthetic
from tests.torture.budget import Budget, Row

if TYPE_CHECKING:
    from desktop.ui.shell.window import MainWindow
    from tests.gui_driver import Wait

ROOT = Path(__file__).parents[2]
_PAIRS = 60_000
_KEYS = 25  # answers in a round
_WARM_UP = 0.3  # the share of the rounds
_LEAST_ROUNDS = 20  # of fewer, nothing is said
_PAGES = ("pairs", "papers", "dashboard", "annotate")


def run(budget: Budget) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        project = Path(name) / "day.pairwright"
        synthetic.build(project, pairs=_PAIRS if budget.seconds > 60 else 1_000, papers=100)
        command = [sys.executable, "-m", "tests.torture.endurance", project, name, str(budget.seconds)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            yield Row("the window", done.stderr[-400:], "works on", False)
            return
        rounds = json.loads(done.stdout.splitlines()[-1])
    answers = sum(len(one["keys"]) for one in rounds)
    yield Row("rounds; answers, with undo, searches, pages and themes", f"{len(rounds)}; {answers:,}")
    if len(rounds) < _LEAST_ROUNDS:
        return
    late = rounds[int(len(rounds) * _WARM_UP) :]
    first, last = late[: len(late) // 3], late[-len(late) // 3 :]
    memory = [statistics.median(one["megabytes"] for one in part) for part in (first, last)]
    yield Row(
        "memory after the warm-up, and at the end",
        f"{memory[0]:.0f} MB, {memory[1]:.0f} MB",
        "<= 1.10 x",
        memory[1] <= 1.1 * memory[0],
    )
    times = [_p95([key for one in part for key in one["keys"]]) for part in (first, last)]
    yield Row(
        "95th percentile of a key after the warm-up, and at the end",
        f"{1000 * times[0]:.0f} ms, {1000 * times[1]:.0f} ms",
        "<= 1.5 x",
        times[1] <= 1.5 * times[0],
    )
    widgets = [min(one["widgets"] for one in part) for part in (first, last)]
    yield Row("widgets after a round", f"{widgets[0]:,}, {widgets[1]:,}", "no more", widgets[1] <= widgets[0])


def _p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


def _script(window: MainWindow, seconds: float, rounds: list[dict[str, Any]]) -> Iterator[Wait]:
    import psutil
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from desktop.ui.pages.pairs.page import PairsPage
    from desktop.ui.pages.review.page import ReviewPage
    from tests.gui_driver import pause

    yield lambda: window.context is not None and window.current_page()
    assert window.context is not None
    window.context.set_annotator("bench")
    window.show_page("review")
    yield pause(0.5)
    page = window.page("review")
    assert isinstance(page, ReviewPage)
    yield lambda: page.stack.currentWidget() is not page.blank
    if page.session.item is None:
        page.start_first_round()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        window.show_page("review")
        yield lambda: page.session.item is not None or page.stack.currentWidget() is page.summary
        times: list[float] = []
        for number in range(_KEYS):
            if page.session.item is None:
                page.start_round(page.options)
                yield lambda: page.session.item is not None
            item = page.session.item
            started = time.perf_counter()
            QTest.keyClick(QApplication.focusWidget() or window, "1234"[number % 4])

            def is_next(before: object = item) -> bool:
                is_another = page.session.item is not None and page.session.item is not before
                return is_another or page.stack.currentWidget() is page.summary or not page.notice.isHidden()

            yield is_next
            times.append(time.perf_counter() - started)
            page.notice.show_text("")
        for _ in range(2):
            page.session.undo()
            yield lambda: not window.runner.running
        name = _PAGES[len(rounds) % len(_PAGES)]
        window.show_page(name)
        yield pause(0.1)
        pairs = window.page(name)
        if isinstance(pairs, PairsPage):
            pairs.search.setText(("energy", "surface model", "")[len(rounds) % 3])
            yield pause(0.4)
        yield lambda: not window.runner.running
        if len(rounds) % 5 == 0:
            window.context.theme.apply(("dark", "light")[len(rounds) // 5 % 2], 1.0)
            yield pause(0.1)
        memory = psutil.Process().memory_info().rss / 1e6
        rounds.append({"megabytes": memory, "widgets": len(QApplication.allWidgets()), "keys": times})


def main() -> None:
    from tests.gui_driver import drive

    project, data, seconds = sys.argv[1:]
    rounds: list[dict[str, Any]] = []
    if drive(["--data-dir", str(Path(data) / "data"), project], lambda window: _script(window, float(seconds), rounds)):
        sys.exit(1)
    print(json.dumps(rounds))


if __name__ == "__main__":
    main()
