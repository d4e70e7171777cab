"""The sample for the labels' precision: what is drawn, what is kept of earlier draws, and which answers count."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from miner.precision.report import PrecisionReport, PredictionUse
from miner.precision.sampling import PrecisionPair
from miner.progress import Progress
from miner.records import Answer, Label
from miner.splits import PaperSplit
from storage.annotation.annotators import Role
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.marks import MarkKind
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import keys_scope
from storage.papers.metadata import PaperMetadata
from storage.project import Project
from tests.split_factory import split_papers
from tests.storage.factories import as_many, next_papers, paper, pdf, some_pairs, start_run
from tests.suggestion_factory import probabilities_for, suggest

NAMES = [f"paper {number}" for number in range(60)]
AT = datetime(2026, 7, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "template.pairwright"
    with Project.building(path) as project:
        add_papers(project, NAMES)
    return path


@pytest.fixture
def project(template: Path, path: Path) -> Iterator[Project]:
    shutil.copy(template, path)
    with Project.open(path, busy_timeout_s=0.2) as project:
        yield project


def add_papers(project: Project, names: Sequence[str], domain: str = "biology") -> None:
    with project.transaction() as stores:
        for name in names:
            stores.papers.save(paper(name, domain=domain), pdf(name))
    run = start_run(project, f"run with {domain} {len(names)}")
    for pending in next_papers(project, run):
        with project.transaction(bulk=True) as stores:
            stores.pairs.replace_for(pending, some_pairs(pending.md5), as_many)
    with project.transaction() as stores:
        stores.mining_runs.finish(run)


def draw(project: Project, size: int, domains: Sequence[str] = (), seed: int = 7) -> tuple[str, ...]:
    """Draw pairs to answer and store the draw; their keys in order."""
    with project.transaction() as stores:
        keys, drawn = stores.precision_draws.draw(domains, size, seed, Progress())
        if drawn is not None:
            stores.precision_samples.add(drawn)
    return keys


def sample(project: Project) -> list[PrecisionPair]:
    with project.read_transaction() as stores:
        return stores.precision_samples.sample()


def measure(project: Project) -> PrecisionReport:
    with project.read_transaction() as stores:
        report = stores.precision_samples.measure()
    assert report is not None
    return report


def answer(project: Project, keys: Iterable[str], given: Answer | None = None, who: str = "anna") -> None:
    """Answer pairs; with their distant label unless `given` says otherwise."""
    distant = {one.key: Answer(one.label) for one in sample(project)}
    with project.transaction() as stores:
        stores.answers.append(NewAnswer(key, who, AT, given or distant[key]) for key in keys)


def by_class(pairs: Iterable[PrecisionPair]) -> Counter[Label]:
    return Counter(pair.label for pair in pairs)


def test_a_draw_has_as_many_unanswered_pairs_as_were_asked_for_in_the_order_of_the_sample(project: Project) -> None:
    keys = draw(project, 40)
    found = sample(project)
    assert [pair.key for pair in found] == list(keys)
    assert len(keys) == 40
    assert all(pair.number < pair.probability for pair in found)
    assert [pair.place for pair in found] == sorted(pair.place for pair in found)


def test_every_class_has_its_part_of_the_sample(project: Project) -> None:
    draw(project, 60)
    assert min(by_class(sample(project)).values()) >= 6


def test_pairs_whose_label_a_model_doubts_are_drawn_more_often_and_have_the_higher_probability(
    project: Project,
) -> None:
    suggest(project, lambda one: probabilities_for(one.distant or Label.NEUTRAL, 0.9 if one.key < "8" else 0.02))
    draw(project, 60)
    doubted = [pair for pair in sample(project) if pair.percent == 2]
    others = [pair for pair in sample(project) if pair.percent == 90]
    assert len(doubted) > len(others) > 0
    for label in Label:
        of_class = ({pair.probability for pair in pairs if pair.label is label} for pairs in (doubted, others))
        highest, lowest = (max(found, default=None) for found in of_class)
        assert highest is None or lowest is None or highest > lowest


def test_a_draw_depends_on_its_seed_alone(project: Project) -> None:
    with project.read_transaction() as stores:
        one, same, other = (stores.precision_draws.draw((), 30, seed, Progress()).keys for seed in (1, 1, 2))
    assert one == same != other


def test_a_second_draw_keeps_the_sample_its_seed_and_its_waiting_pairs(project: Project) -> None:
    first = draw(project, 30, seed=1)
    answer(project, first[:10])
    second = draw(project, 30, seed=2)
    assert set(first[10:]) < set(second)
    assert not set(first[:10]) & set(second)
    assert {pair.key for pair in sample(project)} == set(first) | set(second)
    assert len(second) == 30


def test_nothing_is_drawn_while_the_sample_has_enough_pairs_that_wait(project: Project) -> None:
    first = draw(project, 30)
    with project.read_transaction() as stores:
        keys, drawn = stores.precision_draws.draw((), 20, 7, Progress())
    assert (keys, drawn) == (first[:20], None)


def test_a_pair_keeps_the_higher_of_its_probabilities(project: Project) -> None:
    draw(project, 30)
    before = {pair.key: pair.probability for pair in sample(project)}
    suggest(project, lambda one: probabilities_for(one.distant or Label.NEUTRAL, 0.99 if one.key < "8" else 0.02))
    draw(project, 60)
    after = {pair.key: pair.probability for pair in sample(project)}
    assert len(after) == 60
    assert all(after[key] >= probability for key, probability in before.items())


def test_pairs_that_come_later_are_told_and_have_their_part_of_the_next_draw(project: Project) -> None:
    draw(project, 40)
    add_papers(project, [*NAMES, *(f"later {number}" for number in range(60))])
    added = measure(project).added
    assert added >= 200
    old = {pair.key for pair in sample(project)}
    draw(project, 40)  # as many wait already
    assert len({pair.key for pair in sample(project)} - old) >= 10
    assert measure(project).added == 0


def test_a_draw_of_a_domain_has_its_pairs_alone_and_the_report_is_about_it(project: Project) -> None:
    add_papers(project, [f"mind {number}" for number in range(30)], "psychology")
    draw(project, 20, ["psychology"])
    assert {pair.domain for pair in sample(project)} == {"psychology"}
    assert measure(project).domains == ("psychology",)
    assert measure(project).overall.pairs < 150
    draw(project, 20)
    assert measure(project).domains == ()
    assert measure(project).overall.pairs > 350


def test_after_draws_of_two_domains_nothing_was_added(project: Project) -> None:
    add_papers(project, [f"mind {number}" for number in range(30)], "psychology")
    draw(project, 20, ["psychology"])
    draw(project, 20, ["biology"])
    report = measure(project)
    assert (report.domains, report.added) == (("biology", "psychology"), 0)


def test_pairs_whose_paper_has_another_domain_now_say_nothing_of_the_old_one(project: Project) -> None:
    add_papers(project, [f"mind {number}" for number in range(30)], "psychology")
    answer(project, draw(project, 40, ["psychology"]))
    with project.transaction() as stores:
        md5s = [md5 for md5 in stores.papers.md5s() if stores.papers.get(md5).domain == "psychology"]
        for kept in (1, 0):
            moved = PaperMetadata(domain="philosophy")
            stores.paper_edits.edit(stores.actions.begin("anna", "Edit", AT), md5s[kept:], moved)
            report = stores.precision_samples.measure()
            assert report is not None
            assert report.overall.answers <= report.overall.pairs < 40
    assert (report.overall.pairs, report.overall.share) == (0, None)


def test_a_draw_of_more_pairs_than_there_are_has_them_all_for_certain(project: Project) -> None:
    keys = draw(project, 5_000)
    with project.read_transaction() as stores:
        assert len(keys) == stores.pair_table.count(PairFilter()) == len(set(keys))
    assert {pair.probability for pair in sample(project)} == {1.0}
    answer(project, keys)
    assert measure(project).overall.interval == (1.0, 1.0)
    assert measure(project).overall.is_complete


def test_in_dev_and_test_a_model_has_no_say_in_what_is_drawn(project: Project) -> None:
    with project.transaction() as stores:
        split_papers(stores, PaperSplit(rest="test"))
    suggest(project, lambda one: probabilities_for(one.distant or Label.NEUTRAL, 0.9 if one.key < "8" else 0.02))
    draw(project, 60)
    for label in Label:
        assert len({pair.probability for pair in sample(project) if pair.label is label}) == 1


def test_the_answers_before_the_first_pair_that_waits_count_and_the_others_are_told(project: Project) -> None:
    keys = draw(project, 40)
    answer(project, (*keys[:20], *keys[21:30]))
    report = measure(project)
    assert (report.overall.answers, report.behind, report.waiting) == (20, 9, 11)
    answer(project, keys[20:21])
    report = measure(project)
    assert (report.overall.answers, report.behind, report.waiting) == (30, 0, 10)


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ([("anna", "distant")], True),
        ([("anna", "other")], False),
        ([("anna", "unclear")], False),
        ([("anna", "distant"), ("ben", "other")], False),
        ([("anna", "distant"), ("ben", "other"), ("cleo", "distant")], True),
        ([("expert", "distant")], None),
    ],
)
def test_whose_answers_make_a_label_right(project: Project, given: list[tuple[str, str]], verdict: bool | None) -> None:
    with project.transaction() as stores:
        expert = stores.annotators.ensure("expert", Role.EXPERT).key
    key = draw(project, 5)[0]
    label = next(pair.label for pair in sample(project) if pair.key == key)
    other = Label.NEUTRAL if label is not Label.NEUTRAL else Label.REASONING
    answers = {"distant": Answer(label), "other": Answer(other), "unclear": Answer.UNCLEAR}
    for who, said in given:
        answer(project, [key], answers[said], expert if who == "expert" else who)
    assert next(pair for pair in sample(project) if pair.key == key).is_right is verdict


def test_a_bad_pair_has_no_right_label_and_an_accepted_suggestion_is_no_answer(project: Project) -> None:
    suggest(project)
    bad, accepted, *_ = draw(project, 5)
    with project.transaction() as stores:
        action = stores.actions.begin("anna", "Mark", AT)
        stores.marks.put(keys_scope([bad]), "anna", MarkKind.BAD, "parsing", AT, action=action)
        given = NewAnswer(accepted, "anna", AT, Answer.NEUTRAL, AnswerSource.ACCEPTED)
        stores.answers.append([given])
    verdicts = {pair.key: pair.is_right for pair in sample(project)}
    assert (verdicts[bad], verdicts[accepted]) == (False, None)


def test_a_model_that_has_learned_answers_of_the_sample_does_not_help(project: Project) -> None:
    suggest(project)
    keys = draw(project, 60)
    answer(project, keys)
    assert measure(project).use is PredictionUse.USED
    with project.transaction() as stores:
        stores._connection.exec_driver_sql(
            "UPDATE suggestions SET doubt = NULL, margin = NULL WHERE pair = (SELECT id FROM pairs WHERE key = ?)",
            (keys[3],),
        )
    report = measure(project)
    assert report.use is PredictionUse.LEARNED
    assert report.overall.share is not None


def test_without_a_draw_there_is_no_report_and_without_a_model_there_is_one(project: Project) -> None:
    with project.read_transaction() as stores:
        assert stores.precision_samples.measure() is None
    answer(project, draw(project, 30))
    assert measure(project).use is PredictionUse.MISSING
    assert measure(project).overall.share == 1.0


def test_draws_are_never_changed(project: Project, path: Path) -> None:
    draw(project, 5)
    project.close()
    with closing(sqlite3.connect(path)) as connection:
        for table, column in (("precision_draws", "seed"), ("precision_sample", "probability")):
            for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET {column} = 1"):
                with pytest.raises(sqlite3.Error, match="append-only"):
                    connection.execute(statement)
