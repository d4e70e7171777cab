"""Mines a project, and stops before all papers are mined."""

from __future__ import annotations

import pytest

from desktop.jobs.mining import run
from miner.mining.settings import MiningSettings
from miner.progress import Cancelled, Progress, Tick
from storage.project import Project


def mine_and_stop(project: Project, settings: MiningSettings, papers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mine with these settings, and stop once the pairs of so many papers are stored."""
    monkeypatch.setattr(run, "_BATCH_SIZE", 1)

    def stop(tick: Tick) -> None:
        if tick.done == papers:
            raise Cancelled

    with pytest.raises(Cancelled):
        run.mine(project, settings, workers=1, model=run.NO_MODEL).work(Progress(stop))
