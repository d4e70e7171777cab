"""The details pane of the Papers page: the selected paper, or why a file failed and what to do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.jobs.descriptions.stock import why_no_pairs
from desktop.jobs.papers import table
from desktop.jobs.papers.recognition_state import SCAN
from desktop.jobs.papers.table import FileLocation, PaperDetails
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.papers.text import display_title, paper_state, parser_name
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.theme import LETTERS
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import card_of, column_of
from miner.parsing.formats import part_text
from miner.parsing.language import ENGLISH, language_name
from miner.records import Strategy

_MAX_LISTED_FILES = 8


class PaperDetailsPane(QScrollArea):
    """Details of one row, or a summary of several."""

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
        self.setAccessibleName(tr("Details"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._show_hint(tr("Select a paper to see its details."))

    def show_rows(self, ids: Sequence[int]) -> None:
        """Show these rows of the table, by their ids."""
        if list(ids) != self._ids:
            self._ids = list(ids)
            self._load()

    def reload(self) -> None:
        """Read the paper again: it may have changed."""
        if len(self._ids) == 1:
            self._load()

    def _load(self) -> None:
        if self._run is not None:
            self._run.cancel()
            self._run = None
        if len(self._ids) == 1:
            self._run = run = self._context.runner.read(table.load_details(self._context.project, self._ids[0]))
            run.done.connect(self._on_details)
            run.failed.connect(self._context.problems.show)
        elif self._ids:
            papers = sum(number > 0 for number in self._ids)
            self._show_selection(papers, len(self._ids) - papers)
        else:
            self._show_hint(tr("Select a paper to see its details."))

    @Slot(object)
    def _on_details(self, details: PaperDetails | None) -> None:
        if self.sender() is not self._run:
            return
        self._run = None
        if details is None:
            self._show_hint(tr("This paper is no longer in the project."))
        elif details.line.code:
            self._show_failed(details)
        else:
            self._show_paper(details)

    def _show_paper(self, details: PaperDetails) -> None:
        line, paper = details.line, details.paper
        layout = self._new_layout()
        layout.addWidget(_text(display_title(line), "heading"))
        if line.authors:
            layout.addWidget(_text(", ".join(line.authors)))
        language = paper.language if paper is not None and paper.language != ENGLISH else ""
        facts = [
            str(line.year or ""),
            line.journal,
            line.domain,
            language and tr("in {language_name}", language_name=language_name(language)),
        ]
        layout.addWidget(_text(" · ".join(filter(None, facts)) or tr("No year, no domain"), "muted"))
        if paper is not None and paper.doi:
            layout.addWidget(_text(tr("DOI {doi}", doi=paper.doi), "muted"))
        if paper is not None and not line.data_set:
            layout.addWidget(
                _text(
                    tr("Licence {licence}", licence=paper.licence) if paper.licence else tr("Licence unknown"), "muted"
                )
            )
        for note in table.check_notes(paper) if paper is not None else ():
            label = _text(note, "small")
            label.set_tone("warning" if not note.startswith("“") else "muted")
            layout.addWidget(label)
        layout.addLayout(self._counts(details))
        if paper is not None and not line.data_set:
            version = paper.parser_version.partition(", reader ")[0]
            pages = f", {count(paper.pages, 'page')}" if paper.pages else ""
            parser = f"{parser_name(paper.parser)} {version}".removesuffix(" unknown")
            layout.addWidget(_text(f"{parser}{pages}", "small"))
            for note in (*table.reading_notes(paper), *table.source_notes(paper)):
                layout.addWidget(_text(note, "small"))
        for file in details.files[:_MAX_LISTED_FILES]:
            layout.addWidget(_text(_file_text(file._replace(line=0) if line.data_set else file), "small"))
        if len(details.files) > _MAX_LISTED_FILES:
            layout.addWidget(
                _text(tr("and {files}", files=count(len(details.files) - _MAX_LISTED_FILES, "more file")), "small")
            )
        actions = [("papers.edit", tr("Edit…")), ("papers.confirm", tr("Mark as checked"))] if line.to_check else []
        actions += [("papers.pairs", tr("Show pairs"))] if details.pairs else []
        exists = any(file.is_there for file in details.files)
        actions += [("papers.open", tr("Open file"))] if exists else []
        actions += [("papers.locate", tr("Locate file…"))] if details.files and not exists and not line.data_set else []
        self._show_content(layout, actions)

    def _show_failed(self, details: PaperDetails) -> None:
        line = details.line
        layout = self._new_layout()
        layout.addWidget(_text(display_title(line), "heading"))
        state = _text(str(paper_state(line)))
        state.set_tone("warning")
        layout.addWidget(state)
        layout.addWidget(_text(line.reason))
        if line.hint:
            layout.addWidget(_text(line.hint, "muted"))
        layout.addWidget(_text(_file_text(details.files[0]), "small"))
        actions = (
            [("papers.recognise", tr("Recognise text"))] if line.code == SCAN and details.files[0].is_there else []
        )
        actions += [("papers.open", tr("Open file"))] if details.files[0].is_there else []
        actions += [("papers.retry", tr("Retry")), ("papers.remove", tr("Remove from list"))]
        self._show_content(layout, actions)

    def _counts(self, details: PaperDetails) -> QGridLayout:
        """The number of pairs of each class, and how many were linked or answered."""
        theme = self._context.theme
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.px(8))
        grid.setVerticalSpacing(theme.px(4))
        grid.setColumnStretch(1, 1)
        by_label: Counter[str] = Counter()
        linked = 0
        for (strategy, label), number in details.pairs.items():
            by_label[label] += number
            linked += number if strategy == Strategy.LINKED else 0
        total = by_label.total()
        if not total:
            text = (
                tr("No pairs yet: this paper is not mined yet.")
                if not details.line.mined
                else tr("Mining found no pairs in this paper.")
            )
            text += f" {why_no_pairs(details.no_pairs)}" if details.no_pairs else ""
            grid.addWidget(_text(text, "muted"), 0, 0, 1, 3)
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
            grid.addWidget(_text(label or tr("no label")), row, 1)
            grid.addWidget(_number(by_label[label]), row, 2)
        below = len(LETTERS) + 1
        grid.addWidget(
            _text(tr("{pairs}, {linked:,} linked by a phrase", pairs=count(total, "pair"), linked=linked), "muted"),
            below,
            0,
            1,
            3,
        )
        if details.answered:
            grid.addWidget(_text(tr("{answered:,} answered", answered=details.answered), "muted"), below + 1, 0, 1, 3)
        return grid

    def _show_selection(self, papers: int, failed: int) -> None:
        layout = self._new_layout()
        parts = [count(papers, "paper")] if papers else []
        parts += [count(failed, "failed file")] if failed else []
        layout.addWidget(_text(tr("{parts} selected", parts=" and ".join(parts)), "heading"))
        actions = [("papers.edit", tr("Edit…")), ("papers.pairs", tr("Show pairs"))] if papers else []
        self._show_content(layout, actions + ([("papers.retry", tr("Retry"))] if failed else []))

    def _show_hint(self, text: str) -> None:
        layout = self._new_layout()
        layout.addWidget(_text(text, "muted"))
        self._show_content(layout, [])

    def _new_layout(self) -> QVBoxLayout:
        """The layout of a new card, to be filled and then shown by `_show_content`."""
        layout = column_of(spacing=self._context.theme.px(8), margins=self._context.theme.px(16))
        self._content = card_of(layout)
        return layout

    def _show_content(self, layout: QVBoxLayout, actions: Sequence[tuple[str, str]]) -> None:
        """Show the card, with buttons for actions (key and text) below its content."""
        row = QHBoxLayout()
        row.setSpacing(self._context.theme.px(8))
        for key, text in actions[:2]:
            row.addWidget(self._button(key, text))
        row.addStretch(1)
        if actions:
            layout.addSpacing(self._context.theme.px(4))
            layout.addLayout(row)
        for key, text in actions[2:]:
            layout.addWidget(self._button(key, text), 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)
        self.setWidget(self._content)

    def _button(self, key: str, text: str) -> QPushButton:
        button = push_button(text, lambda: self.action_requested.emit(key))
        if key in self._context.actions:
            button.setEnabled(self._context.actions[key].isEnabled())
        return button


def _text(text: str, style: str = "") -> PlainLabel:
    label = PlainLabel(text.encode("utf-8", "replace").decode(), wraps=True, selectable=True)
    if style:
        label.setProperty("type", style)
    return label


def _number(number: int) -> QLabel:
    label = PlainLabel(f"{number:,}")
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    return label


def _file_text(file: FileLocation) -> str:
    """The path, and the line for a file of several papers; marked when the file is missing."""
    location = f"{file.path}, {part_text(file.path, file.line)}" if file.line else str(file.path)
    breakable = location.replace("/", "/\u200b").replace("\\", "\\\u200b")  # long paths wrap at their folders
    return breakable if file.is_there else tr("▲ no longer at {breakable}", breakable=breakable)
