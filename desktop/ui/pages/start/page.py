"""The start page: a project to begin with."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QSize, QStandardPaths, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.pages.start.new_project_dialog import SUFFIX, NewProjectDialog, suggest_location
from desktop.ui.pages.start.recent_projects import RecentProject, RecentProjectRow, read_recent_projects
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.notices import IconLabel

_FILE_FILTER = f"Pairwright projects (*{SUFFIX})"


class _DropArea(QFrame):
    """Where papers may be dropped: a dashed frame, filled while something is held over the window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._held = False

    def set_held(self, held: bool) -> None:
        self._held = held
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(theme.color("accent" if self._held else "muted"), theme.px(2 if self._held else 1))
        pen.setDashPattern([4, 4])
        painter.setPen(pen)
        painter.setBrush(theme.color("selected" if self._held else "card"))
        edge = theme.px(1)
        painter.drawRoundedRect(self.rect().adjusted(edge, edge, -edge, -edge), theme.px(8), theme.px(8))


class StartPage(QWidget):
    open_requested = Signal(object)  # Path
    create_requested = Signal(object)  # Path
    sample_requested = Signal()
    files_chosen = Signal(object)  # list[Path]

    def __init__(
        self, settings_store: SettingsStore, theme: Theme, runner: JobRunner, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._settings_store, self._theme, self._runner = settings_store, theme, runner
        self.setAccessibleName("Start")
        self._rows: list[RecentProjectRow] = []
        self._lay_out()
        self.set_busy("")

    def set_busy(self, text: str) -> None:
        """Say what is being opened, in place of what could be; "" when it is over."""
        self._state.setText(text)
        self._state.setVisible(bool(text))
        self._choices.setEnabled(not text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where there is room, else one below the other."""
        super().resizeEvent(event)
        narrow = self.width() < self._theme.px(720)
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._across.setDirection(direction)
        self._recent_area.setMinimumHeight(self._theme.px(160 if narrow else 0))

    def focus_first(self) -> None:
        """The keyboard goes to the last project, or where a first one is made."""
        (self._rows[0].row if self._rows else self.new).setFocus(Qt.FocusReason.OtherFocusReason)

    def set_held(self, held: bool) -> None:
        """Files are held over the window, or no longer."""
        self._drop.set_held(held)

    def refresh(self) -> None:
        """Show the recent projects as they are now."""
        paths = [Path(path) for path in self._settings_store.settings.recent]
        self._show([RecentProject(path, datetime.now()) for path in paths] if not self._rows else None)
        run = self._runner.read(read_recent_projects(paths))
        run.done.connect(self._show)

    def ask_new(self) -> None:
        self._name("papers", self._folder(), "", lambda path: self.create_requested.emit(path))

    def ask_open(self) -> None:
        dialog = QFileDialog(self.window(), "Open project", str(self._folder()), _FILE_FILTER)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.open_requested.emit(Path(name)))
        dialog.open()

    def ask_sample(self) -> None:
        """Make and open the sample project."""
        self.sample_requested.emit()

    def ask_new_for(self, files: list[Path], then: Callable[..., None]) -> None:
        """Files were dropped with no project open: name one for them; `then(path, files, create=...)` goes on."""
        name, folder = suggest_location(files)
        what = "Your papers need a project: one file that holds their text, the pairs and every answer."
        self._name(
            name,
            folder,
            what,
            lambda path: then(path, files, create=True),
            lambda path: then(path, files, create=False),
        )

    def _name(
        self,
        name: str,
        folder: Path,
        what: str,
        create: Callable[[Path], None],
        open_: Callable[[Path], None] | None = None,
    ) -> None:
        dialog = NewProjectDialog(self._theme, self._runner, name, folder, what, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(create)
        dialog.open_chosen.connect(open_ or self.open_requested.emit)
        dialog.open()

    def _folder(self) -> Path:
        """Where a person keeps projects: beside the last one."""
        for path in map(Path, self._settings_store.settings.recent):
            if not path.is_relative_to(self._settings_store.paths.data):  # the sample is no place for work
                return path.parent
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return Path(documents) if documents else Path.home()

    # Recent projects

    @Slot(object)
    def _show(self, recents: list[RecentProject] | None) -> None:
        if recents is None:
            return
        focused = self.focusWidget()  # also while another window is in front
        held = next((row.path for row in self._rows if focused in (row.row, row.remove)), None)
        for row in self._rows:
            self._recents.removeWidget(row)
            row.setParent(None)
            row.deleteLater()
        now = datetime.now()
        self._rows = [RecentProjectRow(self._theme, recent, now) for recent in recents]
        for number, row in enumerate(self._rows):
            row.opened.connect(self._on_opened)
            row.removed.connect(self._on_removed)
            row.stepped.connect(lambda step, number=number: self._step(number + step))
            self._recents.insertWidget(number, row)
            if row.path == held:
                row.setFocus()
        self._no_recents.setVisible(not self._rows)
        self._order()

    @Slot(object)
    def _on_opened(self, path: Path) -> None:
        if any(row.path == path and row.is_gone for row in self._rows):
            self.refresh()  # it may be back; opening says what is wrong if it is not
        self.open_requested.emit(path)

    @Slot(object)
    def _on_removed(self, path: Path) -> None:
        number = next(number for number, row in enumerate(self._rows) if row.path == path)
        kept = tuple(known for known in self._settings_store.settings.recent if Path(known) != path)
        self._settings_store.change(recent=kept)
        row = self._rows.pop(number)
        self._recents.removeWidget(row)
        row.setParent(None)
        row.deleteLater()
        for later, other in enumerate(self._rows):
            other.stepped.disconnect()
            other.stepped.connect(lambda step, number=later: self._step(number + step))
        self._no_recents.setVisible(not self._rows)
        if self._rows:
            self._step(min(number, len(self._rows) - 1))
        else:
            self.new.setFocus()

    def _step(self, number: int) -> None:
        if 0 <= number < len(self._rows):
            self._rows[number].row.setFocus(Qt.FocusReason.TabFocusReason)

    def _order(self) -> None:
        chain: list[QWidget] = [self.new, self.open, self.sample, self.choose]
        for row in self._rows:
            chain += [row.row, row.remove]
        for before, after in itertools.pairwise(chain):
            QWidget.setTabOrder(before, after)

    # Layout

    def _lay_out(self) -> None:
        px = self._theme.px
        title = PlainLabel("Pairwright")
        font = self._theme.reading_font(24)
        title.setStyleSheet(f"font-family: '{font.family()}'; font-size: {px(24)}px;")
        lead = PlainLabel(
            "Drop in papers, leave with sentence pairs for scientific inference. It all stays on this machine."
        )
        lead.setProperty("type", "muted")
        lead.setWordWrap(True)
        self._state = PlainLabel()
        self._state.setProperty("type", "heading")
        self._choices = QWidget()
        self._across = across = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._choices)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(px(48))
        across.addLayout(self._beginnings(), 5)
        across.addWidget(self._recent_list(), 6)
        inner = QWidget()
        inner.setMaximumWidth(px(920))
        down = QVBoxLayout(inner)
        down.setContentsMargins(px(32), px(24), px(32), px(24))
        down.setSpacing(px(4))
        down.addStretch(2)
        down.addWidget(title)
        down.addWidget(lead)
        down.addWidget(self._state)
        down.addSpacing(px(24))
        down.addWidget(self._choices, 8)
        down.addStretch(3)
        middle = QWidget()
        outer = QHBoxLayout(middle)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addStretch(1)
        outer.addWidget(inner, 100)
        outer.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(middle)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)

    def _beginnings(self) -> QBoxLayout:
        px = self._theme.px
        self.new = self._choice("New project", "file-plus", "Ctrl+N", self.ask_new, primary=True)
        self.open = self._choice("Open project", "folder-open", "Ctrl+O", self.ask_open)
        self.sample = self._choice("Open sample project", "book-open", "", self.ask_sample)
        set_tip(self.sample, "Eight short made-up papers, to try everything on")
        self._drop = _DropArea(self._theme)
        inside = QVBoxLayout(self._drop)
        inside.setContentsMargins(px(24), px(24), px(24), px(24))
        inside.setSpacing(px(8))
        sign = IconLabel(self._theme, "download", "muted", 24)
        text = PlainLabel("Drop papers here")
        text.setProperty("type", "heading")
        kinds = PlainLabel("PDF or TEI files, or folders of them")
        kinds.setProperty("type", "muted")
        self.choose = QPushButton("Choose papers…")
        self.choose.setProperty("look", "link")
        self.choose.setCursor(Qt.CursorShape.PointingHandCursor)
        self.choose.clicked.connect(self._on_choose)
        inside.addStretch(1)
        for widget in (sign, text, kinds, self.choose):
            inside.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        inside.addStretch(1)
        layout = QVBoxLayout()
        layout.setSpacing(px(8))
        for button in (self.new, self.open, self.sample):
            layout.addWidget(button)
        layout.addSpacing(px(16))
        layout.addWidget(self._drop, 1)
        return layout

    def _choice(
        self, text: str, icon: str, keys: str, slot: Callable[[], None], *, primary: bool = False
    ) -> QPushButton:
        px = self._theme.px
        button = QPushButton(f"  {text}")  # a style sheet knows no room between icon and text
        button.setAccessibleName(text)
        button.setProperty("align", "left")
        button.setIcon(self._theme.icon(icon))
        button.setIconSize(QSize(px(16), px(16)))
        button.clicked.connect(slot)
        hint = PlainLabel(keys)
        hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        hint.setProperty("type", "hint" if primary else "small")
        beside = QHBoxLayout(button)
        beside.setContentsMargins(0, 0, px(16), 0)
        beside.addStretch(1)
        beside.addWidget(hint)
        if primary:
            button.setProperty("look", "primary")
            button.setIcon(self._theme.icon(icon, "on_accent"))
        return button

    def _recent_list(self) -> QWidget:
        px = self._theme.px
        box = QWidget()
        heading = PlainLabel("Recent projects")
        heading.setIndent(px(12))
        heading.setProperty("type", "heading")
        self._no_recents = PlainLabel("Projects that you open are listed here.")
        self._no_recents.setProperty("type", "muted")
        self._no_recents.setIndent(px(12))
        inner = QWidget()
        self._recents = QVBoxLayout(inner)
        self._recents.setContentsMargins(0, 0, 0, 0)
        self._recents.setSpacing(px(2))
        self._recents.addStretch(1)
        self._recent_area = scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(px(8))
        layout.addWidget(heading)
        layout.addWidget(self._no_recents)
        layout.addWidget(scroll, 1)
        return box

    @Slot()
    def _on_choose(self) -> None:
        dialog = QFileDialog(self.window(), "Choose papers", str(self._folder()))
        dialog.setNameFilters(["Papers (*.pdf *.xml *.tei *.gz *.jsonl)", "All files (*)"])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.files_chosen.emit([Path(name) for name in names]))
        dialog.open()
