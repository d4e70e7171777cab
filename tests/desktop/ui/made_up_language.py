"""Walks through the window in a made-up language, and prints the texts that are still English, as JSON.

    python -m tests.desktop.ui.made_up_language PROJECT FOLDER

In this language every text of the catalogue is itself in brackets, so what stands outside of brackets does not go
through `tr`. It takes a process of its own: a module's texts are read when it is imported.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import PySide6
from lxml import etree

from tests.gui_driver import Script, drive

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.ui.shell.window import MainWindow

CATALOGUE = Path(__file__).parents[3] / "packaging" / "translations" / "pairwright.ts"
_BRACKETS = re.compile(r"⟦[^⟦⟧]*⟧")
_TAG = re.compile(r"<[^>]+>")
_WORD = re.compile(r"[^\W\d_]{2,}")


def make_translation(folder: Path) -> None:
    """Write the language, as Esperanto, where the window loads it."""
    catalogue = etree.parse(CATALOGUE)
    catalogue.getroot().set("language", "eo")
    for message in catalogue.iter("message"):
        source, translation = message.findtext("source"), message.find("translation")
        translation.attrib.clear()
        forms = (source, message.findtext("comment")) if message.get("numerus") else ()
        translation[:] = [etree.Element("numerusform") for _ in forms]
        for element, form in zip(translation, forms, strict=True):
            element.text = f"⟦{form}⟧"
        if not forms:
            translation.text = f"⟦{source}⟧"
    file = folder / "pairwright_eo.ts"
    catalogue.write(file, encoding="utf-8", xml_declaration=True)
    subprocess.run(
        [Path(PySide6.__file__).parent / "lrelease", "-silent", file, "-qm", file.with_suffix(".qm")], check=True
    )


def shown_texts(widget: QWidget) -> Iterator[str]:
    """What a widget shows and says of itself; not the rows of tables, which hold the project's data."""
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QGroupBox, QHeaderView, QLabel, QLineEdit, QTabBar

    match widget:
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QGroupBox():
            yield widget.title()
        case QLineEdit():
            yield widget.placeholderText()
        case QComboBox():
            yield from map(widget.itemText, range(widget.count()))
        case QTabBar():
            yield from map(widget.tabText, range(widget.count()))
        case QHeaderView() if widget.model():
            yield from (str(widget.model().headerData(i, widget.orientation()) or "") for i in range(widget.count()))
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
    for action in widget.actions():
        yield from (action.text(), action.toolTip())


@cache  # most of the window is looked at again on each page
def english_rest(text: str) -> str:
    """What is outside of all brackets, where that is a phrase: names, keys and single terms stay as they are."""
    text = _TAG.sub(" ", text)
    while (shorter := _BRACKETS.sub("", text)) != text:
        text = shorter
    return text.strip() if len(_WORD.findall(text)) > 2 else ""


def main(project: str, folder: str) -> int:
    """Print the English texts of all pages by page."""
    make_translation(Path(folder))
    found: dict[str, str] = {}

    def walk(window: MainWindow) -> Script:
        from PySide6.QtWidgets import QWidget

        from desktop.ui.shell.navigation import NAVIGATION

        yield lambda: window.context is not None
        for item in NAVIGATION:
            window.show_page(item.name)
            yield lambda: window.context is not None and not window.context.runner.running
            for widget in window.findChildren(QWidget):
                for rest in filter(None, map(english_rest, shown_texts(widget))):
                    found.setdefault(rest, f"{item.name}: {type(widget).__name__}")

    code = drive([project, "--language", "eo", "--translations", folder, "--data-dir", f"{folder}/data"], walk)
    print(json.dumps(found, ensure_ascii=False, indent=1))
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
