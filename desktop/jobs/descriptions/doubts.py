"""How far a model's doubts can be trusted, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.text import count
from desktop.translation import tr
from miner.statistics import wilson

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.models.doubt_record import DoubtRecord
    from storage.pairs.filters import PairFilter


def doubts_text(record: DoubtRecord, filter: PairFilter | None = None) -> str:
    """How often the model's doubts were right, and which classes are not listed, in sentences; "" if nothing is known.

    What people answered counts, as soon as they answered one doubted label. filter: of the list; None for all doubted
    labels.
    """
    sentences = []
    if record.answered:
        low, high = wilson(record.wrong, record.answered)
        sentences.append(
            tr(
                "Of {labels} that people answered, {wrong:,} {were} wrong (95 % interval: {low:.0f} to {high:.0f} %).",
                labels=count(record.answered, "doubted label"),
                wrong=record.wrong,
                were=tr("was") if record.wrong == 1 else tr("were"),
                low=100 * low,
                high=100 * high,
            )
        )
    elif record.right_in_ten is not None:
        sentences.append(
            tr(
                "Of ten labels that {model} doubts, about {wrong} are wrong. This was measured on other papers.",
                model=record.model,
                wrong=record.right_in_ten,
            )
        )
    for label, doubts in record.unlisted if filter is None else record.left_out(filter):
        if doubts.answered and label not in record.found_rarely:
            sentences.append(
                tr(
                    "Labels {label} are not listed: of {answered} that people answered, only {wrong:,} {were} wrong.",
                    label=label.value,
                    answered=count(doubts.answered, "doubted one", "doubted ones"),
                    wrong=doubts.wrong,
                    were=tr("was") if doubts.wrong == 1 else tr("were"),
                )
            )
        else:
            sentences.append(
                tr(
                    "Labels {label} are not listed: {model} finds {label} too rarely for its doubts to help.",
                    label=label.value,
                    model=record.model,
                )
            )
    return " ".join(sentences)
