"""Tags of errors: what a person types, what a mark holds, and what a file may bring."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.pairs.tags import MAX_LENGTH, MAX_TAGS, USUAL_TAGS, check_tags, clean_tag, join_tags, split_tags


@settings(deadline=None)
@given(st.frozensets(st.text(max_size=50) | st.sampled_from(sorted(USUAL_TAGS)), max_size=6))
def test_what_is_typed_is_refused_or_comes_back_as_it_was_kept(typed: frozenset[str]) -> None:
    tags = set()
    for text in typed:
        try:
            tags.add(clean_tag(text))
        except ValueError:
            assert not text.replace(",", " ").strip() or len(text) > MAX_LENGTH or not text.isprintable()
    value = join_tags(tags)
    assert set(split_tags(value)) == tags
    if value is not None:
        check_tags(value)


@pytest.mark.parametrize(
    "value",
    [
        "zeugma, label wrong",
        "label wrong,needs context",
        " x",
        "a\nb",
        "x" * 41,
        ", ".join(map(str, range(MAX_TAGS + 1))),
    ],
)
def test_a_value_that_pairwright_does_not_write_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="tag"):
        check_tags(value)
