"""Colours, fonts and icons of the window, light, dark and in high contrast, at any scale."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from weakref import WeakSet

from PySide6.QtCore import QByteArray, QDir, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QPainter,
    QPalette,
    QPixmap,
    QPixmapCache,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from shiboken6 import isValid

from desktop.ui.theme.rescale import Rescaler, arrange_again, restore_scroll_places, scroll_places
from desktop.ui.theme.style_sheet import style_sheet
from miner.colors import INK, LINE, SCALE, WHITE, scale_color

_HERE = Path(__file__).parent

LETTERS = {"contrasting": "C", "reasoning": "R", "entailment": "E", "neutral": "N", "unclear": "?"}
_CLASS_COLORS = {
    "contrasting": "#C25500",
    "reasoning": "#0072B2",
    "entailment": "#00845F",
    "neutral": "#6F6F6F",
    "unclear": "#946B08",
}
SMALL, BODY, READING, TITLE = 12, 13, 18, 24  # font sizes in px at 100 %; there are no others
LINE_HEIGHT = 27  # px of reading text at 100 %


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours by use: `paper` is the background of the window, `card` that of cards and fields, `ink` the text."""

    paper: str
    card: str
    ink: str
    muted: str
    line: str
    accent: str
    on_accent: str
    hover: str
    selected: str
    good: str
    warning: str
    bad: str
    label_text: dict[str, str]
    scale: tuple[str, str, str]  # as `miner.colors.SCALE`


LIGHT = Tokens(
    paper="#FAFAF7",
    card=WHITE,
    ink=INK,
    muted="#5F5E59",
    line=LINE,
    accent="#3B5BDB",
    on_accent="#FFFFFF",
    hover="#F0EFEA",
    selected="#E3E8FA",
    good="#0A6F44",
    warning="#8A5A00",
    bad="#B42318",
    label_text={  # the class colours, darkened where they would be too pale to read
        "contrasting": "#B04E00",
        "reasoning": "#0067A0",
        "entailment": "#007A59",
        "neutral": "#646464",
        "unclear": "#876208",
    },
    scale=SCALE,
)
DARK = Tokens(
    paper="#1B1C1E",
    card="#232527",
    ink="#E6E4DE",
    muted="#A5A39C",
    line="#34363A",
    accent="#8CA2F5",
    on_accent="#14161B",
    hover="#2A2C2F",
    selected="#2D3550",
    good="#5CC795",
    warning="#E0B050",
    bad="#F08A80",
    label_text={
        "contrasting": "#F0914A",
        "reasoning": "#5DB0E6",
        "entailment": "#3CC79C",
        "neutral": "#ABABAB",
        "unclear": "#DBAC3C",
    },
    scale=("#E8B64A", "#8F8D88", "#8B80EE"),
)
CONTRAST = Tokens(  # text at 7:1 or more (WCAG AAA), and lines around everything that can be pressed
    paper="#000000",
    card="#000000",
    ink="#FFFFFF",
    muted="#E0E0E0",
    line="#B4B4B4",
    accent="#FFE14D",
    on_accent="#000000",
    hover="#2B2B2B",
    selected="#00397A",
    good="#6BF2A8",
    warning="#FFD54A",
    bad="#FFA69E",
    label_text={
        "contrasting": "#FFB27A",
        "reasoning": "#8CCBFF",
        "entailment": "#6FE8C0",
        "neutral": "#D6D6D6",
        "unclear": "#FFD970",
    },
    scale=("#FFC94D", "#BDBDBD", "#B3A8FF"),
)
_TOKENS = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}


