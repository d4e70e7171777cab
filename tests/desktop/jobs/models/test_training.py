"""Training runs: what is learned from, what is kept, and how an interrupted one goes on."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from desktop.jobs.exchange.export import export
from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.check import find_gaps
from desktop.jobs.models import suggest_state, suggestions, training, training_exposure
from desktop.jobs.models.model_options import SuggestOptions, TrainOptions
from desktop.jobs.models.registry import models_folder
from desktop.jobs.models.suggestions import suggest
from desktop.jobs.models.training import TrainedModel, resume, train
from desktop.jobs.models.training_data import ReservedPairs, count_training_data, read_training_data
from desktop.jobs.models.training_runs import delete_run, load_runs, training_lock
from desktop.jobs.review import answers, disagreements
from miner.classifier.events import DevScores, TrainEvent, TrainStep
from miner.classifier.examples import LABELS, read_examples
from miner.classifier.recipe import Recipe
from miner.classifier.training import EXAMPLES, HELD_OUT
from miner.errors import UserError
from miner.lab.experiments.experiment_file import parse_experiment, ready_text
from miner.progress import Progress
from miner.records import Answer, Label
from storage.dataset.export_options import ExportOptions
from storage.models.training_runs import TrainingRun, TrainingRunState
from storage.pairs.filters import PairFilter, PairStatus
from storage.project import Project
from tests.desktop.model_factory import make_encoder, make_model
from tests.storage.factories import add, mine

ROOT = Path(__file__).parents[4]
NAMES = [f"paper {number}" for number in range(24)]
SHORT = Recipe("short", epochs=2, batch_pairs=16, learning_rate=1e-3, max_tokens=48)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(autouse=True)
def _no_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    """To load the starter takes as long as all else does."""
    monkeypatch.setattr(training, "_BASELINE", None)


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with Project.create(tmp_path_factory.mktemp("mined") / "test.pairwright") as project:
        add(project, NAMES)
        mine(project)
    return project.path


@pytest.fixture
def project(mined: Path, tmp_path: Path) -> Iterator[Project]:
    with Project.open(Path(shutil.copy(mined, tmp_path)), busy_timeout_s=0.2) as project:
        yield project


def run(project: Project, tiny: Path, recipe: Recipe = SHORT) -> TrainedModel:
    return train(project, TrainOptions(str(tiny), recipe)).work(Progress())


def known(project: Project) -> list[TrainingRun]:
    return load_runs(project).work(Progress())


def answer(project: Project, label: Label, given: Answer) -> None:
    filter = PairFilter(distant=frozenset({label.value}))
    answers.answer_all(project, filter, "anna", given).work(Progress())


def test_a_run_is_kept_with_all_that_made_it_and_its_model_suggests(project: Project, tmp_path: Path) -> None:
    heard: list[TrainEvent] = []
    encoder = make_encoder(tmp_path / "encoder")
    recipe = replace(SHORT, folds=2, layers=1)
    options = TrainOptions(str(encoder), recipe, name="First of all")
    done = train(project, options, heard.append).work(Progress())
    [kept] = known(project)
    assert (kept.id, kept.name, kept.state, kept.folder) == (
        done.run,
        "First of all",
        TrainingRunState.DONE,
        "1-first-of-all",
    )
    assert (done.gone, done.changed, done.stopped) == (0, 0, False)
    assert kept.data["pairs"] == {"distant": {label.value: 24 for label in LABELS} | {"contrasting": 25}}
    dev = kept.metrics["dev"]["n"]
    assert (kept.learned, done.examples, kept.data["learned"]) == (97 - dev, 97 - dev, {"distant": 97 - dev})
    assert kept.settings["recipe"]["folds"] == 2
    assert set(kept.versions) >= {"pairwright", "torch", "transformers"}
    assert set(kept.metrics) >= {"dev", "held_out", "temperature"}
    assert any(isinstance(event, TrainStep) for event in heard)
    assert any(isinstance(event, DevScores) for event in heard)
    assert kept.history["loss"]
    suggested = suggest(project, SuggestOptions(done.model)).work(Progress())
    suggestions.release_model()
    assert suggested.model == "First of all"
    state = suggest_state.load_suggest_state(project).work(Progress())
    assert state.choices[1].reference == done.model
    assert not state.choices[1].problem
    found = disagreements.load_queue(project, PairFilter(), "anna", 500).work(Progress())
    assert len(found) == suggested.pairs  # every label is judged by a model that did not learn it
    delete_run(project, done.run).work(Progress())
    assert known(project) == []
    assert not (models_folder(project) / done.model).exists()
    assert suggest_state.load_suggest_state(project).work(Progress()).shown is not None


def test_what_a_model_learned_its_successor_does_not_judge(project: Project, tiny: Path) -> None:
    first = run(project, tiny, replace(SHORT, epochs=1, dev_share=0.5))
    second = train(project, TrainOptions(first.model, replace(SHORT, epochs=1))).work(Progress())
    folder = models_folder(project)
    learned_first = training_exposure.read_exposure(folder / first.model).learned
    assert learned_first
    chosen = [one for one in read_examples(folder / second.model / EXAMPLES) if one.dev]
    assert chosen
    assert not learned_first & {one.key for one in chosen}
    delete_run(project, first.run).work(Progress())
    assert learned_first <= training_exposure.read_exposure(folder / second.model).learned


def test_cancelled_it_keeps_the_best_so_far(project: Project, tiny: Path) -> None:
    progress = Progress()
    recipe = replace(SHORT, epochs=500, patience=0)
    done = train(project, TrainOptions(str(tiny), recipe), lambda event: progress.cancel()).work(progress)
    assert done.stopped
    [kept] = known(project)
    assert (kept.state, kept.model_id is not None) == (TrainingRunState.CANCELLED, True)


def test_a_run_whose_settings_cannot_be_read_says_so(project: Project) -> None:
    with project.transaction() as stores:
        id = stores.training_runs.start(
            "mine", settings={}, fingerprint="", data={}, versions={}, folder="1-mine", at=datetime.now(UTC)
        )
    (models_folder(project) / "1-mine").mkdir(parents=True)
    (models_folder(project) / "1-mine" / EXAMPLES).touch()
    for settings in ("{}", '{"start": 1, "recipe": []}', "[]"):
        with project.transaction() as stores:
            stores._connection.exec_driver_sql("UPDATE training_runs SET settings = ?", (settings,))
        with pytest.raises(UserError):
            resume(project, id).work(Progress())


@pytest.mark.posix
@pytest.mark.slow
def test_killed_it_can_be_gone_on_with(project: Project, tiny: Path) -> None:
    """Both processes of the training end: its own notices that the program is gone."""
    words = [sys.executable, "-m", "desktop", "--project", str(project.path), "train", "--start", str(tiny)]
    words += ["--recipe", "quick", "--epochs", "400", "--batch", "16", "--folds", "2", "--quiet"]
    process = subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    while not (there := known(project)) or not there[0].history.get("dev"):
        assert process.poll() is None, process.stderr and process.stderr.read()
        time.sleep(0.1)
    assert there[0].state is TrainingRunState.RUNNING
    with pytest.raises(UserError, match="being trained for this project already"):
        run(project, tiny)
    with pytest.raises(UserError, match="is training"):
        delete_run(project, there[0].id).work(Progress())
    children = psutil.Process(process.pid).children()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    [kept] = known(project)
    assert kept.state is TrainingRunState.PAUSED
    assert project.check() == []
    _, alive = psutil.wait_procs(children, timeout=30)
    assert not alive
    with project.transaction() as stores:  # fewer rounds, so that the test ends
        settings = {**kept.settings, "recipe": {**kept.settings["recipe"], "epochs": 1}}
        query = "UPDATE training_runs SET settings = ? WHERE id = ?"
        stores._connection.exec_driver_sql(query, (json.dumps(settings), kept.id))
    done = resume(project, kept.id).work(Progress())
    [kept] = known(project)
    assert (kept.id, kept.state) == (done.run, TrainingRunState.DONE)
    with pytest.raises(UserError, match="is finished"):
        resume(project, kept.id).work(Progress())


def test_what_changed_meanwhile_is_counted(project: Project, tiny: Path) -> None:
    changed: list[bool] = []

    def meanwhile(event: TrainEvent) -> None:
        if not changed:
            changed.append(True)
            answer(project, Label.ENTAILMENT, Answer.NEUTRAL)
            with project.transaction() as stores:
                stores._connection.exec_driver_sql("DELETE FROM pairs WHERE distant_label = 'reasoning'")

    done = train(project, TrainOptions(str(tiny), SHORT), meanwhile).work(Progress())
    assert (done.gone, done.changed) == (24, 24)
    assert known(project)[0].state is TrainingRunState.DONE


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "only 0 labels"),
        ({Label.ENTAILMENT: Answer.ENTAILMENT, Label.NEUTRAL: Answer.NEUTRAL}, "contrasting, reasoning"),
        (dict.fromkeys(LABELS, Answer.UNCLEAR), "only 0 labels"),
    ],
)
def test_too_little_to_learn_from_is_told(
    project: Project, tiny: Path, given: dict[Label, Answer], message: str
) -> None:
    for label, said in given.items():
        answer(project, label, said)
    options = TrainOptions(str(tiny), SHORT, distant=False)
    assert message in count_training_data(project, options).work(Progress()).problem
    with pytest.raises(UserError, match=message) as refused:
        train(project, options).work(Progress())
    assert refused.value.hint
    assert known(project) == []
    assert not models_folder(project).exists()


def test_what_there_is_to_learn_from_is_counted(project: Project) -> None:
    answer(project, Label.NEUTRAL, Answer.CONTRASTING)
    found = count_training_data(project, TrainOptions()).work(Progress())
    assert found.sources == {"distant": 73, "answer": 24}
    assert found.classes == {"contrasting": 49, "reasoning": 24, "entailment": 24, "neutral": 0}
    assert found.papers == 24
    assert "neutral" in found.problem
    assert "24 answers" in found.warnings[0]


def test_without_torch_it_is_said_before_anything_is_pressed(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    experiment = parse_experiment(ready_text("baselines"))
    with monkeypatch.context() as patch:  # not until the test is torn down: pytest-randomly then seeds torch
        patch.setitem(sys.modules, "torch", None)
        found = count_training_data(project, TrainOptions()).work(Progress())
        gaps = list(find_gaps(project, experiment, tmp_path))
    assert (found.problem, found.lacks_library) == ("Training needs torch, which is not installed.", True)
    assert "pairwright[models]" in found.hint
    assert [gap.place[1] for gap in gaps if "needs torch" in gap.text] == [1, 2, 3, 4]


def test_a_folder_that_cannot_be_written_is_told(project: Project, tiny: Path) -> None:
    models_folder(project).write_text("in the way")
    with pytest.raises(UserError, match="cannot be written"):
        run(project, tiny)
    assert known(project) == []


def test_a_failure_is_kept_with_its_reason(project: Project, tmp_path: Path) -> None:
    broken = make_model(tmp_path / "broken")
    (broken / "tokenizer.json").write_text("{}")
    with pytest.raises(UserError, match="tokenizer"):
        run(project, broken)
    [kept] = known(project)
    assert kept.state is TrainingRunState.FAILED
    assert "tokenizer" in kept.problem
    assert (models_folder(project) / kept.folder / EXAMPLES).exists()  # it can be gone on with


def test_the_lock_is_free_again(tmp_path: Path) -> None:
    for _ in range(2):
        with training_lock(tmp_path / "models") as note:
            note(3)
            with pytest.raises(UserError), training_lock(tmp_path / "models"):
                pass


@pytest.mark.parametrize("lead", ["absolute", "up"])
def test_a_run_from_somebody_elses_project_deletes_and_writes_nothing_outside(
    project: Project, tmp_path: Path, lead: str
) -> None:
    outside = tmp_path / "papers"
    outside.mkdir()
    (outside / EXAMPLES).write_text("mine")
    folder = str(outside) if lead == "absolute" else "../papers"
    models_folder(project).mkdir()
    with project.transaction() as stores:
        number = stores.training_runs.start(
            "evil",
            settings={"start": "starter"},
            fingerprint="",
            data={},
            versions={},
            folder=folder,
            at=datetime.now(UTC),
        )
    with pytest.raises(UserError, match="files of the run evil are missing"):
        resume(project, number).work(Progress())
    delete_run(project, number).work(Progress())
    assert known(project) == []
    assert [path.name for path in outside.iterdir()] == [EXAMPLES]


def test_what_is_no_runs_folder_is_not_deleted_with_the_run(project: Project, tmp_path: Path) -> None:
    (tmp_path / "photos" / "holiday").mkdir(parents=True)
    models_folder(project).symlink_to(tmp_path / "photos")
    with project.transaction() as stores:
        number = stores.training_runs.start(
            "evil", settings={}, fingerprint="", data={}, versions={}, folder="holiday", at=datetime.now(UTC)
        )
    delete_run(project, number).work(Progress())
    assert (tmp_path / "photos" / "holiday").is_dir()


def import_split(project: Project, tmp_path: Path, split: str, count: int) -> dict[str, str]:
    """Import so many pairs of a split; their sentences by key."""
    path = tmp_path / f"{split}.jsonl"
    rows = [
        {
            "sentence1": f"A finding {split} {number}.",
            "sentence2": f"Something that follows {split} {number}.",
            "label": LABELS[number % 4].value,
        }
        for number in range(count)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    import_data_sets(project, [path], "nlp").work(Progress())
    with project.read_transaction() as stores:
        query = "SELECT key, premise FROM pairs WHERE split = ?"
        return dict(stores._connection.exec_driver_sql(query, (split,)).all())  # type: ignore[arg-type]


def test_nothing_is_learned_of_a_test_split_and_the_datas_own_dev_split_chooses(
    project: Project, tiny: Path, tmp_path: Path
) -> None:
    train_keys, dev_keys, test_keys = (
        import_split(project, tmp_path, split, count) for split, count in (("train", 80), ("dev", 48), ("test", 60))
    )
    with project.transaction() as stores:  # a mined pair that repeats a sentence of the test split
        shared = stores._connection.exec_driver_sql("SELECT key FROM pairs WHERE split IS NULL").scalars().first()
        query = "UPDATE pairs SET premise_hash = (SELECT premise_hash FROM pairs WHERE key = ?) WHERE key = ?"
        stores._connection.exec_driver_sql(query, (next(iter(test_keys)), shared))
    kept = ReservedPairs(by=48, test=60, shared=1)
    counted = count_training_data(project, TrainOptions()).work(Progress())
    assert (counted.pairs, counted.reserved) == (97 + 80 - 1, kept)
    done = run(project, tiny, replace(SHORT, folds=2))
    folder = models_folder(project) / done.model
    examples = {one.key: one for one in read_examples(folder / EXAMPLES)}
    assert done.kept == kept
    assert {one.key for one in examples.values() if one.dev} == dev_keys.keys()
    assert train_keys.keys() <= examples.keys()
    assert not examples.keys() & test_keys.keys()
    assert shared not in examples
    assert done.metrics["dev"]["n"] == 48
    held_out = {json.loads(line)["key"] for line in (folder / HELD_OUT).read_text().splitlines()}
    assert held_out == examples.keys() - dev_keys.keys()  # no model of a fold has learned or judged them
    assert ReservedPairs.of_run(known(project)[0]) == kept
    assert str(kept) == (
        "The best epoch is chosen on 48 pairs of the dev split. "
        "Left out: 60 pairs of the test split and 1 pair with a sentence of dev or test."
    )
    again = train(project, TrainOptions(done.model, SHORT)).work(Progress())
    assert again.kept == kept  # which the first has not learned


def test_a_run_that_learned_test_pairs_before_they_were_kept_apart_does_not_go_on(
    project: Project, tiny: Path, tmp_path: Path
) -> None:
    number = run(project, tiny).run
    with project.transaction() as stores:  # as an earlier version left it
        query = "UPDATE training_runs SET state = 'paused', data = json_remove(data, '$.kept')"
        stores._connection.exec_driver_sql(query)
    resume(project, number).work(Progress())  # there was nothing that it should not have learned
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE training_runs SET state = 'paused'")
    import_split(project, tmp_path, "test", 5)
    with pytest.raises(UserError, match="a version that learned from dev and test splits"):
        resume(project, number).work(Progress())
    assert known(project)[0].state is TrainingRunState.PAUSED


def test_a_dev_split_too_small_to_choose_by_is_left_out(project: Project, tmp_path: Path) -> None:
    import_split(project, tmp_path, "validation", 12)
    found = count_training_data(project, TrainOptions()).work(Progress())
    assert (found.pairs, found.reserved) == (97, ReservedPairs(dev=12))


def test_what_an_export_keeps_for_dev_and_test_is_not_learned(project: Project, tmp_path: Path) -> None:
    chosen = ExportOptions(shares=(("train", 25), ("dev", 60), ("test", 15)), seed=3)
    receipt = export(project, tmp_path / "out", chosen).work(Progress())
    found, kept = read_training_data(project, TrainOptions(split_export=chosen), Progress())
    written = {name: lines(tmp_path / "out" / f"{name}.jsonl") for name in ("train", "dev", "test")}
    assert min(map(len, written.values())) > 0
    assert {one.key for one in found if not one.dev} == written["train"]
    assert kept == ReservedPairs(
        test=len(written["test"]), dev=len(written["dev"]), shared=receipt.left_out["other_split"]
    )


def lines(path: Path) -> set[str]:
    return {json.loads(line)["id"] for line in path.read_text().splitlines()}


def test_only_what_is_meant_is_learned_also_when_a_run_is_gone_on_with(project: Project, tiny: Path) -> None:
    meant = PairFilter(distant=frozenset({"contrasting"}), statuses=frozenset({PairStatus.SETTLED}))
    answer(project, Label.CONTRASTING, Answer.CONTRASTING)
    found = count_training_data(project, TrainOptions(filter=meant)).work(Progress())
    assert found.sources == {"answer": 25}
    options = TrainOptions(str(tiny), SHORT, filter=PairFilter(overlap=(0, 100)), split_export=ExportOptions(seed=4))
    done = train(project, options).work(Progress())
    assert TrainOptions.of_run(known(project)[0]) == replace(options, name=done.name)


def test_seeds_are_measured_on_the_same_pairs_and_so_is_the_baseline(
    project: Project, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "_BASELINE", tiny)
    one, other = (run(project, tiny, replace(SHORT, epochs=1, seed=seed)) for seed in (1, 2))
    assert one.metrics["dev"]["measured_on"] == other.metrics["dev"]["measured_on"]
    assert one.metrics["baseline"]["measured_on"] == one.metrics["dev"]["measured_on"]
    assert one.metrics["baseline"] == other.metrics["baseline"]
