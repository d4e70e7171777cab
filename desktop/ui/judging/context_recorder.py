"""Records the context of an answer: what the annotator could see of the pair, and for how long."""

from __future__ import annotations

import time
from dataclasses import replace

from storage.annotation.answer_context import NO_CONTEXT, AnswerContext
from storage.annotation.rounds import ReviewItem


class ContextRecorder:
    """Makes the `AnswerContext` of each answer.

    `blind`: phrase, distant label and suggestion stay hidden until the pair is answered. `stays_blind`: in blind mode
    they stay hidden afterwards, as the answers are votes and the phrase of one pair hints at the next. `until_tagged`:
    in blind mode they are hidden until the pair is tagged or revealed, answered or not, as in a round of errors.
    `base`: the values that several answers share, such as the round and the open panel.
    """

    def __init__(self) -> None:
        self.blind = True
        self.stays_blind = False
        self.until_tagged = False
        self.base = NO_CONTEXT
        self._revealed: set[str] = set()  # keys of pairs that were shown with nothing hidden
        self._shown_at = 0.0

    def clear(self) -> None:
        """Forget which pairs were revealed."""
        self._revealed.clear()

    def on_shown(self, key: str, *, is_new: bool) -> None:
        """Record that a pair is on the screen. is_new: another pair was there before."""
        if is_new:
            self._shown_at = time.monotonic()
        if not self.blind:
            self.reveal(key)

    def reveal(self, key: str) -> None:
        """Record that the whole pair is visible now."""
        self._revealed.add(key)

    def hides(self, item: ReviewItem) -> bool:
        """Whether phrase, distant label and suggestion of the pair are to be hidden now."""
        if self.until_tagged:
            return self.blind and not item.tags and item.pair.key not in self._revealed
        return self.blind and (self.stays_blind or item.mine is None)

    def is_revealed(self, item: ReviewItem) -> bool:
        """Whether the annotator has seen the phrase and the suggestion."""
        return not self.hides(item) or item.pair.key in self._revealed

    def context(self, item: ReviewItem) -> AnswerContext:
        """The context of an answer that is given now."""
        is_revealed = self.is_revealed(item)
        context = replace(
            self.base,
            blind=self.blind,
            premise=item.pair.premise,
            hypothesis=item.pair.hypothesis,
            hidden=() if is_revealed else ("phrase", "distant_label"),
            seconds=round(time.monotonic() - self._shown_at, 2),
        )
        suggestion = item.suggestion
        if suggestion is None:
            return context
        if not is_revealed:
            return replace(context, hidden=("phrase", "distant_label", "suggestion"))
        confidence = round(suggestion.confidence, 4)
        return replace(context, suggestion=suggestion.label, confidence=confidence, model=suggestion.model)
