"""Experiments with chat models: of a folder, and of a server that fails, is stopped and is asked again."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from desktop.jobs.lab.experiments.forgetting import delete_forgotten, forget_experiment
from desktop.jobs.lab.experiments.prompt_models import replies_path
from desktop.jobs.lab.experiments.report import save_report
from desktop.jobs.lab.experiments.run import ExperimentResult, run_experiment
from miner.errors import UserError
from miner.lab.experiments.experiment_file import parse_experiment
from miner.lab.experiments.prompting.kept_replies import read_replies
from miner.lab.experiments.table_text import format_view
from miner.progress import Cancelled, Progress
from miner.records import Label
from miner.text_tables import TableFormat
from storage.project import Project
from tests.chat_model_factory import make_chat_model
from tests.chat_server import FakeChatServer, chat_server, status

SIGNS = dict(zip(Label, ("but", "hence", "namely", "apart"), strict=True))
NUMBERS = {Label.ENTAILMENT: 1, Label.REASONING: 2, Label.CONTRASTING: 3, Label.NEUTRAL: 4}
FILE = """
name = "prompts"
seeds = [1, 2]
[data.pairs]
files = {{ train = "train.csv", test = "test.csv" }}
train = {{}}
test = {{}}
[[system]]
kind = "prompt"
{}
[[table]]
columns = "score"
"""


@pytest.fixture
def project(tmp_path: Path) -> Any:
    for part, each in (("train", 3), ("test", 5)):
        with (tmp_path / f"{part}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("sentence1", "sentence2", "label"))
            for number in range(each):
                for label, sign in SIGNS.items():
                    writer.writerow((f"The {part} no. {number}.", f"It is {sign} no. {number}.", label))
    with Project.create(tmp_path / "demo.pairwright") as project:
        yield project


def run(project: Project, lines: str, progress: Progress | None = None) -> ExperimentResult:
    asked = parse_experiment(FILE.format(lines))
    return run_experiment(project, asked, project.path.parent, "cpu").work(progress or Progress())


def score(result: ExperimentResult) -> float:
    value = result.tables.tables[0].values[0][-2]  # macro F1
    assert value is not None
    return value.mean


def know_all(question: str) -> str:
    """What a model says that reads the signs of `SIGNS`."""
    label = next(label for label, sign in SIGNS.items() if f"It is {sign}" in question.rpartition("Sentence2:")[2])
    return f"The answer is {NUMBERS[label]}."


def notes(project: Project, id: int) -> str:
    with project.read_transaction() as stores:
        infos = [stores.cell_predictions.predictor(cell.run) for cell in stores.experiments.cells(id)]
    return " ".join(note for info in infos if info is not None for note in info.notes)


def lines(server: FakeChatServer, more: str = "template = 1") -> str:
    return f'model = "llama"\nendpoint = "{server.address}"\n{more}'


def test_a_server_is_asked_about_each_pair_once(project: Project) -> None:
    with chat_server(know_all) as server:
        done = run(project, lines(server))
        assert (score(done), done.computed, len(server.asked)) == (100.0, 1, 20)
        assert run(project, lines(server)).computed == 0
        assert len(server.asked) == 20
    assert "0 of 20 answers unreadable (0.0 %)" in notes(project, done.id)


def test_exemplars_of_each_class_come_before_and_each_seed_has_others(project: Project) -> None:
    with chat_server(know_all) as server:
        done = run(project, lines(server, 'template = 1\nshots = 1\nexemplars = "pairs"'))
        assert (score(done), done.computed, len(server.asked)) == (100.0, 2, 40)
        turns = [body["messages"] for _, _, body in server.asked]
    for conversation in turns:
        assert len(conversation) == 9
        said = [turn["content"] for turn in conversation if turn["role"] == "assistant"]
        assert [know_all(turn["content"])[-2] for turn in conversation[:8:2]] == [answer[23] for answer in said]
        assert all("The train no." in turn["content"] for turn in conversation[:8:2])
    assert turns[0][:8] == turns[19][:8]
    assert turns[0][:8] != turns[20][:8]


def test_a_server_that_fails_is_asked_the_rest_later(project: Project, tmp_path: Path) -> None:
    with chat_server(know_all) as server:
        server.faults = [*[None] * 7, status(401, "expired")]
        with pytest.raises(UserError, match="wants a key"):
            run(project, lines(server))
        assert len(server.asked) == 8
        done = run(project, lines(server))
        assert (score(done), len(server.asked)) == (100.0, 8 + 13)
    with Project.create(tmp_path / "other.pairwright") as other:
        with chat_server(know_all) as server:
            whole = run(other, lines(server))
        whole_texts, texts = (
            [format_view(view, TableFormat.MARKDOWN) for view in one.tables.tables] for one in (whole, done)
        )
        assert whole_texts == texts


def test_a_stopped_run_has_kept_what_was_said(project: Project) -> None:
    progress = Progress()

    def stop_at_ten(question: str) -> str:
        if len(server.asked) == 10:
            progress.cancel()
        return know_all(question)

    with chat_server(stop_at_ten) as server:
        with pytest.raises(Cancelled):
            run(project, lines(server), progress)
        asked = len(server.asked)
        assert asked < 20
        assert score(run(project, lines(server))) == 100.0
        assert len(server.asked) <= 21  # one answer may have been lost on its way


def test_unreadable_answers_count_as_wrong_and_are_kept(project: Project, tmp_path: Path) -> None:
    with chat_server(lambda question: "I cannot say." if "but no" in question else know_all(question)) as server:
        done = run(project, lines(server))
    assert score(done) == 75.0
    assert "5 of 20 answers unreadable (25.0 %)" in notes(project, done.id)
    assert "5 of 20 answers unreadable (25.0 %)" in done.notes[0]
    with project.read_transaction() as stores:
        [cell] = stores.experiments.cells(done.id)
    replies = read_replies(replies_path(project, cell.run))
    assert sorted({(reply.answer, reply.label, reply.how) for reply in replies}) == [
        ("I cannot say.", "", "unreadable"),
        ("The answer is 1.", "entailment", "rule"),
        ("The answer is 2.", "reasoning", "rule"),
        ("The answer is 4.", "neutral", "rule"),
    ]
    save_report(project, done.id, tmp_path / "report").work(Progress())
    reported = [json.loads(line) for line in (tmp_path / "report" / "replies.jsonl").read_text("utf-8").splitlines()]
    assert len(reported) == 20
    assert {one["answer"] for one in reported if one["label"] == "contrasting"} == {"I cannot say."}


def test_replies_of_a_deleted_experiment_are_asked_for_anew(project: Project) -> None:
    with chat_server(know_all) as server:
        done = run(project, lines(server))
        forget_experiment(project, done.id).work(Progress())
        deleted = delete_forgotten(project).work(Progress())
        assert deleted.files == 1
        run(project, lines(server))
        assert len(server.asked) == 40


def test_a_model_of_a_folder_that_always_says_the_same(project: Project, tmp_path: Path) -> None:
    model = make_chat_model(tmp_path / "tiny", always="c")
    done = run(project, f'model = "{model}"\nmax_new_tokens = 1')
    assert score(done) == 10.0
    assert done.tables.tables[0].rows == ("tiny, P3 zero-shot",)
    assert "Read by rule: 20" in notes(project, done.id)
    options = run(project, f'model = "{model}"\nanswer = "options"')
    assert "Options by their likelihood" in notes(project, options.id)
    again = make_chat_model(model, always="d")
    assert run(project, f'model = "{again}"\nmax_new_tokens = 1').computed == 1  # its files have changed


def test_exemplars_that_are_tested_too_are_refused(project: Project) -> None:
    (project.path.parent / "train.csv").write_bytes((project.path.parent / "test.csv").read_bytes())
    with chat_server(know_all) as server:
        done = run(project, lines(server, 'shots = 1\nexemplars = "pairs"'))
        assert server.asked == []
    assert "20 of pairs's test pairs are in the train part of pairs" in done.problems[0]


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ('model = "{}/nowhere"', "There is no model at"),
        ('model = "{}"', "There are no weights"),
        ('model = "starter"', "no chat model"),
    ],
)
def test_a_model_that_is_not_there_is_said(project: Project, tmp_path: Path, made: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        run(project, made.format(tmp_path))
