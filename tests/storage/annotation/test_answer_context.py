"""What an annotator saw, as stored with each answer."""

from __future__ import annotations

import pytest

from miner.records import Label
from storage.annotation.answer_context import NO_CONTEXT, AnswerContext

FULL = AnswerContext("p", "h", blind=False, hidden=(), suggestion=Label.NEUTRAL, probabilities=(0.1, 0.9), round=2)


@pytest.mark.parametrize("value", [NO_CONTEXT, FULL, AnswerContext(together={"text": "cells"}), AnswerContext(undo=3)])
def test_the_context_is_read_as_it_was_written(value: AnswerContext) -> None:
    assert AnswerContext.from_json(value.to_json()) == value


def test_only_known_fields_are_written() -> None:
    assert NO_CONTEXT.to_json() == "{}"
    assert AnswerContext(blind=True, seconds=1.5).to_json() == '{"blind": true, "seconds": 1.5}'


def test_the_contexts_of_other_versions_are_read() -> None:
    assert AnswerContext.from_json('{"in": "pairs", "of_a_later_version": 1}') == AnswerContext(page="pairs")
    assert AnswerContext.from_json('{"from": "data set", "distant": null}') == AnswerContext(origin="data set")


@pytest.mark.parametrize("text", ["", "[1]", '{"blind": 1}', '{"suggestion": "odd"}'])
def test_invalid_contexts_are_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        AnswerContext.from_json(text)
