"""How exactly sentences are found, against gold boundaries, and how fast, against other splitters of the same text."""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from miner.mining.linking_phrases import SCINLI
from miner.parsing.sentences import SentenceSplitter

GOLD = {"CRAFT": "data/sentences/sbd-craft.jsonl.gz", "OA-STM": "data/sentences/sbd-oastm.jsonl.gz"}  # in shared
GOALS = {"CRAFT": 0.996, "OA-STM": 0.993}
LINKED = 0.985
SPEED = 3

Spans = Sequence[tuple[int, int]]
Split = Callable[[str], Spans]
_PHRASE = re.compile("(?:" + "|".join(sorted((p.text for p in SCINLI), key=len, reverse=True)) + r")[,\s]")


class GoldText(NamedTuple):
    """A text and where its sentences are."""

    text: str
    spans: Spans


class BoundaryScore(NamedTuple):
    """`f1`: of the boundaries inside texts, without the ends of the texts, which every splitter finds.

    `exact` of `links`: gold sentences that start with one of SciNLI's phrases and have a gold sentence before them in
    the same text, where both are found exactly.
    """

    f1: float
    links: int
    exact: int

    @property
    def linked(self) -> float:
        return self.exact / self.links


def read_gold(path: Path) -> list[GoldText]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [GoldText(row["text"], _spans(row["text"], row["sentences"])) for row in map(json.loads, lines)]


def _spans(text: str, sentences: Iterable[str]) -> Spans:
    spans, end = [], 0
    for sentence in sentences:
        start = text.index(sentence, end)
        end = start + len(sentence)
        spans.append((start, end))
    return spans


def score(gold: Iterable[GoldText], split: Split) -> BoundaryScore:
    common = ours = theirs = links = exact = 0
    for text, spans in gold:
        found = [(start, end) for start, end in split(text)]
        ends, gold_ends = ({end for _, end in each[:-1]} for each in (found, spans))
        common, ours, theirs = common + len(ends & gold_ends), ours + len(ends), theirs + len(gold_ends)
        for before, after in pairwise(spans):
            if _PHRASE.match(text, after[0]):
                links += 1
                exact += before in found and after in found
    return BoundaryScore(2 * common / (ours + theirs), links, exact)


def measure(shared: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    """Boundary F1 and linked pairs of each gold corpus, and the time for all of its texts."""
    ours = SentenceSplitter.bundled().split
    peers = {"nupunkt": nupunkt(), "spaCy's sentencizer": sentencizer()}
    texts: list[str] = []
    for name, path in GOLD.items():
        gold = read_gold(shared / path)
        texts += [text for text, _ in gold]
        found = score(gold, ours)
        others = {peer: score(gold, split) for peer, split in peers.items()}
        notes = ", ".join(f"{peer} {100 * other.f1:.1f}" for peer, other in others.items())
        f1 = f"{100 * found.f1:.2f}"
        yield f"boundary F1, {name}", f1, f">= {100 * GOALS[name]:.1f}", notes, found.f1 >= GOALS[name]
        notes = f"{found.exact:,} of {found.links:,} pairs; " + ", ".join(
            f"{peer} {other.exact:,}" for peer, other in others.items()
        )
        share = f"{100 * found.linked:.1f} %"
        yield f"linked pairs, both exact, {name}", share, f">= {100 * LINKED:.1f} %", notes, found.linked >= LINKED
    ratio = _seconds(peers["spaCy's sentencizer"], texts) / _seconds(ours, texts)
    yield "splitting, speed", f"{ratio:.1f} x", f">= {SPEED} x", "spaCy's sentencizer, same texts", ratio >= SPEED


def _seconds(split: Split, texts: Iterable[str]) -> float:
    start = time.perf_counter()
    for text in texts:
        split(text)
    return time.perf_counter() - start


def nupunkt() -> Split:
    from nupunkt import sent_spans

    return lambda text: _stripped(text, sent_spans(text))


def sentencizer() -> Split:
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return lambda text: _stripped(text, ((sent.start_char, sent.end_char) for sent in nlp(text).sents))


def _stripped(text: str, spans: Iterable[tuple[int, int]]) -> Spans:
    pieces = ((start, text[start:end]) for start, end in spans)
    return [
        (start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
        for start, piece in pieces
        if piece.strip()
    ]
