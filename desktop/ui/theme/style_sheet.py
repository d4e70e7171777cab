"""The style sheet of the application, for what palette and font cannot express."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def style_sheet(tokens: Any, px: Callable[[float], int]) -> str:
    """QSS for the whole application. Widgets select a style by their properties:

    `look`: such as card, sidebar, primary, danger, quiet, link or chip.
    `type`, of labels: title, heading, lead, small, muted, hint or warning.
    `tone`, of labels: a colour of the theme, or a class.

    Icons are found by the search path `theme`: Qt cannot parse a sheet with an umlaut in the path of a file.
    """
    t = tokens
    colors = {name: getattr(t, name) for name in ("accent", "muted", "good", "warning", "bad")} | t.label_text
    tones = "".join(f'QLabel[tone="{name}"] {{ color: {color}; }}' for name, color in colors.items())
    dot = px(14) + 2  # a radio button with its border; with a radius above half of it Qt draws a square
    return f"""
    * {{ outline: none; }}
    QToolTip {{ background: {t.card}; color: {t.ink}; border: 1px solid {t.line}; padding: {px(4)}px {px(8)}px; }}
    QLabel[type="title"] {{ font-size: {px(24)}px; font-weight: 600; }}
    QLabel[type="heading"] {{ font-size: {px(13)}px; font-weight: 600; }}
    QLabel[type="small"] {{ font-size: {px(12)}px; color: {t.muted}; }}
    QLabel[type="warning"] {{ color: {t.warning}; font-weight: 600; }}
    QLabel[type="muted"] {{ color: {t.muted}; }}
    QLabel[type="hint"] {{ font-size: {px(12)}px; color: {t.on_accent}; }}
    QLabel[type="lead"] {{ font-size: {px(18)}px; }}
    {tones}
    QFrame[look="card"] {{ background: {t.card}; border: 1px solid {t.line}; border-radius: {px(8)}px; }}
    QFrame[look="card"]:focus {{ border-color: {t.accent}; }}
    QFrame[look="row"] {{ border: 1px solid transparent; border-radius: {px(6)}px; }}
    QFrame[look="row"]:focus {{ border-color: {t.accent}; }}
    QFrame[look="line"] {{ background: {t.line}; border: none; }}
    QWidget[look="sidebar"] {{ background: {t.paper}; border-right: 1px solid {t.line}; }}
    QWidget[look="status_bar"] {{ background: {t.paper}; border-top: 1px solid {t.line}; }}
    QWidget[look="notice"] {{ background: {t.selected}; border: none; }}

    QPushButton, QToolButton {{
        background: {t.card}; color: {t.ink}; border: 1px solid {t.line}; border-radius: {px(6)}px;
        padding: {px(5)}px {px(12)}px; min-height: {px(18)}px; icon-size: {px(16)}px;
    }}
    QToolButton {{ padding: {px(5)}px {px(8)}px; }}
    QPushButton:hover, QToolButton:hover {{ background: {t.hover}; }}
    QPushButton:pressed, QToolButton:pressed, QToolButton:checked, QPushButton:checked {{ background: {t.selected}; }}
    QPushButton:focus, QToolButton:focus {{ border: 2px solid {t.accent}; padding: {px(5) - 1}px {px(12) - 1}px; }}
    QToolButton:focus {{ padding: {px(5) - 1}px {px(8) - 1}px; }}
    QPushButton:disabled, QToolButton:disabled {{ color: {t.muted}; background: {t.paper}; }}
    QPushButton[look="primary"] {{ background: {t.accent}; color: {t.on_accent}; border-color: {t.accent};
        font-weight: 600; }}
    QPushButton[look="primary"]:focus {{ border: 2px solid {t.ink}; }}
    QPushButton[look="primary"]:disabled {{ background: {t.line}; color: {t.muted}; border-color: {t.line}; }}
    QPushButton[look="danger"] {{ color: {t.bad}; border-color: {t.bad}; }}
    QPushButton[look="danger"]:focus {{ border: 2px solid {t.bad}; }}
    QPushButton[align="left"] {{ text-align: left; padding: {px(9)}px {px(16)}px; }}
    QPushButton[align="left"]:focus {{ padding: {px(9) - 1}px {px(16) - 1}px; }}
    QPushButton[look="quiet"], QToolButton[look="quiet"] {{ background: transparent; border-color: transparent; }}
    QPushButton[look="quiet"]:hover, QToolButton[look="quiet"]:hover {{ background: {t.hover}; }}
    QToolButton[look="quiet"]:checked {{ background: {t.selected}; }}
    QPushButton[look="quiet"]:focus, QToolButton[look="quiet"]:focus {{ border: 2px solid {t.accent}; }}
    QToolButton[look="quiet"][shape="tight"] {{ padding: {px(2)}px; min-height: 0; }}
    QToolButton[look="quiet"][shape="tight"]:focus {{ padding: {px(2) - 1}px; }}
    QPushButton[look="more"] {{ background: {t.paper}; border: none; border-top: 1px solid {t.line}; border-radius: 0;
        color: {t.accent}; font-weight: 600; padding: {px(4)}px; }}
    QPushButton[look="link"] {{ background: transparent; border: none; color: {t.accent}; padding: 0; }}
    QPushButton[look="link"]:focus {{ text-decoration: underline; }}
    QToolButton::menu-indicator, QPushButton::menu-indicator {{ image: none; width: 0; }}

    QToolButton[look="sidebar"] {{
        background: transparent; border: none; border-radius: {px(6)}px; text-align: left;
        padding: {px(8)}px {px(12)}px;
    }}
    QToolButton[look="sidebar"]:hover {{ background: {t.hover}; }}
    QToolButton[look="sidebar"]:checked {{ background: {t.selected}; font-weight: 600; }}
    QToolButton[look="sidebar"]:focus {{ border: 2px solid {t.accent}; padding: {px(8) - 2}px {px(12) - 2}px; }}
    QToolButton[look="sidebar"][shape="stacked"] {{ padding: {px(5)}px {px(4)}px; text-align: center; }}
    QToolButton[look="sidebar"][shape="stacked"]:focus {{ padding: {px(5) - 2}px {px(4) - 2}px; }}

    QFrame[look="chip"] {{ background: {t.selected}; border: 1px solid {t.line}; border-radius: {px(6)}px; }}
    QToolButton[look="chip"] {{ background: transparent; border: 2px solid transparent; border-radius: {px(5)}px;
        padding: {px(2)}px {px(6)}px; min-height: {px(16)}px; }}
    QToolButton[look="chip"]:hover {{ background: {t.hover}; }}
    QToolButton[look="chip"]:focus {{ border: 2px solid {t.accent}; padding: {px(2)}px {px(6)}px; }}

    QToolButton[look="step"] {{ background: transparent; border: 1px solid {t.line}; border-radius: {px(5)}px;
        color: {t.muted}; font-size: {px(12)}px; padding: {px(1)}px {px(6)}px; min-height: {px(16)}px; }}
    QToolButton[look="step"]:hover {{ background: {t.hover}; }}
    QToolButton[look="step"]:checked {{ background: {t.selected}; border-color: {t.accent}; color: {t.ink}; }}
    QToolButton[look="step"]:focus {{ border: 2px solid {t.accent}; padding: {px(1) - 1}px {px(6) - 1}px; }}

    QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {{
        background: {t.card}; color: {t.ink}; border: 1px solid {t.line}; border-radius: {px(6)}px;
        padding: {px(4)}px {px(8)}px; min-height: {px(20)}px; selection-background-color: {t.accent};
        selection-color: {t.on_accent};
    }}
    QLineEdit, QPlainTextEdit, QTextEdit, QComboBox {{ placeholder-text-color: {t.muted}; }}
    QLineEdit QToolButton, QLineEdit QToolButton:focus {{ background: transparent; border: none; padding: 0;
        min-height: 0; }}
    QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {{
        border: 2px solid {t.accent}; padding: {px(4) - 1}px {px(8) - 1}px;
    }}
    QLineEdit:disabled, QSpinBox:disabled, QComboBox:disabled, QDoubleSpinBox:disabled {{
        color: {t.muted}; background: {t.paper};
    }}
    QComboBox {{ combobox-popup: 0; }}  /* the other popup is 2 px too small and scrolls */
    QComboBox QAbstractItemView::item {{ min-height: {px(24)}px; }}
    QComboBox::drop-down {{ border: none; width: {px(24)}px; }}
    QComboBox::down-arrow {{ image: url(theme:arrow-down-muted.svg); width: {px(12)}px;
        height: {px(12)}px; }}
    QComboBox QAbstractItemView {{ background: {t.card}; border: 1px solid {t.line}; padding: {px(4)}px; }}
    QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {{
        width: {px(16)}px; border: none; background: transparent; }}
    QSpinBox::up-arrow, QDoubleSpinBox::up-arrow {{ image: url(theme:arrow-up-muted.svg);
        width: {px(10)}px; height: {px(10)}px; }}
    QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {{ image: url(theme:arrow-down-muted.svg);
        width: {px(10)}px; height: {px(10)}px; }}
    QDoubleSpinBox[look="plain"]::up-button, QDoubleSpinBox[look="plain"]::down-button {{ width: 0; }}
    QDoubleSpinBox[look="plain"]::up-arrow, QDoubleSpinBox[look="plain"]::down-arrow {{ image: none; width: 0; }}

    QCheckBox, QRadioButton {{ spacing: {px(8)}px; padding: {px(2)}px; border: 2px solid transparent;
        border-radius: {px(4)}px; }}
    QCheckBox:focus, QRadioButton:focus {{ border-color: {t.accent}; }}
    QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator {{ width: {px(14)}px;
        height: {px(14)}px; border: 1px solid {t.muted}; border-radius: {px(4)}px; background: {t.card}; }}
    QRadioButton::indicator {{ border-radius: {dot // 2}px; }}
    QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {{ border-color: {t.accent};
        background: {t.accent}; image: url(theme:check-{t.on_accent[1:].lower()}.svg); }}
    QRadioButton::indicator:checked {{ width: {dot - 2 * px(4)}px; height: {dot - 2 * px(4)}px;
        border: {px(4)}px solid {t.accent}; }}
    QCheckBox::indicator:disabled, QRadioButton::indicator:disabled, QAbstractItemView::indicator:disabled {{
        border-color: {t.line}; background: {t.paper}; }}
    QCheckBox:disabled, QRadioButton:disabled {{ color: {t.muted}; }}

    QAbstractItemView {{ background: {t.card}; border: 1px solid {t.line}; border-radius: {px(8)}px;
        gridline-color: {t.line}; selection-background-color: {t.selected}; selection-color: {t.ink}; }}
    QAbstractItemView:focus {{ border: 1px solid {t.accent}; }}
    QAbstractItemView::item:hover {{ background: {t.hover}; }}
    QTableView::item:hover:!selected {{ background: transparent; }}
    QAbstractItemView::item:selected {{ background: {t.selected}; color: {t.ink}; }}
    QTreeView[look="list"] {{ padding: {px(4)}px {px(8)}px; }}
    QTableView[look="plain"]::item {{ padding: 0 {px(8)}px; }}
    QHeaderView {{ background: transparent; border: none; }}
    QHeaderView::section {{ background: transparent; color: {t.muted}; border: none; border-bottom: 1px solid {t.line};
        padding: {px(6)}px {px(8)}px; font-size: {px(12)}px; }}
    QTableCornerButton::section {{ background: {t.card}; border: none; }}

    QAbstractScrollArea::corner {{ background: transparent; border: none; }}
    QScrollBar:vertical {{ background: transparent; width: {px(12)}px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: {px(12)}px; margin: 0; }}
    QScrollBar::handle {{ background: {t.line}; border-radius: {px(4)}px; margin: {px(2)}px; }}
    QScrollBar::handle:vertical {{ min-height: {px(32)}px; }}
    QScrollBar::handle:horizontal {{ min-width: {px(32)}px; }}
    QScrollBar::handle:hover {{ background: {t.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
        background: transparent; border: none; width: 0; height: 0; }}

    QProgressBar {{ background: {t.line}; border: none; border-radius: {px(3)}px; max-height: {px(6)}px;
        min-height: {px(6)}px; }}
    QProgressBar::chunk {{ background: {t.accent}; border-radius: {px(3)}px; }}
    QMenuBar, QMenu {{ font-size: {px(13)}px; }}
    QMenuBar {{ background: {t.paper}; border-bottom: 1px solid {t.line}; padding: {px(2)}px; }}
    QMenuBar::item {{ padding: {px(4)}px {px(10)}px; border-radius: {px(4)}px; background: transparent; }}
    QMenuBar::item:selected {{ background: {t.hover}; }}
    QMenu {{ background: {t.card}; border: 1px solid {t.line}; padding: {px(4)}px; }}
    QMenu::item {{ padding: {px(5)}px {px(24)}px {px(5)}px {px(12)}px; border-radius: {px(4)}px; }}
    QMenu::item:selected {{ background: {t.selected}; color: {t.ink}; }}
    QMenu::item:disabled {{ color: {t.muted}; }}
    QMenu::separator {{ height: 1px; background: {t.line}; margin: {px(4)}px {px(8)}px; }}
    QSplitter::handle {{ background: transparent; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; button-layout: 3; }}
    QDialogButtonBox QPushButton {{ qproperty-icon: none; }}
    QScrollArea {{ border: none; background: transparent; }}
    QTabBar::tab {{ padding: {px(6)}px {px(12)}px; border: none; border-bottom: 2px solid transparent; }}
    QTabBar::tab:selected {{ border-bottom: 2px solid {t.accent}; font-weight: 600; }}
    QTabBar::tab:focus {{ background: {t.hover}; }}
    QTabBar[look="section"] {{ font-size: {px(18)}px; }}
    QTabBar[look="section"]::tab {{ color: {t.muted}; padding: {px(2)}px {px(10)}px {px(4)}px {px(2)}px;
        margin-right: {px(8)}px; }}
    QTabBar[look="section"]::tab:selected {{ color: {t.ink}; }}
    QTabWidget::pane {{ border: none; border-top: 1px solid {t.line}; }}
    QGroupBox {{ border: none; font-weight: 600; margin-top: {px(20)}px; }}
    QGroupBox::title {{ subcontrol-origin: margin; left: 0; }}
    """
