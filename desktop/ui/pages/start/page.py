"""The start page, which is shown while no project is open."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QSize, QStandardPaths, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.text import either
from desktop.translation import tr
from desktop.ui.pages.start.new_project_dialog import NewProjectDialog, suggest_location
from desktop.ui.pages.start.recent_projects import RecentProject, RecentProjectRow, read_recent_projects
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from desktop.ui.widgets.file_dialogs import FileDialog, Purpose
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of, stretched
from desktop.ui.widgets.notices import IconLabel
from miner.parsing.formats import FORMATS, NAME_PATTERNS
from miner.paths import PROJECT_SUFFIX

_FILE_FILTER = tr("Pairwright projects (*{project_suffix})", project_suffix=PROJECT_SUFFIX)
_NARROW_WIDTH_PX = 720


class _DropArea(QFrame):
    """A dashed frame in which papers may be dropped, highlighted while files are dragged over the window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_highlighted = False

    def set_highlighted(self, is_on: bool) -> None:
        self._is_highlighted = is_on
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(
            theme.color("accent" if self._is_highlighted else "muted"), theme.px(2 if self._is_highlighted else 1)
        )
        pen.setDashPattern([4, 4])
        painter.setPen(pen)
        painter.setBrush(theme.color("selected" if self._is_highlighted else "card"))
        edge = theme.px(1)
        painter.drawRoundedRect(self.rect().adjusted(edge, edge, -edge, -edge), theme.px(8), theme.px(8))


