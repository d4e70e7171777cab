"""How well and how fast the embedded parser reads real PDFs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import nupunkt
import pypdfium2

from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.parsing.file_parser import ParsedFile, file_parser
from miner.parsing.files import FileContent, FileKind, hash_content, read_file
from miner.parsing.sentences import SplitterParameters
from miner.processes.pool import run
from miner.records import Paper, Strategy

BEFORE = {("tei", "raw"): ".890", ("tei", "cleaned"): ".923", ("jats", "cleaned"): ".946"}
PLAIN = {("tei", "raw"): ".786", ("tei", "cleaned"): ".836", ("jats", "cleaned"): ".910"}
FOLDERS = {"corpus": "", "jats": " of 40 more journals"}
ALONE = {
    ("corpus", "tei", "raw"): 0.925,
    ("corpus", "tei", "cleaned"): 0.950,
    ("corpus", "jats", "cleaned"): 0.98,
    ("jats", "jats", "raw"): 0.985,
    ("jats", "jats", "cleaned"): 0.985,
}
MINED = {("corpus", "tei", "raw"): 0.90, ("corpus", "tei", "cleaned"): 0.93, ("corpus", "jats", "cleaned"): 0.98}
FILTERED = {("jats", "jats", "raw"): 0.965, ("jats", "jats", "cleaned"): 0.97}
_PHRASE = re.compile(
    "(?:However|On the other hand|In contrast|On the contrary|Therefore|Thus|Consequently|As a result|As a consequence"
    "|From here, we can infer|Specifically|Precisely|In particular|Particularly|That is|In other words)(?=[,\\s])"
)
_TRAP = re.compile(
    r"(?:In contrast (?:to|with)|As a (?:result|consequence) of|Thus far|That is (?:why|to|because|not))\b"
)

Row = dict[str, str]


class ParseMethod(NamedTuple):
    """A way from papers to scored pairs, and the F1 it should reach by folder, reference and scoring."""

    name: str
    pairs: Callable[[Paper], Iterator[Row]]
    goals: Mapping[tuple[str, str, str], float]


def measure(shared: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    """Pair F1 by the shared scorer, then speed.

    The scorer's reference is cut into sentences by nupunkt and mined plainly. The first way does the same to our text,
    so it measures extraction alone, as the best figures before were; the others have our sentences and our mining,
    whose every difference from nupunkt's and from plain mining counts as an error here, also where it is right.
    """
    pdfs = sorted((shared / "data" / "corpus").glob("*.pdf"))
    parse = _parser()
    parse(read_file(pdfs[0], FileKind.PDF))
    papers: dict[str, list[Paper]] = {folder: [] for folder in FOLDERS}
    ours = plain = 0.0
    for pdf in pdfs:  # the two in turn, so that a machine that slows down slows both
        start = time.perf_counter()
        papers["corpus"] += [paper for _, paper in parse(read_file(pdf, FileKind.PDF)).papers]
        middle = time.perf_counter()
        _plain(pdf)
        ours, plain = ours + middle - start, plain + time.perf_counter() - middle
    for pdf in sorted((shared / "data" / "jats").glob("*.pdf")):
        papers["jats"] += [paper for _, paper in parse(read_file(pdf, FileKind.PDF)).papers]

    analyzer = SentenceAnalyzer.load()
    uncleaned = MiningSettings(filters=frozenset())
    ways = (
        ParseMethod("extraction alone", _as_the_reference, ALONE),
        ParseMethod("our sentences and mining, no filters", lambda paper: _mined(paper, uncleaned, analyzer), MINED),
        ParseMethod("the same, default filters", lambda paper: _mined(paper, MiningSettings(), analyzer), FILTERED),
    )
    for way in ways:
        for folder, name in FOLDERS.items():
            scores = _scores(shared / "data" / folder, [row for paper in papers[folder] for row in way.pairs(paper)])
            for (kind, side), f1 in scores.items():
                goal = way.goals.get((folder, kind, side))
                against = ""
                if folder == "corpus" and (kind, side) in BEFORE:
                    against = f"best seen before {BEFORE[kind, side]}, plain pypdfium2 {PLAIN[kind, side]}"
                yield (
                    f"pair F1 against {kind.upper()}{name}, {side} ({way.name})",
                    f"{f1:.3f}",
                    f">= {goal:.3f}" if goal else "-",
                    against,
                    f1 >= goal if goal else None,
                )
    ratio = ours / plain
    yield (
        "whole embedded parse, time",
        f"{ratio:.2f} x",
        "<= 3.5 x",
        "plain pypdfium2 text of the same files",
        ratio <= 3.5,
    )
    one, two = (_in_processes(pdfs, workers) for workers in (1, 2))
    yield "two processes, speed", f"{one / two:.2f} x", ">= 1.7 x", "one process, same files", one / two >= 1.7


def _plain(path: Path) -> None:
    document = pypdfium2.PdfDocument(path)
    for page in document:
        page.get_textpage().get_text_bounded()
    document.close()


def _parser() -> Callable[[FileContent], ParsedFile]:
    return file_parser(SplitterParameters.bundled())


def _in_processes(pdfs: Sequence[Path], workers: int) -> float:
    """Seconds for the PDFs, counted from when all workers run; the longest first, so that none is left for the end."""
    longest_first = sorted(pdfs, key=lambda pdf: -pdf.stat().st_size)
    none = FileContent(Path("none"), FileKind.PDF, b"", hash_content(b""))
    files = (read_file(pdf, FileKind.PDF) for pdf in longest_first)
    results = run(_parser, chain([none] * workers, files), workers=workers, compact=FileContent.without_content)
    for _ in range(workers):
        next(results)
    start = time.perf_counter()
    for _ in results:
        pass
    return time.perf_counter() - start


def _mined(paper: Paper, settings: MiningSettings, analyzer: SentenceAnalyzer) -> Iterator[Row]:
    for pair in mine_paper(paper, settings, analyzer).pairs:
        if pair.strategy is Strategy.LINKED:
            yield _row(paper, pair.premise, pair.hypothesis_original)


def _as_the_reference(paper: Paper) -> Iterator[Row]:
    for section in paper.sections:
        before = None
        for paragraph in section.paragraphs:
            for sentence in map(str.strip, nupunkt.sent_tokenize(paragraph.text)):
                if before and _PHRASE.match(sentence) and not _TRAP.match(sentence):
                    yield _row(paper, before, sentence)
                before = sentence


def _row(paper: Paper, premise: str, hypothesis: str) -> Row:
    return {"paper_md5": paper.md5, "sentence1": premise, "sentence2_original": hypothesis}


def _scores(folder: Path, rows: Sequence[Row]) -> dict[tuple[str, str], float]:
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
        file.flush()
        command = [sys.executable, folder.parents[1] / "tools" / "score_extraction.py", folder, file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.findall(r"^(\w+)\s+(\w+)\s.*F1 ([\d.]+)", done.stdout, re.MULTILINE)
    return {(kind, side): float(f1) for kind, side, f1 in found}
