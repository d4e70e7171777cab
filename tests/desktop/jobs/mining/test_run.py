"""The state of a project's mining, and the figures of its phrases."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.mining.lexicon_figures import PhraseFigures, load_lexicon_figures
from desktop.jobs.mining.run import NO_MODEL, load_mining_state, mine, mining_settings
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.results import describe
from miner.mining.settings import MiningSettings, with_new_filters
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.project import Project
from tests.mining_stopper import mine_and_stop
from tests.sample_papers import SAMPLES


def test_the_mining_state_and_the_figures_of_phrases(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.pairwright") as project:
        assert load_mining_state(project).work(Progress()).papers == 0
        import_papers(project, [SAMPLES / "ecology" / "late-mowing.jsonl"], ImportOptions(workers=1)).work(Progress())
        before = load_mining_state(project).work(Progress())
        assert (before.mined, before.papers, before.pending) == (None, 1, 1)
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        now = load_mining_state(project).work(Progress())
        assert (now.mined, now.pending) == (now.settings, 0)
        assert now.has_mined(MiningSettings())
        assert not now.has_mined(MiningSettings().switch("However", on=False))
        import_papers(project, [SAMPLES / "reading" / "whispering.tei.xml"], ImportOptions(workers=1)).work(Progress())
        assert load_mining_state(project).work(Progress()).pending > 0
        with project.transaction() as stores:
            pairs = [pair for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
            linked = [pair for pair in pairs if pair.phrase == "Therefore"]
            for pair, answer in zip(linked, (Answer.REASONING, Answer.NEUTRAL, Answer.UNCLEAR), strict=False):
                stores.answers.append([NewAnswer(pair.key, "Ada", datetime.now(UTC), answer)])
        answered = min(len(linked), 2)  # the third is not settled
        assert load_lexicon_figures(project).work(Progress()).phrases["therefore"] == PhraseFigures(
            len(linked), answered, min(answered, 1)
        )


def test_settings_of_earlier_rules_get_the_filters_that_came_since_and_it_is_said_once(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [SAMPLES / "ecology" / "late-mowing.jsonl"], ImportOptions(workers=1)).work(Progress())
        before = replace(MiningSettings(), filters=MiningSettings().filters - {"open_end", "math"})
        mine(project, before, workers=1, model=NO_MODEL).work(Progress())
        assert mining_settings(project) == before  # a person who turned a filter off in this version meant it
        with project.transaction() as stores:
            program = "pairwright 0.1, rules 1"
            stores._connection.exec_driver_sql("UPDATE mining_runs SET program = ?", (program,))
        assert mining_settings(project).filters == before.filters | {"open_end", "unreadable"}
        mined = mine(project, workers=1, model=NO_MODEL).work(Progress())
        assert mined.new_filters == ("open_end", "unreadable")
        notes = describe(mined).notes
        assert notes[0] == (
            "The filter open_end is new, and switched on. "
            "The sentence ends in a colon or goes on in a formula, or the next one is glued on."
        )
        assert notes[1].startswith("The filter unreadable is new, and switched on. ")
        again = mine(project, workers=1, model=NO_MODEL).work(Progress())
        assert (again.new_filters, describe(again).notes) == ((), ())


@pytest.mark.parametrize("done", [0, 1])
def test_a_stopped_run_leaves_the_state_of_the_settings_that_the_pairs_are_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [SAMPLES / "ecology" / "late-mowing.jsonl"], ImportOptions(workers=1)).work(Progress())
        import_papers(project, [SAMPLES / "reading" / "whispering.tei.xml"], ImportOptions(workers=1)).work(Progress())
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        earlier, later = MiningSettings(), MiningSettings().switch("However", on=False)
        with project.read_transaction() as stores:
            total = stores.papers.count()
        mine_and_stop(project, later, done, monkeypatch)
        state = load_mining_state(project).work(Progress())
        assert (state.settings, state.mined, state.settings_before) == (later, earlier, earlier)
        assert (state.is_mixed, state.pending) == (True, total - done)
        assert not state.has_mined(earlier)
        assert not state.has_mined(later)
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        state = load_mining_state(project).work(Progress())
        assert (state.mined, state.is_mixed, state.has_mined(later)) == (later, False, True)


def test_a_first_run_that_was_stopped_is_the_one_of_the_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [SAMPLES / "ecology" / "late-mowing.jsonl"], ImportOptions(workers=1)).work(Progress())
        import_papers(project, [SAMPLES / "reading" / "whispering.tei.xml"], ImportOptions(workers=1)).work(Progress())
        mine_and_stop(project, MiningSettings(), 1, monkeypatch)
        state = load_mining_state(project).work(Progress())
        assert (state.mined, state.pending, state.is_mixed) == (MiningSettings(), 1, False)


def test_settings_without_any_filter_stay_so() -> None:
    settings = MiningSettings(filters=frozenset())
    assert with_new_filters(settings, "1") == settings
