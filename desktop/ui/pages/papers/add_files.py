"""Choosing files to add, by a file dialog or by a drop; all are passed to the import dialog."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QWidget

from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.file_dialogs import Purpose, choose_files, choose_folder
from miner.parsing.formats import NAME_PATTERNS

_DRIVE_PATTERN = re.compile(r"/[A-Za-z]:[/\\]?")
_DATA_SET_FILTER = tr("Data sets (*.csv *.tsv *.jsonl *.ndjson *.csv.gz *.tsv.gz *.jsonl.gz *.txt *.parquet)")
_REFERENCES_FILTER = tr("References (*.bib *.bibtex *.ris *.json)")
_FILE_FILTERS = (
    tr(
        "Papers and data sets ({name_patterns} *.csv *.tsv *.csv.gz *.tsv.gz *.txt *.parquet)",
        name_patterns=" ".join(NAME_PATTERNS),
    ),
    _REFERENCES_FILTER,
    tr("All files (*)"),
)


class DroppedFiles(NamedTuple):
    """The contents of a drop: local files and folders, and the number of other links."""

    paths: list[Path]
    links: int


def dropped_files(data: QMimeData) -> DroppedFiles:
    """The files of a drop. Paths are decoded from bytes: QUrl would lose names that are not UTF-8."""
    content = bytes(data.data("text/uri-list").data())
    lines = [line.strip() for line in content.splitlines()]
    addresses = [line for line in lines if line and not line.startswith(b"#")]
    paths = [path for address in addresses if (path := _local_path(address)) is not None]
    return DroppedFiles(list(dict.fromkeys(paths)), len(addresses) - len(paths))


def open_import_dialog(context: ProjectContext, paths: Sequence[Path], parent: QWidget) -> None:
    """Open the dialog that adds files and folders to the project and then mines them."""
    from desktop.ui.pages.papers.import_dialog import ImportDialog

    if context.assignment is not None:
        context.show_message(tr("Papers cannot be added to an answer file, only to the project that it was sent from."))
    elif context.read_only:
        context.show_message(
            tr("Papers cannot be added: {read_only_reason}", read_only_reason=context.read_only_reason)
        )
    elif paths:
        ImportDialog(context, paths, parent).open()


def ask_for_references(context: ProjectContext, parent: QWidget) -> None:
    """Choose bibliographies and open the dialog that shows what they would change."""
    from desktop.ui.pages.papers.references_dialog import open_references

    paths = choose_files(parent, Purpose.REFERENCES, tr("Take metadata from references"), _REFERENCES_FILTER)
    open_references(context, paths, parent)


def ask_for_files(context: ProjectContext, parent: QWidget) -> None:
    """Choose files in a file dialog and open the import dialog with them."""
    open_import_dialog(
        context, choose_files(parent, Purpose.PAPERS, tr("Add papers"), ";;".join(_FILE_FILTERS)), parent
    )


def ask_for_data_sets(context: ProjectContext, parent: QWidget) -> None:
    """Choose files of labelled pairs and open the import dialog with them; it recognizes data sets by their content."""
    paths = choose_files(
        parent,
        Purpose.DATA_SETS,
        tr("Import data sets"),
        tr("{data_set_filter};;All files (*)", data_set_filter=_DATA_SET_FILTER),
    )
    open_import_dialog(context, paths, parent)


def ask_for_folder(context: ProjectContext, parent: QWidget) -> None:
    """Choose a folder and open the import dialog with it."""
    folder = choose_folder(parent, Purpose.PAPERS, tr("Add a folder of papers"))
    open_import_dialog(context, [folder] if folder else [], parent)


def _local_path(address: bytes) -> Path | None:
    """The path of a local `file:` URL; None for any other URL."""
    parts = urlsplit(address.decode("latin-1"))
    if parts.scheme.lower() != "file" or parts.netloc.lower() not in ("", "localhost"):
        return None
    name = os.fsdecode(unquote_to_bytes(address.split(b"://", 1)[-1].partition(b"/")[2]))
    path = f"/{name}" if b"://" in address else os.fsdecode(unquote_to_bytes(parts.path.encode("latin-1")))
    if "\0" in path:
        return None
    return Path(path[1:] if os.name == "nt" and _DRIVE_PATTERN.match(path) else path)
