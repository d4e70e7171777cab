"""The results of a round about kinds, shown when its last pair is answered."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from desktop.jobs.review.kind_answers import KindsCounts
from desktop.translation import tr
from desktop.ui.judging.round_end import RoundEnd, answered_text
from desktop.ui.theme import Theme
from miner.kinds.taxonomy import RELATION_ANSWERS, Taxonomy


class KindsRoundEnd(RoundEnd):
    """Shows how many pairs have each relation and each kind of reasoning."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Another round…"), parent)
        for button in (self.another_button, self.folder_button, self.again_button):
            button.setAutoDefault(True)

    def show_counts(
        self, title: str, counts: KindsCounts, taxonomy: Taxonomy, *, can_draw: bool, send_back: Path | None = None
    ) -> None:
        """Show the end of a round with these counts. can_draw, send_back: as in `show_end`."""
        self.show_end(title, _sentences(counts, taxonomy), can_draw=can_draw, send_back=send_back)
        self.add_classes(RELATION_ANSWERS, counts.relations)
        named = [(number, taxonomy.category[key].name) for key, number in counts.categories.items()]
        for row, (number, name) in enumerate(sorted(named, key=lambda one: (-one[0], one[1]))):
            half, place = divmod(row, max(len(RELATION_ANSWERS), (len(named) + 1) // 2))
            self.add_count(name, f"{number:,}", place, 2 + 2 * half)


def _sentences(counts: KindsCounts, taxonomy: Taxonomy) -> list[str]:
    answered = answered_text(counts.complete, counts.bad)
    lines = [tr("{answered} A pair may need several kinds of reasoning.", answered=answered)]
    options = [option for question in taxonomy.question for option in question.options]
    directions = {option.text: counts.directions.get(option.direction, 0) for option in options if option.direction}
    if given := [f"{text}: {number:,}" for text, number in directions.items() if number]:
        lines.append(" · ".join(given))
    return lines
