"""How fast publishers' XML is read, and how far what is mined from it agrees with the same papers' PDFs."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.parsing.file_parser import file_parser
from miner.parsing.files import FileKind, read_file
from miner.parsing.jats import parse_jats
from miner.parsing.sentences import SplitterParameters
from miner.records import Paper, Strategy

_ROUNDS = 5  # the fastest counts
Pairs = list[tuple[str, str]]


def measure(shared: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    """Speed against lxml's events alone, then pair F1 of XML against PDF: near as the shared scorer says, and exact."""
    files = [path for folder in ("corpus", "jats") for path in sorted((shared / "data" / folder).glob("*.jats.xml"))]
    contents = [path.read_bytes() for path in files]
    ours, plain = _fastest(contents)
    peer = "`lxml.etree.iterparse` alone, same files"
    figure = f"publishers' XML: {len(files)} papers, CPU time"
    yield figure, f"{ours / plain:.1f} times ({len(files) / ours:,.0f} papers/s)", "≤ 4 times", peer, ours <= 4 * plain

    sys.path.insert(0, str(shared / "tools"))
    from score_extraction import match  # type: ignore[import-not-found]  # the shared scorer

    analyzer, parse = SentenceAnalyzer.load(), file_parser(SplitterParameters.bundled())

    def mined(path: Path, kind: FileKind) -> Pairs:
        [(_, paper)] = parse(read_file(path, kind)).papers
        return list(_linked(paper, analyzer))

    near = exact = total = 0
    for path in files:
        of_xml, of_pdf = mined(path, FileKind.JATS), mined(Path(f"{str(path)[:-9]}.pdf"), FileKind.PDF)
        near += len(match(of_xml, of_pdf)[0])
        exact += len(set(of_xml) & set(of_pdf))
        total += len(of_xml) + len(of_pdf)
    against = f"the same papers' PDFs, {total:,} pairs of both"
    yield "publishers' XML: pair F1, near", f"{2 * near / total:.3f}", "≥ .98", against, near >= 0.49 * total
    yield "publishers' XML: pair F1, exact", f"{2 * exact / total:.3f}", "-", against, None


def _fastest(contents: list[bytes]) -> tuple[float, float]:
    """Seconds for all files by our reader and by lxml alone, the fastest of some rounds in turn."""
    ours, plain = [], []
    for _ in range(_ROUNDS):
        start = time.process_time()
        for content in contents:
            parse_jats(content)
        middle = time.process_time()
        for content in contents:
            for _ in etree.iterparse(io.BytesIO(content), resolve_entities=False, no_network=True, load_dtd=False):
                pass
        ours.append(middle - start)
        plain.append(time.process_time() - middle)
    return min(ours), min(plain)


def _linked(paper: Paper, analyzer: SentenceAnalyzer) -> Iterator[tuple[str, str]]:
    for pair in mine_paper(paper, MiningSettings(), analyzer).pairs:
        if pair.strategy is Strategy.LINKED:
            yield pair.premise, pair.hypothesis_original
