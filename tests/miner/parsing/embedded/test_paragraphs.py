"""Whether a paragraph's sentence goes on."""

from __future__ import annotations

import pytest

from miner.parsing.embedded.paragraphs import ends_open


@pytest.mark.parametrize(
    "text",
    [
        "The ferry is late.",
        "The ferry is “late.”",
        "The ferry is late. [3, 4]",
        "The ferry is late. □",
        "The ferry is late.†",
        "The ferry is late. (Kim et al., 2010)",
    ],
)
def test_a_sentence_is_complete_with_what_stands_behind_its_stop(text: str) -> None:
    assert not ends_open(text)


@pytest.mark.parametrize(
    "text",
    [
        "The ferry is late",
        "The ferry is late (Kim et al., 2010)",
        "The ferry is as late as in Kim et al. (2003, 2010)",
        "The ferry is late, see Kim et al.",
        "The ferry is a □",
    ],
)
def test_a_sentence_without_a_stop_of_its_own_goes_on(text: str) -> None:
    assert ends_open(text)
