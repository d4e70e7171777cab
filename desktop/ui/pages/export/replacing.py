"""The question before files are replaced that somebody changed after they were exported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from desktop.text import count
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import Question


def may_replace(theme: Theme, folder: Path, changed: Sequence[str], parent: QWidget) -> bool:
    """Ask, and wait for the answer."""
    if len(changed) == 1:
        question = f"{changed[0]} was changed after it was exported."
        about, action = f"It is in {folder}. Exporting replaces it, and the changes are lost.", "Replace it"
    else:
        question = f"{count(len(changed), 'file')} were changed after they were exported."
        about = f"{', '.join(changed)}, in {folder}. Exporting replaces them, and the changes are lost."
        action = "Replace them"
    return Question(theme, "Export", question, action, about=about, destroys=True, parent=parent).confirm()
