"""The rules on real papers and on the published SciNLI; skipped where the shared data is absent."""

import csv
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from miner.mining.drop_reasons import FILTERS
from miner.mining.filters import surface_problem
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.parsing.json_lines import parse_json_line, read_json_lines
from miner.parsing.sentences import SentenceSplitter, split_paper
from miner.records import Label, MinedPaper, Strategy

DATA = Path(__file__).parents[4] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")


@pytest.fixture(scope="module")
def mined(analyzer: SentenceAnalyzer) -> list[MinedPaper]:
    """350 papers of four domains, mined."""
    splitter, found = SentenceSplitter.bundled(), []
    for domain in ("biomedicine", "cs-ml", "agriculture", "nlp"):
        for line in islice(read_json_lines(DATA / "papers" / f"papers-{domain}.jsonl.gz"), 90):
            found.append(mine_paper(split_paper(parse_json_line(line), splitter), MiningSettings(), analyzer))
    return found


def share(count: int, total: int) -> float:
    return count / max(1, total)


def test_the_first_letter_does_not_tell_the_class(mined: list[MinedPaper]) -> None:
    capital: Counter[Label | None] = Counter()
    total: Counter[Label | None] = Counter()
    for pair in (pair for found in mined for pair in found.pairs):
        total[pair.distant_label] += 1
        capital[pair.distant_label] += pair.hypothesis[:1].isupper()
    shares = {label: share(capital[label], total[label]) for label in total}
    linked = [value for label, value in shares.items() if label is not Label.NEUTRAL]
    # Within what the linked classes differ by among themselves, and two standard errors; published: 0.08 against 0.01.
    noise = 2 * (0.07 * 0.93 / total[Label.NEUTRAL]) ** 0.5
    assert min(linked) - noise <= shares[Label.NEUTRAL] <= max(linked) + noise


def test_length_does_not_tell_the_class(mined: list[MinedPaper]) -> None:
    words = defaultdict(list)
    for pair in (pair for found in mined for pair in found.pairs):
        words[pair.distant_label].append(len(pair.hypothesis.split()))
    means = {label: sum(found) / len(found) for label, found in words.items()}
    linked = [value for label, value in means.items() if label is not Label.NEUTRAL]
    assert min(linked) - 1 <= means[Label.NEUTRAL] <= max(linked) + 1


def test_strategies_and_classes_are_balanced(mined: list[MinedPaper]) -> None:
    kept = sum((Counter(found.funnel.kept) for found in mined), Counter[Strategy]())
    linked = kept.pop(Strategy.LINKED)
    assert linked > 3000
    assert max(kept.values()) - min(kept.values()) < 0.1 * max(kept.values())
    assert abs(kept.total() - linked / 3) < 0.03 * linked / 3


def test_no_hypothesis_starts_with_a_linking_phrase(mined: list[MinedPaper]) -> None:
    starts = ("however,", "therefore,", "thus,", "specifically,", "in particular,", "in contrast,", "consequently,")
    for found in mined:
        assert not [pair for pair in found.pairs if pair.hypothesis.casefold().startswith(starts)]


@pytest.mark.parametrize("load", [SentenceAnalyzer.rules, SentenceAnalyzer.load], ids=["rules", "model"])
def test_the_filters_keep_what_scinli_published(load: Callable[[], SentenceAnalyzer]) -> None:
    with (DATA / "scinli" / "dev.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    # Published hypotheses are in lower case, so their beginning is not judged.
    sentences = [
        (" ".join(row[column].split()), column == "sentence1") for row in rows for column in ("sentence1", "sentence2")
    ]
    passed = [
        sentence
        for sentence, whole in sentences
        if surface_problem(sentence, FILTERS, min_words=4, max_words=120, whole=whole) is None
    ]
    clean = sum(reading.has_verb and reading.english for reading in load().analyze(passed))
    assert clean >= 0.95 * len(sentences)
