"""Neutral pairs: how many of those that were read are related, and whether the choice of draws gives the class away.

A reader judged pairs without knowing which version had drawn them: "related" if the two sentences alone seem to
contrast, to follow from each other, or to say something of one finding; "topic" if they only name the same narrow
thing; else "unrelated". `neutral_verdicts.csv` has the pairs by their keys, so that no sentence of a paper is in it,
and the file and line of their papers, none of which the rules were made with. `sample`: pairs drawn freely, or only by
the rules. Pairs that are drawn no more do not count.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from miner.audit.surface import auc
from miner.errors import UnreadableFile
from miner.mining.pair_values import word_overlap
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.parsing.json_lines import parse_json_line, read_json_lines
from miner.parsing.sentences import SentenceSplitter, split_paper
from miner.records import Label, Pair, Paper
from miner.statistics import wilson

VERDICTS = Path(__file__).with_name("neutral_verdicts.csv")
FREE = MiningSettings(neutral_shared_words=True)

Figure = tuple[str, str, str, str, bool | None]


def measure(shared: Path) -> Iterator[Figure]:
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    verdicts = {row["key"]: row["verdict"] for row in rows}
    papers = list(_papers(shared, {(row["file"], int(row["line"])) for row in rows}))
    analyzer = SentenceAnalyzer.load()
    free, chosen = (
        [pair for paper in papers for pair in mine_paper(paper, settings, analyzer).pairs]
        for settings in (FREE, MiningSettings())
    )
    before = Counter(row["verdict"] for row in rows if row["sample"] == "free")
    after = Counter(verdicts[pair.key] for pair in chosen if pair.key in verdicts)
    for name, verdict, most in (("related", "related", 0.04), ("that name the same narrow thing", "topic", None)):
        hits, count = after[verdict], after.total()
        low, high = wilson(hits, count)
        yield (
            f"neutral pairs {name}",
            f"{100 * hits / count:.1f} % [{100 * low:.1f}-{100 * high:.1f}]",
            f"<= {100 * most:.0f} %" if most else "-",
            f"{hits} of {count} read by hand; drawn freely {before[verdict]} of {before.total()}",
            hits / count <= most if most else None,
        )
    overlap, freely = _overlap_auc(chosen), _overlap_auc(free)
    is_near, note = abs(overlap - freely) <= 0.015, f"{freely:.3f} drawn freely"
    yield "neutral pairs, overlap against linked, AUC", f"{overlap:.3f}", "within .015", note, is_near
    kept, most_pairs = _number(chosen), _number(free)
    yield "neutral pairs kept", f"{kept:,}", ">= 99 %", f"{most_pairs:,} drawn freely", kept >= 0.99 * most_pairs


def _papers(shared: Path, wanted: set[tuple[str, int]]) -> Iterator[Paper]:
    splitter = SentenceSplitter.bundled()
    for name in sorted({name for name, _ in wanted}):
        for line in read_json_lines(shared / "data" / "papers" / name):
            if (name, line.number) in wanted:
                with suppress(UnreadableFile):
                    yield split_paper(parse_json_line(line), splitter)


def _overlap_auc(pairs: list[Pair]) -> float:
    """How often a linked pair overlaps more than a neutral one."""
    neutral, linked = Counter[int](), Counter[int]()
    for pair in pairs:
        (neutral if pair.distant_label is Label.NEUTRAL else linked)[word_overlap(pair.premise, pair.hypothesis)] += 1
    return auc(linked, neutral)[0]


def _number(pairs: list[Pair]) -> int:
    return sum(pair.distant_label is Label.NEUTRAL for pair in pairs)
