"""The Settings page: each change holds and is saved at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.settings import SCALES
from desktop.ui.pages.settings.backups import BackupsBox
from desktop.ui.pages.settings.entries import ENTRIES, SettingEntry
from desktop.ui.pages.settings.grobid_address import GrobidAddress
from desktop.ui.pages.settings.shortcuts import KeysTable
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.fields import pad_number
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel
from miner.processes.pool import worker_count

_THEMES = (("Same as system", "system"), ("Light", "light"), ("Dark", "dark"))
_PARSERS = (("Built in, no server needed", "embedded"), ("GROBID", "grobid"))


class SettingRow(QWidget):
    """A setting: its name and what it does on the left, its control on the right, or below where `wide`."""

    def __init__(
        self, entry: SettingEntry, control: QWidget, px: Callable[[float], int], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.entry = entry
        self.control = control
        title = PlainLabel(entry.title)
        title.setProperty("type", "heading")
        hint = PlainLabel(entry.hint)
        hint.setProperty("type", "small")
        hint.setWordWrap(True)
        words = QVBoxLayout()
        words.setSpacing(px(2))
        words.addWidget(title)
        words.addWidget(hint)
        self._wide = isinstance(control, KeysTable)
        self._needs = px(560)
        self._gaps = (px(24), px(8))
        self._across = layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        layout.setContentsMargins(px(16), px(10), px(16), px(10))
        layout.addLayout(words, 4)
        layout.addWidget(control, 5)
        if not self._wide:
            words.addStretch(1)
            layout.setAlignment(control, Qt.AlignmentFlag.AlignTop)
        self._arrange(self._wide)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(self._wide or self.width() < self._needs)

    def _arrange(self, below: bool) -> None:
        self._across.setDirection(QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight)
        self._across.setSpacing(self._gaps[below])


class SettingsPage(Page):
    title = "Settings"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        px = context.theme.px
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search settings")
        self.search.setAccessibleName("Search settings")
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(px(240))
        self.search.textChanged.connect(self._on_search)
        self.header.addWidget(self.search)
        self.initial_focus = self.search
        self.rows: dict[str, SettingRow] = {}
        self._sections: list[tuple[QWidget, Sequence[SettingRow]]] = []
        self.none = PlainLabel("No matching setting.")
        self.none.setProperty("type", "muted")
        self.none.setVisible(False)
        inner = QWidget()
        inner.setMaximumWidth(px(1100))
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(0, 0, px(12), px(24))
        self._list.setSpacing(px(20))
        self._list.addWidget(self.none)
        controls = self._controls()
        for name in dict.fromkeys(entry.section for entry in ENTRIES):
            self._add_section(name, [entry for entry in ENTRIES if entry.section == name], controls)
        self._list.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inner)
        self.body.addWidget(self.area, 1)
        context.settings_store.changed.connect(self._on_changed)
        context.annotator_changed.connect(self.annotator.setText)
        context.actions.add(
            "settings.find",
            "Find a setting",
            self.find_setting,
            menu="Settings",
            keys="Ctrl+F",
            icon="search",
            widget=self,
        )

    @Slot()
    def find_setting(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def activate(self) -> None:
        super().activate()
        if self.context.settings_store.settings.parser == "grobid":
            self.grobid.ask()
        self.backups.refresh()
        self._on_search(self.search.text())  # pages built since have brought commands

    def reveal(self, key: str) -> None:
        """Show one setting and give it the keyboard."""
        self.search.clear()
        row = self.rows[key]
        row.control.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.focusWidget() is not row.control and not row.control.isAncestorOf(self.focusWidget() or self):
            for child in row.control.findChildren(QWidget):
                if child.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    child.setFocus(Qt.FocusReason.OtherFocusReason)
                    break
        QTimer.singleShot(0, lambda: self._scroll_to(row))  # once what the search hid is laid out

    def _scroll_to(self, row: SettingRow) -> None:
        inner = self.area.widget()
        if inner is not None and row.isVisible():
            self.area.verticalScrollBar().setValue(row.mapTo(inner, QPoint(0, 0)).y() - self.context.theme.px(40))

    def _controls(self) -> dict[str, QWidget]:
        context, settings_store, theme = self.context, self.context.settings_store, self.context.theme
        settings = settings_store.settings
        self.annotator = QLineEdit(context.annotator)
        self.annotator.setPlaceholderText("Your name or initials")
        self.annotator.editingFinished.connect(self._on_annotator)
        self.theme_box = self._choice(_THEMES, settings.theme)
        self.theme_box.activated.connect(lambda _: settings_store.change(theme=self.theme_box.currentData()))
        self.scale = self._choice([(f"{100 * scale:.0f} %", scale) for scale in SCALES], settings.scale)
        self.scale.activated.connect(lambda _: settings_store.change(scale=self.scale.currentData()))
        self.motion = QCheckBox("Reduce motion")
        self.motion.setChecked(settings.reduced_motion)
        self.motion.toggled.connect(lambda on: settings_store.change(reduced_motion=on))
        self.parser = self._choice(_PARSERS, settings.parser)
        self.parser.activated.connect(lambda _: settings_store.change(parser=self.parser.currentData()))
        for box in (self.theme_box, self.scale, self.parser):
            box.setMinimumContentsLength(8)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.workers = QSpinBox()
        self.workers.setMinimumWidth(theme.px(120))
        pad_number(self.workers, theme)
        self.workers.setRange(0, 256)
        self.workers.setSpecialValueText(f"One for each processor ({worker_count(None)})")
        self.workers.setValue(settings.workers or 0)
        self.workers.valueChanged.connect(lambda number: settings_store.change(workers=number or None))
        self.grobid = GrobidAddress(settings_store, context.runner, theme)
        self.backups = BackupsBox(context)
        self.keys = KeysTable(context.actions, settings_store, theme)
        return {
            "annotator": self.annotator,
            "theme": self.theme_box,
            "scale": self.scale,
            "reduced_motion": self.motion,
            "parser": self.parser,
            "grobid_url": self.grobid,
            "workers": self.workers,
            "backups": self.backups,
            "keys": self.keys,
            "settings_file": self._place(settings_store.paths.settings, "Settings file"),
            "log": self._place(settings_store.paths.log, "Log"),
            "data": self._place(settings_store.paths.data, "Program data"),
        }

    def _choice(self, choices: Sequence[tuple[str, object]], now: object) -> QComboBox:
        box = QComboBox()
        for text, value in choices:
            box.addItem(text, value)
        box.setCurrentIndex([value for _, value in choices].index(now))
        return box

    def _place(self, path: Path, name: str) -> QWidget:
        px = self.context.theme.px
        place = QWidget()
        text = ElidedLabel(str(path), Qt.TextElideMode.ElideMiddle)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        button = QPushButton("Open")
        button.setAccessibleName(f"Open the folder of: {name}")
        folder = path if path.suffix == "" else path.parent
        button.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))))
        layout = QHBoxLayout(place)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(px(8))
        layout.addWidget(text, 1)
        layout.addWidget(button)
        return place

    def _add_section(self, name: str, entries: Sequence[SettingEntry], controls: dict[str, QWidget]) -> None:
        px = self.context.theme.px
        section = QWidget()
        heading = PlainLabel(name)
        heading.setProperty("type", "heading")
        card = QFrame()
        card.setProperty("look", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(0, px(4), 0, px(4))
        inside.setSpacing(0)
        rows = []
        for entry in entries:
            control = controls[entry.key]
            if not control.accessibleName():
                control.setAccessibleName(entry.title)
            control.setObjectName(f"settings.{entry.key}")
            self.rows[entry.key] = row = SettingRow(entry, control, px)
            rows.append(row)
            inside.addWidget(row)
        layout = QVBoxLayout(section)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(px(8))
        layout.addWidget(heading)
        layout.addWidget(card)
        self._list.addWidget(section)
        self._sections.append((section, rows))

    @Slot(str)
    def _on_search(self, typed: str) -> None:
        """Leave what fits: settings by their words, or the commands whose shortcut is looked for."""
        keys = self.rows["keys"]
        by_name = keys.entry.answers(typed)
        commands = self.keys.search("" if by_name else typed)
        for _, rows in self._sections:
            for row in rows:
                row.setVisible(row.entry.answers(typed) or (row is keys and bool(typed.strip()) and commands > 0))
        for section, rows in self._sections:
            section.setVisible(any(not row.isHidden() for row in rows))
        self.none.setVisible(all(section.isHidden() for section, _ in self._sections))

    @Slot()
    def _on_annotator(self) -> None:
        name = " ".join(self.annotator.text().split())
        if name and name != self.context.annotator:
            self.context.set_annotator(name)
        self.annotator.setText(self.context.annotator)

    @Slot(object)
    def _on_changed(self, _: object) -> None:
        """Somebody else changed a setting, such as a menu: show it."""
        settings = self.context.settings_store.settings
        for box, now in (
            (self.theme_box, settings.theme),
            (self.scale, settings.scale),
            (self.parser, settings.parser),
        ):
            box.setCurrentIndex(box.findData(now))
        if self.motion.isChecked() != settings.reduced_motion:
            self.motion.setChecked(settings.reduced_motion)
