"""Pairs read by hand: draws linked candidates with what is around them, and counts a reader's verdicts.

    python -m tests.bench.reading FOLDER [--lines] [--kept 100] [--dropped 100] [--seed 0]

draws from the PDFs, or with --lines from the papers as JSON lines, as many from each collection, few from a paper. It
writes FOLDER/index.html, with the sentences, where they are printed or their paragraphs, and FOLDER/verdicts.csv. The
reader fills the column `verdict` without knowing what mining made of the candidate: "pair" if both sentences are whole,
as printed, next to each other in the prose, and linked by the phrase; "no pair" otherwise; `why` is free. In JSON lines
a formula that has lost its raised or lowered parts, or its fractions, is not as printed, unless nothing depends on it.
Lines with a verdict are then moved to tests/bench/reading_verdicts.csv. It names candidates by a hash, so that no
sentence of a paper is in there, and the line of a JSON line. `python -m tests.bench reading` compares it with what the
present version keeps and drops; candidates whose text has changed since no longer count, and a drawing leaves out those
that were read. The phrases of the extended lexicon are on, for more candidates.
"""

from __future__ import annotations

import argparse
import csv
import html
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pypdfium2
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from miner.errors import UnreadableFile
from miner.mining.pair_builder import DroppedCandidate
from miner.mining.paper_mining import mine_paper
from miner.mining.prose import Prose
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.parsing.file_parser import file_parser
from miner.parsing.files import FileKind, read_file
from miner.parsing.json_lines import parse_json_line, read_json_lines
from miner.parsing.sentences import SentenceSplitter, SplitterParameters, split_paper
from miner.records import Box, Paper

VERDICTS = Path(__file__).with_name("reading_verdicts.csv")
PAIR, NO_PAIR = "pair", "no pair"
FOLDERS = ("corpus", "jats")
_SCALE = 1.6  # pixels per point
_MARGIN = 70  # points above and below the sentences
_COLOURS = {"premise": QColor(201, 120, 0), "hypothesis": QColor(0, 90, 200)}

Figure = tuple[str, str, str, str, bool | None]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A linked candidate. `reason`: why it was dropped, None if it was kept.

    `source`: the PDF, or file and line such as "papers-pmc.jsonl.gz 417". `text`: its paragraphs.
    """

    source: str
    premise: str
    hypothesis: str
    reason: str | None
    boxes: dict[str, tuple[Box, ...]]
    text: str

    @property
    def key(self) -> str:
        text = "\0".join((self.source, self.premise, self.hypothesis))
        return blake2b(text.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reader said of a candidate. `line`: its source if that is a JSON line, else ""."""

    verdict: str
    line: str


def measure(shared: Path) -> Iterator[Figure]:
    """Which share of the kept pairs that were read is right, and of the dropped ones wrong; exact 95 % intervals."""
    verdicts = _read_verdicts()
    lines = sorted({verdict.line for verdict in verdicts.values() if verdict.line})
    for candidates, where, of_lines in (
        (_pdf_candidates(shared), "", False),
        (_line_candidates(_papers_of(shared, lines)), ", JSON lines", True),
    ):
        of_these = {key: verdict.verdict for key, verdict in verdicts.items() if bool(verdict.line) is of_lines}
        kept = {one.key: one.reason is None for one in candidates if one.key in of_these}
        counts = Counter((is_kept, of_these[key]) for key, is_kept in kept.items())
        changed = f"; the text of {len(of_these) - len(kept)} others has changed since"
        for name, is_kept, goal, is_met in (
            ("kept pairs that are what the paper says", True, "≥ 99 %", lambda share: share >= 0.99),
            ("dropped candidates that should have been kept", False, "≤ 5 %", lambda share: share <= 0.05),
        ):
            hits, count = counts[is_kept, PAIR], counts[is_kept, PAIR] + counts[is_kept, NO_PAIR]
            low, high = exact_interval(hits, count)
            measured = f"{100 * hits / count:.1f} % [{100 * low:.1f}-{100 * high:.1f}]" if count else "none was read"
            against = f"{hits} of {count} read by hand{changed}"
            yield name + where, measured, goal, against, is_met(hits / count) if count else None


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


def _pdf_candidates(shared: Path) -> Iterator[Candidate]:
    """All linked candidates of the open papers, kept or dropped under the default settings."""
    parse, analyzer = file_parser(SplitterParameters.bundled()), SentenceAnalyzer.load()
    for pdf in _pdfs(shared):
        for _, paper in parse(read_file(pdf, FileKind.PDF)).papers:
            yield from _candidates(paper, pdf.name, analyzer)


def _pdfs(shared: Path) -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (shared / "data" / folder).glob("*.pdf"))


def _line_candidates(papers: Iterable[tuple[str, Paper]]) -> Iterator[Candidate]:
    splitter, analyzer = SentenceSplitter.bundled(), SentenceAnalyzer.load()
    for source, paper in papers:
        yield from _candidates(split_paper(paper, splitter), source, analyzer)


def _papers_of(shared: Path, lines: Iterable[str]) -> Iterator[tuple[str, Paper]]:
    """The papers on these lines, such as "papers-pmc.jsonl.gz 417"."""
    wanted = defaultdict[str, set[int]](set)
    for name, number in map(str.split, lines):
        wanted[name].add(int(number))
    for name, numbers in wanted.items():
        for line in read_json_lines(shared / "data" / "papers" / name):
            if line.number in numbers:
                with suppress(UnreadableFile):
                    yield f"{name} {line.number}", parse_json_line(line)


