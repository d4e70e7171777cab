"""Annotators who answer by chance, with known probabilities, so that theory says what agreement must come out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from desktop.jobs.review.gold import set_gold
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation.annotators import Role
from storage.annotation.answer_context import AnswerContext
from storage.dataset.gold_rule import GoldRules
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import keys_scope
from storage.project import Project
from storage.settings import GOLD_EVERYWHERE, SPLIT

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
_ANSWERS = tuple(Answer)

Confusion = NDArray[np.float64]  # the probability of each answer (columns) for pairs of each class (rows)


class ScriptedAnnotator(NamedTuple):
    """share: of the pairs that are answered. seconds: for each answer."""

    key: str
    confusion: Confusion
    role: Role = Role.ANNOTATOR
    share: float = 1.0
    seconds: float = 6.0


def mostly_right(accuracy: float, unclear: float = 0.0, *, confused: Mapping[Label, Label] | None = None) -> Confusion:
    """Right with this probability, else unclear, or any other class alike; or all for the class it is confused with."""
    table = np.zeros((len(Label), len(_ANSWERS)))
    for row, label in enumerate(Label):
        wrong = [other for other in Label if other is not label]
        if confused and label in confused:
            wrong = [confused[label]]
        for other in wrong:
            table[row, _ANSWERS.index(Answer(other))] = (1 - accuracy - unclear) / len(wrong)
        table[row, row] = accuracy
        table[row, _ANSWERS.index(Answer.UNCLEAR)] = unclear
    return table


def annotate(
    project: Project,
    people: Sequence[ScriptedAnnotator],
    *,
    filter: PairFilter | None = None,
    votes: int | None = None,
    seed: int = 1,
) -> int:
    """Have these people answer the filter's pairs, whose distant label is the truth; returns how many pairs.

    votes: how many a pair is to have by the project's settings; by default, as many as there are annotators. With more
    than one, the rules of gold hold for all pairs, as in a project of an earlier version, unless the project is split.
    """
    random = np.random.default_rng(seed)
    voters = sum(person.role is Role.ANNOTATOR for person in people)
    with project.transaction() as stores:
        votes = votes or max(1, voters)
        if votes > 1 and stores.settings.get(SPLIT) is None:
            stores.settings.put(GOLD_EVERYWHERE, True)
            stores.annotators.refresh_statuses(lambda done, total: None)
        for person in people:
            statement = "INSERT INTO annotators (key, name, role) VALUES (?, ?, ?)"
            stores._connection.exec_driver_sql(statement, (person.key, person.key.capitalize(), person.role.value))
        pairs = [
            (key, label)
            for label in Label
            for key in sorted(stores.pair_table.keys(stores.pair_table.ids(_of_class(filter or PairFilter(), label))))
        ]
    set_gold(project, GoldRules(votes=votes)).work(Progress())
    for person in people:
        keys: defaultdict[int, list[str]] = defaultdict(list)
        for key, label in pairs:
            answer = int(random.choice(len(_ANSWERS), p=person.confusion[list(Label).index(label)]))
            if random.random() < person.share:
                keys[answer].append(key)
        with project.transaction(bulk=True) as stores:
            action = stores.actions.begin(person.key, "Answer", AT)
            for answer, answered in sorted(keys.items()):
                seen = AnswerContext(blind=True, seconds=person.seconds + answer)
                stores.answers.give(keys_scope(answered), person.key, _ANSWERS[answer], AT, action=action, seen=seen)
    return len(pairs)


def _of_class(filter: PairFilter, label: Label) -> PairFilter:
    from dataclasses import replace

    return replace(filter, distant=frozenset({label.value}))


# What theory says of pairs with these shares of the classes; answers of different people are independent of each other,
# given the class.


def expected_raw(people: Sequence[Confusion], prior: NDArray[Any]) -> float:
    """The probability that two of the people, drawn at random, give the same answer."""
    return float(np.mean([(prior @ (first * second)).sum() for first, second in combinations(people, 2)]))


def expected_fleiss(people: Sequence[Confusion], prior: NDArray[Any]) -> float:
    shares = np.mean([prior @ table for table in people], axis=0)
    chance = float((shares**2).sum())
    return (expected_raw(people, prior) - chance) / (1 - chance)


def expected_cohen(first: Confusion, second: Confusion, prior: NDArray[Any]) -> float:
    chance = float(((prior @ first) * (prior @ second)).sum())
    return (expected_raw([first, second], prior) - chance) / (1 - chance)


def expected_gold(people: Sequence[Confusion]) -> Confusion:
    """For each class (rows), the probability that the majority is each label (columns); the rest has no majority."""
    found = np.zeros((len(Label), len(Label)))
    for answers in product(range(len(_ANSWERS)), repeat=len(people)):
        counts = np.bincount(answers, minlength=len(_ANSWERS))
        majority = int(counts.argmax())
        if counts[majority] * 2 > len(people) and majority < len(Label):
            tables = zip(people, answers, strict=True)
            found[:, majority] += np.prod([table[:, answer] for table, answer in tables], axis=0)
    return found


def expected_accuracy(person: Confusion, gold: Confusion, prior: NDArray[Any]) -> float:
    """The probability that a person gives the gold label, where there is one."""
    return float(prior @ (gold * person[:, : len(Label)]).sum(1) / (prior @ gold.sum(1)))
