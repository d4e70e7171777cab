"""The effect of the settings on a sample of papers: candidates, kept and dropped, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QTextBrowser,
    QWidget,
)

from desktop.jobs.descriptions.drop_reasons import drop_reason_meaning
from desktop.jobs.mining.class_balance import RareClass
from desktop.jobs.mining.preview import Difference, PreviewExample, SettingsEffect
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.mining.rare_class import RareClassCard
from desktop.ui.pages.mining.text import changes_text, kept_pairs_text, neutral_moves_text
from desktop.ui.services.display_names import capitalized, drop_reason_name
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of, stretched
from desktop.ui.widgets.list_keys import list_keys
from desktop.ui.widgets.notices import Notice
from miner.records import Funnel, Label, Strategy

_SIGNS = {Difference.GAINED: "+", Difference.LOST: "−", Difference.CHANGED: "↻"}
_TONES = {Difference.GAINED: "good", Difference.LOST: "bad", Difference.CHANGED: "warning"}
_MAX_EXAMPLES = 12  # of each kind of difference
_ROW_PX = 24
_MIN_ROWS = 7  # of the table, its header included: down to the classes


class EffectPane(QWidget):
    """A table of candidates before and after, the class with the fewest pairs, and examples of pairs that change."""

    another_sample_requested = Signal()
    phrases_requested = Signal(object)  # tuple[Phrase, ...]: to be turned on

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._effect: SettingsEffect | None = None
        self._basis = ""  # the papers that the numbers are about
        self.has_older_rules = False
        """The project's pairs were mined by rules of an earlier version; both columns are by the present ones."""
        self.status = PlainLabel(type="small", wraps=True)
        self.table = QTableWidget(0, 3)
        list_keys(self.table)
        self._set_up_table()
        self.rare_class = RareClassCard(theme)
        self.rare_class.phrases_requested.connect(self.phrases_requested)
        self.changes = PlainLabel(type="heading", wraps=True)
        self.neutral_moves = PlainLabel(type="small", wraps=True)
        self.neutral_moves.setVisible(False)
        self.answers_notice = Notice(theme)
        self.examples = QTextBrowser()
        self.examples.setAccessibleName(tr("Pairs that change"))
        self.examples.setTabChangesFocus(True)
        self.examples.setOpenLinks(False)
        self.examples.setVisible(False)
        self.setLayout(
            column_of(
                self._header(),
                self.status,
                stretched(self.table),
                self.rare_class,
                self.changes,
                self.neutral_moves,
                self.answers_notice,
                stretched(self.examples),
                spacing=theme.px(8),
            )
        )
        theme.changed.connect(self._on_theme)
        self.show_progress(tr("starting…"))

    def show_progress(self, text: str) -> None:
        """Show what is in progress; the numbers stay."""
        self.status.setText(f"{self._basis} · {text}" if self._basis else capitalized(text))

    def show_funnel(self, papers: int, funnel: Funnel) -> None:
        """Show the candidates of all papers, until there is a sample."""
        if self._effect is None:
            self._fill_table(_funnel_rows(funnel, funnel), is_after_known=False)
            self._show_basis(tr("All {papers}", papers=count(papers, "paper")))

    def show_effect(self, effect: SettingsEffect) -> None:
        self._effect = effect
        papers = count(effect.papers, "paper")
        if effect.done < effect.sample:
            self._show_basis(tr("{done} of {sample} papers mined…", done=effect.done, sample=effect.sample))
        else:
            failed = tr(", {papers} failed", papers=count(effect.failed, "paper")) if effect.failed else ""
            rules = tr(", before and after with the rules of this version") if self.has_older_rules else ""
            self._show_basis(
                tr(
                    "{sample} of {papers}, {sentences}{failed}{rules}",
                    sample=effect.sample,
                    papers=papers,
                    sentences=count(effect.sentences, "sentence"),
                    failed=failed,
                    rules=rules,
                )
            )
        self._fill_table(_funnel_rows(effect.before, effect.after, effect.classes_before, effect.classes_after))
        self.changes.setText(changes_text(effect))
        self.neutral_moves.setText(moves := neutral_moves_text(effect.neutral))
        self.neutral_moves.setVisible(bool(moves))
        answers = tr("their answer is") if effect.answered == 1 else tr("their answers are")
        text = tr(
            "People have answered {answered:,} of the lost pairs; {answers} kept, but not exported.",
            answered=effect.answered,
            answers=answers,
        )
        self.answers_notice.show_text(text if effect.answered else "", "warning")
        self._show_examples(effect)

    def show_rare_class(self, rare: RareClass | None, *, is_editable: bool) -> None:
        """Show the class with the fewest pairs; is_editable: its phrases may be turned on."""
        self.rare_class.show_class(rare, is_editable=is_editable)

    def _show_basis(self, basis: str) -> None:
        self._basis = basis
        self.status.setText(basis)

    def _header(self) -> QHBoxLayout:
        title = PlainLabel(tr("Effect on a sample"), type="heading")
        self.another_sample = push_button(
            tr("&Another sample"),
            self.another_sample_requested,
            look="link",
            tip=tr("Try the settings on other papers"),
        )
        return row_of(title, STRETCH, self.another_sample)

    def _set_up_table(self) -> None:
        table, theme = self.table, self._theme
        table.setHorizontalHeaderLabels(["", tr("Before"), tr("After")])
        for column, side in enumerate((Qt.AlignmentFlag.AlignLeft, *[Qt.AlignmentFlag.AlignRight] * 2)):
            if item := table.horizontalHeaderItem(column):
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        table.setProperty("look", "plain")
        table.setAccessibleName(tr("Candidates of the sample, kept or dropped, with the reason"))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.verticalHeader().setVisible(False)
        table.verticalHeader().setDefaultSectionSize(theme.px(_ROW_PX))
        table.setMinimumHeight(theme.px(_MIN_ROWS * _ROW_PX + 16))
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        for column in (1, 2):
            table.setColumnWidth(column, theme.px(64))

    def _fill_table(self, rows: Sequence[_FunnelRow], *, is_after_known: bool = True) -> None:
        self.table.setRowCount(len(rows))
        for number, row in enumerate(rows):
            for column, cell in enumerate((row.text, f"{row.before:,}", f"{row.after:,}" if is_after_known else "…")):
                item = QTableWidgetItem(cell)
                set_tip(item, row.tip)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                is_changed = column == 2 and row.before != row.after
                if row.is_sum or is_changed:
                    item.setFont(self._theme.font(bold=True))
                if is_changed:
                    item.setForeground(self._theme.color("accent"))
                elif row.label is not None and not column:
                    item.setForeground(self._theme.label_text_color(row.label))
                elif not row.is_sum and column != 2:
                    item.setForeground(self._theme.color("muted" if column else "ink"))
                self.table.setItem(number, column, item)

    def _show_examples(self, effect: SettingsEffect) -> None:
        by_difference: dict[Difference, list[PreviewExample]] = {}
        for example in effect.examples:
            by_difference.setdefault(example.difference, []).append(example)
        parts = []
        for difference, examples in by_difference.items():
            parts += [self._example_html(example) for example in examples[:_MAX_EXAMPLES]]
            if (rest := effect.counts[difference] - _MAX_EXAMPLES) > 0:
                muted = self._theme.tokens.muted
                parts.append(f'<p style="color:{muted}">and {rest:,} more {difference}</p>')
        self.examples.setVisible(bool(parts))
        self.examples.setHtml("".join(parts))

    def _example_html(self, example: PreviewExample) -> str:
        pair, tokens = example.pair, self._theme.tokens
        color = getattr(tokens, _TONES[example.difference])
        label = pair.distant_label
        relation = f"{LETTERS[label]} {label}" if label else tr("no label")
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


