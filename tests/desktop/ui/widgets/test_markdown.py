"""Markdown written by others fetches nothing and opens nothing by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from desktop.ui.widgets.markdown import MarkdownView


class Asked(MarkdownView):
    """Keeps what Qt asks for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        self.names.append(QUrl(name).toString())
        return super().loadResource(kind, name)


@pytest.fixture
def view(qtbot: QtBot) -> Asked:
    view = Asked()
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    return view


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: bool(opened.append(url.toString())) or True)
    return opened


def test_pictures_are_words_and_no_file_is_asked_for(view: Asked, tmp_path: Path) -> None:
    far = "![far](http://example.org/y.png)"
    view.show_markdown(f"Look: ![a map](file://attacker/share/x.png) and ![b]({tmp_path / 'x.png'}).\n\n{far}")
    view.grab()
    assert view.names == []
    assert "Look: [picture: a map] and [picture: b]." in view.toPlainText()
    assert "[picture: far]" in view.toPlainText()
    assert "<img" not in view.toHtml()


def test_html_is_shown_as_it_was_typed(view: Asked) -> None:
    view.show_markdown("<b>bold</b> and <img src='file:///etc/passwd'>\n\n<script>x</script>\n\n**strong**")
    view.grab()
    assert view.names == []
    assert "<b>bold</b> and <img src='file:///etc/passwd'>" in view.toPlainText()
    assert "<script>x</script>" in view.toPlainText()
    assert "\nstrong" in view.toPlainText()


@pytest.mark.parametrize(
    ("link", "opens"),
    [
        ("https://example.org/a", True),
        ("http://example.org/a", True),
        ("file:///etc/passwd", False),
        ("smb://attacker/share", False),
        ("guide.md", False),
        ("javascript:alert(1)", False),
    ],
)
def test_only_links_to_the_web_open_and_only_when_clicked(
    view: Asked, qtbot: QtBot, opened: list[str], link: str, opens: bool
) -> None:
    view.show_markdown(f"[here]({link})")
    view.grab()
    assert opened == []
    inside = view.cursorRect().center() + QPoint(10, 0)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=inside)
    assert opened == ([link] if opens else [])
    assert view.names == []
    assert view.toPlainText() == "here"
