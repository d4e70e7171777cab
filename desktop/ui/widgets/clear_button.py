"""The button within a field that clears it, with a name for screen readers, which Qt does not set."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QToolButton

from desktop.translation import tr


def add_clear_button(field: QLineEdit) -> None:
    """Show a button in the field while it has text, and name all buttons in it that have no name."""
    field.setClearButtonEnabled(True)
    for button in field.findChildren(QToolButton):
        if not button.accessibleName():
            action = button.defaultAction()
            is_clear = action is not None and action.objectName() == "_q_qlineeditclearaction"
            button.setAccessibleName(tr("Clear the field") if is_clear else tr("Search"))
