"""Reference cycles, which may hold widgets, are collected in the window's thread."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from desktop.ui.shell.garbage_collector import GarbageCollector


class Cycle:
    collected_in: list[threading.Thread]

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        self.collected_in.append(threading.current_thread())


def make_cycles() -> None:
    for _ in range(5_000):
        Cycle()


@pytest.fixture
def collector(qapp: QObject) -> Iterator[GarbageCollector]:
    gc.collect()
    Cycle.collected_in = []
    collector = GarbageCollector(qapp)
    yield collector
    collector.deleteLater()


def test_cycles_of_a_jobs_thread_are_collected_in_the_windows(qtbot: QtBot, collector: GarbageCollector) -> None:
    worker = threading.Thread(target=make_cycles)
    worker.start()
    worker.join()
    assert Cycle.collected_in == []
    qtbot.waitUntil(lambda: len(Cycle.collected_in) == 5_000)
    assert set(Cycle.collected_in) == {threading.main_thread()}


def test_a_threshold_of_zero_pauses_it(collector: GarbageCollector) -> None:
    thresholds = gc.get_threshold()
    gc.set_threshold(0)
    try:
        make_cycles()
        collector.collect()
        assert Cycle.collected_in == []
    finally:
        gc.set_threshold(*thresholds)
    collector.collect()
    assert Cycle.collected_in
