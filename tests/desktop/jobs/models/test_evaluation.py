"""Measuring models: on files, answers and distant labels, without what they have learned."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.cli.evaluation import markdown, notes
from desktop.cli.main import main
from desktop.jobs.models.evaluation import Evaluation, evaluate
from desktop.jobs.models.evaluation_data import EvaluateOptions, LearnedPairs, read_evaluation_data
from desktop.jobs.models.registry import models_folder
from desktop.jobs.review import answers
from miner.classifier.examples import LABELS, TrainingExample, write_examples
from miner.errors import UserError
from miner.progress import Cancelled, Progress, Tick
from miner.records import Answer, Label
from storage.project import Project
from tests.desktop.model_factory import make_model
from tests.storage.factories import add, mine

SENTENCES = ("cells grow.", "they die.", "mice run fast.", "we thus stop.", "a b c", "it is so.")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright", busy_timeout_s=0.2) as project:
        add(project, "abc")
        mine(project)
        yield project


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Forty labelled pairs of two domains, and a row that is none."""
    path = tmp_path / "dev.csv"
    rows = [
        f"{SENTENCES[n % 6]} {n},{SENTENCES[n % 5]},{LABELS[n % 4]},{('law', 'nlp')[n // 4 % 2]}" for n in range(40)
    ]
    path.write_text("\n".join(["sentence1,sentence2,label,domain", *rows, "a,b,maybe,law"]), encoding="utf-8")
    return path


def trained(folder: Path, learned: list[TrainingExample], **card: object) -> Path:
    """A model as a training run leaves it: the checkpoint, and what it learned from."""
    from miner.classifier.saving import update_card

    make_model(folder / "checkpoint", seed=len(learned), name=folder.name)
    if card:
        update_card(folder / "checkpoint", **card)
    write_examples(folder / "examples.jsonl", learned)
    return folder


def examples(project: Project) -> list[TrainingExample]:
    """The project's pairs with a distant label."""
    with project.read_transaction() as stores:
        return [
            TrainingExample(one.key, one.paper, one.premise, one.hypothesis, LABELS.index(one.label))
            for one in stores.labelled_pairs.distant()
        ]


def run(project: Project | None, **options: object) -> Evaluation:
    return evaluate(project, EvaluateOptions(**options)).work(Progress())  # type: ignore[arg-type]


def test_runs_of_one_training_are_a_row_and_the_tables_tell_what_was_measured(tmp_path: Path, data: Path) -> None:
    recipe = {"epochs": 1, "name": "blind"}
    folders = [
        trained(tmp_path / f"blind-{seed}", [], recipe={**recipe, "seed": seed}, hypothesis_only=True)
        for seed in (1, 2)
    ]
    models = tuple(str(folder / "checkpoint") for folder in folders)
    ticks: list[Tick] = []
    found = evaluate(None, EvaluateOptions(models, (data,))).work(Progress(ticks.append))
    assert (ticks[-1].done, ticks[-1].total) == (80, 80)
    [row] = found.rows
    assert (row.name, len(row.results), row.summary.macro_f1.n) == ("blind", 2, 2)
    assert {name: n for name, (n, _) in row.by_domain().items()} == {"law": 20, "nlp": 20}
    text = markdown(found)
    assert text.startswith("On dev.csv: 40 pairs (contrasting 10, reasoning 10, entailment 10, neutral 10).")
    assert "blind (hypothesis only)" in text
    assert "## By domain" in text
    assert "Neutral pairs" not in text  # the file does not say how they were drawn
    assert f"{data}, line 42: unknown label 'maybe'" in notes(found)
    told = json.loads(json.dumps(found.to_data()))
    assert told["rows"][0]["seeds"] == [1, 2]
    assert told["data"]["bad_rows"] == 1
    assert told["rows"][0]["models"][0]["hypothesis_only"] is True


