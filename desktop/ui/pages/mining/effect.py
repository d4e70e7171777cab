"""What the settings do to a sample of the project's papers: in = kept + dropped, before and after."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.mining.preview import Difference, PreviewExample, SettingsEffect
from desktop.text import count
from desktop.ui.pages.mining.words import change_text, kept, meaning
from desktop.ui.services.display_names import drop_reason_name
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.notices import Notice
from miner.records import Funnel, Strategy

_SIGNS = {Difference.GAINED: "+", Difference.LOST: "−", Difference.CHANGED: "↻"}
_TONES = {Difference.GAINED: "good", Difference.LOST: "bad", Difference.CHANGED: "warning"}
_SHOWN = 12  # examples of each kind


class EffectPane(QWidget):
    another_requested = Signal()  # another sample

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._effect: SettingsEffect | None = None
        self._of = ""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        layout.addLayout(self._head())
        self.status = PlainLabel()
        self.status.setProperty("type", "small")
        self.status.setWordWrap(True)
        layout.addWidget(self.status)
        self.table = QTableWidget(0, 3)
        self._dress_table()
        layout.addWidget(self.table, 1)
        self.change = PlainLabel()
        self.change.setProperty("type", "heading")
        self.change.setWordWrap(True)
        layout.addWidget(self.change)
        self.answered = Notice(theme)
        layout.addWidget(self.answered)
        self.examples = QTextBrowser()
        self.examples.setAccessibleName("Pairs that change")
        self.examples.setTabChangesFocus(True)
        self.examples.setOpenLinks(False)
        self.examples.setVisible(False)
        layout.addWidget(self.examples, 1)
        theme.changed.connect(self._on_theme)
        self.wait("starting…")

    def wait(self, text: str) -> None:
        """Numbers are on their way; those of before stay."""
        self.status.setText(f"{self._of} · {text}" if self._of else text[:1].upper() + text[1:])

    def show_funnel(self, papers: int, funnel: Funnel) -> None:
        """What became of the candidates of all papers, until there is a sample."""
        if self._effect is None:
            self._fill(funnel, None)
            self._say(f"All {count(papers, 'paper')}")

    def show_effect(self, effect: SettingsEffect) -> None:
        self._effect = effect
        of = count(effect.papers, "paper")
        if effect.done < effect.sample:
            self._say(f"{effect.done} of {effect.sample} papers looked at…")
        else:
            failed = f", {count(effect.failed, 'paper')} failed" if effect.failed else ""
            self._say(f"{effect.sample} of {of}, {count(effect.sentences, 'sentence')}{failed}")
        self._fill(effect.before, effect.after)
        self.change.setText(change_text(effect))
        they = "its answer is" if effect.answered == 1 else "their answers are"
        told = f"People have judged {effect.answered:,} of the lost pairs; {they} kept, but not exported."
        self.answered.show_text(told if effect.answered else "", "warning")
        self._show_examples(effect)

    def _say(self, of: str) -> None:
        """What the numbers are of."""
        self._of = of
        self.status.setText(of)

    def _head(self) -> QHBoxLayout:
        title = PlainLabel("Effect on a sample")
        title.setProperty("type", "heading")
        self.another = QPushButton("&Another sample")
        self.another.setProperty("look", "link")
        set_tip(self.another, "Draw other papers")
        self.another.clicked.connect(self.another_requested)
        row = QHBoxLayout()
        row.addWidget(title)
        row.addStretch(1)
        row.addWidget(self.another)
        return row

    def _dress_table(self) -> None:
        table, theme = self.table, self._theme
        table.setHorizontalHeaderLabels(["", "Before", "After"])
        for column, side in enumerate((Qt.AlignmentFlag.AlignLeft, *[Qt.AlignmentFlag.AlignRight] * 2)):
            if item := table.horizontalHeaderItem(column):
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        table.setProperty("look", "plain")
        table.setAccessibleName("Candidates of the sample: kept and dropped, by reason")
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.verticalHeader().setVisible(False)
        table.verticalHeader().setDefaultSectionSize(theme.px(24))
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        for column in (1, 2):
            table.setColumnWidth(column, theme.px(72))

    def _fill(self, funnel: Funnel, after_funnel: Funnel | None) -> None:
        lines = _lines(funnel, after_funnel or funnel)
        self.table.setRowCount(len(lines))
        for row, (text, tip, before, after, strong) in enumerate(lines):
            for column, cell in enumerate((text, f"{before:,}", "…" if after_funnel is None else f"{after:,}")):
                item = QTableWidgetItem(cell)
                set_tip(item, tip)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                changed = column == 2 and before != after
                if strong or changed:
                    item.setFont(self._theme.font(bold=True))
                if changed:
                    item.setForeground(self._theme.color("accent"))
                elif not strong and column != 2:
                    item.setForeground(self._theme.color("muted" if column else "ink"))
                self.table.setItem(row, column, item)

    def _show_examples(self, effect: SettingsEffect) -> None:
        kept: dict[Difference, list[PreviewExample]] = {}
        for example in effect.examples:
            kept.setdefault(example.difference, []).append(example)
        parts = []
        for difference, examples in kept.items():
            parts += [self._html(example) for example in examples[:_SHOWN]]
            if (rest := effect.counts[difference] - _SHOWN) > 0:
                muted = self._theme.tokens.muted
                parts.append(f'<p style="color:{muted}">and {rest:,} more {difference}</p>')
        self.examples.setVisible(bool(parts))
        self.examples.setHtml("".join(parts))

    def _html(self, example: PreviewExample) -> str:
        pair, tokens = example.pair, self._theme.tokens
        color = getattr(tokens, _TONES[example.difference])
        label = pair.distant_label
        relation = f"{LETTERS[label]} {label}" if label else "no label"
        tone = self._theme.label_text_color(label).name() if label else tokens.muted
        phrase = f' <span style="color:{tokens.muted}">{escape(pair.phrase)}</span>' if pair.phrase else ""
        before = (
            f'<br><s style="color:{tokens.muted}">{escape(example.before.hypothesis)}</s>' if example.before else ""
        )
        sign = f'<b style="color:{color}">{_SIGNS[example.difference]}</b>'
        return (
            f'<p style="margin:0 0 {self._theme.px(10)}px 0">'
            f'{sign} <b style="color:{tone}">{relation}</b>{phrase}<br>'
            f"{escape(pair.premise)}{before}<br>→ {escape(pair.hypothesis)}</p>"
        )

    @Slot()
    def _on_theme(self) -> None:
        if self._effect is not None:
            self.show_effect(self._effect)


_Line = tuple[str, str, int, int, bool]  # text, tip, before, after, whether it is a sum


def _lines(before: Funnel, after: Funnel) -> list[_Line]:
    """In = kept + dropped: three sums, and under them what they are of."""
    lines: list[_Line] = [
        ("Candidates", "Pairs that could be", sum(before.candidates.values()), sum(after.candidates.values()), True),
        ("Kept", "Pairs of the data set", sum(before.kept.values()), sum(after.kept.values()), True),
    ]
    for strategy in Strategy:
        if strategy in before.kept or strategy in after.kept:
            lines.append((f"   {kept(strategy)}", "", before.kept.get(strategy, 0), after.kept.get(strategy, 0), False))
    reasons: dict[str, list[int]] = {}
    for place, funnel in enumerate((before, after)):
        for drop, number in funnel.dropped.items():
            reasons.setdefault(drop.reason, [0, 0])[place] += number
    sums = [sum(numbers[place] for numbers in reasons.values()) for place in range(2)]
    lines.append(("Dropped", "Candidates that are no clean pairs", sums[0], sums[1], True))
    for reason, (old, new) in sorted(reasons.items(), key=lambda item: (-max(item[1]), item[0])):
        lines.append((f"   {drop_reason_name(reason)}", meaning(reason), old, new, False))
    return lines
