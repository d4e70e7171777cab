"""Pairs read by hand: draws linked candidates with pictures of their pages, and counts a reader's verdicts.

    python -m tests.bench.reading FOLDER [--kept 100] [--dropped 100] [--seed 0]

writes FOLDER/index.html, with the sentences and where they are printed, and FOLDER/verdicts.csv. The reader fills the
column `verdict` without knowing what mining made of the candidate: "pair" if both sentences are whole, as printed, next
to each other in the prose, and linked by the phrase; "no pair" otherwise; `why` is free. Lines with a verdict are then
moved to tests/bench/reading_verdicts.csv. It names candidates by a hash, so that no sentence of a paper is in there.
`python -m tests.bench reading` compares it with what the present version keeps and drops; candidates whose text has
changed since no longer count, and a drawing leaves out those that were read.
"""

from __future__ import annotations

import argparse
import csv
import html
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pypdfium2
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from miner.mining.pair_builder import DroppedCandidate
from miner.mining.paper_mining import mine_paper
from miner.mining.prose import Prose
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.parsing.file_parser import file_parser
from miner.parsing.files import FileKind, read_file
from miner.parsing.sentences import SplitterParameters
from miner.records import Box, Paper, Strategy

VERDICTS = Path(__file__).with_name("reading_verdicts.csv")
PAIR, NO_PAIR = "pair", "no pair"
FOLDERS = ("corpus", "jats")
_SCALE = 1.6  # pixels per point
_MARGIN = 70  # points above and below the sentences
_COLOURS = {"premise": QColor(201, 120, 0), "hypothesis": QColor(0, 90, 200)}

