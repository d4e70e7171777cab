"""The pane beside the list: all about the paper that is selected, or what is wrong with the file and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.jobs.papers import table
from desktop.jobs.papers.table import FileLocation, PaperDetails
from desktop.text import count
from desktop.ui.pages.papers.words import name_of, parser_name, state_of
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.theme import LETTERS
from desktop.ui.widgets.labels import PlainLabel
from miner.records import Strategy

_FILES = 8  # that are listed


class DetailsPane(QScrollArea):
    action_requested = Signal(str)  # key of one of the page's actions

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ids: list[int] = []
        self._run: JobRun | None = None
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(context.theme.px(220))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Details")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._say("Select a paper to see its details.")

    def show_rows(self, ids: Sequence[int]) -> None:
        """Papers and failed files by the list's ids."""
        if list(ids) != self._ids:
            self._ids = list(ids)
            self._look()

    def look_again(self) -> None:
        """What is shown may have changed."""
        if len(self._ids) == 1:
            self._look()

    def _look(self) -> None:
        if self._run is not None:
            self._run.cancel()
            self._run = None
        if len(self._ids) == 1:
            self._run = run = self._context.runner.read(table.load_details(self._context.project, self._ids[0]))
            run.done.connect(self._on_details)
            run.failed.connect(self._context.problems.show)
        elif self._ids:
            papers = sum(number > 0 for number in self._ids)
            self._say_selected(papers, len(self._ids) - papers)
        else:
            self._say("Select a paper to see its details.")

    @Slot(object)
    def _on_details(self, found: PaperDetails | None) -> None:
        if self.sender() is not self._run:
            return
        self._run = None
        if found is None:
            self._say("This paper is no longer there.")
        elif found.line.code:
            self._show_failed(found)
        else:
            self._show_paper(found)

    # What it shows

    def _show_paper(self, found: PaperDetails) -> None:
        line, paper = found.line, found.paper
        layout = self._start()
        layout.addWidget(_text(name_of(line), "heading"))
        if line.authors:
            layout.addWidget(_text(", ".join(line.authors)))
        told = [str(line.year or ""), line.domain]
        layout.addWidget(_text(" · ".join(filter(None, told)) or "No year, no domain", "muted"))
        if paper is not None and paper.doi:
            layout.addWidget(_text(f"DOI {paper.doi}", "muted"))
        layout.addLayout(self._counts(found))
        if paper is not None and not line.data_set:
            version = paper.parser_version.partition(", reader ")[0]
            pages = f", {count(paper.pages, 'page')}" if paper.pages else ""
            parser = f"{parser_name(paper.parser)} {version}".removesuffix(" unknown")
            layout.addWidget(_text(f"{parser}{pages}", "small"))
            if paper.hidden_words:
                left_out = f"{count(paper.hidden_words, 'word')} left out: not to be seen on the pages"
                layout.addWidget(_text(left_out, "small"))
        for place in found.files[:_FILES]:
            layout.addWidget(_text(_place_text(place._replace(line=0) if line.data_set else place), "small"))
        if len(found.files) > _FILES:
            layout.addWidget(_text(f"and {count(len(found.files) - _FILES, 'more file')}", "small"))
        asked = [("papers.pairs", "Show pairs")] if found.pairs else []
        there = any(place.is_there for place in found.files)
        asked += [("papers.open", "Open file")] if there else []
        asked += [("papers.locate", "Locate file…")] if found.files and not there and not line.data_set else []
        self._end(layout, asked)

    def _show_failed(self, found: PaperDetails) -> None:
        line = found.line
        layout = self._start()
        state = state_of(line)
        layout.addWidget(_text(name_of(line), "heading"))
        word = _text(str(state))
        word.set_tone("warning")
        layout.addWidget(word)
        layout.addWidget(_text(line.reason))
        if line.hint:
            layout.addWidget(_text(line.hint, "muted"))
        layout.addWidget(_text(_place_text(found.files[0]), "small"))
        asked = [("papers.retry", "Retry"), ("papers.remove", "Take off the list")]
        self._end(layout, [("papers.open", "Open file"), *asked] if found.files[0].is_there else asked)

    def _counts(self, found: PaperDetails) -> QGridLayout:
        """The pairs by class, each with its letter, and by how they came to be."""
        theme = self._context.theme
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.px(8))
        grid.setVerticalSpacing(theme.px(4))
        grid.setColumnStretch(1, 1)
        by_label: Counter[str] = Counter()
        linked = 0
        for (strategy, label), number in found.pairs.items():
            by_label[label] += number
            linked += number if strategy == Strategy.LINKED else 0
        total = by_label.total()
        if not total:
            what = "No pairs yet: it waits to be mined." if not found.line.mined else "Mining found no pairs in it."
            grid.addWidget(_text(what, "muted"), 0, 0, 1, 3)
            return grid
        for row, label in enumerate([*LETTERS, ""]):
            if not by_label[label]:
                continue
            letter = PlainLabel(LETTERS.get(label, "–"))
            letter.setAlignment(Qt.AlignmentFlag.AlignCenter)
            letter.setFixedSize(theme.px(18), theme.px(18))
            color = theme.label_color(label).name()
            letter.setStyleSheet(
                f"background: {color}; color: white; border-radius: {theme.px(4)}px; font-weight: 600;"
                f"font-size: {theme.px(12)}px"
            )
            grid.addWidget(letter, row, 0)
            grid.addWidget(_text(label or "no label"), row, 1)
            grid.addWidget(_number(by_label[label]), row, 2)
        below = len(LETTERS) + 1
        grid.addWidget(_text(f"{count(total, 'pair')}, {linked:,} linked", "muted"), below, 0, 1, 3)
        if found.answered:
            grid.addWidget(_text(f"{found.answered:,} answered", "muted"), below + 1, 0, 1, 3)
        return grid

    def _say_selected(self, papers: int, failed: int) -> None:
        layout = self._start()
        parts = [count(papers, "paper")] if papers else []
        parts += [count(failed, "failed file")] if failed else []
        layout.addWidget(_text(f"{' and '.join(parts)} selected", "heading"))
        asked = [("papers.edit", "Edit…"), ("papers.pairs", "Show pairs")] if papers else []
        self._end(layout, asked + ([("papers.retry", "Retry")] if failed else []))

    def _say(self, what: str) -> None:
        layout = self._start()
        layout.addWidget(_text(what, "muted"))
        self._end(layout, [])

    def _start(self) -> QVBoxLayout:
        self._content = QFrame()
        self._content.setProperty("look", "card")
        layout = QVBoxLayout(self._content)
        side = self._context.theme.px(16)
        layout.setContentsMargins(side, side, side, side)
        layout.setSpacing(self._context.theme.px(8))
        return layout

    def _end(self, layout: QVBoxLayout, asked: Sequence[tuple[str, str]]) -> None:
        row = QHBoxLayout()
        row.setSpacing(self._context.theme.px(8))
        for key, text in asked[:2]:
            row.addWidget(self._button(key, text))
        row.addStretch(1)
        if asked:
            layout.addSpacing(self._context.theme.px(4))
            layout.addLayout(row)
        for key, text in asked[2:]:
            layout.addWidget(self._button(key, text), 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)
        self.setWidget(self._content)

    def _button(self, key: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(lambda: self.action_requested.emit(key))
        if key in self._context.actions:
            button.setEnabled(self._context.actions[key].isEnabled())
        return button


def _text(text: str, look: str = "") -> PlainLabel:
    label = PlainLabel(text.encode("utf-8", "replace").decode())
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if look:
        label.setProperty("type", look)
    return label


def _number(number: int) -> QLabel:
    label = PlainLabel(f"{number:,}")
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    return label


def _place_text(place: FileLocation) -> str:
    where = f"{place.path}, line {place.line:,}" if place.line else str(place.path)
    breakable = where.replace("/", "/\u200b")  # long paths wrap at their folders
    return breakable if place.is_there else f"▲ no longer at {breakable}"