def _candidates(paper: Paper, source: str, analyzer: SentenceAnalyzer) -> Iterator[Candidate]:
    default = MiningSettings(neutral_strategies=())
    settings = replace(default, phrases=tuple(replace(phrase, on=True) for phrase in default.phrases))
    dropped: list[DroppedCandidate] = []
    mined = mine_paper(paper, settings, analyzer, dropped.append)
    boxes, texts = _sentence_boxes(paper), _sentence_paragraphs(paper)
    found: list[tuple[str, str, str | None]] = [(pair.premise, pair.hypothesis_original, None) for pair in mined.pairs]
    for candidate in dropped:
        if candidate.drop.reason != "duplicate":
            found.append((candidate.premise, candidate.hypothesis, candidate.drop.reason))
    for premise, hypothesis, reason in found:
        places = {"premise": boxes.get(premise, ()), "hypothesis": boxes.get(hypothesis, ())}
        text = "\n".join(dict.fromkeys(texts.get(sentence, "") for sentence in (premise, hypothesis)))
        yield Candidate(source, premise, hypothesis, reason, places, text)


def _sentence_boxes(paper: Paper) -> dict[str, tuple[Box, ...]]:
    prose = Prose(paper)
    sentences = (
        sentence for _, _, paragraph in prose.paragraphs for sentence in map(paragraph.boxes, paragraph.sentences)
    )
    return {prose.sentence(index): boxes for index, boxes in enumerate(sentences)}


def _sentence_paragraphs(paper: Paper) -> dict[str, str]:
    """For each sentence its paragraph, with the title of the section in front."""
    prose = Prose(paper)
    texts = [f"[{paper.sections[section].title}] {paragraph.text}" for section, _, paragraph in prose.paragraphs]
    return {prose.sentence(index): texts[prose.paragraph_of(index)] for index in range(len(prose))}


def _read_verdicts() -> dict[str, Verdict]:
    if not VERDICTS.exists():
        return {}
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        return {row["key"]: Verdict(row["verdict"], row["line"]) for row in csv.DictReader(file)}


def draw(shared: Path, folder: Path, sizes: tuple[int, int], seed: int, *, of_lines: bool = False) -> None:
    """Write a drawing of (kept, dropped) candidates nobody has read, in an order that does not tell which."""
    verdicts = _read_verdicts()

    def rank(key: str, purpose: str = "draw") -> bytes:
        return blake2b(f"{seed}\0{purpose}\0{key}".encode()).digest()

    if of_lines:
        unread = _unread_of_lines(shared, verdicts, sizes, rank)
    else:
        found = {one.key: one for one in _pdf_candidates(shared) if one.key not in verdicts}
        unread = sorted(found.values(), key=lambda candidate: rank(candidate.key))
    kept = [candidate for candidate in unread if candidate.reason is None][: sizes[0]]
    dropped = [candidate for candidate in unread if candidate.reason is not None][: sizes[1]]
    drawn = sorted(kept + dropped, key=lambda candidate: rank(candidate.key, "mix"))
    pdfs = {pdf.name: pdf for pdf in _pdfs(shared)}
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    items = []
    for number, candidate in enumerate(drawn, start=1):
        picture = _picture(candidate, pdfs[candidate.source]) if candidate.source in pdfs else None
        if picture is not None:
            picture.save(str(folder / "pages" / f"{candidate.key}.png"))
        around = f"<p>{html.escape(candidate.text)}" if of_lines else f"<img src='pages/{candidate.key}.png'>"
        items.append(
            f"<h3>{number}. {candidate.key}</h3><p><b>P</b> {html.escape(candidate.premise)}</p>"
            f"<p><b>H</b> {html.escape(candidate.hypothesis)}</p>{around}"
        )
    page = "<meta charset='utf-8'><style>body{max-width:1000px;margin:auto}img{max-width:100%}</style>"
    (folder / "index.html").write_text(page + "\n".join(items), encoding="utf-8")
    with (folder / "verdicts.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("key", "verdict", "why", "line"))
        writer.writerows((candidate.key, "", "", candidate.source if of_lines else "") for candidate in drawn)


def _unread_of_lines(
    shared: Path, verdicts: Mapping[str, Verdict], sizes: tuple[int, int], rank: Callable[[str], bytes]
) -> list[Candidate]:
    """Enough unread candidates, in equal numbers of each collection, if it has them; one kept, one dropped a paper."""
    files = sorted((shared / "data" / "papers").glob("*.jsonl.gz"))
    wanted = [math.ceil(size / len(files)) for size in sizes]
    drawn: list[Candidate] = []
    for file in files:
        lines = sorted((f"{file.name} {line.number}" for line in read_json_lines(file)), key=rank)
        missing = dict(zip((True, False), wanted, strict=True))
        for start in range(0, len(lines), 50):
            first: dict[tuple[str, bool], Candidate] = {}
            for found in _line_candidates(_papers_of(shared, lines[start : start + 50])):
                place = (found.source, found.reason is None)
                if found.key not in verdicts and (place not in first or rank(found.key) < rank(first[place].key)):
                    first[place] = found
            for (_, is_kept), found in sorted(first.items(), key=lambda one: rank(one[0][0])):
                if missing[is_kept]:
                    missing[is_kept] -= 1
                    drawn.append(found)
            if not any(missing.values()):
                break
    return drawn


def _picture(candidate: Candidate, pdf: Path) -> QImage | None:
    """The strips of the pages where the sentences are, one below the other, with the sentences framed."""
    document = pypdfium2.PdfDocument(pdf)
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
    parser.add_argument("--lines", action="store_true")
    parser.add_argument("--kept", type=int, default=100)
    parser.add_argument("--dropped", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    shared = Path(__file__).resolve().parents[3] / "shared"
    draw(shared, options.folder, (options.kept, options.dropped), options.seed, of_lines=options.lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
