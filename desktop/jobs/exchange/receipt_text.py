"""Receipts of exports in words: the pairs left out, the split of the others, and leaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from desktop.jobs.exchange.split_text import gap_note, leaks_text, outcome_note, papers_left_out_text, share_note
from desktop.text import count
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from storage.exchange.pair_export import ExportReceipt

_SPLIT_METHODS = {
    "paper": tr("by paper"),
    "shared_sentences": tr("by shared sentences, because they name no paper"),
    "own_split": tr("by the split that their file states"),
}


def receipt_notes(receipt: ExportReceipt) -> list[str]:
    """Sentences on the pairs left out, the split of the others, and leaks."""
    notes = [
        left_out_text(receipt.left_out),
        split_text(receipt.split_by),
        papers_left_out_text(receipt.papers_left_out, receipt.options.years, tr("receipt.json names all")),
    ]
    options = receipt.options
    pairs = Counter[str]()
    for (split, *_), number in receipt.counts.items():
        pairs[split] += number
    notes += [gap_note(options), share_note(options.shares), outcome_note(options.shares, pairs)]
    notes.append(leaks_text(receipt.leaks))
    return list(filter(None, notes))


def left_out_text(reasons: Mapping[str, int]) -> str:
    """ "312 pairs are left out: 200 marked as bad, 112 without a gold label."; "" for none."""
    from storage.dataset.export_options import LEFT_OUT_REASONS

    total = sum(reasons.values())
    if not total:
        return ""
    most_first = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{number:,} {LEFT_OUT_REASONS.get(reason, reason)}" for reason, number in most_first]
    if len(parts) == 1:
        parts = [LEFT_OUT_REASONS.get(reason, reason) for reason in reasons]
    return tr("{are} left out: {parts}.", are=count(total, "pair is", "pairs are"), parts=", ".join(parts))


def split_text(split_by: Mapping[str, int]) -> str:
    """ "Split: 1,200 pairs by paper; 3 by the split of their file."; "" without splits."""
    parts = [f"{count(number, 'pair')} {_SPLIT_METHODS[way]}" for way, number in split_by.items() if number]
    return tr("Split: {parts}.", parts="; ".join(parts)) if parts else ""
