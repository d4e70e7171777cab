"""What the window shows of a corpus: counts of a choice from the notes, and a sample that a seed decides."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from desktop.jobs.corpus.choice import ChosenCounts, CorpusChoice, count_chosen
from desktop.jobs.corpus.overview import read_overview, sample_pairs
from miner.corpus.shards import ShardCounts
from miner.errors import UserError
from miner.installation import is_installed
from miner.progress import Cancelled, Progress
from tests.corpus_factory import make_corpus, write_papers

needs_duckdb = pytest.mark.skipif(not is_installed("duckdb"), reason="duckdb, of the extra `corpus`, is not installed")


def test_counts_of_years_are_estimated_and_all_others_exact() -> None:
    papers = (("a", "2019", "en", 6), ("a", "2020", "en", 2), ("b", "", "en", 3))
    counts = ShardCounts(papers, (("a", "linked", "reasoning", 40), ("b", "linked", "neutral", 5)))
    assert count_chosen(counts, CorpusChoice()) == ChosenCounts(11, 45, True)
    assert count_chosen(counts, CorpusChoice("b")) == ChosenCounts(3, 5, True)
    assert count_chosen(counts, CorpusChoice(first=2019)) == ChosenCounts(8, 40, True)
    assert count_chosen(counts, CorpusChoice(last=2019)) == ChosenCounts(6, 30, False)
    assert count_chosen(counts, CorpusChoice("b", 2019, 2020)) == ChosenCounts(0, 0, True)
    assert CorpusChoice("b", 2019).where == ("domain=b", "year=2019-")


@needs_duckdb
def test_a_sample_follows_from_its_seed_and_damage_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    write_papers(tmp_path / "papers")
    place = tmp_path / "corpus"
    make_corpus(tmp_path / "papers", place)
    overview = read_overview(str(place)).work(Progress())
    pairs = sum(number for *_, number in overview.figures.counts.pairs)
    assert (overview.damage, overview.settled_at is not None) == (None, True)
    everything = sample_pairs(str(place), CorpusChoice(), 1).work(Progress())
    assert len({pair.key for pair in everything.pairs}) == pairs
    few = sample_pairs(str(place), CorpusChoice(), 1, size=5).work(Progress()).pairs
    assert few == sample_pairs(str(place), CorpusChoice(), 1, size=5).work(Progress()).pairs
    assert few != sample_pairs(str(place), CorpusChoice(), 2, size=5).work(Progress()).pairs
    late = sample_pairs(str(place), CorpusChoice(first=2020), 1).work(Progress())
    assert late.pairs
    assert min(pair.year or 0 for pair in late.pairs) >= 2020
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        sample_pairs(str(place), CorpusChoice(), 1).work(stopped)
    for file in (place / "shards" / "pairs").iterdir():
        file.write_bytes(file.read_bytes()[:100])
    damage = read_overview(str(place)).work(Progress()).damage
    assert damage is not None
    assert "missing or cut off" in str(damage)
    with pytest.raises(UserError, match="damaged"):
        sample_pairs(str(place), CorpusChoice(), 1).work(Progress())
    shutil.rmtree(place / "shards")
    with pytest.raises(UserError, match="not settled"):
        read_overview(str(place)).work(Progress())
