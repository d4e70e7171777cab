"""How long agreement takes with its intervals, in all and by class, domain, phrase and strategy."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from desktop.jobs.review.agreement import measure_agreement
from miner.agreement import MISSING, vote_counts
from miner.progress import Progress
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.bench.synthetic import build
from tests.scripted_annotators import ScriptedAnnotator, annotate, mostly_right

Figure = tuple[str, str, str, str, bool | None]
PAIRS, PEOPLE = 10_000, 5
_PEER_SAMPLES = 20


def measure(shared: Path) -> Iterator[Figure]:
    """Processor time from the file to the report, in one thread; `shared` is not needed: all is made up, seeded."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "agreement.pairwright"
        build(path, pairs=PAIRS + PAIRS // 10, papers=PAIRS // 20)
        with Project.open(path) as project:
            people = [ScriptedAnnotator(f"person {n}", mostly_right(0.9 - n / 30, 0.02)) for n in range(PEOPLE)]
            annotate(project, people, filter=PairFilter())
            measure_agreement(project).work(Progress())  # imports what it needs
            started = time.process_time()
            found = measure_agreement(project).work(Progress())
            seconds = time.process_time() - started
    pairs, samples = found.overall.agreement.pairs, found.options.samples
    peer = _peer(pairs) * samples / _PEER_SAMPLES
    note = f"processor time; {len(found.groups)} groups too; statsmodels' Fleiss' κ alone, as often: {peer:.0f} s"
    figure = f"agreement on {pairs:,} pairs by {PEOPLE} people, {samples:,} bootstrap samples"
    yield figure, f"{seconds:.2f} s", "≤ 2 s", note, seconds <= 2


def _peer(pairs: int) -> float:
    """Seconds of drawing pairs and computing Fleiss' kappa as statsmodels does, for `_PEER_SAMPLES`."""
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    random = np.random.default_rng(1)
    votes = random.integers(0, 5, (pairs, PEOPLE))
    assert MISSING not in votes
    assert (aggregate_raters(votes)[0] == vote_counts(votes, 5)).all()
    started = time.process_time()
    for _ in range(_PEER_SAMPLES):
        fleiss_kappa(aggregate_raters(votes[random.integers(0, pairs, pairs)])[0])
    return time.process_time() - started
