"""The fields for a split of the papers: shares of each domain, or lines with years."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QPlainTextEdit, QWidget

from desktop.translation import tr
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import DecimalBox, FormScrollArea, pad_number
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip
from desktop.ui.widgets.layouts import column_of, stretched
from miner.errors import UserError
from miner.split_suggestion import DomainSuggestion
from miner.splits import PaperSplit
from miner.year_ranges import OTHER_DOMAINS, YearRange, find_range, ranges_by_domain, read_year_ranges

YEARS_EXAMPLE = "nlp: train -2018, dev 36% + test 64% 2019-"
_HELD_OUT = ("dev", "test")
_DIGITS = 6  # of a share, in percent
_FIELD_WIDTH, _TRAIN_WIDTH, _LINES_HEIGHT, _MARGIN = 64, 48, 132, 12


class ShareBox(DecimalBox):
    """A share in percent, with as many digits as it has."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(minimum=0.0, maximum=100.0, decimals=_DIGITS, singleStep=1.0, suffix=" %")
        self.setAccessibleName(name)
        self.setProperty("look", "plain")  # without arrows; Qt's own NoButtons leaves no room for the text here
        self.setFixedWidth(theme.px(_FIELD_WIDTH))
        pad_number(self, theme)

    def textFromValue(self, value: float) -> str:
        return self.locale().toString(value, "g", _DIGITS)


