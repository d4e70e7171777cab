"""What the annotator sees of the pairs, and had seen when an answer was given."""

from __future__ import annotations

import time
from dataclasses import replace

from storage.annotation.answer_context import NO_CONTEXT, AnswerContext
from storage.annotation.rounds import ReviewItem


class AnnotatorView:
    """`blind`: phrase, distant label and suggestion stay hidden until a pair is answered.

    `state`: more of what is recorded with each answer: the round, the open panel.
    """

    def __init__(self) -> None:
        self.blind = True
        self.state = NO_CONTEXT
        self._revealed: set[str] = set()  # keys of pairs of which nothing was hidden at some time
        self._shown_at = 0.0

    def clear(self) -> None:
        """Other pairs come now."""
        self._revealed.clear()

    def show(self, key: str, *, is_new: bool) -> None:
        """The pair is on the screen; `is_new`: since now."""
        if is_new:
            self._shown_at = time.monotonic()
        if not self.blind:
            self.reveal(key)

    def reveal(self, key: str) -> None:
        self._revealed.add(key)

    def knows(self, item: ReviewItem) -> bool:
        """Whether the annotator has seen what the phrase says, and the model."""
        return not self.blind or item.mine is not None or item.pair.key in self._revealed

    def seen(self, item: ReviewItem) -> AnswerContext:
        """What is recorded with an answer that is given now."""
        seen = replace(
            self.state,
            blind=self.blind,
            premise=item.pair.premise,
            hypothesis=item.pair.hypothesis,
            hidden=() if self.knows(item) else ("phrase", "distant_label"),
            seconds=round(time.monotonic() - self._shown_at, 2),
        )
        if (made := item.suggestion) is None:
            return seen
        if not self.knows(item):
            return replace(seen, hidden=("phrase", "distant_label", "suggestion"))
        return replace(seen, suggestion=made.label, confidence=round(made.confidence, 4), model=made.model)
