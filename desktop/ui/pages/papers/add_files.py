"""Files on their way in: what a drop holds, and the question what to make of it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop.ui.services.project_context import ProjectContext

_DRIVE = re.compile(r"/[A-Za-z]:[/\\]?")
_DATA_SETS = "Data sets (*.csv *.tsv *.jsonl *.ndjson *.csv.gz *.tsv.gz *.jsonl.gz *.txt)"
_FILES = (
    "Papers and data sets (*.pdf *.xml *.tei *.xml.gz *.jsonl *.ndjson *.jsonl.gz *.csv *.tsv *.csv.gz *.tsv.gz *.txt)",
    "All files (*)",
)


class Dropped(NamedTuple):
    """Local files and folders of a drop, and how many links to elsewhere there were."""

    paths: list[Path]
    links: int


def dropped(data: QMimeData) -> Dropped:
    """What a drop holds. Names are taken as bytes: QUrl would lose those that are no UTF-8."""
    content = bytes(data.data("text/uri-list").data())
    lines = [line.strip() for line in content.splitlines()]
    addresses = [line for line in lines if line and not line.startswith(b"#")]
    paths = [path for address in addresses if (path := _local(address)) is not None]
    return Dropped(list(dict.fromkeys(paths)), len(addresses) - len(paths))


def offer(context: ProjectContext, paths: Sequence[Path], parent: QWidget) -> None:
    """Ask what to make of files and folders, then add them and mine."""
    from desktop.ui.pages.papers.import_dialog import ImportDialog

    if context.read_only:
        context.show_message(f"Papers cannot be added: {context.read_only_reason}")
    elif paths:
        ImportDialog(context, paths, parent).open()


def ask_files(context: ProjectContext, parent: QWidget) -> None:
    """Let a person choose files, then `offer` them."""
    names, _ = QFileDialog.getOpenFileNames(parent, "Add papers", "", ";;".join(_FILES))
    offer(context, [Path(name) for name in names], parent)


def ask_data_sets(context: ProjectContext, parent: QWidget) -> None:
    """Let a person choose files of labelled pairs, then `offer` them: they are told from papers by their content."""
    names, _ = QFileDialog.getOpenFileNames(parent, "Import data sets", "", f"{_DATA_SETS};;All files (*)")
    offer(context, [Path(name) for name in names], parent)


def ask_folder(context: ProjectContext, parent: QWidget) -> None:
    """Let a person choose a folder, then `offer` it."""
    name = QFileDialog.getExistingDirectory(parent, "Add a folder of papers")
    offer(context, [Path(name)] if name else [], parent)


def _local(address: bytes) -> Path | None:
    """The path of a file: URL; None for anything else."""
    parts = urlsplit(address.decode("latin-1"))
    if parts.scheme.lower() != "file" or parts.netloc.lower() not in ("", "localhost"):
        return None
    name = os.fsdecode(unquote_to_bytes(address.split(b"://", 1)[-1].partition(b"/")[2]))
    path = f"/{name}" if b"://" in address else os.fsdecode(unquote_to_bytes(parts.path.encode("latin-1")))
    if "\0" in path:
        return None
    return Path(path[1:] if os.name == "nt" and _DRIVE.match(path) else path)
