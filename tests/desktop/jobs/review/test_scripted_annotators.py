"""Three annotators with known confusion matrices over human-labelled pairs: sent, answered, merged in every order.

The true label of a pair is SciNLI's. What the answers are to come to follows from the matrices: the expected number of
pairs of each class whose majority is each label, with its standard deviation.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations, product
from math import sqrt
from pathlib import Path

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.review import answers
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation.annotation_rounds import RoundPair, RoundPlan
from storage.annotation.answers import gold_label
from storage.connections import copy_database
from storage.dataset.gold_rule import GoldRules
from storage.project import Project
from storage.settings import ASSIGNMENT, GOLD
from tests.answer_file_factory import START, merge, send

SCINLI = Path(__file__).resolve().parents[5] / "shared" / "data" / "scinli" / "dev.csv"
ANNOTATORS = ("Ada", "Ben", "Cy")
CHOICES = list(Answer)
Matrix = dict[Label, list[float]]  # the probability of each answer, by the true label


def matrix(right: float, unclear: float, *, confused: Label) -> Matrix:
    """An annotator who is right that often, else unclear, takes the label for `confused`, or for another one."""
    rows = {}
    for true in Label:
        rest = [one for one in Label if one is not true]
        wrong = 1 - right - unclear
        liked = confused if confused is not true else rest[0]
        shares = dict.fromkeys(rest, wrong / 6)
        shares[liked] = wrong - wrong / 6 * (len(rest) - 1)
        shares[true] = right
        rows[true] = [shares[Label(one.value)] if one is not Answer.UNCLEAR else unclear for one in CHOICES]
    return rows


MATRICES = {
    "Ada": matrix(0.85, 0.03, confused=Label.NEUTRAL),
    "Ben": matrix(0.75, 0.10, confused=Label.REASONING),
    "Cy": matrix(0.60, 0.05, confused=Label.ENTAILMENT),
}


@pytest.fixture
def project_path(tmp_path: Path) -> Path:
    """The labelled pairs in one round for three annotators, whose majority makes gold."""
    if not SCINLI.exists():
        pytest.skip("the shared data set is not here: ../shared/data/scinli")
    path = tmp_path / "scinli.pairwright"
    with Project.create(path) as project:
        import_data_sets(project, [SCINLI], "nlp").work(Progress())
        with project.transaction() as stores:
            rows = stores._connection.exec_driver_sql("SELECT key, distant_label FROM pairs ORDER BY key").all()
            pairs = [RoundPair(key, "nlp", label) for key, label in rows]
            keys = [stores.annotators.ensure(name).key for name in ANNOTATORS]
            stores.annotation_rounds.add(RoundPlan(), pairs, keys, START)
            stores.settings.put(GOLD, GoldRules(votes=3))
    return path


def annotate(path: Path, truth: dict[str, Label]) -> dict[str, Answer]:
    """Answer all pairs of an answer file by its annotator's matrix; what was answered."""
    with Project.open(path) as file:
        with file.read_transaction() as stores:
            sent = stores.settings.get(ASSIGNMENT)
            assert sent is not None
            round = stores.queues.current(sent.annotator)
            assert round is not None
        draw = random.Random(f"answers of {sent.name}")
        given = {key: draw.choices(CHOICES, MATRICES[sent.name][truth[key]])[0] for key in round.keys}
        for choice in CHOICES:
            keys = [key for key, one in given.items() if one is choice]
            answers.answer(file, keys, sent.annotator, choice).work(Progress())
    return given


def expected_shares(true: Label) -> dict[Label | None, float]:
    """The probability of each gold label, None for none, of a pair with this true label."""
    shares: dict[Label | None, float] = Counter()  # type: ignore[assignment]
    for votes in product(range(len(CHOICES)), repeat=len(ANNOTATORS)):
        probability = 1.0
        for name, vote in zip(ANNOTATORS, votes, strict=True):
            probability *= MATRICES[name][true][vote]
        gold = gold_label([CHOICES[vote] for vote in votes])
        shares[gold] = shares.get(gold, 0.0) + probability
    return shares


def gold_of(path: Path) -> dict[str, tuple[str, str | None, int]]:
    with Project.open(path) as project, project.read_transaction() as stores:
        rows = stores._connection.exec_driver_sql("SELECT key, status, gold, votes FROM pairs")
        return {key: (status, gold, votes) for key, status, gold, votes in rows}


@pytest.mark.slow  # 2,000 pairs in six orders; tests/storage/annotation/test_merging.py has any order of a few
def test_gold_is_what_the_confusion_matrices_predict_in_every_order(project_path: Path, tmp_path: Path) -> None:
    with Project.open(project_path) as project:
        files = send(project, tmp_path / "sent")
        with project.read_transaction() as stores:
            truth = {pair.key: Label(pair.label) for pair in stores.annotation_rounds.pairs(1) if pair.label}
    assert len(truth) == 2000
    assert all(file.stat().st_size < 2_500_000 for file in files)
    given = [annotate(file, truth) for file in files]

    results = []
    for number, order in enumerate(permutations(files)):
        copy = tmp_path / f"copy {number}.pairwright"
        copy_database(project_path, copy)
        with Project.open(copy) as project:
            merged = [merge(project, file).merged[0] for file in order]
            assert all((file.new, file.unanswered, file.conflicts) == (2000, 0, ()) for file in merged)
        results.append(gold_of(copy))
    assert all(result == results[0] for result in results)

    gold = {key: gold_label([one[key] for one in given]) for key in truth}
    assert {key: (status, label) for key, (status, label, _) in results[0].items()} == {
        key: ("unsettled" if label is None else "settled", label and label.value) for key, label in gold.items()
    }
    assert {votes for _, _, votes in results[0].values()} == {3}
    for true in Label:
        of_class = [gold[key] for key, label in truth.items() if label is true]
        counts = Counter(of_class)
        for label, share in expected_shares(true).items():
            expected, deviation = len(of_class) * share, sqrt(len(of_class) * share * (1 - share))
            assert abs(counts[label] - expected) <= 4 * deviation + 1, (true, label)
