"""Dragging rows out of a table: into a spreadsheet as cells, into a text as lines, and as files if they have files."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape
from pathlib import Path

from PySide6.QtCore import QByteArray, QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QWidget

from desktop.translation import tr

MAX_DRAGGED_ROWS = 1_000
CANNOT_DRAG = tr("These rows are too many to drag, or not read yet. Copy them with Ctrl+C and paste them instead.")


def row_data(heads: Sequence[str], rows: Sequence[Sequence[str]], files: Sequence[Path] = ()) -> QMimeData:
    """Rows below the names of their columns, as plain text with tabs, CSV and an HTML table; and files."""
    lines = [[" ".join(cell.split()) for cell in row] for row in (heads, *rows)]
    table = io.StringIO()
    csv.writer(table).writerows(lines)
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in line) for line in lines)
    data = QMimeData()
    data.setText("".join("\t".join(line) + "\n" for line in lines))
    data.setHtml(f'<meta charset="utf-8"><table>{"".join(f"<tr>{line}</tr>" for line in cells)}</table>')
    data.setData("text/csv", QByteArray(table.getvalue().encode("utf-8", "replace")))
    if files:
        data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    return data


def drag_rows(source: QWidget, data: QMimeData) -> None:
    """Let the person drag these rows; returns after the drop."""
    drag = QDrag(source)
    drag.setMimeData(data)
    drag.exec(Qt.DropAction.CopyAction)
