"""The training loop: what is learned, what is stored, how it resumes, and what is left when it fails."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from miner.classifier import loading, trainer
from miner.classifier.checkpoints import inspect_checkpoint
from miner.classifier.device import Device
from miner.classifier.encoding import Encoder
from miner.classifier.events import DevScores, TrainEvent, TrainNote, TrainStep
from miner.classifier.examples import LabelSource, TrainingExample
from miner.classifier.network import PairNetwork, embeddings
from miner.classifier.recipe import Balance, Optimizer, Precision, Recipe, Schedule
from miner.classifier.train_state import TrainState
from miner.classifier.trainer import Trainer, TrainingStopped
from miner.errors import UserError
from tests.miner.classifier import factories

pytestmark = pytest.mark.usefixtures("one_thread")
RECIPE = replace(factories.QUICK, epochs=2, batch_pairs=8)
EXAMPLES = [replace(one, dev=n % 5 == 0) for n, one in enumerate(factories.examples(80))]


@pytest.fixture
def learner(bert: Path) -> Callable[..., Trainer]:
    def make(recipe: Recipe = RECIPE, examples: list[TrainingExample] = EXAMPLES, **options: Any) -> Trainer:
        network, tokenizer = loading.start_network(inspect_checkpoint(bert), recipe)
        if options.pop("firm", False):
            for module in network.modules():
                if isinstance(module, torch.nn.Dropout):
                    module.p = 0.0
        device = options.pop("device", factories.cpu())
        return Trainer(network, Encoder(tokenizer, recipe.max_tokens), examples, recipe, device, **options)

    return make


def weights(learner: Trainer) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in learner._network.state_dict().items()}


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(value, other[name]) for name, value in one.items())


def after(steps: int) -> Callable[[], bool]:
    """Asks to stop before the step that follows these."""
    asked = itertools.count(1)
    return lambda: next(asked) > steps


def test_it_learns_what_can_be_learned_and_ends_with_the_best_epoch(learner: Callable[..., Trainer]) -> None:
    heard: list[TrainEvent] = []
    examples = [replace(one, dev=n % 5 == 0) for n, one in enumerate(factories.examples(240))]
    found = learner(replace(RECIPE, epochs=3), examples, emit=heard.append)
    scores = found.run()
    judged = [event for event in heard if isinstance(event, DevScores)]
    assert scores is not None
    assert scores.macro_f1 == max(event.scores["macro_f1"] for event in judged) > 0.6
    assert [event.epoch for event in judged] == [1, 2, 3]
    assert found.logits().shape == (len(found.dev), 4)
    last = [event for event in heard if isinstance(event, TrainStep)][-1]
    assert (last.step, last.steps, last.seconds_left) == (72, 72, 0.0)


def test_the_network_after_a_run_is_the_one_whose_scores_were_given(learner: Callable[..., Trainer]) -> None:
    found = learner()
    found.run()
    told = found.logits()
    found._logits = None
    assert np.allclose(found.logits(), told, atol=1e-6)


def test_adam_at_a_constant_rate_is_what_torch_makes_of_it(learner: Callable[..., Trainer]) -> None:
    recipe = replace(RECIPE, optimizer=Optimizer.ADAM, schedule=Schedule.CONSTANT, weight_decay=0.0, warmup=0.0)
    found = learner(recipe)
    assert type(found._optimizer) is torch.optim.Adam
    assert {found._rate(TrainState(step=step)) for step in range(20)} == {1.0}
    scores = found.run()
    assert scores is not None
    assert not math.isnan(scores.macro_f1)


def test_any_number_of_classes_is_learned(bert: Path) -> None:
    fields = tuple(f"field {n}" for n in range(6))
    network, tokenizer = loading.start_network(inspect_checkpoint(bert), RECIPE, fields)
    examples = [
        replace(one, label=n % 6, premise="", hypothesis=f"{factories.WORDS[n % 6]}.") for n, one in enumerate(EXAMPLES)
    ]
    recipe = replace(RECIPE, epochs=12, balance=Balance.WEIGHTS)
    scores = Trainer(network, Encoder(tokenizer, 16), examples, recipe, factories.cpu(), classes=fields).run()
    assert scores is not None
    assert tuple(scores.per_class) == fields
    assert scores.macro_f1 > 0.9


def test_two_runs_of_the_same_seed_are_the_same_and_of_another_are_not(learner: Callable[..., Trainer]) -> None:
    found = [learner(replace(RECIPE, epochs=1, seed=seed)) for seed in (0, 0, 1)]
    for one in found:
        one.run()
    assert same(weights(found[0]), weights(found[1]))
    assert not same(weights(found[0]), weights(found[2]))


@pytest.mark.parametrize("precision", [Precision.FP32, Precision.FP16])
@pytest.mark.parametrize("broken_after", [3, 11])
def test_who_goes_on_ends_where_an_unbroken_run_does(
    learner: Callable[..., Trainer],
    tmp_path: Path,
    precision: Precision,
    broken_after: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    device = Device("cpu", "processor", precision)
    whole = learner(device=device)
    whole.run()
    monkeypatch.setattr(trainer, "_SAVE_EVERY", 0.0)  # as if each step took long

    class Killed(BaseException):
        """As if the process had ended."""

    def killed() -> bool:
        if next(steps) > broken_after:
            raise Killed
        return False

    steps = itertools.count(1)
    with pytest.raises(Killed):
        learner(device=device, state_path=tmp_path / "kept", should_stop=killed).run()
    rest = learner(device=device, state_path=tmp_path / "kept")
    scores = rest.run()
    assert rest.steps == whole.steps
    assert same(weights(rest), weights(whole))
    assert scores is not None


def test_who_is_stopped_keeps_the_best_so_far_and_can_go_on(learner: Callable[..., Trainer], tmp_path: Path) -> None:
    whole = learner()
    whole.run()
    heard: list[TrainEvent] = []
    first = learner(state_path=tmp_path / "kept", should_stop=after(12), emit=heard.append)
    with pytest.raises(TrainingStopped):
        first.run()
    [best] = [event for event in heard if isinstance(event, DevScores) and event.best]
    assert first.logits().argmax(1).shape == (16,)
    assert best.step == 8
    rest = learner(state_path=tmp_path / "kept")
    rest.run()
    assert same(weights(rest), weights(whole))


def test_who_is_stopped_while_an_epoch_is_judged_judges_it_when_going_on(
    learner: Callable[..., Trainer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer, "_SAVE_EVERY", 0.0)
    with pytest.raises(TrainingStopped):
        learner(
            state_path=tmp_path / "kept", should_stop=after(8)
        ).run()  # the ninth is asked while the dev pairs are run
    heard: list[TrainEvent] = []
    learner(state_path=tmp_path / "kept", emit=heard.append).run()
    assert [event.epoch for event in heard if isinstance(event, DevScores)] == [1, 2]


@pytest.mark.parametrize("damage", ["cut", "empty", "other"])
def test_a_kept_state_that_is_damaged_or_of_another_training_is_not_used(
    learner: Callable[..., Trainer], tmp_path: Path, damage: str
) -> None:
    kept = tmp_path / "kept"
    with pytest.raises(TrainingStopped):
        learner(replace(RECIPE, seed=int(damage == "other")), state_path=kept, should_stop=after(3)).run()
    kept.write_bytes(kept.read_bytes()[: {"cut": 5_000, "empty": 0}.get(damage)])
    heard: list[TrainEvent] = []
    rest = learner(state_path=kept, emit=heard.append)
    rest.run()
    whole = learner()
    whole.run()
    assert any("starts again" in event.text for event in heard if isinstance(event, TrainNote))
    assert same(weights(rest), weights(whole))


def test_a_state_that_cannot_be_kept_is_said_and_the_training_goes_on(
    learner: Callable[..., Trainer], tmp_path: Path
) -> None:
    heard: list[TrainEvent] = []
    learner(state_path=tmp_path / "no folder" / "kept", emit=heard.append).run()
    assert len([event for event in heard if isinstance(event, TrainNote) and "cannot be kept" in event.text]) == 1


def out_of_memory(most: int, error: type[Exception] = torch.OutOfMemoryError) -> Callable[..., None]:
    def check(module: torch.nn.Module, given: tuple[Any, ...]) -> None:
        if len(given[0].tokens) > most:
            raise error("CUDA out of memory. Tried to allocate 2 GiB")

    return check


def test_where_memory_ends_a_step_is_taken_in_parts_with_the_same_result(learner: Callable[..., Trainer]) -> None:
    recipe = replace(RECIPE, epochs=1, balance=Balance.WEIGHTS)
    whole = learner(recipe, firm=True)
    whole.run()
    heard: list[TrainEvent] = []
    parts = learner(recipe, firm=True, emit=heard.append)
    parts._network.register_forward_pre_hook(out_of_memory(3))
    parts.run()
    assert [event.text for event in heard if isinstance(event, TrainNote)] == [
        "Memory ran out: each step is computed in 2 parts, with the same result.",
        "Memory ran out: each step is computed in 4 parts, with the same result.",
    ]
    for name, value in weights(whole).items():
        assert torch.allclose(value, weights(parts)[name], atol=2e-3), name


def test_where_memory_does_not_suffice_for_one_pair_it_says_so(learner: Callable[..., Trainer]) -> None:
    found = learner()
    found._network.register_forward_pre_hook(out_of_memory(0, MemoryError))
    with pytest.raises(UserError, match="single pair"):
        found.run()


def spoiled(network: PairNetwork, first: int, last: int) -> None:
    """Makes the losses of these steps no numbers."""
    steps = itertools.count(1)

    def spoil(module: torch.nn.Module, given: object, logits: torch.Tensor) -> torch.Tensor:
        return logits * math.nan if module.training and first <= next(steps) <= last else logits

    network.register_forward_hook(spoil)


def test_a_loss_that_is_no_number_for_long_is_a_sentence(learner: Callable[..., Trainer]) -> None:
    found = learner(replace(RECIPE, epochs=4), factories.examples(64))
    spoiled(found._network, 5, 1_000)
    with pytest.raises(UserError, match="diverged") as caught:
        found.run()
    assert "learning rate" in caught.value.hint


def test_a_training_that_diverges_late_keeps_the_best_before(learner: Callable[..., Trainer]) -> None:
    heard: list[TrainEvent] = []
    found = learner(replace(RECIPE, epochs=5), emit=heard.append)
    spoiled(found._network, 10, 1_000)
    assert found.run() is not None
    assert any("The best model so far is kept" in event.text for event in heard if isinstance(event, TrainNote))


def test_a_few_losses_that_are_no_numbers_are_left_out(learner: Callable[..., Trainer]) -> None:
    found = learner()
    spoiled(found._network, 3, 6)
    assert found.run() is not None
    assert all(value.isfinite().all() for value in weights(found).values())


def test_a_gradient_that_is_no_number_is_left_out(learner: Callable[..., Trainer]) -> None:
    found = learner(replace(RECIPE, epochs=4), factories.examples(64))
    found._network.head.out.weight.register_hook(lambda gradient: gradient * math.inf)
    before = weights(found)
    with pytest.raises(UserError, match="diverged"):
        found.run()
    assert same(before, weights(found))


def test_a_time_budget_ends_it_and_the_last_state_is_judged_too(learner: Callable[..., Trainer]) -> None:
    heard: list[TrainEvent] = []
    recipe = replace(RECIPE, epochs=1_000, seconds=1)
    began = time.monotonic()
    found = learner(recipe, emit=heard.append)
    assert found.run() is not None
    assert time.monotonic() - began < 10
    last = [event for event in heard if isinstance(event, DevScores)][-1]
    assert last.step == found.steps < 8_000


def test_a_pause_does_not_use_up_the_time_budget(learner: Callable[..., Trainer]) -> None:
    paused = iter([2.0])

    def stop() -> bool:
        time.sleep(next(paused, 0.0))
        return False

    found = learner(replace(RECIPE, epochs=1, seconds=1, batch_pairs=64), should_stop=stop)
    found.run()
    assert found.steps == 1
    assert found._state.elapsed < 1


def test_patience_ends_it(learner: Callable[..., Trainer]) -> None:
    found = learner(replace(RECIPE, epochs=50, patience=1, learning_rate=0.0))
    found.run()
    assert found.steps == 16


def test_without_dev_pairs_it_runs_to_its_end_and_gives_no_scores(learner: Callable[..., Trainer]) -> None:
    found = learner(examples=factories.examples(10))
    assert found.run() is None
    assert found.steps == 4


def test_as_many_are_drawn_of_each_class_and_none_is_left_out_for_long(learner: Callable[..., Trainer]) -> None:
    uneven = [*factories.examples(12), *(replace(one, label=3) for one in factories.examples(60, seed=1))]
    found = learner(replace(RECIPE, balance=Balance.DRAW), uneven)
    labels = np.array([one.label for one in uneven])
    seen: set[int] = set()
    for epoch in range(4):
        drawn = found._order(epoch)
        assert np.bincount(labels[drawn]).tolist() == [18, 18, 18, 18]
        seen.update(drawn)
    assert len(seen) == len(uneven)  # 63 of the large class, 18 drawn of it in each of four epochs


def test_class_weights_give_every_class_the_same_say(learner: Callable[..., Trainer]) -> None:
    uneven = [*factories.examples(12), *(replace(one, label=3) for one in factories.examples(60, seed=1))]
    found = learner(replace(RECIPE, balance=Balance.WEIGHTS), uneven)
    labels = np.array([one.label for one in uneven])
    assert [float(found._weights[labels == label].sum()) for label in range(4)] == pytest.approx([18.0] * 4)


def test_a_class_of_which_there_is_none_weighs_nothing(learner: Callable[..., Trainer]) -> None:
    three = [one for one in EXAMPLES if one.label != 2]
    for balance in Balance:
        found = learner(replace(RECIPE, balance=balance, epochs=1), three)
        assert np.isfinite(found._weights).all()
        assert found.run() is not None


def test_answers_weigh_more_and_may_weigh_nothing(learner: Callable[..., Trainer]) -> None:
    mixed = [*factories.examples(8), *factories.examples(8, source=LabelSource.ANSWER)]
    found = learner(replace(RECIPE, answer_weight=3.0), mixed)
    assert found._weights.tolist() == [1.0] * 8 + [3.0] * 8
    nothing = learner(replace(RECIPE, answer_weight=0.0, batch_pairs=2), mixed)
    nothing.run()
    assert all(value.isfinite().all() for value in weights(nothing).values())


def test_frozen_embeddings_stay_as_they_are(learner: Callable[..., Trainer]) -> None:
    found = learner(replace(RECIPE, train_embeddings=False, epochs=1))
    before = [value.clone() for value in embeddings(found._network.encoder)]
    found.run()
    assert all(map(torch.equal, before, embeddings(found._network.encoder)))
