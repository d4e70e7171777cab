"""What other mining settings would change, seen on a sample."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.mining.preview import Difference, SettingsEffect, SettingsPreview, draw_sample
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from miner.mining.linking_phrases import Phrase
from miner.mining.settings import Casing, MiningSettings
from miner.progress import Cancelled, Progress, Tick
from miner.records import Answer, Label
from storage.annotation.answers import NewAnswer
from storage.project import Project
from tests.sample_papers import SAMPLES

BEFORE = MiningSettings()
WITHOUT = BEFORE.switch("However", on=False)


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mined") / "mined.pairwright"
    with Project.create(path) as project:
        files = [SAMPLES / "ecology" / "late-mowing.jsonl", SAMPLES / "reading" / "whispering.tei.xml"]
        import_papers(project, files, ImportOptions(workers=1)).work(Progress())
        mine(project, workers=1, model=NO_MODEL).work(Progress())
    return path


@pytest.fixture
def project(mined: Path, tmp_path: Path) -> Iterator[Project]:
    with Project.open(Path(shutil.copy(mined, tmp_path))) as project:
        yield project


@pytest.fixture
def preview(project: Project) -> Iterator[SettingsPreview]:
    preview = SettingsPreview(project, model=NO_MODEL)
    yield preview
    preview.close().work(Progress())


def check_sums(effect: SettingsEffect) -> None:
    for funnel in (effect.before, effect.after):
        assert sum(funnel.candidates.values()) == sum(funnel.kept.values()) + sum(funnel.dropped.values())
    gained, lost = effect.counts[Difference.GAINED], effect.counts[Difference.LOST]
    assert sum(effect.before.kept.values()) + gained - lost == sum(effect.after.kept.values())


def test_the_sample_says_what_is_gained_and_lost_and_stores_nothing(project: Project, preview: SettingsPreview) -> None:
    with project.read_transaction() as stores:
        md5s = stores.papers.md5s()
        before = [pair for md5 in md5s for pair in stores.pairs.of_paper(md5)]
        run = stores.mining_runs.current()
    same = preview.effect(BEFORE, BEFORE).work(Progress())
    assert (same.papers, same.sample, same.done, same.failed) == (2, 2, 2, 0)
    assert sum(same.before.kept.values()) == len(before)
    assert set(same.counts.values()) == {0}
    effect = preview.effect(BEFORE, WITHOUT).work(Progress())
    check_sums(effect)
    lost = [example.pair for example in effect.examples if example.difference is Difference.LOST]
    assert [pair.phrase for pair in lost].count("However") == sum(pair.phrase == "However" for pair in before)
    assert effect.phrase_starts["however"] >= sum(pair.phrase == "However" for pair in before)
    with project.read_transaction() as stores:
        assert [pair for md5 in md5s for pair in stores.pairs.of_paper(md5)] == before
        assert stores.mining_runs.current() == run


def test_changed_pairs_are_neither_gained_nor_lost(preview: SettingsPreview) -> None:
    effect = preview.effect(BEFORE, replace(BEFORE, casing=Casing.RESTORE)).work(Progress())
    check_sums(effect)
    assert (effect.counts[Difference.GAINED], effect.counts[Difference.LOST]) == (0, 0)
    changed = [example for example in effect.examples if example.difference is Difference.CHANGED]
    assert len(changed) == effect.counts[Difference.CHANGED] > 0
    for _, pair, before in changed:
        assert before is not None
        assert pair.hypothesis.lower() == before.hypothesis.lower()


def test_answers_that_would_lose_their_pair_are_counted(project: Project, preview: SettingsPreview) -> None:
    lost = preview.effect(BEFORE, WITHOUT).work(Progress())
    assert lost.answered == 0
    keys = [example.pair.key for example in lost.examples if example.difference is Difference.LOST]
    with project.transaction() as stores:
        stores.answers.append([NewAnswer(keys[0], "Ada", datetime.now(UTC), Answer.CONTRASTING)])
    assert preview.effect(BEFORE, WITHOUT).work(Progress()).answered == 1


def test_an_own_phrase_brings_its_pairs(preview: SettingsPreview) -> None:
    effect = preview.effect(BEFORE, BEFORE.with_phrase(Phrase("The", Label.REASONING))).work(Progress())
    check_sums(effect)
    assert effect.phrase_starts["the"] > 10
    gained = {example.pair.phrase for example in effect.examples if example.difference is Difference.GAINED}
    assert None in gained or "The" in gained  # most uses of "The" are no link: no comma follows


def test_a_cancelled_sample_stops_and_the_next_one_is_complete(preview: SettingsPreview) -> None:
    progress = Progress(lambda tick: progress.cancel() if tick.done else None)
    with pytest.raises(Cancelled):
        preview.effect(BEFORE, WITHOUT).work(progress)
    ticks: list[Tick] = []
    effect = preview.effect(BEFORE, WITHOUT).work(Progress(ticks.append))
    assert effect.done == effect.sample == 2
    assert ticks[-1] == Tick(2, 2)
    check_sums(effect)


def test_a_project_without_papers_gives_an_empty_sample(tmp_path: Path) -> None:
    with Project.create(tmp_path / "empty.pairwright") as project:
        effect = SettingsPreview(project, model=NO_MODEL).effect(BEFORE, WITHOUT).work(Progress())
    assert (effect.papers, effect.sample, effect.done) == (0, 0, 0)


def test_a_sample_stays_the_same_while_papers_come() -> None:
    papers = [f"{number:032x}" for number in range(500)]
    drawn = draw_sample(papers[:300], 40, seed=1)
    again = draw_sample(papers, 40, seed=1)
    assert len(set(drawn)) == 40
    assert set(again) & set(papers[:300]) <= set(drawn)
    assert draw_sample(papers, 40, seed=2) != again
