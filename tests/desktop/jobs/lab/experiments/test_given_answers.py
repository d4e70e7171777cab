"""Systems that need no computation: people of a role, and somebody's predictions from a file or a column."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.run import ExperimentResult, run_experiment
from desktop.jobs.models.evaluation import evaluate
from desktop.jobs.models.evaluation_data import EvaluateOptions
from miner.errors import UserError
from miner.lab.experiments.experiment_file import parse_experiment, ready_text
from miner.lab.experiments.table_values import TableValue, TableView
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation.annotators import Role
from storage.annotation.answers import NewAnswer
from storage.project import Project

PER_CLASS = 20
CLASSES = list(Label)
HUMAN = ready_text("human").replace(
    '[[system]]\nkind = "model"\nname = "Starter as it is"\nmodel = "starter"\n',
    '[[system]]\nkind = "predictions"\nname = "Always"\nfile = "always.csv"\n',
)


def sentences(label: Label, number: int) -> tuple[str, str]:
    return f"The {label} kelp number {number} grew.", f"It was {label} to the reef {number}."


def write(path: Path, header: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """A project with gold labels of a file, and a file of predictions that are always `neutral`."""
    pairs = [(label, *sentences(label, number)) for label in CLASSES for number in range(PER_CLASS)]
    rows: list[tuple[object, ...]] = [
        (one, two, label, "entails" if n % 2 else "-") for n, (label, one, two) in enumerate(pairs)
    ]
    write(tmp_path / "test.csv", ("sentence1", "sentence2", "gold_label", "somebody"), rows)
    write(tmp_path / "always.csv", ("premise", "hypothesis", "prediction"), [(*row[:2], "neutral") for row in rows])
    with Project.create(tmp_path / "demo.pairwright") as project:
        import_data_sets(project, [tmp_path / "test.csv"], "").work(Progress())
        yield project


def keys(project: Project) -> dict[tuple[str, str], str]:
    with project.read_transaction() as stores:
        return {(one.premise, one.hypothesis): one.key for one in stores.labelled_pairs.answered()}


def answer(project: Project, name: str, role: Role, right: int, of: int) -> None:
    """Somebody who answers `of` pairs of each class: `right` of them rightly, the others with the next class."""
    known = keys(project)
    with project.transaction() as stores:
        person = stores.annotators.ensure(name, role)
        given = []
        for place, label in enumerate(CLASSES):
            for number in range(of):
                said = label if number < right else CLASSES[(place + 1) % 4]
                given.append(
                    NewAnswer(known[sentences(label, number)], person.key, datetime.now(UTC), Answer(said.value))
                )
        stores.answers.append(given)


def run(project: Project, text: str) -> ExperimentResult:
    return run_experiment(project, parse_experiment(text), project.path.parent, "cpu").work(Progress())


def value(view: TableView, row: str, column: str) -> TableValue:
    found = view.values[view.rows.index(row)][view.columns.index(column)]
    assert found is not None
    return found


def test_human_performance_is_the_mean_and_deviation_over_people_on_what_each_answered(project: Project) -> None:
    for name, right in (("Ada", 18), ("Ben", 16), ("Cy", 14)):
        answer(project, name, Role.EXPERT, right, 20)
    answer(project, "Dee", Role.LAYPERSON, 6, 10)
    answer(project, "Eve", Role.LAYPERSON, 4, 5)
    done = run(project, HUMAN)
    everything, same = done.tables.tables
    assert everything.rows == ("Experts", "Laypeople", "Always")
    for column in ("macro F1", "accuracy", "reasoning"):
        experts, laypeople = value(everything, "Experts", column), value(everything, "Laypeople", column)
        assert (experts.mean, experts.sd, experts.runs) == pytest.approx((80, 10, 3))
        assert (laypeople.mean, laypeople.sd) == pytest.approx((70, statistics.stdev((60, 80))))
        assert (experts.pairs, laypeople.pairs, laypeople.runs) == (80, 20, 2)
    assert (done.computed, done.problems, done.notes) == (6, (), ())
    always = value(everything, "Always", "accuracy")
    assert (always.mean, always.pairs) == (pytest.approx(25), 80)
    assert value(same, "Always", "accuracy").pairs == 80
    assert "A person is a run, on the 20-80 pairs that they answered" in everything.caption


def test_on_the_same_pairs_other_systems_are_scored_where_people_answered(project: Project) -> None:
    answer(project, "Ada", Role.EXPERT, 4, 5)
    only = HUMAN.replace('[[system]]\nkind = "people"\nrole = "layperson"\n', "")
    everything, same = run(project, only).tables.tables
    assert (value(everything, "Always", "accuracy").pairs, value(same, "Always", "accuracy").pairs) == (80, 20)
    assert "scored on the pairs that some of them answered" in same.caption
    assert "scored on all pairs" in everything.caption


def test_one_changed_answer_computes_that_person_alone_anew(project: Project) -> None:
    answer(project, "Ada", Role.EXPERT, 18, 20)
    answer(project, "Ben", Role.EXPERT, 16, 20)
    only = HUMAN.replace('[[system]]\nkind = "people"\nrole = "layperson"\n', "")
    assert run(project, only).computed == 3
    assert run(project, only).computed == 0
    key = keys(project)[sentences(Label.NEUTRAL, 0)]
    with project.transaction() as stores:
        stores.answers.append([NewAnswer(key, "Ben", datetime.now(UTC), Answer.UNCLEAR)])
    done = run(project, only)
    assert done.computed == 1
    assert value(done.tables.tables[0], "Experts", "accuracy").mean == pytest.approx((90 + 78.75) / 2)
    answer(project, "Abe", Role.EXPERT, 20, 20)  # first by name
    assert run(project, only).computed == 1


def test_a_role_that_nobody_has_or_has_answered_with_is_a_problem_of_its_system(project: Project) -> None:
    with project.transaction() as stores:
        stores.annotators.ensure("Dee", Role.LAYPERSON)
    done = run(project, HUMAN)
    assert [problem.split(":")[0] for problem in done.problems] == ["Experts", "Laypeople"]
    assert "Nobody in this project is an expert" in done.problems[0]
    assert "pairwright people role NAME expert" in done.problems[0]
    assert "No test pair has been answered by a layperson" in done.problems[1]
    view = done.tables.tables[0]
    assert [row for row, values in zip(view.rows, view.values, strict=True) if any(values)] == ["Always"]
    assert len(done.problems) == 2


PREDICTIONS = """
name = "predictions"
[data.all]
labels = "gold"
test = {}
[[system]]
kind = "predictions"
"""


def test_predictions_of_a_file_count_by_sentences_or_key_and_a_missing_one_is_wrong(project: Project) -> None:
    folder = project.path.parent
    by_text = list(keys(project).items())
    probabilities = ("p_contrasting", "p_reasoning", "p_entailment", "p_neutral")
    rows: list[tuple[object, ...]] = [(*texts, "", "entailing", 0.1, 0.2, 0.6, 0.1) for texts, _ in by_text[:30]]
    rows += [("", "", key, "entailment", 1, 0, 0, 0) for _, key in by_text[30:60]]
    rows += [(*by_text[0][0], "", "neutral", "", "", "", ""), ("", "", "", "neutral", "", "", "", "")]
    write(folder / "said.csv", ("sentence1", "sentence2", "id", "said", *probabilities), rows)
    done = run(project, PREDICTIONS + 'file = "said.csv"\ncolumn = "said"')
    right = sum(texts in [sentences(Label.ENTAILMENT, n) for n in range(PER_CLASS)] for texts, _ in by_text[:60])
    [view] = done.tables.tables
    assert value(view, "said", "accuracy").mean == pytest.approx(100 * right / 80)
    assert value(view, "said", "accuracy").pairs == 80
    assert done.notes == (
        "1 pair has two different predictions in said.csv: the first one counts.",
        "1 row of said.csv could not be used (line 63: it names no pair).",
        "said.csv has no prediction for 20 test pairs of 80: no answer.",
    )
    with project.read_transaction() as stores:
        [(_, packed)] = stores.cell_predictions.packed(stores.experiments.cells(done.id))
    assert sum(row == bytes(16) for row in packed) == 20
    assert None not in packed


def test_a_column_of_imported_pairs_is_a_system_and_what_says_nothing_is_no_answer(project: Project) -> None:
    done = run(project, PREDICTIONS + 'column = "Somebody"')
    accuracy = value(done.tables.tables[0], "Somebody", "accuracy")
    assert (accuracy.mean, accuracy.pairs) == (pytest.approx(100 * 10 / 80), 80)
    assert run(project, PREDICTIONS + 'column = "somebody"').computed == 1


@pytest.mark.parametrize(
    ("content", "system", "message"),
    [
        ("sentence1,sentence2,label\na,b,neutral\n", 'file = "x.csv"', "x.csv has no column prediction"),
        ("sentence1,prediction\na,neutral\n", 'file = "x.csv"', "x.csv has no column sentence2"),
        ("sentence2,prediction\nb,neutral\n", 'file = "x.csv"', "No test pair has a prediction in x.csv"),
        ("sentence2,prediction\nb,maybe\n", 'file = "x.csv"', "'maybe' is none of the classes"),
        ("", 'file = "gone.csv"', "gone.csv"),
        ("", 'column = "bert"', "No imported pair has a column bert. There are somebody"),
    ],
)
def test_predictions_that_cannot_be_used_are_refused_in_words(
    project: Project, content: str, system: str, message: str
) -> None:
    (project.path.parent / "x.csv").write_text(content, encoding="utf-8")
    with pytest.raises(UserError) as refused:
        run(project, PREDICTIONS + system)
    assert message in f"{refused.value} {refused.value.hint}"


def test_a_column_is_evaluated_beside_models_on_the_pairs_that_have_a_prediction(project: Project) -> None:
    options = EvaluateOptions(models=("column:somebody",))
    [row] = evaluate(project, options).work(Progress()).rows
    [result] = row.results
    assert (result.scores.n, result.scores.accuracy, result.scores.ece) == (40, 0.25, None)
    assert (result.left_out, result.reused) == (0, 0)
    assert result.notes == ("40 of these pairs have no prediction in the column somebody: left out of its scores.",)
    with pytest.raises(UserError, match="No column bert has a prediction"):
        evaluate(project, EvaluateOptions(models=("column:bert",))).work(Progress())
    alone = EvaluateOptions(models=("column:somebody",), files=(project.path.parent / "test.csv",))
    with pytest.raises(UserError, match="a column of a project"):
        evaluate(None, alone).work(Progress())
