"""What layouts have no method for."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout


def remove_widgets(layout: QLayout) -> None:
    """Empty a layout; its widgets are hidden at once, and deleted."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
