"""A whole training: what is held out, what is stored, and how it continues after it was interrupted."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import load_file

from miner.classifier import trainer
from miner.classifier.checkpoints import WEIGHTS, inspect_checkpoint
from miner.classifier.dev_split import choose_dev_pairs, require_learnable
from miner.classifier.events import DevScores, TrainNote
from miner.classifier.examples import LabelSource, TrainingExample, missing_classes, write_examples
from miner.classifier.recipe import Recipe
from miner.classifier.training import CHECKPOINT, EXAMPLES, HELD_OUT, TrainingPlan, train
from miner.errors import UserError
from miner.progress import Cancelled, Progress, Tick
from tests.miner.classifier import factories

pytestmark = pytest.mark.usefixtures("one_thread")
RECIPE = replace(factories.QUICK, epochs=2, batch_pairs=16)


def plan(
    folder: Path, start: Path, recipe: Recipe = RECIPE, examples: list[TrainingExample] | None = None
) -> TrainingPlan:
    folder.mkdir(exist_ok=True)
    write_examples(
        folder / EXAMPLES, choose_dev_pairs(factories.examples(120), recipe) if examples is None else examples
    )
    return TrainingPlan(folder, start, "bert", "a run", recipe, device="cpu")


def cancelled_after(ticks: int) -> Progress:
    progress = Progress(lambda tick: count())
    left = [ticks]

    def count() -> None:
        left[0] -= 1
        if not left[0]:
            progress.cancel()

    return progress


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def same_weights(one: Path, other: Path) -> bool:
    first, second = (load_file(folder / CHECKPOINT / WEIGHTS) for folder in (one, other))
    return all(bool((value == second[name]).all()) for name, value in first.items())


def test_a_training_gives_a_checkpoint_that_says_what_it_is(bert: Path, tmp_path: Path) -> None:
    heard: list[Any] = []
    result = train(plan(tmp_path / "run", bert), heard.append, Progress())
    found = inspect_checkpoint(tmp_path / "run" / CHECKPOINT)
    assert found.card is not None
    assert (found.card.name, found.card.base, found.card.max_tokens) == ("a run", "bert", 16)
    assert found.card.trained_on.endswith(" distant labels.")
    assert found.card.metrics["dev"] == result.metrics["dev"]
    assert result.metrics["dev"]["macro_f1"] == max(
        one.scores["macro_f1"] for one in heard if isinstance(one, DevScores)
    )
    assert (result.stopped, result.calibrated_on) == (False, 0)
    assert not list((tmp_path / "run").glob("kept*"))


def test_started_again_when_it_is_done_it_gives_the_same_at_once(bert: Path, tmp_path: Path) -> None:
    heard: list[Any] = []
    first = train(plan(tmp_path / "run", bert), heard.append, Progress())
    heard.clear()
    again = train(plan(tmp_path / "run", bert), heard.append, Progress())
    assert (again.metrics, heard) == (first.metrics, [])


def test_a_model_of_ours_is_trained_on_and_says_what_it_learned_before(bert: Path, tmp_path: Path) -> None:
    train(plan(tmp_path / "one", bert), print, Progress())
    answers = factories.examples(20, seed=3, source=LabelSource.ANSWER)
    train(plan(tmp_path / "two", tmp_path / "one" / CHECKPOINT, examples=answers), lambda event: None, Progress())
    card = inspect_checkpoint(tmp_path / "two" / CHECKPOINT).card
    assert card is not None
    assert card.trained_on.startswith("20 answers of people. Before that: ")


def test_cancelled_it_keeps_the_best_so_far_and_goes_on_where_it_was(bert: Path, tmp_path: Path) -> None:
    train(plan(tmp_path / "whole", bert), lambda event: None, Progress())
    broken = plan(tmp_path / "broken", bert)
    result = train(broken, lambda event: None, cancelled_after(9))
    assert result.stopped
    assert inspect_checkpoint(tmp_path / "broken" / CHECKPOINT).can_suggest
    rest = train(broken, lambda event: None, Progress())
    assert not rest.stopped
    assert same_weights(tmp_path / "whole", tmp_path / "broken")


def test_cancelled_before_anything_was_learned_there_is_nothing(bert: Path, tmp_path: Path) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        train(plan(tmp_path / "run", bert), lambda event: None, progress)
    assert not (tmp_path / "run" / CHECKPOINT).exists()


def _train_and_be_killed(plan: TrainingPlan, ticks: int) -> None:
    """In a process of its own: ends it as `kill -9` does, after so many steps."""
    os.sched_getaffinity = lambda pid: {0}
    trainer._SAVE_EVERY = 0.0
    left = [ticks]

    def tick(tick: Tick) -> None:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    train(plan, lambda event: None, Progress(tick))


@pytest.mark.slow  # stopped it goes on in test_trainer.py, killed in tests/desktop/jobs/models/test_killed.py
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_killed_it_goes_on_to_the_same_weights(bert: Path, tmp_path: Path) -> None:
    train(plan(tmp_path / "whole", bert), lambda event: None, Progress())
    broken = plan(tmp_path / "broken", bert)
    process = multiprocessing.get_context("spawn").Process(target=_train_and_be_killed, args=(broken, 6))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert (tmp_path / "broken" / "kept-main.safetensors").exists()
    train(broken, lambda event: None, Progress())
    assert same_weights(tmp_path / "whole", tmp_path / "broken")


def test_what_was_kept_of_a_part_goes_when_all_are_done(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlink = Path.unlink

    def be_killed(path: Path, missing_ok: bool = False) -> None:
        if path.name == "kept-main.safetensors":  # the part was noted as done
            raise KeyboardInterrupt
        unlink(path, missing_ok)

    run = plan(tmp_path / "run", bert)
    with monkeypatch.context() as context:
        context.setattr(Path, "unlink", be_killed)
        with pytest.raises(KeyboardInterrupt):
            train(run, lambda event: None, Progress())
    assert list(run.folder.glob("kept-*")) != []
    train(run, lambda event: None, Progress())
    assert list(run.folder.glob("kept-*")) == []


MIXED = [*factories.examples(40), *factories.examples(40, seed=1, source=LabelSource.ANSWER)]


def test_two_stages_learn_distant_labels_first_and_go_on_after_either(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = replace(RECIPE, two_stage=True, epochs=1)
    heard: list[Any] = []
    monkeypatch.setattr(trainer, "_EMIT_EVERY", 0.0)
    train(plan(tmp_path / "whole", bert, recipe, MIXED), heard.append, Progress())
    assert list(dict.fromkeys(event.stage for event in heard)) == ["distant labels", "answers"]
    heard.clear()
    broken = plan(tmp_path / "broken", bert, recipe, MIXED)
    assert train(broken, heard.append, cancelled_after(5)).stopped  # in the second stage
    heard.clear()
    train(broken, heard.append, Progress())
    assert {event.stage for event in heard} == {"answers"}
    assert same_weights(tmp_path / "whole", tmp_path / "broken")


def test_folds_judge_every_label_by_a_model_that_knows_nothing_of_its_paper(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = replace(RECIPE, folds=3, epochs=1)
    examples = choose_dev_pairs(factories.examples(96), recipe)
    learned: list[set[str]] = []
    real = trainer.Trainer.__init__

    def init(self: Any, network: Any, encoder: Any, examples: Any, *rest: Any, **options: Any) -> None:
        learned.append({one.paper for one in examples if not one.dev})
        real(self, network, encoder, examples, *rest, **options)

    monkeypatch.setattr(trainer.Trainer, "__init__", init)
    result = train(plan(tmp_path / "run", bert, recipe, examples), lambda event: None, Progress())
    found = rows(tmp_path / "run" / HELD_OUT)
    papers = {one.key: one.paper for one in examples}
    assert sorted(row["key"] for row in found) == sorted(papers)
    for row in found:
        assert papers[row["key"]] not in learned[1 + row["fold"]]
        assert sum(row["values"]) == pytest.approx(1, abs=1e-5)
    assert not learned[0] & {one.paper for one in examples if one.dev}
    assert result.metrics["held_out"]["n"] == len(examples)


def test_cancelled_among_the_folds_the_model_is_whole_and_the_rest_is_judged_later(bert: Path, tmp_path: Path) -> None:
    recipe = replace(RECIPE, folds=3, epochs=1)
    run = plan(tmp_path / "run", bert, recipe)
    result = train(run, lambda event: None, cancelled_after(16))  # in the second fold
    assert result.stopped  # there is more to do: the run can be gone on with
    assert "Stopped before all labels were judged" in result.notes[0]
    assert not (tmp_path / "run" / HELD_OUT).exists()
    done = [path.stat().st_mtime_ns for path in sorted((tmp_path / "run").glob("fold-*.jsonl"))]
    weights = (tmp_path / "run" / CHECKPOINT / WEIGHTS).stat().st_mtime_ns
    train(run, lambda event: None, Progress())
    assert len(rows(tmp_path / "run" / HELD_OUT)) == len((tmp_path / "run" / EXAMPLES).read_text().splitlines())
    assert [path.stat().st_mtime_ns for path in sorted((tmp_path / "run").glob("fold-*.jsonl"))][: len(done)] == done
    assert (tmp_path / "run" / CHECKPOINT / WEIGHTS).stat().st_mtime_ns == weights


def test_the_time_is_shared_by_the_model_and_its_folds(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    real = trainer.Trainer.__init__

    def init(self: Any, network: Any, encoder: Any, examples: Any, recipe: Recipe, *rest: Any, **options: Any) -> None:
        given.append(recipe.seconds)
        real(self, network, encoder, examples, recipe, *rest, **options)

    monkeypatch.setattr(trainer.Trainer, "__init__", init)
    recipe = replace(RECIPE, folds=2, epochs=1, seconds=90)
    train(plan(tmp_path / "run", bert, recipe), lambda event: None, Progress())
    assert given == [30, 30, 30]


def test_more_folds_than_labels_are_refused_before_hours_of_training(bert: Path, tmp_path: Path) -> None:
    ten = factories.examples(10)
    with pytest.raises(UserError, match="12 folds"):
        train(plan(tmp_path / "run", bert, replace(RECIPE, folds=12), ten), lambda event: None, Progress())
    assert not (tmp_path / "run" / CHECKPOINT).exists()


@pytest.mark.parametrize("papers", [1, 3])
def test_labels_of_few_papers_are_measured_too(bert: Path, tmp_path: Path, papers: int) -> None:
    recipe = replace(RECIPE, epochs=1, folds=2, dev_share=0.5)
    examples = choose_dev_pairs(factories.examples(100, papers), recipe)
    result = train(plan(tmp_path / "run", bert, recipe, examples), lambda event: None, Progress())
    assert (result.metrics["dev"]["n"], result.metrics["held_out"]["n"]) == (50, 100)


def test_ten_labels_suffice_and_nothing_is_made_up_of_them(bert: Path, tmp_path: Path) -> None:
    ten = choose_dev_pairs(factories.examples(10), RECIPE)
    result = train(plan(tmp_path / "run", bert, RECIPE, ten), lambda event: None, Progress())
    assert (result.metrics, result.temperature, result.calibrated_on) == ({}, 1.0, 0)
    assert inspect_checkpoint(tmp_path / "run" / CHECKPOINT).can_suggest


def test_what_cannot_be_learned_from_is_refused() -> None:
    with pytest.raises(UserError, match="only 9 labels"):
        require_learnable(factories.examples(9))
    with pytest.raises(UserError, match="labelled entailment"):
        require_learnable([one for one in factories.examples(60) if one.label != 2])


@pytest.mark.parametrize("premise", ["", "kelp " * 5_000])
def test_hypothesis_only_learns_without_the_premise(bert: Path, tmp_path: Path, premise: str) -> None:
    recipe = replace(RECIPE, hypothesis_only=True, epochs=1)
    examples = [replace(one, premise=premise) for one in factories.examples(20)]
    train(plan(tmp_path / "run", bert, recipe, examples), lambda event: None, Progress())
    card = inspect_checkpoint(tmp_path / "run" / CHECKPOINT).card
    assert card is not None
    assert card.hypothesis_only


def test_the_temperature_is_fitted_on_enough_held_out_pairs(bert: Path, tmp_path: Path) -> None:
    recipe = replace(RECIPE, epochs=1, dev_share=0.5, batch_pairs=32)
    examples = choose_dev_pairs(factories.examples(440, 40), recipe)
    result = train(plan(tmp_path / "run", bert, recipe, examples), lambda event: None, Progress())
    card = inspect_checkpoint(tmp_path / "run" / CHECKPOINT).card
    assert card is not None
    assert result.calibrated_on == result.metrics["dev"]["n"] >= 200
    assert card.temperature == pytest.approx(result.temperature, abs=1e-4) != 1.0


def test_memory_that_does_not_suffice_is_a_sentence(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")

    monkeypatch.setattr("torch.optim.AdamW.step", fail)
    with pytest.raises(UserError, match="not enough memory"):
        train(plan(tmp_path / "run", bert), lambda event: None, Progress())


def test_a_device_that_does_not_work_is_told(bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> bool:
        raise RuntimeError("The NVIDIA driver on your system is too old (found version 9000).\nPlease update.")

    monkeypatch.setattr("torch.cuda.is_available", fail)
    heard: list[Any] = []
    run = replace(plan(tmp_path / "run", bert, replace(RECIPE, epochs=1)), device="auto")
    result = train(run, heard.append, Progress())
    note = "The graphics card cannot be used (The NVIDIA driver on your system is too old (found version 9000).)"
    assert result.notes == (f"{note}: the processor is used.",)
    assert TrainNote(result.notes[0]) in heard


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("source", list(LabelSource))
def test_dev_pairs_share_no_paper_with_what_is_learned(seed: int, source: LabelSource) -> None:
    examples = [*factories.examples(300, 20, seed=0), *factories.examples(150, 20, seed=0, source=source)]
    found = choose_dev_pairs(examples, replace(RECIPE, seed=seed))
    dev = [one for one in found if one.dev]
    assert dev
    assert not {one.paper for one in dev} & {one.paper for one in found if not one.dev}
    if source is LabelSource.ANSWER:
        assert {one.source for one in dev} == {LabelSource.ANSWER}


def test_what_the_start_has_learned_of_measures_nothing(bert: Path, tmp_path: Path) -> None:
    recipe = replace(RECIPE, epochs=1, folds=2)
    known = [replace(one, known=True) for one in factories.examples(200, 20)]
    fresh = factories.examples(100, 10, seed=1)
    found = choose_dev_pairs([*known, *fresh], recipe)
    dev = [one for one in found if one.dev]
    assert 40 <= len(dev) <= 80  # as many as of all papers, if fewer are to choose from
    assert {one.paper for one in dev} < {one.paper for one in fresh}
    result = train(plan(tmp_path / "run", bert, recipe, found), lambda event: None, Progress())
    assert result.metrics["held_out"]["n"] == len(fresh)
    assert len(rows(tmp_path / "run" / HELD_OUT)) == len(found)


def test_where_the_start_has_learned_of_all_papers_nothing_is_measured(bert: Path, tmp_path: Path) -> None:
    known = [replace(one, known=n % 2 == 0) for n, one in enumerate(factories.examples(200, 10))]
    recipe = replace(RECIPE, epochs=1, folds=2)
    assert choose_dev_pairs(known, recipe) == known
    result = train(plan(tmp_path / "run", bert, recipe, known), lambda event: None, Progress())
    assert result.metrics == {}
    assert "has learned of too many of these papers" in result.notes[0]


@pytest.mark.parametrize("source", [LabelSource.ACCEPTED, LabelSource.IMPLICIT])
def test_labels_by_models_choose_and_measure_none(bert: Path, tmp_path: Path, source: LabelSource) -> None:
    recipe = replace(RECIPE, epochs=1, folds=2)
    given, others = factories.examples(80), factories.examples(200, seed=1, source=source)
    found = choose_dev_pairs([*given, *others], recipe)
    assert {one.source for one in found if one.dev} == {LabelSource.DISTANT}
    assert not any(one.dev for one in choose_dev_pairs(others, recipe))
    result = train(plan(tmp_path / "run", bert, recipe, found), lambda event: None, Progress())
    assert result.metrics["held_out"]["n"] == len(given)


def test_pairs_of_no_known_paper_are_parted_one_by_one() -> None:
    examples = [replace(one, paper="") for one in factories.examples(200)]
    found = choose_dev_pairs(examples, RECIPE)
    assert len(found) == 200
    assert 30 <= sum(one.dev for one in found) <= 50


def test_the_papers_of_a_rare_class_are_not_all_kept_from_learning() -> None:
    examples = [one for one in factories.examples(200) if one.label != 2]
    examples += [replace(one, paper="the one", label=2) for one in factories.examples(30, seed=9)]
    for seed in range(5):
        found = choose_dev_pairs(examples, replace(RECIPE, seed=seed, dev_share=0.5))
        assert missing_classes(found) == []


def test_of_many_labels_no_more_than_two_thousand_are_kept() -> None:
    found = choose_dev_pairs(factories.examples(20_000, 2_000), RECIPE)
    assert 1_800 <= sum(one.dev for one in found) <= 2_200


def test_scores_of_dev_pairs_are_the_same_whether_read_or_computed(bert: Path, tmp_path: Path) -> None:
    result = train(plan(tmp_path / "run", bert), lambda event: None, Progress())
    logits = np.array([row["values"] for row in rows(tmp_path / "run" / "dev.jsonl")])
    assert len(logits) == result.metrics["dev"]["n"]
