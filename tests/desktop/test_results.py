"""What an export's receipt says, in words."""

from __future__ import annotations

from desktop.jobs.results import left_out_text, split_text


def test_reasons_are_said_the_most_frequent_first() -> None:
    assert left_out_text({}) == ""
    assert left_out_text({"bad": 1}) == "1 pair is left out: 1 marked bad."
    assert left_out_text({"bad": 2, "balance": 1200, "other_split": 3}) == (
        "1,205 pairs are left out: 1,200 to balance the classes, 3 with a sentence of another split, 2 marked bad."
    )


def test_the_way_of_splitting_is_said() -> None:
    assert split_text({}) == ""
    assert split_text({"paper": 1, "shared_sentences": 0, "own_split": 0}) == "Split: 1 pair by paper."
    assert split_text({"paper": 1200, "shared_sentences": 976, "own_split": 1}) == (
        "Split: 1,200 pairs by paper; 976 pairs by shared sentences, as they name no paper; 1 pair as they came."
    )
