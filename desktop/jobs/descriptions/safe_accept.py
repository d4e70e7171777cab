"""What people's answers promise of accepted suggestions, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.text import count
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.models.safe_accept import SafeAccept

NO_SUGGESTIONS = tr("There are no suggestions yet. A model makes some on the Model page.")


def safe_accept_text(safe: SafeAccept) -> str:
    """The promise, or why there is none, in sentences."""
    if not safe.has_suggestions:
        return NO_SUGGESTIONS
    if safe.found is not None:
        return tr(
            "Of {suggestions} with a confidence of {percent} % or more whose pairs people answered, {wrong:,} {were} "
            "wrong. So, of other such suggestions at most {most} % are wrong, with 90 % certainty, if their pairs are "
            "like the answered ones.",
            suggestions=count(safe.found.pairs, "suggestion"),
            percent=safe.found.percent,
            wrong=safe.found.wrong,
            were=tr("was") if safe.found.wrong == 1 else tr("were"),
            most=safe.most_wrong,
        )
    if safe.answers < safe.needed:
        return tr(
            "At most {most} % wrong cannot be promised yet: it takes {needed} or more to pairs that the model has not "
            "learned, and there are {answers:,}.",
            most=safe.most_wrong,
            needed=count(safe.needed, "answer"),
            answers=safe.answers,
        )
    return tr(
        "At most {most} % wrong cannot be promised: by {answers}, the model is too often wrong even where it is most "
        "confident, or there are too few answers.",
        most=safe.most_wrong,
        answers=count(safe.answers, "answer"),
    )
