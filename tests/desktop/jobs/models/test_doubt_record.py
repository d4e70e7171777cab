"""How often doubts were right, and which are listed: by people's answers, or by how many labels can be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.descriptions.doubts import doubts_text
from desktop.jobs.models import doubt_record
from desktop.jobs.models.doubt_record import DOUBTED, DoubtRecord, only_listed
from desktop.jobs.models.label_noise import estimate_label_noise
from desktop.jobs.models.suggest_state import load_suggest_state
from desktop.jobs.review import disagreements
from miner.progress import Progress
from miner.records import Answer, Label
from miner.splits import shares_split
from storage.models.suggestion_statistics import ClassDoubts
from storage.models.suggestions import NewSuggestion, PairToScore
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.split_factory import split_papers
from tests.storage.factories import add, mine
from tests.storage.models.suggestion_factory import answer, begin, complete, enter_model, missing, put
from tests.suggestion_factory import probabilities_for

ALL = frozenset(Label)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright") as project:
        add(project, [f"paper {number}" for number in range(30)])
        mine(project)
        yield project


def suggest(project: Project, doubted: frozenset[Label]) -> list[PairToScore]:
    """All labels of these classes are doubted, and none of them suggested; those of others are not; the pairs."""
    run = begin(project, enter_model(project))
    pairs = missing(project, run)
    rows = []
    for one in pairs:
        is_doubted = one.distant in doubted
        said = list(Label)[list(Label).index(one.distant or Label.NEUTRAL) - is_doubted]
        rows.append(NewSuggestion(one, probabilities_for(said), 0.9 if is_doubted else 0.1))
    put(project, run, rows)
    complete(project, run)
    with project.read_transaction() as stores:
        shown = stores.suggestions.current_run()
    assert shown is not None
    estimate_label_noise(project, shown)
    return pairs


def record(project: Project) -> DoubtRecord:
    return doubt_record.load_doubt_record(project).work(Progress())


def test_a_class_that_the_model_finds_too_rarely_is_not_listed(project: Project) -> None:
    pairs = suggest(project, frozenset({Label.NEUTRAL}))
    found = record(project)
    assert found.listed == ALL - {Label.NEUTRAL}
    [(label, doubts)] = found.unlisted
    assert (label, doubts.doubted) == (Label.NEUTRAL, sum(one.distant is Label.NEUTRAL for one in pairs))
    assert doubts_text(found).endswith("starter finds neutral too rarely for its doubts to help.")
    assert disagreements.count_doubted(project).work(Progress()) == 0
    assert disagreements.load_queue(project, DOUBTED, "anna").work(Progress()) == []
    asked = PairFilter(doubt=DOUBTED.doubt, distant=frozenset({"neutral"}))
    assert len(disagreements.load_queue(project, asked, "anna").work(Progress())) == doubts.doubted


def test_doubted_labels_of_dev_and_test_papers_count_nowhere(project: Project) -> None:
    run = begin(project, enter_model(project))
    put(project, run, [NewSuggestion(one, (0.25,) * 4, 0.9) for one in missing(project, run)])
    complete(project, run)
    with project.transaction() as stores:
        split_papers(stores, shares_split(40, 30, 30))
    state = load_suggest_state(project).work(Progress())
    waiting = disagreements.count_doubted(project).work(Progress())
    assert state.summary is not None
    assert 0 < waiting < state.pairs
    assert state.summary.doubted == state.summary.waiting == waiting
    with project.read_transaction() as stores:
        assert stores.pair_table.count(state.waiting) == waiting


@pytest.mark.parametrize(("wrong", "is_listed"), [(10, True), (6, True), (1, False), (0, False)])
def test_ten_answers_decide_whether_a_class_is_listed(project: Project, wrong: int, is_listed: bool) -> None:
    pairs = [one for one in suggest(project, frozenset({Label.NEUTRAL})) if one.distant is Label.NEUTRAL]
    for number, one in enumerate(pairs[:9]):
        answer(project, one.key, Answer.REASONING if number < wrong else Answer.NEUTRAL)
    assert Label.NEUTRAL not in record(project).listed
    answer(project, pairs[9].key, Answer.REASONING if wrong > 9 else Answer.NEUTRAL)
    found = record(project)
    assert (Label.NEUTRAL in found.listed) is is_listed
    doubts = dict(found.classes)[Label.NEUTRAL]
    assert (doubts.answered, doubts.wrong, doubts.waiting) == (10, min(wrong, 10), len(pairs) - 10)


def test_the_record_of_another_run_says_nothing(project: Project) -> None:
    suggest(project, frozenset({Label.NEUTRAL}))
    run = begin(project, enter_model(project, "mine"))
    put(project, run, [NewSuggestion(one, (0.25,) * 4, 0.9) for one in missing(project, run)])
    complete(project, run)
    assert record(project).listed == ALL


@pytest.mark.parametrize(
    "filter", [PairFilter(), PairFilter(doubt=(10, None)), PairFilter(doubt=(50, None), distant=frozenset({"neutral"}))]
)
def test_other_filters_stay_as_they_are(filter: PairFilter) -> None:
    bad = DoubtRecord("starter", ((Label.NEUTRAL, ClassDoubts(9, 9)),), frozenset({Label.NEUTRAL}))
    assert only_listed(filter, bad) == filter
    assert only_listed(DOUBTED, bad) != DOUBTED
    assert "Labels neutral are not listed" not in doubts_text(bad, filter)
    assert "Labels neutral are not listed" in doubts_text(bad, DOUBTED)


def test_what_people_answered_is_said_in_place_of_the_benchmark() -> None:
    known = DoubtRecord("mine", ((Label.REASONING, ClassDoubts(30, 6, 24, 15)),))
    expected = "Of 24 doubted labels that people answered, 15 were wrong (95 % interval: 43 to 79 %)."
    assert doubts_text(known) == expected
    assert doubts_text(DoubtRecord("mine", ((Label.REASONING, ClassDoubts(30, 30)),))) == ""
    of_starter = doubts_text(DoubtRecord("starter", ((Label.REASONING, ClassDoubts(30, 30)),)))
    assert of_starter.startswith("Of ten labels that starter doubts, about ")
