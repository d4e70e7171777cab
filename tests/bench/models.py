"""How responsive the window stays while a model suggests for 100,000 pairs, and while one learns from them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.synthetic import build
from tests.bench.window import Children, Figure, screen

PAIRS = 100_000


def measure(shared: Path) -> Iterator[Figure]:
    """The first suggestions after the click, and the longest stall of the window meanwhile."""
    with tempfile.TemporaryDirectory() as name, screen(Path(name)) as environment:
        project = Path(name) / "models.pairwright"
        build(project, pairs=PAIRS, papers=PAIRS // 20)
        found = Children(environment, Path(name))("suggest_and_train", project)
    note = f"{found['suggested']:,} of {PAIRS:,} pairs suggested, then a training on all, half a minute each"
    first, stall = found["first"], found["stall"]
    yield "suggesting, first suggestions on the screen", f"{first:.1f} s", "≤ 5 s", "from the click", first <= 5
    yield "suggesting and training, longest stall", f"{1000 * stall:.0f} ms", "≤ 100 ms", note, stall <= 0.1
