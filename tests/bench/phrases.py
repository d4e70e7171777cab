"""Linking phrases read by hand: how many pairs of each phrase have the relation that the phrase announces.

    python -m tests.bench.phrases FOLDER [--seed 0]

draws pairs of every phrase from the papers as JSON lines, one of a phrase from a paper, spread over the files, and
some neutral pairs as a control; it leaves out pairs that were read. FOLDER/pairs.txt has premise and hypothesis alone,
phrases and classes mixed, so that the reader does not know which; FOLDER/drawn.csv has the rest. The reader fills in
the column `answer`: one class, by the definitions of the data set's papers, or "unclear". Such rows are then moved to
tests/bench/phrase_readings.csv, which names pairs by their keys, so that no sentence of a paper is in it. The counts
are in `miner.mining.phrase_precision`; a test compares both. tests/bench/opener_readings.csv has pairs of openers that
`pairwright phrases --discover` found in papers of two sets, read in the same way, mixed with neighbours without an
opener; `expected` is the relation, and the precision that it said. After the first set was read, openers about the
paper itself (“In this paper”) were left out; the second set was not used for anything.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from miner.errors import UnreadableFile
from miner.mining.linking_phrases import LEXICON, Phrase, phrase_key
from miner.mining.paper_mining import mine_paper
from miner.mining.phrase_precision import PhraseReading, total_reading
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.parsing.json_lines import parse_json_line, read_json_lines
from miner.parsing.sentences import SentenceSplitter, split_paper
from miner.records import Label, Pair

READINGS = Path(__file__).with_name("phrase_readings.csv")
OPENER_READINGS = Path(__file__).with_name("opener_readings.csv")
FIELDS = ("key", "phrase", "answer", "file", "line")
_NEUTRAL = ""  # in the place of a phrase

Figure = tuple[str, str, str, str, bool | None]


@dataclass(frozen=True, slots=True)
class DrawnPair:
    """A pair to read; `phrase`: by `phrase_key`, "" for a neutral pair."""

    pair: Pair
    phrase: str
    file: str
    line: int


def measure(shared: Path) -> Iterator[Figure]:
    """Which share of the pairs that were read is right, by the phrase's class and lexicon and for neutral pairs."""
    del shared  # what was read is in the table
    for extended in (False, True):
        lexicon = "extended lexicon" if extended else "SciNLI's lexicon"
        for label in (Label.CONTRASTING, Label.REASONING, Label.ENTAILMENT):
            phrases = [phrase for phrase in LEXICON if phrase.extended is extended and phrase.label is label]
            yield _figure(f"{lexicon}, {label}: pairs with this relation", total_reading(phrases))
    answers = Counter(row["answer"] for row in read_rows() if row["phrase"] == _NEUTRAL)
    yield _figure("neutral pairs, read as a control: neutral", PhraseReading(answers["neutral"], answers.total()))
    yield from _openers()


def _openers() -> Iterator[Figure]:
    """How many pairs of each discovered opener have the expected relation, beside the precision that was expected."""
    found = defaultdict[tuple[str, str, str], Counter[str]](Counter)
    with OPENER_READINGS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["opener"]:
                found[row["set"], row["opener"], row["expected"]][row["answer"]] += 1
    for (papers, opener, expected), answers in sorted(found.items()):
        label, _, precision = expected.partition(" ")
        figure = _figure(f"“{opener}”, discovered in {papers}: {label}", PhraseReading(answers[label], answers.total()))
        said = f"; {100 * float(precision):.0f} % were expected" if precision else ""
        yield (*figure[:3], figure[3] + said, None)


def _figure(name: str, reading: PhraseReading) -> Figure:
    low, high = reading.interval
    share = reading.right / reading.read if reading.read else math.nan
    against = f"{reading.right} of {reading.read} pairs, read blind"
    return name, f"{100 * share:.0f} % [{100 * low:.0f}-{100 * high:.0f}]", "-", against, None


def read_rows() -> list[dict[str, str]]:
    """The pairs that were read, with `FIELDS`."""
    if not READINGS.exists():
        return []
    with READINGS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def count_readings(rows: Sequence[Mapping[str, str]]) -> dict[Label, dict[str, PhraseReading]]:
    """The readings of each phrase of the lexicon, by its class and `phrase_key`."""
    answers = defaultdict[str, Counter[str]](Counter)
    for row in rows:
        answers[row["phrase"]][row["answer"]] += 1
    found: dict[Label, dict[str, PhraseReading]] = {}
    for phrase in LEXICON:
        if counts := answers.get(key := phrase_key(phrase.text)):
            found.setdefault(phrase.label, {})[key] = PhraseReading(counts[phrase.label], counts.total())
    return found


