"""How well and how fast the embedded parser reads real PDFs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pypdfium2

from miner.mining.language import Linguist
from miner.mining.pairs import mine_paper
from miner.mining.settings import MiningSettings
from miner.parsing.files import Kind
from miner.parsing.reading import Read, Unit, reader
from miner.parsing.sentences import Parameters
from miner.records import Paper, Strategy
from miner.workers import run

GOALS = {("tei", "raw"): 0.90, ("tei", "cleaned"): 0.94, ("jats", "cleaned"): 0.96}
BEFORE = {("tei", "raw"): ".890", ("tei", "cleaned"): ".923", ("jats", "cleaned"): ".946"}
PLAIN = {("tei", "raw"): ".786", ("tei", "cleaned"): ".836", ("jats", "cleaned"): ".910"}


def measure(shared: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    """Pair F1 by the shared scorer, with no cleaning (as its reference) and with the default cleaning; speed."""
    corpus = shared / "data" / "corpus"
    pdfs = sorted(corpus.glob("*.pdf"))
    units = [Unit(pdf, Kind.PDF) for pdf in pdfs]
    read = reader(Parameters.bundled())
    read(units[0])
    papers: list[Paper] = []
    ours = plain = 0.0
    for unit in units:  # the two in turn, so that a machine that slows down slows both
        start = time.perf_counter()
        papers += [paper for _, paper in read(unit).papers]
        middle = time.perf_counter()
        _plain(unit.path)
        ours, plain = ours + middle - start, plain + time.perf_counter() - middle

    uncleaned = MiningSettings(filters=frozenset())
    for name, settings in (("no filters", uncleaned), ("default filters", MiningSettings())):
        for (kind, row), f1 in _scores(shared, corpus, papers, settings).items():
            if goal := GOALS.get((kind, row)):
                judged = name == "no filters"
                yield (
                    f"pair F1 against {kind.upper()}, {row} ({name})",
                    f"{f1:.3f}",
                    f">= {goal:.2f}" if judged else "-",
                    f"best seen before {BEFORE[kind, row]}, plain pypdfium2 {PLAIN[kind, row]}",
                    f1 >= goal if judged else None,
                )
    ratio = ours / plain
    yield "whole embedded parse, time", f"{ratio:.2f} x", "<= 4 x", "plain pypdfium2 text of the same files", ratio <= 4
    one, two = (_in_processes(units, workers) for workers in (1, 2))
    yield "two processes, speed", f"{one / two:.2f} x", ">= 1.7 x", "one process, same files", one / two >= 1.7


def _plain(path: Path) -> None:
    document = pypdfium2.PdfDocument(path)
    for page in document:
        page.get_textpage().get_text_bounded()
    document.close()


def _in_processes(units: Sequence[Unit], workers: int) -> float:
    results = run(_reader, [Unit(Path("none"), Kind.PDF)] * workers + list(units), workers=workers)
    for _ in range(workers):  # until all of them run
        next(results)
    start = time.perf_counter()
    for _ in results:
        pass
    return time.perf_counter() - start


def _reader() -> Callable[[Unit], Read]:
    return reader(Parameters.bundled())


def _scores(
    shared: Path, corpus: Path, papers: Sequence[Paper], settings: MiningSettings
) -> dict[tuple[str, str], float]:
    linguist = Linguist.load()
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for paper in papers:
            for pair in mine_paper(paper, settings, linguist).pairs:
                if pair.strategy is Strategy.LINKED:
                    row = {
                        "paper_md5": paper.md5,
                        "sentence1": pair.premise,
                        "sentence2_original": pair.hypothesis_original,
                    }
                    file.write(json.dumps(row) + "\n")
        file.flush()
        script = shared / "tools" / "score_extraction.py"
        done = subprocess.run(
            [sys.executable, str(script), str(corpus), file.name], capture_output=True, text=True, check=True
        )
    found = re.findall(r"^(\w+)\s+(\w+)\s.*F1 ([\d.]+)", done.stdout, re.MULTILINE)
    return {(kind, row): float(f1) for kind, row, f1 in found}
