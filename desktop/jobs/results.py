"""What came of a job, in words: the same on the command line and in the window."""

from __future__ import annotations

from desktop.text import count
from miner.records import Flag
from storage.exchange.export import Receipt

FLAGS = {
    Flag.CROSSES_PARAGRAPH: ("Premise in the paragraph before", "The phrase opens its paragraph"),
    Flag.PREMISE_HAS_PHRASE: ("Premise starts with a phrase too", "So it takes up a sentence that is not in the pair"),
    Flag.NO_COMMA: ("No comma after the phrase", "“Thus the …”: rarer, and less sure to be a link"),
}
_REASONS = {
    "no_longer_mined": "no longer mined",
    "not_shown": "not shown on the Pairs page",
    "bad": "marked bad",
    "strategy": "without a linking phrase",
    "no_majority": "without a majority",
    "not_settled": "that nobody settled",
    "other_split": "with a sentence of another split",
    "balance": "to balance the classes",
    **{flag.value: text[0].lower() + text[1:] for flag, (text, _) in FLAGS.items()},
}
_WAYS = {
    "paper": "by paper",
    "shared_sentences": "by shared sentences, as they name no paper",
    "own_split": "as they came",
}


def left_out_text(reasons: dict[str, int], *, outside: str = _REASONS["not_shown"]) -> str:
    """ "312 pairs are left out: 200 marked bad, 112 without a majority."; "" for none."""
    total = sum(reasons.values())
    if not total:
        return ""
    most_first = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    words = _REASONS | {"not_shown": outside}
    parts = [f"{number:,} {words.get(reason, reason)}" for reason, number in most_first]
    return f"{count(total, 'pair is', 'pairs are')} left out: {', '.join(parts)}."


def replaced_text(receipt: Receipt) -> str:
    """What became of the files of an earlier export; "" where there was none."""
    parts = [
        f"{verb} {', '.join(files)}"
        for verb, files in (("replaced", receipt.replaced), ("removed", receipt.removed))
        if files
    ]
    return f"Of the earlier export there: {'; '.join(parts)}." if parts else ""


def split_text(split_by: dict[str, int]) -> str:
    """How pairs came to their splits: "Split: 1,200 pairs by paper; 976 pairs as they came."; "" for one file."""
    parts = [f"{count(number, 'pair')} {_WAYS[way]}" for way, number in split_by.items() if number]
    return f"Split: {'; '.join(parts)}." if parts else ""