def draw(shared: Path, folder: Path, sizes: Mapping[str, int], seed: int) -> None:
    """Write `sizes` pairs of each phrase (by `phrase_key`; "" for neutral) in an order that does not tell which."""

    def rank(*parts: object) -> bytes:
        return blake2b("\0".join(map(str, (seed, *parts))).encode()).digest()

    known = {row["key"] for row in read_rows()}
    found = defaultdict[str, list[list[DrawnPair]]](list)  # by phrase, then by file
    for path in sorted((shared / "data" / "papers").glob("*.jsonl.gz")):
        for phrase, pairs in _draw_of_file(path, sizes, known, rank).items():
            found[phrase].append(sorted(pairs, key=lambda one: rank(one.pair.key)))
    drawn = [one for phrase, files in found.items() for one in _spread(files, sizes[phrase])]
    drawn.sort(key=lambda one: rank("mix", one.pair.key))
    folder.mkdir(parents=True, exist_ok=True)
    texts = (f"{n} P: {one.pair.premise}\n  H: {one.pair.hypothesis}\n" for n, one in enumerate(drawn, start=1))
    (folder / "pairs.txt").write_text("".join(texts), encoding="utf-8")
    with (folder / "drawn.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows((one.pair.key, one.phrase, "", one.file, one.line) for one in drawn)


def _spread(files: Sequence[Sequence[DrawnPair]], size: int) -> list[DrawnPair]:
    """The first pair of each file, then the second, and so on, up to `size`."""
    longest = max(map(len, files), default=0)
    return [pairs[place] for place in range(longest) for pairs in files if place < len(pairs)][:size]


def _draw_of_file(path: Path, sizes: Mapping[str, int], known: set[str], rank: _Rank) -> dict[str, list[DrawnPair]]:
    """Pairs of each phrase, at most a third of what is wanted, from the file's papers in random order."""
    splitter, analyzer = SentenceSplitter.bundled(), SentenceAnalyzer.load()
    found = defaultdict[str, list[DrawnPair]](list)
    wanted = {phrase: math.ceil(size / 3) for phrase, size in sizes.items()}
    for line in sorted(read_json_lines(path), key=lambda line: rank(path.name, line.number)):
        missing = {phrase for phrase, most in wanted.items() if len(found[phrase]) < most}
        spelled = [phrase for phrase in LEXICON if phrase_key(phrase.text) in missing]
        if not spelled:
            break
        if not re.search(rb"[.?!)\]] (?:" + b"|".join(p.text.encode() for p in spelled) + rb")\b", line.content):
            continue
        with suppress(UnreadableFile):
            paper = split_paper(parse_json_line(line), splitter)
            pairs = mine_paper(paper, _settings(spelled, neutral=_NEUTRAL in missing), analyzer).pairs
            first: dict[str, Pair] = {}
            for pair in sorted(pairs, key=lambda pair: rank(pair.key)):
                if pair.key not in known:
                    first.setdefault(phrase_key(pair.phrase or _NEUTRAL), pair)
            for phrase, pair in first.items():
                if phrase in missing:
                    found[phrase].append(DrawnPair(pair, phrase, path.name, line.number))
    return found


class _Rank(Protocol):
    """The type of the function that ranks draws."""

    def __call__(self, *parts: object) -> bytes: ...


def _settings(on: Sequence[Phrase], *, neutral: bool) -> MiningSettings:
    default = MiningSettings()
    phrases = tuple(replace(phrase, on=phrase in on) for phrase in default.phrases)
    return replace(default, phrases=phrases, neutral_strategies=default.neutral_strategies if neutral else ())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.phrases", description="Draw pairs to read.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--extended", type=int, default=25, help="pairs of each phrase of the extended lexicon")
    parser.add_argument("--entailment", type=int, default=40, help="of those that announce entailment")
    parser.add_argument("--scinli", type=int, default=12, help="pairs of each phrase of SciNLI's lexicon")
    parser.add_argument("--neutral", type=int, default=30, help="neutral pairs")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    sizes = {_NEUTRAL: options.neutral}
    for phrase in LEXICON:
        of_extended = options.entailment if phrase.label is Label.ENTAILMENT else options.extended
        sizes[phrase_key(phrase.text)] = of_extended if phrase.extended else options.scinli
    draw(Path(__file__).resolve().parents[3] / "shared", options.folder, sizes, options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
