"""What goes wrong with an experiment's files, models and sets is said in a sentence, and costs no result."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.results import load_experiments
from desktop.jobs.lab.experiments.run import ExperimentResult, run_experiment
from miner.errors import UserError
from miner.lab.experiments.experiment_file import parse_experiment
from miner.progress import Progress
from storage.project import Project
from tests.desktop.jobs.lab.experiments.test_run import write_rows
from tests.desktop.model_factory import make_model

HEAD = """
name = "faults"
seeds = [1]
[data.all]
files = { train = "train.csv", test = "test.csv" }
train = {}
test = {}
"""
WORDS = '[[system]]\nkind = "naive_bayes"\n'
VECTORS = '[[system]]\nkind = "cbow"\nvectors = "vectors.txt"\nepochs = 1\n'


@pytest.fixture
def project(tmp_path: Path) -> Any:
    for number, split in enumerate(("train", "test")):
        write_rows(tmp_path / f"{split}.csv", number, 12)
    with Project.create(tmp_path / "demo.pairwright") as project:
        yield project


def run(project: Project, text: str, device: str = "cpu") -> ExperimentResult:
    return run_experiment(project, parse_experiment(text), project.path.parent, device).work(Progress())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("but 0.1 0.2 0.3\nhence 0.1 0.2\n", "line 2, has 2 numbers, others 3"),
        (None, "There is no file of word vectors"),
    ],
)
def test_vectors_that_cannot_be_used_are_said(project: Project, content: str | None, message: str) -> None:
    if content is not None:
        (project.path.parent / "vectors.txt").write_text(content)
    with pytest.raises(UserError, match=message):
        run(project, HEAD + VECTORS)


def test_other_content_of_the_same_vectors_is_computed_anew(project: Project) -> None:
    path = project.path.parent / "vectors.txt"
    path.write_text("but 0.1 0.2 0.3\nhence 0.1 0.2 0.5\n")
    assert run(project, HEAD + VECTORS).computed == 1
    assert run(project, HEAD + VECTORS).computed == 0
    path.write_text("but 0.1 0.2 0.3\nhence 0.1 0.9 0.5\n")
    again = run(project, HEAD + VECTORS)
    assert (again.id, again.computed) == (1, 1)


def test_a_model_that_has_gone_leaves_what_it_had_predicted(project: Project, tmp_path: Path) -> None:
    tiny = make_model(tmp_path / "tiny")
    text = f'{HEAD}[[system]]\nkind = "model"\nmodel = "{tiny}"\n{WORDS}'
    before = run(project, text).tables.tables
    shutil.rmtree(tiny)
    gone = run(project, text)
    assert [problem for problem in gone.problems if "There is no model at" in problem]
    assert (gone.computed, gone.tables.tables) == (0, before)
    more = run(project, text.replace('"naive_bayes"', '"naive_bayes"\ninput = "hypothesis"'))
    assert (more.computed, more.tables.stored.finished) == (1, 1)  # an edited file is another experiment
    [table] = more.tables.tables
    assert table.reasons[0][0].startswith("Not computed: tiny: There is no model at")
    assert [stored.problem for stored in load_experiments(project).work(Progress())] == [more.tables.problems[0], ""]


def test_a_device_that_is_not_there_is_said_and_the_processor_used(project: Project, tmp_path: Path) -> None:
    import torch

    absent = "mps" if torch.cuda.is_available() else "cuda"
    text = f'{HEAD}[[system]]\nkind = "model"\nmodel = "{make_model(tmp_path / "tiny")}"\n'
    done = run(project, text, absent)
    assert done.computed == 1
    assert [note for note in done.notes if "the processor is used" in note]


def test_a_class_without_test_pairs_is_said_with_what_follows(project: Project) -> None:
    path = project.path.parent / "test.csv"
    path.write_text("".join(line for line in path.read_text().splitlines(True) if ",entailment," not in line))
    done = run(project, HEAD + WORDS)
    assert [note for note in done.notes if "has no entailment pairs: an F1 of 0" in note]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("test = {}\n", 'test = { split = "gone" }\n', "`split` must be one of train, dev, test"),
        ("train = {}\n", "", "nothing to learn from: no set has a train part"),
        ("test = {}\n", 'test = {}\n[data.other]\nfiles = { train = "test.csv" }\n', "needs the train part of the set"),
    ],
)
def test_a_set_that_lacks_a_part_is_refused_in_words(project: Project, old: str, new: str, message: str) -> None:
    text = HEAD.replace(old, new)
    if "[data.other]" in text:
        text += '[[system]]\nkind = "encoder"\nstart = "starter"\nintermediate = { data = "other" }\n'
    with pytest.raises(UserError, match=message):
        run(project, text + WORDS)
    assert load_experiments(project).work(Progress()) == []


def test_a_set_of_gold_labels_without_answers_says_so(project: Project) -> None:
    import_data_sets(project, [project.path.parent / "train.csv"], "").work(Progress())
    text = 'name = "gold"\n[data.all]\nlabels = "gold"\ntrain = {}\ntest = { split = "train" }\n' + WORDS
    with pytest.raises(UserError, match="No pair of the train part of the set all has a gold label"):
        run(project, text)
