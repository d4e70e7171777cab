"""When a suggestion names one class, two or none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from desktop.jobs.models.suggestion_sets import MIN_OF_CLASS, estimate_sets, likely_labels, likely_text, load_sets
from miner.classifier.checkpoints import STARTER, Checkpoint, find_checkpoint, inspect_checkpoint
from miner.progress import Progress
from miner.records import Answer, Label
from storage.models.suggestions import NewSuggestion
from storage.project import Project
from storage.settings import SuggestionSets
from tests.storage.factories import add, mine
from tests.storage.models.suggestion_factory import answer, begin, complete, enter_model, missing, put

SETS = SuggestionSets(1, {"20": (0.3, 0.3, 0.2, 0.4)})


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright") as project:
        add(project, [f"paper {number}" for number in range(4 * MIN_OF_CLASS // 3)])
        mine(project)
        yield project


def suggested(project: Project, answers: int, model: Checkpoint, temperature: float = 1.5) -> SuggestionSets | None:
    """The sets after suggestions for all pairs, and answers to some of them, as many of each class."""
    draw = Random(1)
    run = begin(project, enter_model(project), temperature=temperature)
    pairs = missing(project, run)
    put(project, run, [NewSuggestion(one, (0.4, 0.3, 0.2, draw.random() / 10)) for one in pairs])
    complete(project, run)
    for number, one in enumerate(pairs[:answers]):
        answer(project, one.key, Answer(list(Label)[number % 4].value))
    with project.read_transaction() as stores:
        shown = stores.suggestions.current_run()
    assert shown is not None
    estimate_sets(project, shown, model)
    return load_sets(project).work(Progress())


@pytest.mark.parametrize(
    ("probabilities", "text"),
    [
        ((0.7, 0.1, 0.1, 0.1), "contrasting"),
        ((0.45, 0.35, 0.1, 0.1), "contrasting or reasoning"),
        ((0.31, 0.4, 0.1, 0.1), "reasoning or contrasting"),
        ((0.35, 0.35, 0.25, 0.05), "not sure"),
        ((0.25, 0.25, 0.15, 0.35), "not sure"),
    ],
)
def test_a_suggestion_names_one_class_two_or_none(probabilities: tuple[float, ...], text: str) -> None:
    assert likely_text(probabilities, SETS, 20) == text
    assert likely_text(probabilities, SETS, 0) == likely_text(probabilities, None, 20) == ""


def test_probabilities_of_another_temperature_are_compared_at_that_of_the_model() -> None:
    # Their squares, scaled to 1: .36 and .64 become .24 and .76.
    assert likely_labels((0.36, 0.64, 0, 0), SETS, 20) == (Label.REASONING, Label.CONTRASTING)
    assert likely_labels((0.36, 0.64, 0, 0), replace(SETS, power=2.0), 20) == (Label.REASONING,)


def test_enough_answers_of_each_class_decide(project: Project) -> None:
    starter = find_checkpoint("starter")
    found = suggested(project, 4 * MIN_OF_CLASS, starter)
    assert found is not None
    assert (found.answers, found.power) == (4 * MIN_OF_CLASS, 1.0)
    # All pairs have the same probabilities, but for neutral, of which a fifth of 50 may be missed: the tenth.
    assert found.least["20"][:3] == (0.4, 0.3, 0.2)
    assert 0 < found.least["20"][3] < 0.05


def test_with_fewer_answers_the_models_card_decides_at_its_own_temperature(project: Project) -> None:
    starter = inspect_checkpoint(STARTER)
    assert starter.card is not None
    found = suggested(project, 4 * MIN_OF_CLASS - 1, starter)
    assert found is not None
    assert (found.answers, found.least) == (0, dict(starter.card.least_probabilities))
    assert found.power == pytest.approx(1.5 / starter.card.temperature)


def test_a_model_whose_card_says_nothing_always_names_one_class(project: Project) -> None:
    starter = inspect_checkpoint(STARTER)
    assert starter.card is not None
    assert suggested(project, 3, replace(starter, card=replace(starter.card, least_probabilities={}))) is None
