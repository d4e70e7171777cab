"""Work that is not looked through for garbage."""

from __future__ import annotations

import gc

import pytest

from desktop.jobs.calm import calm


def test_nothing_is_collected_inside_and_all_goes_on_as_before() -> None:
    with calm():
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.unfreeze()


def test_an_error_leaves_the_collector_on() -> None:
    with pytest.raises(ValueError, match="bad"), calm():
        raise ValueError("bad")
    assert gc.isenabled()
    gc.unfreeze()
