"""What the Mining page says of neutral pairs."""

import pytest

from desktop.jobs.mining.preview import NeutralMoves
from desktop.ui.pages.mining.text import neutral_moves_text


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        (NeutralMoves(9, 0, 0, 4), ""),
        (NeutralMoves(1245, 20, 3), "Neutral pairs: 1,245 kept, 20 added, 3 removed."),
        (
            NeutralMoves(5, 1, 0, 1),
            "Neutral pairs: 5 kept, 1 added, 0 removed. The one that people answered or marked is kept.",
        ),
        (
            NeutralMoves(5, 0, 2, 4),
            "Neutral pairs: 5 kept, 0 added, 2 removed. All 4 that people answered or marked are kept.",
        ),
        (
            NeutralMoves(5, 1, 4, 4, {"no_sentence": 1, "over_quota": 2}),
            "Neutral pairs: 5 kept, 1 added, 4 removed. Of 4 that people answered or marked, 3 will be removed. "
            "2: The paper gets fewer neutral pairs, and all of them are annotated. "
            "1: The paper no longer has both sentences.",
        ),
    ],
)
def test_what_happens_to_neutral_pairs_is_said_with_the_reasons(moves: NeutralMoves, text: str) -> None:
    assert neutral_moves_text(moves) == text