class Theme(QObject):
    """The current colours and scale, which all dressed windows follow.

    `changed` is emitted when widgets must paint or measure again. Sizes that widgets have set, such as margins and
    fixed widths, are changed automatically.
    """

    changed = Signal()

    def __init__(self, app: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self._rescaler = Rescaler()
        self._dressed: WeakSet[QWidget] = WeakSet()
        self._style_sheet = ""
        self.tokens = LIGHT
        self.scale = 1.0
        self.reduced_motion = False
        self._serif = ""
        self._fixed: Tokens | None = None  # None: those of the system's scheme
        app.styleHints().colorSchemeChanged.connect(self._update)

    def apply(self, theme: str, scale: float, *, reduced_motion: bool = False) -> None:
        """Apply a theme: "system", "light", "dark" or "contrast". `scale` multiplies every size."""
        schemes = {"system": Qt.ColorScheme.Unknown, "light": Qt.ColorScheme.Light}
        before, self.scale = self.scale, scale
        self.reduced_motion = reduced_motion
        self._app.styleHints().setColorScheme(schemes.get(theme, Qt.ColorScheme.Dark))
        self._fixed = _TOKENS.get(theme)
        if scale == before:
            self._update()
        else:
            self._rescale(before)

    def dress(self, window: QWidget) -> None:
        """Give a widget without a parent, and all its children, the look of the program, now and after changes.

        A style sheet of the application would do this too, but Qt 6 applies a change of it ten times as slowly.
        """
        self._dressed.add(window)
        window.setStyleSheet(self._style_sheet)

    @property
    def is_dark(self) -> bool:
        return self.tokens is not LIGHT

    def px(self, pixels: float) -> int:
        """A size in pixels at 100 %, at the user's scale."""
        return round(pixels * self.scale)

    def font(self, size: int = BODY, *, bold: bool = False) -> QFont:
        """The font of controls."""
        font = QFont(self._app.font())
        font.setPixelSize(self.px(size))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def reading_font(self, size: int = READING) -> QFont:
        """The serif font for sentences of papers; it ships with the program."""
        if not self._serif:
            number = QFontDatabase.addApplicationFont(str(_HERE / "fonts" / "SourceSerif4-Regular.ttf"))
            families = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
            self._serif = families[0] if families else "serif"
        font = QFont(self._serif)
        font.setStyleHint(QFont.StyleHint.Serif)
        font.setPixelSize(self.px(size))
        return font

    def reading_spacing(self) -> int:
        """The line spacing of reading text, in percent of the font's height."""
        return round(100 * self.px(LINE_HEIGHT) / QFontMetrics(self.reading_font()).height())

    def label_color(self, label: str) -> QColor:
        """The colour of a class, for fills under white letters."""
        return QColor(_CLASS_COLORS.get(label, self.tokens.muted))

    def label_text_color(self, label: str) -> QColor:
        """The colour of a class for text; its contrast to the background is at least 4.5."""
        return QColor(self.tokens.label_text.get(label, self.tokens.muted))

    def color(self, token: str) -> QColor:
        return QColor(getattr(self.tokens, token))

    def scale_color(self, share: float) -> QColor:
        """The colour of a share from 0.0 to 1.0, for points of a plot."""
        return QColor(scale_color(self.tokens.scale, share))

    def icon(self, name: str, token: str = "ink") -> QIcon:
        """A Lucide icon in a colour of the theme; it follows theme changes."""
        return QIcon(_ThemedIconEngine(self, name, token))

    def set_icon(self, target: QAction | QAbstractButton, name: str) -> None:
        target.setIcon(self.icon(name))

    def _update(self) -> None:
        is_dark = self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        self.tokens = self._fixed or (DARK if is_dark else LIGHT)
        QGuiApplication.setPalette(_palette(self.tokens))
        font = QFont(self._app.font())
        font.setPixelSize(self.px(BODY))
        self._app.setFont(font)
        QDir.setSearchPaths("theme", [str(_HERE / "icons")])
        self._style_sheet = style_sheet(self.tokens, self.px)
        for window in self._windows():
            window.setStyleSheet(self._style_sheet)
        self.changed.emit()

    def _rescale(self, before: float) -> None:
        """Show all windows, which have the scale `before`, at the new scale, without building them anew."""
        windows = self._windows()
        places = [place for window in windows for place in scroll_places(window)]
        for window in windows:
            self._rescaler.rescale(window, before, self.scale)
        self._update()
        for window in windows:
            arrange_again(window)
        restore_scroll_places(places)

    def _windows(self) -> list[QWidget]:
        return [window for window in self._dressed if isValid(window)]


def program_icon() -> QIcon:
    """The icon of the program's windows."""
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(str(_HERE / "icons" / "pairwright.svg"))
    icon = QIcon()
    for size in (16, 24, 32, 48, 64, 128):
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter, QRectF(pixmap.rect()))
        painter.end()
        icon.addPixmap(pixmap)
    return icon


class _ThemedIconEngine(QIconEngine):
    """Paints an SVG at any size, in the current colour of the theme."""

    def __init__(self, theme: Theme, name: str, token: str) -> None:
        super().__init__()
        self._theme, self._name, self._token = theme, name, token

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        from PySide6.QtSvg import QSvgRenderer

        token = "muted" if mode == QIcon.Mode.Disabled else self._token
        color = getattr(self._theme.tokens, token)
        svg = (_HERE / "icons" / f"{self._name}.svg").read_bytes().replace(b"currentColor", color.encode())
        renderer = QSvgRenderer(QByteArray(svg))
        if mode == QIcon.Mode.Disabled:
            painter.setOpacity(0.5)
        renderer.render(painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        key = f"{self._name} {getattr(self._theme.tokens, self._token)} {size.width()} {size.height()} {mode.name}"
        pixmap = QPixmap()
        if QPixmapCache.find(key, pixmap):
            return pixmap
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, pixmap.rect(), mode, state)
        painter.end()
        QPixmapCache.insert(key, pixmap)
        return pixmap

    def clone(self) -> QIconEngine:
        return _ThemedIconEngine(self._theme, self._name, self._token)


def _palette(tokens: Tokens) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for color_role, color in (
        (role.Window, tokens.paper),
        (role.WindowText, tokens.ink),
        (role.Base, tokens.card),
        (role.AlternateBase, tokens.paper),
        (role.Text, tokens.ink),
        (role.Button, tokens.card),
        (role.ButtonText, tokens.ink),
        (role.ToolTipBase, tokens.card),
        (role.ToolTipText, tokens.ink),
        (role.PlaceholderText, tokens.muted),
        (role.Highlight, tokens.selected),
        (role.HighlightedText, tokens.ink),
        (role.Link, tokens.accent),
        (role.Mid, tokens.line),
        (role.Accent, tokens.accent),
    ):
        palette.setColor(color_role, QColor(color))
    for color_role in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, color_role, QColor(tokens.muted))
    return palette
