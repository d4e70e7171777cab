"""The Settings page: each change takes effect and is saved at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)

from desktop.settings import MAX_WORKERS, Settings
from desktop.translation import tr
from desktop.ui.pages.settings.backups import BackupsBox
from desktop.ui.pages.settings.entries import ENTRIES, NOT_IN_ANSWER_FILES, SettingEntry
from desktop.ui.pages.settings.grobid_address import GrobidAddress
from desktop.ui.pages.settings.shortcuts import ShortcutTable
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.clear_button import add_clear_button
from desktop.ui.widgets.fields import ComboBox, NumberBox, pad_number
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop.ui.widgets.layouts import STRETCH, card_of, column_of, row_of, stretched
from miner.processes.pool import worker_count

_MIN_ROW_WIDTH = 560  # px at 100 %; in a narrower field the control is below its text


class SettingField(QWidget):
    """A setting: its title and hint on the left, its control on the right, or below them if there is little room."""

    def __init__(
        self, entry: SettingEntry, control: QWidget, px: Callable[[float], int], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.entry = entry
        self.control = control
        self._px = px
        title = PlainLabel(entry.title, type="heading")
        hint = PlainLabel(entry.hint, type="small", wraps=True)
        texts = column_of(title, hint, spacing=px(2))
        self._is_wide = isinstance(control, ShortcutTable)
        self._layout = layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        layout.setContentsMargins(px(16), px(10), px(16), px(10))
        layout.addLayout(texts, 4)
        layout.addWidget(control, 5)
        if not self._is_wide:
            texts.addStretch(1)
            layout.setAlignment(control, Qt.AlignmentFlag.AlignTop)
        self._arrange(self._is_wide)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(self._is_wide or self.width() < self._px(_MIN_ROW_WIDTH))

    def _arrange(self, control_below: bool) -> None:
        self._layout.setDirection(
            QBoxLayout.Direction.TopToBottom if control_below else QBoxLayout.Direction.LeftToRight
        )
        self._layout.setSpacing(self._px(8 if control_below else 24))


class SettingsPage(Page):
    title = tr("Settings")

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        px = context.theme.px
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search settings"))
        self.search.setAccessibleName(tr("Search settings"))
        add_clear_button(self.search)
        self.search.setFixedWidth(px(240))
        self.search.textChanged.connect(self._on_search)
        self.header.addWidget(self.search)
        self.initial_focus = self.search
        self.fields: dict[str, SettingField] = {}
        self._sections: list[tuple[QWidget, Sequence[SettingField]]] = []
        self.no_match = PlainLabel(tr("No matching setting."), type="muted")
        self.no_match.setVisible(False)
        inner = QWidget()
        inner.setMaximumWidth(px(1100))
        controls = self._create_controls()
        sections = [
            self._create_section(name, [entry for entry in ENTRIES if entry.section == name], controls)
            for name in dict.fromkeys(entry.section for entry in ENTRIES)
        ]
        inner.setLayout(column_of(*sections, self.no_match, STRETCH, spacing=px(20), margins=(0, 0, px(12), px(24))))
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
            tr("Find a setting"),
            self.find_setting,
            menu=tr("Settings"),
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
            self.grobid.test_server()
        self.backups.refresh()
        self._on_search(self.search.text())  # pages created since then have added commands

    def reveal(self, key: str) -> None:
        """Scroll to a setting and focus it."""
        self.search.clear()
        field = self.fields[key]
        field.control.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.focusWidget() is not field.control and not field.control.isAncestorOf(self.focusWidget() or self):
            for child in field.control.findChildren(QWidget):
                if child.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    child.setFocus(Qt.FocusReason.OtherFocusReason)
                    break
        QTimer.singleShot(0, lambda: self._scroll_to(field))  # after the layout of fields that the search had hidden

    def _scroll_to(self, field: SettingField) -> None:
        inner = self.area.widget()
        if inner is not None and field.isVisible():
            self.area.verticalScrollBar().setValue(field.mapTo(inner, QPoint(0, 0)).y() - self.context.theme.px(40))

    def _create_controls(self) -> dict[str, QWidget]:
        context, settings_store, theme = self.context, self.context.settings_store, self.context.theme
        self._followers: list[Callable[[Settings], None]] = []
        self.annotator = QLineEdit(context.annotator_name)
        self.annotator.setPlaceholderText(tr("Your name or initials"))
        # An answer file is for one annotator, and a project that cannot be written remembers none.
        self.annotator.setEnabled(context.assignment is None and not context.read_only)
        self.annotator.editingFinished.connect(self._on_annotator)
        self.workers = NumberBox()
        self.workers.setMinimumWidth(theme.px(120))
        pad_number(self.workers, theme)
        self.workers.setRange(0, MAX_WORKERS)
        self.workers.setSpecialValueText(tr("One for each processor ({worker_count})", worker_count=worker_count(None)))
        self.workers.setValue(settings_store.settings.workers or 0)
        self.workers.valueChanged.connect(lambda number: settings_store.change(workers=number or None))
        self.grobid = GrobidAddress(settings_store, context.runner, theme)
        self.backups = BackupsBox(context)
        self.keys = ShortcutTable(context.actions, settings_store, theme)
        return {
            **{entry.key: self._create_choice(entry) for entry in ENTRIES if entry.choices},
            **{entry.key: self._create_switch(entry) for entry in ENTRIES if entry.switch},
            "annotator": self.annotator,
            "grobid_url": self.grobid,
            "workers": self.workers,
            "backups": self.backups,
            "keys": self.keys,
            "settings_file": self._create_path_field(settings_store.paths.settings, tr("Settings file")),
            "log": self._create_path_field(settings_store.paths.log, tr("Log")),
            "data": self._create_path_field(settings_store.paths.data, tr("Program data")),
        }

    def _create_choice(self, entry: SettingEntry) -> QComboBox:
        settings_store = self.context.settings_store
        box = ComboBox()
        for text, value in entry.choices.items():
            box.addItem(text, value)
        box.setMinimumContentsLength(8)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        values = [*entry.choices.values()]
        self._follow(lambda settings: box.setCurrentIndex(values.index(getattr(settings, entry.key))))
        box.activated.connect(lambda _: settings_store.change(**{entry.key: box.currentData()}))
        return box

    def _create_switch(self, entry: SettingEntry) -> QCheckBox:
        settings_store = self.context.settings_store
        box = QCheckBox(entry.switch)
        self._follow(lambda settings: box.setChecked(getattr(settings, entry.key)))
        box.toggled.connect(lambda on: settings_store.change(**{entry.key: on}))
        return box

    def _follow(self, show: Callable[[Settings], None]) -> None:
        """Show a setting now and whenever it has changed."""
        show(self.context.settings_store.settings)
        self._followers.append(show)

    def _create_path_field(self, path: Path, name: str) -> QWidget:
        px = self.context.theme.px
        field = QWidget()
        text = ElidedLabel(str(path), Qt.TextElideMode.ElideMiddle, selectable=True)
        button = QPushButton(tr("Open"))
        button.setAccessibleName(tr("Open the folder of: {name}", name=name))
        folder = path if path.suffix == "" else path.parent
        button.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))))
        field.setLayout(row_of(stretched(text), button, spacing=px(8)))
        return field

    def _create_section(self, name: str, entries: Sequence[SettingEntry], controls: dict[str, QWidget]) -> QWidget:
        px = self.context.theme.px
        section = QWidget()
        heading = PlainLabel(name, type="heading")
        fields = []
        for entry in entries:
            control = controls[entry.key]
            if not control.accessibleName():
                control.setAccessibleName(entry.title)
            control.setObjectName(f"settings.{entry.key}")
            self.fields[entry.key] = field = SettingField(entry, control, px)
            fields.append(field)
        inside = column_of(*fields, spacing=0, margins=(0, px(4), 0, px(4)))
        section.setLayout(column_of(heading, card_of(inside), spacing=px(8)))
        if self.context.assignment is not None and name in NOT_IN_ANSWER_FILES:
            section.setVisible(False)
        else:
            self._sections.append((section, fields))
        return section

    @Slot(str)
    def _on_search(self, query: str) -> None:
        """Show the settings that match, or the shortcuts of the commands that match."""
        keys = self.fields["keys"]
        by_name = keys.entry.matches(query)
        commands = self.keys.search("" if by_name else query)
        for _, fields in self._sections:
            for field in fields:
                field.setVisible(field.entry.matches(query) or (field is keys and bool(query.strip()) and commands > 0))
        for section, fields in self._sections:
            section.setVisible(any(not field.isHidden() for field in fields))
        self.no_match.setVisible(all(section.isHidden() for section, _ in self._sections))

    @Slot()
    def _on_annotator(self) -> None:
        name = " ".join(self.annotator.text().split())
        if name and name != self.context.annotator_name and self.context.is_own_name(name, self):
            self.context.set_annotator(name)
        self.annotator.setText(self.context.annotator_name)

    @Slot(object)
    def _on_changed(self, _: object) -> None:
        """Show a change that was made elsewhere, such as in a menu."""
        for follow in self._followers:
            follow(self.context.settings_store.settings)
