"""A job reports its progress, waits while it is paused, and stops when it is cancelled."""

from __future__ import annotations

import threading

import pytest

from miner.progress import Cancelled, Progress, Tick


def test_ticks_reach_the_listener() -> None:
    heard: list[Tick] = []
    Progress(heard.append).tick(1, 2, "a")
    assert heard == [Tick(1, 2, "a")]


def test_a_cancelled_job_stops_at_its_next_tick() -> None:
    progress = Progress()
    progress.tick(1)
    progress.cancel()
    with pytest.raises(Cancelled):
        progress.tick(2)


@pytest.mark.parametrize("cancelled", [False, True])
def test_a_paused_job_waits_until_it_is_resumed_or_cancelled(cancelled: bool) -> None:
    heard: list[int] = []
    reached = threading.Event()
    ended: list[str] = []

    def listen(tick: Tick) -> None:
        heard.append(tick.done)
        reached.set()

    progress = Progress(listen)
    progress.pause()

    def work() -> None:
        try:
            progress.tick(1)
            progress.tick(2)
            ended.append("done")
        except Cancelled:
            ended.append("cancelled")

    worker = threading.Thread(target=work)
    worker.start()
    assert reached.wait(5)
    worker.join(0.05)
    assert heard == [1]
    assert worker.is_alive()
    progress.cancel() if cancelled else progress.resume()
    worker.join(5)
    assert ended == (["cancelled"] if cancelled else ["done"])
    assert heard == ([1] if cancelled else [1, 2])


def test_nothing_pauses_what_is_cancelled() -> None:
    progress = Progress()
    progress.cancel()
    progress.pause()
    with pytest.raises(Cancelled):
        progress.tick(1)
