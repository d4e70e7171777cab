"""Pausing the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from desktop.jobs.models.training_data import gc_paused


@pytest.fixture
def unfrozen() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_nothing_is_collected_inside_and_all_goes_on_as_before() -> None:
    thresholds = gc.get_threshold()
    with gc_paused():
        assert gc.get_threshold()[0] == 0
    assert gc.get_threshold() == thresholds


def test_jobs_that_overlap_leave_the_collector_on() -> None:
    thresholds = gc.get_threshold()
    first, second = ExitStack(), ExitStack()
    first.enter_context(gc_paused())
    second.enter_context(gc_paused())
    first.close()
    second.close()
    assert gc.get_threshold() == thresholds


def test_only_much_is_set_aside(unfrozen: None) -> None:
    with gc_paused():
        few = [[number] for number in range(100)]
    assert gc.get_freeze_count() == 0
    with gc_paused():
        many = [[number] for number in range(100_000)]
    assert gc.get_freeze_count() > len(many) > len(few)


def test_an_error_leaves_the_collector_on() -> None:
    with pytest.raises(ValueError, match="bad"), gc_paused():
        raise ValueError("bad")
    assert gc.get_threshold()[0] > 0
