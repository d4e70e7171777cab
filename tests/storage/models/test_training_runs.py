"""Training runs and models are kept, and examples are what people, phrases and models say, in this order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from miner.records import Answer, Label, Strategy
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.marks import MarkKind
from storage.models.registry import KnownModel, ModelKind
from storage.models.suggestions import NewSuggestion
from storage.models.training_runs import TrainingPair, TrainingRunState
from storage.pairs import judgement
from storage.project import Project
from storage.stores import Stores
from tests.storage.factories import add, as_many, mined, next_papers, pair, paper, start_run

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def start(project: Project, name: str = "first") -> int:
    with project.transaction() as stores:
        return stores.training_runs.start(
            name,
            settings={"seed": 1},
            fingerprint="f",
            data={"distant": 5},
            versions={"torch": "2"},
            folder=name,
            at=NOW,
        )


def enter(project: Project, digest: str = "d", name: str = "mine") -> int:
    with project.transaction() as stores:
        return stores.models.enter(digest, name, ModelKind.PROJECT, "first", {"name": name, "f1": 0.5}, None)


def test_a_run_is_kept_as_it_goes(project: Project) -> None:
    run = start(project)
    with project.transaction() as stores:
        stores.training_runs.update(run, history={"steps": [[1, 0.5]]})
        stores.training_runs.update(
            run, state=TrainingRunState.FAILED, problem="The disk is full.", ended=NOW + timedelta(minutes=1)
        )
    with project.read_transaction() as stores:
        kept = stores.training_runs.get(run)
        assert (kept.name, kept.state, kept.settings, kept.history) == (
            "first",
            TrainingRunState.FAILED,
            {"seed": 1},
            {"steps": [[1, 0.5]]},
        )
        assert (kept.started_at, kept.ended_at, kept.problem) == (NOW, NOW + timedelta(minutes=1), "The disk is full.")
        with pytest.raises(KeyError):
            stores.training_runs.get(99)
    with project.transaction() as stores:
        stores.training_runs.update(run, state=TrainingRunState.RUNNING, problem="")
        assert stores.training_runs.get(run).ended_at is None
        with pytest.raises(KeyError):
            stores.training_runs.update(99, state=TrainingRunState.DONE)


def test_runs_come_newest_first_and_a_deleted_one_takes_its_model_unless_that_is_needed(project: Project) -> None:
    first, second = start(project, "first"), start(project, "second")
    used, unused = enter(project, "used"), enter(project, "unused")
    with project.transaction() as stores:
        stores.training_runs.update(first, model_id=used)
        stores.training_runs.update(second, model_id=unused)
        stores.suggestions.begin(used, 1.0, arithmetic="cpu fp32", program="1", at=NOW)
        assert [run.id for run in stores.training_runs.all()] == [second, first]
        stores.training_runs.delete(first)
        stores.training_runs.delete(second)
        assert stores.training_runs.all() == []
        assert [model.digest for model in stores.models.all()] == ["used"]


def test_a_model_is_known_by_its_content(project: Project) -> None:
    id = enter(project)
    with project.transaction() as stores:
        again = stores.models.enter("d", "moved", ModelKind.FOLDER, "/models/moved", {}, tuple(Label)[::-1])
        assert again == id
        [found] = stores.models.all()
        expected = KnownModel(
            id, "d", "moved", ModelKind.FOLDER, "/models/moved", {}, tuple(Label)[::-1], found.added_at
        )
        assert stores.models.get(id) == expected
        with pytest.raises(KeyError):
            stores.models.get(99)


@pytest.fixture
def named(project: Project) -> dict[str, str]:
    """Keys of pairs by what becomes of them."""
    add(project, ["a"])
    md5 = paper("a").md5
    names = ("open", "settled", "accepted", "unclear", "unsettled", "bad", "gone")
    pairs = {name: pair(md5, f"{name} one.", f"However, {n}.", number=n) for n, name in enumerate(names)}
    for n, name in enumerate(("implicit sure", "implicit unsure", "implicit settled"), start=len(names)):
        pairs[name] = replace(pair(md5, f"{name}.", f"Then {n}.", Strategy.IMPLICIT, None, n), phrase=None)
    run = start_run(project)
    for pending in next_papers(project, run):
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, mined(pairs.values()), as_many)
    keys = {name: one.key for name, one in pairs.items()}
    with project.transaction() as stores:
        given = [
            NewAnswer(keys["settled"], "anna", NOW, Answer.NEUTRAL),
            NewAnswer(keys["accepted"], "anna", NOW, Answer.ENTAILMENT, AnswerSource.ACCEPTED),
            NewAnswer(keys["unclear"], "anna", NOW, Answer.UNCLEAR),
            NewAnswer(keys["unsettled"], "anna", NOW, Answer.NEUTRAL),
            NewAnswer(keys["unsettled"], "ben", NOW, Answer.REASONING),
            NewAnswer(keys["gone"], "anna", NOW, Answer.NEUTRAL),
            NewAnswer(keys["implicit settled"], "anna", NOW, Answer.REASONING),
        ]
        stores.answers.append(given)
        action = stores.actions.begin("anna", "Bad", NOW)
        stores.marks.put(judgement.keys_scope([keys["bad"]]), "anna", MarkKind.BAD, "other", NOW, action=action)
        stores._connection.exec_driver_sql("UPDATE pairs SET current = 0 WHERE key = ?", (keys["gone"],))
        run = stores.suggestions.begin(enter_in(stores), 1.0, arithmetic="cpu fp32", program="1", at=NOW)
        confidence = {keys["implicit sure"]: 0.9, keys["implicit unsure"]: 0.6}
        for wanted in stores.suggestions.missing(run):
            probability = confidence.get(wanted.key, 0.95)
            stores.suggestions.put(run, [NewSuggestion(wanted, (probability, 1 - probability, 0.0, 0.0))])
    return keys


def enter_in(stores: Stores) -> int:
    return stores.models.enter("s", "starter", ModelKind.STARTER, "", {}, None)


def examples(
    project: Project, named: dict[str, str], *, distant: bool, answers: bool, implicit_above: float | None = None
) -> dict[str, tuple[Label, str]]:
    with project.read_transaction() as stores:
        found = list(stores.training_runs.examples(distant=distant, answers=answers, implicit_above=implicit_above))
    assert all(isinstance(one, TrainingPair) and one.paper == paper("a").md5 for one in found)
    names = {key: name for name, key in named.items()}
    return {names[one.key]: (one.label, one.source) for one in found}


def test_people_say_more_than_phrases_and_nothing_is_learned_from_what_they_left_open(
    project: Project, named: dict[str, str]
) -> None:
    people = {
        "settled": (Label.NEUTRAL, "answer"),
        "accepted": (Label.ENTAILMENT, "accepted"),
        "implicit settled": (Label.REASONING, "answer"),
    }
    phrases = {"open": (Label.CONTRASTING, "distant")}
    assert examples(project, named, distant=True, answers=True) == {**phrases, **people}
    assert examples(project, named, distant=True, answers=False) == phrases
    assert examples(project, named, distant=False, answers=True) == people


def test_neighbours_are_learned_from_where_the_model_is_sure(project: Project, named: dict[str, str]) -> None:
    found = examples(project, named, distant=False, answers=False, implicit_above=0.9)
    assert found == {"implicit sure": (Label.CONTRASTING, "implicit")}
    assert len(examples(project, named, distant=False, answers=False, implicit_above=0.5)) == 2
