"""Estimates of time: the work of a run by its size, and its speed by earlier runs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.lab.experiments.estimate import (
    DEFAULT_RATES,
    Measurement,
    ModelShape,
    RunSize,
    RunWork,
    estimate,
    run_work,
)
from miner.lab.experiments.experiment_file import SYSTEM_KINDS
from miner.lab.experiments.system_kinds import (
    Architecture,
    EncoderSystem,
    Intermediate,
    LexicalSystem,
    ModelSystem,
    NaiveBayesSystem,
    NeuralSystem,
    PeopleSystem,
    PromptSystem,
    System,
    SystemInput,
)

SYSTEMS: tuple[System, ...] = (
    LexicalSystem(),
    NaiveBayesSystem(),
    *(NeuralSystem(architecture=one) for one in Architecture),
    EncoderSystem(),
    ModelSystem(),
    PromptSystem(model="model.gguf"),
    PeopleSystem(),
)
SIZE = RunSize(train=2_000, dev=200, tested=1_000)


def test_every_kind_of_system_has_a_default_rate() -> None:
    assert set(DEFAULT_RATES) == set(SYSTEM_KINDS)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda one: one.default_name)
@given(st.integers(0, 50_000), st.integers(1, 5_000), st.integers(1, 10))
def test_more_pairs_and_longer_ones_are_more_work(system: System, train: int, tested: int, times: int) -> None:
    size = RunSize(train=train, tested=tested)
    bigger = size._replace(train=times * train, tested=times * tested)
    assert run_work(system, bigger).amount == pytest.approx(times * run_work(system, size).amount)
    assert run_work(system, size._replace(words=80.0)).amount >= run_work(system, size).amount


def test_what_takes_longer_is_more_work() -> None:
    encoder = EncoderSystem()
    work = run_work(encoder, SIZE, ModelShape(6, 384)).amount
    assert run_work(replace(encoder, settings={"epochs": 6}), SIZE, ModelShape(6, 384)).amount > 1.5 * work
    assert run_work(encoder, SIZE, ModelShape(4, 768)).amount > 3 * work
    first = replace(encoder, intermediate=Intermediate("other"))
    assert run_work(first, SIZE._replace(needed=4_000), ModelShape(6, 384)).amount > 1.3 * work
    both = replace(ModelSystem(), input=SystemInput.BOTH_ORDERS)
    assert run_work(both, SIZE).amount == 2 * run_work(ModelSystem(), SIZE).amount
    few = PromptSystem(model="m", shots=2, exemplars="project")
    assert run_work(few, SIZE).amount > run_work(PromptSystem(model="m"), SIZE).amount


@given(st.floats(0.2, 50), st.integers(200, 20_000), st.integers(200, 20_000))
def test_after_one_run_of_a_kind_another_size_is_estimated_within_a_factor_of_two(
    rate: float, known: int, asked: int
) -> None:
    """Of a computer that is up to 50 times as slow, where a run begins in 2.5 to 10 s instead of the 5 s assumed.

    Of runs that take over 30 s: of shorter ones the beginning is too large a part.
    """
    first, second = (run_work(EncoderSystem(), RunSize(train=n, dev=100, tested=500)) for n in (known, asked))
    for overhead in (2.5, 10.0):
        took = [overhead + rate * DEFAULT_RATES["encoder"] * work.amount for work in (first, second)]
        found = estimate([second], 1, [Measurement(first, took[0])])
        assert found.measured == 1
        if min(took) > 30:
            assert took[1] / 2 < found.seconds < 2 * took[1]


def test_runs_on_the_same_device_count_and_without_runs_the_default_rate_does() -> None:
    work = RunWork("encoder", 10_000.0)
    runs = [Measurement(work, 20.0, "accelerator"), Measurement(work, 200.0, "processor")]
    slow, fast = (estimate([work], 1, runs, device=device).seconds for device in ("processor", "accelerator"))
    assert (round(slow), round(fast)) == (200, 20)
    guess = estimate([work, work], 6, [], slowness=2.0)
    assert guess.seconds == pytest.approx(4 * (5 + 10_000 * DEFAULT_RATES["encoder"]))
    assert (guess.measured, guess.runs, guess.cells) == (0, 2, 6)
    assert estimate([], 0, []).seconds == 0
    assert estimate([RunWork("telepathy", 1.0)], 1, []).unknown == ("telepathy",)


def test_a_prompt_is_as_fast_as_the_same_model_was_before() -> None:
    asked = run_work(PromptSystem(model="a.gguf"), SIZE)
    other = run_work(PromptSystem(model="b.gguf"), SIZE)
    assert estimate([asked], 1, [Measurement(asked, 1_000.0)]).seconds == pytest.approx(1_000)
    assert estimate([asked], 1, [Measurement(other, 1_000.0)]).measured == 0
