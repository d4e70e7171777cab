"""The summary of a split of the papers: papers, and the estimated number of gold labels beside the targets."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop.jobs.exchange.split_preview import ExpectedGold, SplitPreview
from desktop.jobs.papers.split_moves import moves_text
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.annotate.class_grid import ClassCell, ClassGrid, RowHeading
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, CardFrame, column_of, stretched
from desktop.ui.widgets.notices import Notice

_HELP = tr(
    "To reach the targets, add papers or linking phrases, give dev and test a larger share, or lower the targets."
)


class SplitSummary(CardFrame):
    """Empty until a preview is shown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.setAccessibleName(tr("Effect of the split"))
        heading = PlainLabel(tr("Gold labels to expect"), type="heading")
        self.train = PlainLabel(wraps=True)
        self.grid = ClassGrid(theme, tr("Gold labels to expect in dev and test"), is_clickable=False, spacing=12)
        inside = QWidget()
        inside.setLayout(column_of(self.grid, STRETCH, margins=(0, 0, px(4), 0)))
        self.shortage, self.left_out, self.moves = Notice(theme), Notice(theme), Notice(theme)
        self._area = FormScrollArea(inside)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        layout = column_of(heading, stretched(self._area, 100), spacing=px(8), margins=(px(16), px(12), px(4), px(12)))
        self.setLayout(layout)
        for part in (self.train, self.shortage, self.left_out, self.moves):
            part.setContentsMargins(0, 0, px(12), 0)
            layout.addWidget(part)
        layout.addStretch(1)

    def show_preview(self, preview: SplitPreview) -> None:
        papers = {
            _row(one): f"{one.split}, {count(preview.papers.get((one.split, one.domain), 0), 'paper')}"
            for one in preview.strata
        }
        headings = {_row(one): RowHeading(one.domain or NO_DOMAIN, papers[_row(one)]) for one in preview.strata}
        self.grid.show_cells([_cell(one) for one in preview.strata], headings)
        self._area.setMaximumHeight(self.grid.needed_height + self._area.horizontalScrollBar().sizeHint().height())
        train = f"{count(preview.papers_in('train'), 'paper')}, {count(preview.pairs_in('train'), 'pair')}"
        self.train.setText(tr("Train: {train} to learn from", train=train))
        short = sum(one.gold < one.target for one in preview.strata)
        what = tr("Marked cells have too few pairs for the targets.") if short else ""
        self.shortage.show_text(f"{what} {_HELP}" if what else "", "warning")
        without = preview.papers_in("")
        undated = tr(", {undated:,} of them without a year", undated=preview.undated) if preview.undated else ""
        verb = "is" if without == 1 else "are"
        text = tr(
            "{papers} {verb} in no split{undated}, and so in no data set and no round.",
            papers=count(without, "paper"),
            verb=verb,
            undated=undated,
        )
        self.left_out.show_text(text if without else "", "warning")
        self.moves.show_text(
            moves_text([one for one in preview.moved if one.old is not None], tr("Would change their split")),
            "info",
        )


def _row(one: ExpectedGold) -> str:
    return f"{one.domain or NO_DOMAIN} · {one.split}"


def _cell(one: ExpectedGold) -> ClassCell:
    about = tr("about {gold:,}", gold=one.gold) if one.gold else "0"
    tip = tr(
        "{pairs} can be annotated; about {gold:,} of them will get this gold label",
        pairs=count(one.pairs, "pair"),
        gold=one.gold,
    )
    if not one.target:
        return ClassCell(_row(one), one.label, about if one.pairs else "–", 1.0 if one.gold else 0.0, tip)
    tone = "warning" if one.gold < one.target else ""
    share = min(1.0, one.gold / one.target)
    return ClassCell(
        _row(one), one.label, tr("{about} of {target:,}", about=about, target=one.target), share, tip, tone
    )