Figure = tuple[str, str, str, str, bool | None]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A linked candidate. `reason`: why it was dropped, None if it was kept."""

    pdf: Path
    premise: str
    hypothesis: str
    reason: str | None
    boxes: dict[str, tuple[Box, ...]]

    @property
    def key(self) -> str:
        text = "\0".join((self.pdf.name, self.premise, self.hypothesis))
        return blake2b(text.encode(), digest_size=12).hexdigest()


def measure(shared: Path) -> Iterator[Figure]:
    """Which share of the kept pairs that were read is right, and of the dropped ones wrong; exact 95 % intervals."""
    verdicts = _read_verdicts()
    kept = {one.key: one.reason is None for one in _candidates(shared) if one.key in verdicts}
    counts = Counter((is_kept, verdicts[key]) for key, is_kept in kept.items())
    changed = f"; the text of {len(verdicts) - len(kept)} others has changed since"
    for name, is_kept, goal, is_met in (
        ("kept pairs that are what the paper says", True, "≥ 99 %", lambda share: share >= 0.99),
        ("dropped candidates that should have been kept", False, "≤ 5 %", lambda share: share <= 0.05),
    ):
        hits, count = counts[is_kept, PAIR], counts[is_kept, PAIR] + counts[is_kept, NO_PAIR]
        low, high = exact_interval(hits, count)
        measured = f"{100 * hits / count:.1f} % [{100 * low:.1f}-{100 * high:.1f}]" if count else "none was read"
        yield name, measured, goal, f"{hits} of {count} read by hand{changed}", is_met(hits / count) if count else None


def exact_interval(hits: int, count: int, error: float = 0.05) -> tuple[float, float]:
    """The Clopper-Pearson interval of a share: (0, 1) of nothing."""

    def bound(is_below: Callable[[float], bool]) -> float:
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if is_below(middle) else (low, middle)
        return low

    def at_most(hits: int, share: float) -> float:
        return sum(math.comb(count, k) * share**k * (1 - share) ** (count - k) for k in range(hits + 1))

    lower = bound(lambda share: 1 - at_most(hits - 1, share) < error / 2) if hits else 0.0
    upper = bound(lambda share: at_most(hits, share) > error / 2) if hits < count else 1.0
    return lower, upper


def _candidates(shared: Path) -> Iterator[Candidate]:
    """All linked candidates of the open papers, kept or dropped under the default settings."""
    parse = file_parser(SplitterParameters.bundled())
    settings, analyzer = MiningSettings(), SentenceAnalyzer.load()
    for pdf in sorted(path for folder in FOLDERS for path in (shared / "data" / folder).glob("*.pdf")):
        for _, paper in parse(read_file(pdf, FileKind.PDF)).papers:
            dropped: list[DroppedCandidate] = []
            mined = mine_paper(paper, settings, analyzer, dropped.append)
            boxes = _sentence_boxes(paper)
            found: list[tuple[str, str, str | None]] = [
                (pair.premise, pair.hypothesis_original, None)
                for pair in mined.pairs
                if pair.strategy is Strategy.LINKED
            ]
            for candidate in dropped:
                if candidate.drop.strategy is Strategy.LINKED and candidate.drop.reason != "duplicate":
                    found.append((candidate.premise, candidate.hypothesis, candidate.drop.reason))
            for premise, hypothesis, reason in found:
                places = {"premise": boxes.get(premise, ()), "hypothesis": boxes.get(hypothesis, ())}
                yield Candidate(pdf, premise, hypothesis, reason, places)


def _sentence_boxes(paper: Paper) -> dict[str, tuple[Box, ...]]:
    prose = Prose(paper)
    sentences = (
        sentence for _, _, paragraph in prose.paragraphs for sentence in map(paragraph.boxes, paragraph.sentences)
    )
    return {prose.sentence(index): boxes for index, boxes in enumerate(sentences)}


def _read_verdicts() -> dict[str, str]:
    if not VERDICTS.exists():
        return {}
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        return {row["key"]: row["verdict"] for row in csv.DictReader(file)}


def draw(shared: Path, folder: Path, sizes: tuple[int, int], seed: int) -> None:
    """Write a drawing of (kept, dropped) candidates nobody has read, in an order that does not tell which."""
    verdicts = _read_verdicts()

    def rank(candidate: Candidate, purpose: str = "draw") -> bytes:
        return blake2b(f"{seed}\0{purpose}\0{candidate.key}".encode()).digest()

    unread = sorted({one.key: one for one in _candidates(shared) if one.key not in verdicts}.values(), key=rank)
    kept = [candidate for candidate in unread if candidate.reason is None][: sizes[0]]
    dropped = [candidate for candidate in unread if candidate.reason is not None][: sizes[1]]
    drawn = sorted(kept + dropped, key=lambda candidate: rank(candidate, "mix"))
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    items = []
    for number, candidate in enumerate(drawn, start=1):
        picture = _picture(candidate)
        if picture is not None:
            picture.save(str(folder / "pages" / f"{candidate.key}.png"))
        items.append(
            f"<h3>{number}. {candidate.key}</h3><p><b>P</b> {html.escape(candidate.premise)}</p>"
            f"<p><b>H</b> {html.escape(candidate.hypothesis)}</p><img src='pages/{candidate.key}.png'>"
        )
    page = "<meta charset='utf-8'><style>body{max-width:1000px;margin:auto}img{max-width:100%}</style>"
    (folder / "index.html").write_text(page + "\n".join(items), encoding="utf-8")
    with (folder / "verdicts.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("key", "verdict", "why"))
        writer.writerows((candidate.key, "", "") for candidate in drawn)


def _picture(candidate: Candidate) -> QImage | None:
    """The strips of the pages where the sentences are, one below the other, with the sentences framed."""
    document = pypdfium2.PdfDocument(candidate.pdf)
    try:
        pages = sorted({box.page for boxes in candidate.boxes.values() for box in boxes})
        strips = [_strip(document[page - 1], page, candidate.boxes) for page in pages]
    finally:
        document.close()
    if not strips:
        return None
    whole = QImage(max(s.width() for s in strips), sum(s.height() + 6 for s in strips), QImage.Format.Format_RGB32)
    whole.fill(Qt.GlobalColor.gray)
    painter, top = QPainter(whole), 0
    for strip in strips:
        painter.drawImage(0, top, strip)
        top += strip.height() + 6
    painter.end()
    return whole


def _strip(page: pypdfium2.PdfPage, number: int, boxes: dict[str, tuple[Box, ...]]) -> QImage:
    pixels = np.ascontiguousarray(page.render(scale=_SCALE, rev_byteorder=True, prefer_bgrx=True).to_numpy())
    height, width = pixels.shape[:2]
    image = QImage(pixels.data, width, height, pixels.strides[0], QImage.Format.Format_RGBX8888).copy()
    here = {name: [box for box in found if box.page == number] for name, found in boxes.items()}
    painter = QPainter(image)
    for name, found in here.items():
        painter.setPen(QPen(_COLOURS[name], 2))
        for box in found:
            painter.drawRect(
                QRectF(box.x0 * _SCALE, box.y0 * _SCALE, (box.x1 - box.x0) * _SCALE, (box.y1 - box.y0) * _SCALE)
            )
    painter.end()
    all_boxes = [box for found in here.values() for box in found]
    top = max(0, int((min(box.y0 for box in all_boxes) - _MARGIN) * _SCALE))
    bottom = min(height, int((max(box.y1 for box in all_boxes) + _MARGIN) * _SCALE))
    return image.copy(0, top, width, bottom - top)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.reading", description="Draw candidates to read.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kept", type=int, default=100)
    parser.add_argument("--dropped", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    shared = Path(__file__).resolve().parents[3] / "shared"
    draw(shared, options.folder, (options.kept, options.dropped), options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