class StartPage(QWidget):
    """Opens recent projects, other projects, a new one or the sample; files can be dropped on it."""

    open_requested = Signal(object)  # Path
    create_requested = Signal(object)  # Path
    sample_requested = Signal()
    files_selected = Signal(object)  # list[Path]: papers to add
    guide_requested = Signal()

    def __init__(
        self, settings_store: SettingsStore, theme: Theme, runner: JobRunner, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._settings_store, self._theme, self._runner = settings_store, theme, runner
        self.setAccessibleName(tr("Start"))
        self._rows: list[RecentProjectRow] = []
        self._lay_out()
        self.set_busy("")

    def set_busy(self, text: str) -> None:
        """Show what is being opened, and disable the buttons; "" enables them again."""
        self._busy_text.setText(text)
        self._busy_text.setVisible(bool(text))
        self._columns.setEnabled(not text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the two columns side by side, or one below the other where the page is narrow."""
        super().resizeEvent(event)
        is_narrow = self.width() < self._theme.px(_NARROW_WIDTH_PX)
        direction = QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        self._columns_layout.setDirection(direction)
        self._recent_area.setMinimumHeight(self._theme.px(160 if is_narrow else 0))

    def focus_first(self) -> None:
        """Move the keyboard focus to the most recent project; without one, to the button for a new project."""
        (self._rows[0].open_button if self._rows else self.new).setFocus(Qt.FocusReason.OtherFocusReason)

    def highlight_drop_area(self, is_on: bool) -> None:
        """Highlight the drop area while files are dragged over the window."""
        self._drop_area.set_highlighted(is_on)

    def refresh(self) -> None:
        """Show the recent projects, and check again whether their files exist."""
        paths = [Path(path) for path in self._settings_store.settings.recent]
        if not self._rows:
            self._show_recent([RecentProject(path, datetime.now()) for path in paths])
        run = self._runner.read(read_recent_projects(paths))
        run.done.connect(self._show_recent)

    def ask_new(self) -> None:
        """Open the dialog for a new project."""
        self._open_new_dialog("papers", self._default_folder(), "", lambda path: self.create_requested.emit(path))

    def ask_open(self) -> None:
        """Open the file dialog for an existing project."""
        dialog = FileDialog(self.window(), Purpose.PROJECTS, tr("Open project"), self._default_folder(), _FILE_FILTER)
        dialog.setFileMode(FileDialog.FileMode.ExistingFile)
        dialog.chosen.connect(lambda paths: self.open_requested.emit(paths[0]))
        dialog.open()

    def ask_sample(self) -> None:
        """Create the sample project if needed, and open it."""
        self.sample_requested.emit()

    def ask_new_for(self, files: list[Path], callback: Callable[..., None]) -> None:
        """Open the dialog for a new project of these files.

        Calls `callback(path, files, create=...)` with the path entered; `create` is False when the file exists.
        """
        name, folder = suggest_location(files)
        intro = tr("Papers are added to a project: one file that holds their text, the pairs and every answer.")
        self._open_new_dialog(
            name,
            folder,
            intro,
            lambda path: callback(path, files, create=True),
            lambda path: callback(path, files, create=False),
        )

    def _open_new_dialog(
        self,
        name: str,
        folder: Path,
        intro: str,
        create: Callable[[Path], None],
        open_: Callable[[Path], None] | None = None,
    ) -> None:
        dialog = NewProjectDialog(self._theme, self._runner, name, folder, intro, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.create_requested.connect(create)
        dialog.open_requested.connect(open_ or self.open_requested.emit)
        dialog.open()

    def _default_folder(self) -> Path:
        """The folder of the most recent project, else the person's documents."""
        for path in map(Path, self._settings_store.settings.recent):
            if not path.is_relative_to(self._settings_store.paths.data):  # not beside the sample
                return path.parent
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return Path(documents) if documents else Path.home()

    @Slot(object)
    def _show_recent(self, projects: list[RecentProject]) -> None:
        focused = self.focusWidget()  # also while another window is in front
        focused_path = next((row.path for row in self._rows if focused in (row.open_button, row.remove_button)), None)
        for row in self._rows:
            self._delete_row(row)
        now = datetime.now()
        self._rows = [RecentProjectRow(self._theme, project, now) for project in projects]
        for number, row in enumerate(self._rows):
            row.opened.connect(self._on_opened)
            row.removed.connect(self._on_removed)
            row.stepped.connect(lambda step, number=number: self._focus_row(number + step))
            self._recent_layout.insertWidget(number, row)
            if row.path == focused_path:
                row.setFocus()
        self._no_recent_text.setVisible(not self._rows)
        self._set_tab_order()

    def _delete_row(self, row: RecentProjectRow) -> None:
        self._recent_layout.removeWidget(row)
        row.setParent(None)
        row.deleteLater()

    @Slot(object)
    def _on_opened(self, path: Path) -> None:
        if any(row.path == path and row.is_missing for row in self._rows):
            self.refresh()  # the file may exist again; if not, opening it shows an error
        self.open_requested.emit(path)

    @Slot(object)
    def _on_removed(self, path: Path) -> None:
        number = next(number for number, row in enumerate(self._rows) if row.path == path)
        recent = tuple(other for other in self._settings_store.settings.recent if Path(other) != path)
        self._settings_store.change(recent=recent)
        self._delete_row(self._rows.pop(number))
        for new_number, row in enumerate(self._rows):
            row.stepped.disconnect()
            row.stepped.connect(lambda step, number=new_number: self._focus_row(number + step))
        self._no_recent_text.setVisible(not self._rows)
        if self._rows:
            self._focus_row(min(number, len(self._rows) - 1))
        else:
            self.new.setFocus()

    def _focus_row(self, number: int) -> None:
        if self._rows:
            self._rows[max(0, min(number, len(self._rows) - 1))].open_button.setFocus(Qt.FocusReason.TabFocusReason)

    def _set_tab_order(self) -> None:
        tab_order: list[QWidget] = [self.new, self.open, self.sample, self.guide, self.choose]
        for row in self._rows:
            tab_order += [row.open_button, row.remove_button]
        for before, after in itertools.pairwise(tab_order):
            QWidget.setTabOrder(before, after)

    def _lay_out(self) -> None:
        px = self._theme.px
        title = PlainLabel(tr("Pairwright"))
        font = self._theme.reading_font(24)
        title.setStyleSheet(f"font-family: '{font.family()}'; font-size: {px(24)}px;")
        lead = PlainLabel(
            tr(
                "Turn scientific papers into labelled sentence pairs for natural language inference. Everything "
                "stays on this computer."
            ),
            type="muted",
            wraps=True,
        )
        self._busy_text = PlainLabel(type="heading")
        self._columns = QWidget()
        self._columns_layout = columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._columns)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(px(48))
        columns.addLayout(self._build_buttons(), 5)
        columns.addWidget(self._build_recent_list(), 6)
        inner = QWidget()
        inner.setMaximumWidth(px(920))
        content = QVBoxLayout(inner)
        content.setContentsMargins(px(32), px(24), px(32), px(24))
        content.setSpacing(px(4))
        content.addStretch(2)
        content.addWidget(title)
        content.addWidget(lead)
        content.addWidget(self._busy_text)
        content.addSpacing(px(24))
        content.addWidget(self._columns, 8)
        content.addStretch(3)
        middle = QWidget()
        middle.setLayout(row_of(STRETCH, stretched(inner, 100), STRETCH))
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(middle)
        self.setLayout(column_of(scroll))

    def _build_buttons(self) -> QBoxLayout:
        """The left column: four buttons and the drop area."""
        px = self._theme.px
        self.new = self._button(tr("New project"), "file-plus", "Ctrl+N", self.ask_new, primary=True)
        self.open = self._button(tr("Open project"), "folder-open", "Ctrl+O", self.ask_open)
        self.sample = self._button(tr("Open sample project"), "book-open", "", self.ask_sample)
        set_tip(self.sample, tr("Eight short made-up papers, to try everything on"))
        self.guide = self._button(tr("How to begin"), "circle-help", "F1", self.guide_requested.emit)
        set_tip(self.guide, tr("The guide: your first data set in ten minutes"))
        self._drop_area = _DropArea(self._theme)
        icon = IconLabel(self._theme, "download", "muted", 24)
        text = PlainLabel(tr("Drop papers here"), type="heading")
        formats = PlainLabel(
            tr("{files}, or folders of them", files=either([tr(format.plural) for format in FORMATS])), type="muted"
        )
        self.choose = QPushButton(tr("Choose papers…"))
        self.choose.setProperty("look", "link")
        self.choose.setCursor(Qt.CursorShape.PointingHandCursor)
        self.choose.clicked.connect(self._on_choose)
        inside = column_of(STRETCH, spacing=px(8), margins=px(24))
        self._drop_area.setLayout(inside)
        for widget in (icon, text, formats, self.choose):
            inside.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        inside.addStretch(1)
        layout = QVBoxLayout()
        layout.setSpacing(px(8))
        for button in (self.new, self.open, self.sample, self.guide):
            layout.addWidget(button)
        layout.addSpacing(px(16))
        layout.addWidget(self._drop_area, 1)
        return layout

    def _button(
        self, text: str, icon: str, keys: str, slot: Callable[[], None], *, primary: bool = False
    ) -> QPushButton:
        px = self._theme.px
        button = QPushButton(f"  {text}")  # spaces: a style sheet cannot set the gap between icon and text
        button.setAccessibleName(text)
        button.setProperty("align", "left")
        button.setIcon(self._theme.icon(icon))
        button.setIconSize(QSize(px(16), px(16)))
        button.clicked.connect(slot)
        hint = PlainLabel(keys, type="hint" if primary else "small")
        hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        button.setLayout(row_of(STRETCH, hint, margins=(0, 0, px(16), 0)))
        if primary:
            button.setProperty("look", "primary")
            button.setIcon(self._theme.icon(icon, "on_accent"))
        return button

    def _build_recent_list(self) -> QWidget:
        """The right column."""
        px = self._theme.px
        box = QWidget()
        heading = PlainLabel(tr("Recent projects"), type="heading")
        heading.setIndent(px(12))
        self._no_recent_text = PlainLabel(tr("Projects that you open are listed here."), type="muted")
        self._no_recent_text.setIndent(px(12))
        inner = QWidget()
        self._recent_layout = column_of(STRETCH, spacing=px(2))
        inner.setLayout(self._recent_layout)
        self._recent_area = scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        box.setLayout(column_of(heading, self._no_recent_text, stretched(scroll), spacing=px(8)))
        return box

    @Slot()
    def _on_choose(self) -> None:
        dialog = FileDialog(self.window(), Purpose.PAPERS, tr("Choose papers"), self._default_folder())
        dialog.setNameFilters(
            [tr("Papers ({name_patterns})", name_patterns=" ".join(NAME_PATTERNS)), tr("All files (*)")]
        )
        dialog.setFileMode(FileDialog.FileMode.ExistingFiles)
        dialog.chosen.connect(self.files_selected)
        dialog.open()
