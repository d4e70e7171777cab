"""The faults of `tests.mutations` can still be put into the program, and what is to find them is there."""

from __future__ import annotations

import pytest

from tests.mutations import MUTATIONS, ROOT, TYPES, Mutation


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[one.name for one in MUTATIONS])
def test_a_fault_has_one_place_and_finders(mutation: Mutation) -> None:
    text = (ROOT / mutation.file).read_text(encoding="utf-8")
    assert text.count(mutation.old) == 1
    assert mutation.old != mutation.new
    assert mutation.finders
    assert all(one == TYPES or (ROOT / one.partition("::")[0]).exists() for one in mutation.finders)
