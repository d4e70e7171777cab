"""How long a data map of 100,000 pairs takes until it is on the screen, and until a selection in it is."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.desktop.map_factory import enter_mapped_experiment, write_synthetic_map

Figure = tuple[str, str, str, str, bool | None]
PAIRS = 100_000
_SIZE = (1100, 700)
_TIMES = 3  # the fastest counts


def measure(shared: Path) -> Iterator[Figure]:
    """Processor time of all threads; `shared` is not needed: the map is made up, seeded."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from desktop.jobs.open_project import open_project
    from desktop.settings import Paths
    from desktop.ui.pages.experiments.data_map_view import DataMapView
    from desktop.ui.services.actions import ActionRegistry
    from desktop.ui.services.problems import Problems
    from desktop.ui.services.project_context import ProjectContext
    from desktop.ui.services.runner import JobRunner
    from desktop.ui.services.settings_store import SettingsStore
    from desktop.ui.theme import Theme
    from miner.progress import Progress

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        opened = open_project(folder / "demo.pairwright", create=True).work(Progress())
        theme, runner = Theme(app), JobRunner()
        context = ProjectContext(
            opened,
            runner=runner,
            problems=Problems(folder / "log"),
            actions=ActionRegistry(theme),
            settings_store=SettingsStore(Paths.below(folder)),
            theme=theme,
        )
        context.back_up_on_close = False
        id = enter_mapped_experiment(opened.project)
        write_synthetic_map(opened.project, PAIRS)
        first, selecting = [], []
        for _ in range(_TIMES):
            view = DataMapView(context)
            view.resize(*_SIZE)
            view.show()
            started = time.process_time()
            view.show_experiment(id)
            while view.map is None:
                app.processEvents()
            view.grab()
            first.append(time.process_time() - started)
            started = time.process_time()
            view._shares.setCurrentIndex(3)  # the ambiguous third
            view.grab()
            selecting.append(time.process_time() - started)
            view.close()
        runner.shut_down()
        context.close()
    note = f"{_SIZE[0]} by {_SIZE[1]} pixels, file read, density and histograms; processor time of all threads"
    yield f"data map of {PAIRS:,} pairs: first paint", f"{min(first):.2f} s", "≤ 1 s", note, min(first) <= 1
    yield "a third of them selected and painted", f"{min(selecting):.2f} s", "≤ 0.3 s", "", min(selecting) <= 0.3
