"""The guide that comes with the program: Markdown pages with pictures, in `desktop/guide`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from desktop.translation import tr
from miner.progress import Job, Progress

_MARKS = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)|\]\([^)\n]*\)|[*`#|\[]|^\s*\|[-|]+\|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page, by the name of its file, such as "01-first-data-set.md"; the names are in the order of reading."""

    name: str
    markdown: str

    @property
    def title(self) -> str:
        return self.markdown.partition("\n")[0].removeprefix("# ")

    @property
    def plain_text(self) -> str:
        """The text of the page without markup, for searching."""
        return " ".join(_MARKS.sub("", self.markdown).split())


@dataclass(frozen=True, slots=True)
class Guide:
    """All pages in order. `pictures`: the content of each PNG file by its address in the pages."""

    pages: tuple[GuidePage, ...]
    pictures: Mapping[str, bytes]

    def page(self, name: str) -> GuidePage | None:
        return next((page for page in self.pages if page.name == name), None)

    def search(self, typed: str) -> tuple[GuidePage, ...]:
        """The pages that contain every typed word, whole or as part of another word; all pages if nothing is typed."""
        words = typed.casefold().split()
        return tuple(page for page in self.pages if all(word in page.plain_text.casefold() for word in words))


def read_guide() -> Guide:
    folder = files("desktop") / "guide"
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    pages = [GuidePage(one.name, one.read_text("utf-8")) for one in entries if one.name.endswith(".md")]
    pictures = (folder / "pictures").iterdir()
    return Guide(tuple(pages), {f"pictures/{one.name}": one.read_bytes() for one in pictures})


def load_guide() -> Job[Guide]:
    """The guide, read from its files."""

    def work(progress: Progress) -> Guide:
        return read_guide()

    return Job(tr("Opening the guide"), work)