def test_pairs_a_model_has_learned_are_left_out_and_counted(project: Project) -> None:
    known = examples(project)
    learned = [replace(one, dev=number >= 5) for number, one in enumerate(known[:8])]
    folder = trained(models_folder(project) / "1-mine", learned)
    lines = [{"key": one.key, "fold": 0, "values": [0.0, 0.0, 0.0, 1.0]} for one in learned[:3]]
    (folder / "held_out.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    found = run(project, models=("1-mine",), distant=True)
    [result] = found.rows[0].results
    assert (result.left_out, result.out_of_fold, result.scores.n) == (5, 0, len(known) - 5)
    assert (result.subject.examples, result.chosen_by) == (5, 3)
    assert "- 1-mine has learned 5 of these pairs: 5 left out." in markdown(found)
    assert (
        "- 1-mine was chosen and calibrated on 3 of these pairs, which makes its scores a little too good."
        in markdown(found)
    )
    assert sum(part.n for part in result.by_strategy.values()) == sum(
        one.label == LABELS.index(Label.NEUTRAL) for place, one in enumerate(known) if place >= 5
    )

    found = run(project, models=("1-mine",), distant=True, learned_pairs=LearnedPairs.FOLDS)
    [result] = found.rows[0].results
    assert (result.left_out, result.out_of_fold, result.scores.n) == (2, 3, len(known) - 2)
    assert result.predicted[:3].tolist() == [3, 3, 3]
    assert "5 of these pairs: 2 left out, 3 judged by models of its folds." in markdown(found)


def test_a_file_is_not_measured_by_a_model_that_learned_its_sentences(tmp_path: Path, data: Path) -> None:
    learned = [TrainingExample(f"{n}", "", f"{SENTENCES[n % 6]} {n}", SENTENCES[n % 5], 0) for n in range(40)]
    folder = trained(tmp_path / "all-of-it", learned)
    with pytest.raises(UserError, match=r"The model all-of-it has learned all 40 pairs\."):
        run(None, models=(str(folder / "checkpoint"),), files=(data,))


def test_answers_of_people_are_what_a_model_is_held_to(project: Project) -> None:
    key = examples(project)[0].key
    answers.answer(project, [key], "anna", Answer.REASONING).work(Progress())
    found = read_evaluation_data(project, EvaluateOptions(), Progress())
    assert found.name == "people's answers"
    assert [(item.key, item.label) for item in found.items] == [(key, Label.REASONING)]


def test_what_cannot_be_measured_is_refused_in_words(project: Project, tmp_path: Path, data: Path) -> None:
    model = (str(make_model(tmp_path / "tiny")),)
    with pytest.raises(UserError, match="There are no answers of people"):
        run(project, models=model)
    with pytest.raises(UserError, match="There is no project to take labels from"):
        run(None, models=model)
    with pytest.raises(UserError, match="There is no model at nowhere"):
        run(project, models=("nowhere",), files=(data,))
    with pytest.raises(UserError, match=r"missing\.csv does not exist"):
        run(project, models=model, files=(tmp_path / "missing.csv",))
    empty = tmp_path / "empty.csv"
    empty.write_text("sentence1,sentence2,label\na,b,perhaps\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"There is no labelled pair in empty\.csv"):
        run(project, models=model, files=(empty,))


def test_accepted_suggestions_measure_nothing(project: Project) -> None:
    keys = [one.key for one in examples(project)[:2]]
    answers.answer(project, keys, "anna", Answer.NEUTRAL).work(Progress())
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE pairs SET accepted = 1 WHERE key = ?", (keys[0],))
    with project.read_transaction() as stores:
        assert [one.key for one in stores.labelled_pairs.answered()] == [keys[1]]


def test_a_draw_is_the_same_each_time_and_of_the_size_asked_for(project: Project, tmp_path: Path) -> None:
    options = EvaluateOptions(distant=True, max_pairs=5)
    drawn = [[item.key for item in read_evaluation_data(project, options, Progress()).items] for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 5


def test_it_can_be_cancelled(tmp_path: Path, data: Path) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        evaluate(None, EvaluateOptions((str(make_model(tmp_path / "tiny")),), (data,))).work(progress)


def test_the_command_prints_a_table_and_writes_files(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_model(tmp_path / "tiny")
    assert main(["evaluate", "--data", str(data), "--model", "tiny", "--out", "figures", "--device", "cpu"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("On dev.csv: 40 pairs")
    assert "Wrote evaluation.md and evaluation.json to figures." in printed.err
    assert (tmp_path / "figures" / "evaluation.md").read_text(encoding="utf-8") == printed.out
    assert json.loads((tmp_path / "figures" / "evaluation.json").read_bytes())["rows"][0]["name"] == "tiny"


def test_files_and_distant_labels_are_not_asked_for_together(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    assert main(["evaluate", "--data", str(data), "--distant"]) == 1
    assert "--distant is for the project's pairs, not for files." in capsys.readouterr().err
