"""The taxonomy's file: the released one, and files that cannot be used."""

from __future__ import annotations

from importlib.resources import files

import pytest

from miner.errors import UserError
from miner.kinds.taxonomy import parse_taxonomy, released_taxonomy

TEXT = files("miner.kinds").joinpath("taxonomy.toml").read_text(encoding="utf-8")


def test_the_released_taxonomy_has_15_categories_and_3_features_of_neutral_pairs() -> None:
    taxonomy = released_taxonomy()
    of_neutral = [key for key, category in taxonomy.category.items() if category.group == "neutral"]
    assert (len(taxonomy.category), of_neutral) == (18, ["topic", "subject", "object"])
    assert len(taxonomy.reasoning) == 15
    assert all(len(category.example) == 2 and category.definition for category in taxonomy.category.values())
    asked = {option.category for question in taxonomy.question for option in question.options} - {""}
    assert asked == set(taxonomy.category)


@pytest.mark.parametrize(
    ("change", "into", "expected"),
    [
        ('category = "world"', 'category = "wordl"', "is it world?"),
        ('asked_if = { topic = ["y"] }', 'asked_if = { object = ["y"] }', "that is a loop"),
        ('asked_if = { topic = ["y"] }', 'asked_if = { subject = ["y"] }', "that is a loop"),
        ('asked_if = { topic = ["y"] }', 'asked_if = { topik = ["y"] }', "is it topic?"),
        ('asked_if = { topic = ["y"] }', 'asked_if = { topic = ["x"] }', "answers that topic does not have"),
        ('asked_if = { topic = ["y"] }', "asked_if = { topic = [] }", "on none of its answers"),
        ('group = "knowledge"\nname = "World"', 'group = "knowlege"\nname = "World"', "is it knowledge?"),
        ('key = "object"\ntext', 'key = "topic"\ntext', "two questions topic"),
        ('key = "w", text = "Facts', 'key = "W", text = "Facts', "one small letter"),
        ('key = "e", text = "They', 'key = "o", text = "They', "a key of its own"),
        ("multiple = true", "multipel = true", "multipel"),
        ('direction = "forward"', 'direction = "up"', "cannot be used"),
        ("[groups]", "[groups", "cannot be used"),
        ('text = "Places"', 'text = " "', "is empty"),
        ('text = "Places"', f'text = "{"x" * 2_000}"', "more than 1,000 characters"),
    ],
)
def test_a_file_with_a_mistake_is_refused_in_words(change: str, into: str, expected: str) -> None:
    assert change in TEXT
    with pytest.raises(UserError, match="cannot be used") as caught:
        parse_taxonomy(TEXT.replace(change, into, 1))
    assert expected in str(caught.value)