class ShareFields(QWidget):
    """Fields for the shares of dev and test, a row for each domain and one for all others; the rest is train."""

    changed = Signal()

    def __init__(self, theme: Theme, domains: Collection[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        named = {domain.casefold(): domain for domain in sorted(domains, reverse=True) if domain}
        self._domains = [*(named[key] for key in sorted(named)), OTHER_DOMAINS]
        self.boxes: dict[tuple[str, str], ShareBox] = {}
        self._train_labels: dict[str, PlainLabel] = {}
        self._is_filling = False
        rows = QWidget()
        grid = self._grid(rows)
        others = tr("{no_domain}, and others", no_domain=NO_DOMAIN) if "" in domains else tr("Other domains")
        for row, domain in enumerate(self._domains):
            name = others if domain == OTHER_DOMAINS else domain
            label = ElidedLabel(name)
            if domain == OTHER_DOMAINS:
                label.setProperty("type", "muted")
                set_tip(label, tr("Papers of domains that are added later are split by these shares"))
            grid.addWidget(label, row, 0)
            for column, split in enumerate(_HELD_OUT, start=1):
                box = ShareBox(theme, tr("{split} share of {name}", split=split.capitalize(), name=name))
                box.valueChanged.connect(self._on_changed)
                grid.addWidget(box, row, column)
                self.boxes[domain, split] = box
            train = PlainLabel()
            train.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(train, row, 3)
            self._train_labels[domain] = train
        self.setFocusProxy(self.boxes[self._domains[0], "dev"])
        self.area = FormScrollArea(rows)
        self.area.setAccessibleName(tr("Shares of each domain"))
        head = QWidget()
        titles = self._grid(head)
        for column, title in enumerate((tr("Domain"), tr("Dev"), tr("Test"), tr("Train"))):
            text = PlainLabel(title, type="small")
            if title == tr("Train"):
                text.setAlignment(Qt.AlignmentFlag.AlignRight)
                set_tip(text, tr("All papers that are neither dev nor test"))
            titles.addWidget(text, 0, column)
        layout = column_of(head, stretched(self.area), spacing=theme.px(4))
        self.setLayout(layout)
        self.area.setMaximumHeight(rows.sizeHint().height())
        self._titles = titles
        self.area.verticalScrollBar().rangeChanged.connect(self._align_titles)
        self.setMaximumHeight(head.sizeHint().height() + layout.spacing() + rows.sizeHint().height())

    def fill(self, shares: Mapping[str, Mapping[str, float]]) -> None:
        """Show these shares of dev and test, in percent, by domain; domains without shares are train."""
        by_name = {domain.casefold(): of for domain, of in shares.items()}
        self._is_filling = True
        for (domain, split), box in self.boxes.items():
            box.setValue(by_name.get(domain.casefold(), {}).get(split, 0.0))
        self._is_filling = False
        self._on_changed()

    @property
    def ranges(self) -> tuple[YearRange, ...]:
        """The shares of all domains. `UserError` if the shares of a domain sum to more than 100 %."""
        ranges = []
        for domain in self._domains:
            dev, test = (self.boxes[domain, split].value() for split in _HELD_OUT)
            train = round(100 - dev - test, _DIGITS)
            if train < 0:
                name = tr("the other domains") if domain == OTHER_DOMAINS else domain
                raise UserError(
                    tr("Dev and test of {name} add up to {dev:g} %, more than all papers.", name=name, dev=dev + test)
                )
            ranges.append(YearRange(domain, (("train", train), ("dev", dev), ("test", test))))
        return tuple(ranges)

    @Slot(int, int)
    def _align_titles(self, first: int, last: int) -> None:
        """Keep the titles above their columns, even where a scroll bar makes the rows narrower."""
        bar = self.area.verticalScrollBar().sizeHint().width() if last > first else 0
        self._titles.setContentsMargins(0, 0, self._theme.px(_MARGIN) + bar, 0)

    @Slot()
    def _on_changed(self) -> None:
        if self._is_filling:
            return
        for domain, label in self._train_labels.items():
            train = round(100 - sum(self.boxes[domain, split].value() for split in _HELD_OUT), _DIGITS)
            label.setText(f"{self.locale().toString(train, 'g', _DIGITS)} %")
            label.set_tone("" if train >= 0 else "bad")
        self.changed.emit()

    def _grid(self, parent: QWidget) -> QGridLayout:
        px = self._theme.px
        grid = QGridLayout(parent)
        grid.setContentsMargins(0, 0, px(_MARGIN), 0)
        grid.setHorizontalSpacing(px(8))
        grid.setVerticalSpacing(px(8))
        grid.setColumnStretch(0, 1)
        for column in (1, 2):
            grid.setColumnMinimumWidth(column, px(_FIELD_WIDTH))
        grid.setColumnMinimumWidth(3, px(_TRAIN_WIDTH))
        return grid


class YearFields(QWidget):
    """Lines with the years of each split, as `read_year_ranges` reads them."""

    changed = Signal()

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = QPlainTextEdit(text)
        self.lines.setAccessibleName(tr("Years of each split"))
        self.lines.setPlaceholderText(YEARS_EXAMPLE)
        self.lines.setTabChangesFocus(True)
        self.lines.setMinimumHeight(theme.px(_LINES_HEIGHT))
        self.lines.textChanged.connect(self.changed)
        self.setFocusProxy(self.lines)
        self.setLayout(column_of(self.lines))

    @property
    def is_empty(self) -> bool:
        return not self.lines.toPlainText().strip()

    @property
    def ranges(self) -> tuple[YearRange, ...]:
        """The ranges of years; `UserError` if a line cannot be read."""
        return read_year_ranges(self.lines.toPlainText().splitlines())


def suggested_shares(suggestions: Sequence[DomainSuggestion]) -> dict[str, dict[str, float]]:
    """The shares in percent, as `ShareFields.fill` takes them."""
    return {one.domain or OTHER_DOMAINS: dict(one.shares) for one in suggestions}


def present_shares(split: PaperSplit, domains: Iterable[str]) -> dict[str, dict[str, float]]:
    """The shares in percent of a split without years, as `ShareFields.fill` takes them."""
    ranges = ranges_by_domain(split.ranges)
    found = {}
    for domain in {*domains, *(one.domain for one in split.ranges), OTHER_DOMAINS}:
        if (own := find_range(ranges, domain, None)) is not None:
            total = sum(share for _, share in own.shares)
            found[domain] = {name: round(100 * share / total, _DIGITS) for name, share in own.shares}
        elif split.rest in _HELD_OUT:
            found[domain] = {split.rest: 100.0}
    return found
