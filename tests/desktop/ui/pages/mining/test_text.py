"""What the Mining page says of neutral pairs."""

import pytest

from desktop.jobs.mining.preview import NeutralMoves
from desktop.ui.pages.mining.text import neutral_moves_text


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        (NeutralMoves(9, 0, 0, 4), ""),
        (NeutralMoves(1245, 20, 3), "Neutral pairs: 1,245 stay, 20 come, 3 go."),
        (
            NeutralMoves(5, 1, 0, 1),
            "Neutral pairs: 5 stay, 1 come, 0 go. The one that people answered or marked stays.",
        ),
        (NeutralMoves(5, 0, 2, 4), "Neutral pairs: 5 stay, 0 come, 2 go. All 4 that people answered or marked stay."),
        (
            NeutralMoves(5, 1, 4, 4, {"no_sentence": 1, "over_quota": 2}),
            "Neutral pairs: 5 stay, 1 come, 4 go. Of 4 that people answered or marked, 3 go. "
            "2: The paper gets fewer neutral pairs, and all of them are annotated. "
            "1: The paper no longer has both sentences.",
        ),
    ],
)
def test_what_happens_to_neutral_pairs_is_said_with_the_reasons(moves: NeutralMoves, text: str) -> None:
    assert neutral_moves_text(moves) == text
