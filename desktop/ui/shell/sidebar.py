"""The sidebar: a button for each section, with a badge that counts the things to do there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from desktop.translation import tr
from desktop.ui.shell.navigation import SECTIONS, NavigationItem, NavigationSection, section_of
from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.layouts import STRETCH, column_of

_WIDTH_PX = 168
_MARGIN_PX = 6
_STACKED_HEIGHT_PX = 50  # of a button with its name below the icon


class SidebarButton(QToolButton):
    """The button of a section. `badge`: the number of things to do there.

    `narrow`: the name is below the icon; `low`: there is no icon, since the window is not high enough for both.
    """

    def __init__(self, theme: Theme, section: NavigationSection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._narrow = False
        self.badge = 0
        self.setProperty("look", "sidebar")
        self.setCheckable(True)
        self.setIconSize(QSize(theme.px(18), theme.px(18)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_item(section)

    def show_item(self, item: NavigationSection | NavigationItem) -> None:
        """Show a section, or the only offered page of a section."""
        self._text = item.text
        self._theme.set_icon(self, item.icon)
        self.set_shape(narrow=self._narrow, low=False)
        self.set_badge(self.badge)

    @property
    def whole_width(self) -> int:
        """The width in pixels that the whole name needs, also in the bold letters of the checked button."""
        bold = QFontMetrics(self._theme.font(SMALL, bold=True)).horizontalAdvance(self._text)
        return self.sizeHint().width() + max(0, bold - self.fontMetrics().horizontalAdvance(self._text))

    def set_shape(self, *, narrow: bool, low: bool) -> None:
        self._narrow = narrow
        style = Qt.ToolButtonStyle
        self.setFont(self._theme.font(SMALL) if narrow else self._theme.font())
        self.setText(self._text if narrow else f"  {self._text}")  # a style sheet cannot set the space after an icon
        below = style.ToolButtonTextOnly if low else style.ToolButtonTextUnderIcon
        self.setToolButtonStyle(below if narrow else style.ToolButtonTextBesideIcon)
        self.setProperty("shape", "stacked" if narrow else "row")
        self.style().unpolish(self)
        self.style().polish(self)

    def set_badge(self, count: int) -> None:
        self.badge = count
        self.setAccessibleName(tr("{text}, {count:,} waiting", text=self._text, count=count) if count else self._text)
        set_tip(self, self.accessibleName())
        self.update()

    def _badge_text(self) -> str:
        return f"{self.badge:,}" if self.badge < 10_000 else f"{self.badge // 1000:,}k"

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.badge:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        if self._narrow:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            size = theme.px(8)
            painter.drawEllipse(self.width() - size - theme.px(4), theme.px(4), size, size)
            return
        painter.setFont(theme.font(SMALL))
        painter.setPen(QColor(theme.tokens.muted))
        right = self.rect().adjusted(0, 0, -theme.px(12), 0)
        painter.drawText(right, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._badge_text())


class Sidebar(QWidget):
    """The buttons of all sections; the button of the page on screen is checked."""

    section_selected = Signal(str)  # a section's name

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_narrow = False
        self._counts: Counter[str] = Counter()  # by page
        self.setProperty("look", "sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Pages"))
        self._group = QButtonGroup(self)
        self.buttons = {section.name: self._create_button(section) for section in SECTIONS}
        self._layout = column_of(
            *(self.buttons[section.name] for section in SECTIONS if not section.below),
            STRETCH,
            *(self.buttons[section.name] for section in SECTIONS if section.below),
            spacing=theme.px(4),
            margins=(theme.px(_MARGIN_PX), theme.px(12), theme.px(_MARGIN_PX), theme.px(12)),
        )
        self.setLayout(self._layout)
        self.set_narrow(False)

    def _create_button(self, section: NavigationSection) -> SidebarButton:
        button = SidebarButton(self._theme, section, self)
        button.clicked.connect(lambda: self.section_selected.emit(section.name))
        self._group.addButton(button)
        return button

    def show_page(self, name: str) -> None:
        """Check the button of this page's section; none for a page that belongs to no section."""
        section = section_of(name)
        self._group.setExclusive(section is not None)
        for one, button in self.buttons.items():
            button.setChecked(section is not None and one == section.name)

    def offer(self, names: Collection[str]) -> None:
        """Show only the buttons of these pages; a section with only one of its pages left stands for that page."""
        for section in SECTIONS:
            offered = [item for item in section.pages if item.name in names]
            button = self.buttons[section.name]
            button.setVisible(bool(offered))
            button.show_item(section if len(offered) == len(section.pages) or not offered else offered[0])
        self._shape_buttons()

    def set_badge(self, page: str, count: int) -> None:
        """Set the number of things to do on a page; a section's badge shows the sum of its pages."""
        self._counts[page] = count
        if (section := section_of(page)) is not None:
            self.buttons[section.name].set_badge(sum(self._counts[item.name] for item in section.pages))

    def clear_badges(self) -> None:
        self._counts.clear()
        for button in self.buttons.values():
            button.set_badge(0)

    def set_narrow(self, narrow: bool) -> None:
        """Set whether the names are below the icons."""
        self._is_narrow = narrow
        self._shape_buttons()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().height() != event.oldSize().height():
            self._shape_buttons()

    def _shape_buttons(self) -> None:
        """Show every name in full: beside the icons, below them, or without icons in a low window."""
        px = self._theme.px
        shown = [button for button in self.buttons.values() if not button.isHidden()]
        low = self.height() < len(shown) * px(_STACKED_HEIGHT_PX + 4) + px(24)
        for button in self.buttons.values():
            button.set_shape(narrow=self._is_narrow, low=low)
        widest = max(button.whole_width for button in self.buttons.values())
        self.setFixedWidth(widest + px(2 * _MARGIN_PX) if self._is_narrow else px(_WIDTH_PX))
