"""Values of fields, whatever JSON has in them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from storage.exchange import field_values

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda parts: st.lists(parts) | st.dictionaries(st.text(), parts),
)
READERS: list[Callable[[object], Any]] = [
    field_values.as_bool,
    field_values.as_flags,
    partial(field_values.as_hash, pattern=re.compile("[0-9a-f]{32}")),
    partial(field_values.as_integer, minimum=0, maximum=9999),
    field_values.as_list,
    field_values.as_object,
    field_values.as_probability,
    field_values.as_strategy,
    field_values.short_text,
]


@given(value=JSON)
@example(value=10**400)
@example(value="[" * 100_000)
@example(value="\ud800")
def test_no_value_ends_the_reading_of_a_file(value: object) -> None:
    for read in READERS:
        read(value)


@given(value=JSON)
def test_what_is_kept_as_json_can_be_stored_and_read(value: object) -> None:
    text = field_values.compact_json(value)
    if text is not None:
        text.encode()
        assert json.loads(text) == value
