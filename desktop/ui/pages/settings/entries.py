"""All settings with their texts, for the Settings page, its search, and the command palette."""

from __future__ import annotations

from typing import NamedTuple


class SettingEntry(NamedTuple):
    """A setting. keywords: more words that people may search for."""

    key: str
    section: str
    title: str
    hint: str
    keywords: str = ""

    def matches(self, query: str) -> bool:
        """Whether its texts contain all words of a search."""
        text = " ".join((self.section, self.title, self.hint, self.keywords)).casefold()
        return all(word in text for word in query.casefold().split())


NOT_IN_ANSWER_FILES = ("Reading papers", "Projects")
"""Sections that the window of an answer file has no use for."""
ENTRIES = (
    SettingEntry(
        "annotator", "Reviewing", "Annotator", "Kept with each answer you give in this project.", "name initials who"
    ),
    SettingEntry(
        "theme", "Appearance", "Theme", "Light and dark can follow the system.", "dark light colour mode night"
    ),
    SettingEntry(
        "scale",
        "Appearance",
        "Text size",
        "Of everything in the window. Also Ctrl + and Ctrl −.",
        "zoom font scale larger",
    ),
    SettingEntry("reduced_motion", "Appearance", "Reduced motion", "No animations.", "animation accessibility"),
    SettingEntry(
        "parser",
        "Reading papers",
        "Parser",
        "How PDFs are read by default.",
        "pdf grobid embedded built-in",
    ),
    SettingEntry(
        "grobid_url",
        "Reading papers",
        "GROBID address",
        "Papers are sent only there, and only if GROBID is the parser.",
        "server url test light",
    ),
    SettingEntry(
        "workers",
        "Reading papers",
        "Worker processes",
        "How many papers are read at a time.",
        "cpu cores speed parallel jobs",
    ),
    SettingEntry(
        "backups",
        "Projects",
        "Backups",
        "Made beside a project when it is closed, and once a day while it changes: the last ten, and one a month.",
        "restore copy disk space size damaged undo",
    ),
    SettingEntry(
        "keys", "Keyboard", "Shortcuts", "Each command's keys can be changed.", "keys remap keyboard bindings hotkeys"
    ),
    SettingEntry(
        "settings_file", "Folders", "Settings file", "The settings of this page, as text.", "config path toml"
    ),
    SettingEntry("log", "Folders", "Log", "What to read, or to send, when something goes wrong.", "path debug"),
    SettingEntry(
        "data", "Folders", "Program data", "The sample project and the position of the window.", "path directory"
    ),
)
