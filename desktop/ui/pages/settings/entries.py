"""All settings by name, so that a search finds them, here and in the command palette."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """`words` are others that people may look for it by."""

    key: str
    section: str
    title: str
    hint: str
    words: str = ""

    def answers(self, typed: str) -> bool:
        """Whether all words typed are found in it."""
        text = " ".join((self.section, self.title, self.hint, self.words)).casefold()
        return all(word in text for word in typed.casefold().split())


ENTRIES = (
    Entry(
        "annotator", "Reviewing", "Annotator", "Kept with each answer you give in this project.", "name initials who"
    ),
    Entry("theme", "Appearance", "Theme", "Light and dark can follow the system.", "dark light colour mode night"),
    Entry(
        "scale",
        "Appearance",
        "Text size",
        "Of everything in the window. Also Ctrl + and Ctrl −.",
        "zoom font scale larger",
    ),
    Entry("reduced_motion", "Appearance", "Reduced motion", "Nothing slides or fades.", "animation accessibility"),
    Entry(
        "parser",
        "Reading papers",
        "Parser",
        "How PDFs are read unless you say otherwise.",
        "pdf grobid embedded built-in",
    ),
    Entry(
        "grobid_url",
        "Reading papers",
        "GROBID address",
        "Papers are sent there and nowhere else, and only with that parser.",
        "server url test light",
    ),
    Entry(
        "workers",
        "Reading papers",
        "Worker processes",
        "How many papers are read at a time.",
        "cpu cores speed parallel jobs",
    ),
    Entry(
        "backups",
        "Projects",
        "Backups",
        "Made beside a project when it is closed, and once a day while it changes: the last ten, and one a month.",
        "restore copy disk space size damaged undo",
    ),
    Entry(
        "keys", "Keyboard", "Shortcuts", "Each command's keys can be changed.", "keys remap keyboard bindings hotkeys"
    ),
    Entry("settings_file", "Folders", "Settings file", "What is on this page, as text.", "config path toml"),
    Entry("log", "Folders", "Log", "What to look at, or to send, when something goes wrong.", "path debug"),
    Entry("data", "Folders", "Program data", "The sample project and the place of the window.", "path directory"),
)