class _FunnelRow(NamedTuple):
    """A row of the table. is_sum: whether it is the sum of the rows below it. label: the class that it counts."""

    text: str
    tip: str
    before: int
    after: int
    is_sum: bool = False
    label: Label | None = None


def _funnel_rows(
    before: Funnel,
    after: Funnel,
    classes_before: Mapping[Label, int] | None = None,
    classes_after: Mapping[Label, int] | None = None,
) -> list[_FunnelRow]:
    """Rows for the candidates, the kept by strategy, linked ones also by class if known, and the dropped by reason.

    The most frequent reason comes first.
    """
    candidates = sum(before.candidates.values()), sum(after.candidates.values())
    kept = sum(before.kept.values()), sum(after.kept.values())
    rows = [
        _FunnelRow(
            tr("Candidates"), tr("Sentence pairs that mining considered, before the filters"), *candidates, is_sum=True
        ),
        _FunnelRow(tr("Kept"), tr("Pairs of the data set"), *kept, is_sum=True),
    ]
    for strategy in Strategy:
        if strategy in before.kept or strategy in after.kept:
            numbers = before.kept.get(strategy, 0), after.kept.get(strategy, 0)
            rows.append(_FunnelRow(f"   {kept_pairs_text(strategy)}", "", *numbers))
        if strategy is Strategy.LINKED and classes_before is not None and classes_after is not None:
            rows += _class_rows(classes_before, classes_after)
    reasons: dict[str, list[int]] = {}
    for side, funnel in enumerate((before, after)):
        for drop, number in funnel.dropped.items():
            reasons.setdefault(drop.reason, [0, 0])[side] += number
    dropped_before, dropped_after = (sum(numbers[side] for numbers in reasons.values()) for side in range(2))
    rows.append(
        _FunnelRow(tr("Dropped"), tr("Candidates that a filter left out"), dropped_before, dropped_after, is_sum=True)
    )
    for reason, (number_before, number_after) in sorted(reasons.items(), key=lambda item: (-max(item[1]), item[0])):
        text, tip = drop_reason_name(reason), drop_reason_meaning(reason)
        rows.append(_FunnelRow(f"   {text}", tip, number_before, number_after))
    return rows


def _class_rows(before: Mapping[Label, int], after: Mapping[Label, int]) -> list[_FunnelRow]:
    linked = [label for label in Label if label is not Label.NEUTRAL]
    return [
        _FunnelRow(f"      {LETTERS[label]}  {label}", "", before.get(label, 0), after.get(label, 0), label=label)
        for label in linked
    ]
