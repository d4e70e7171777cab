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
        "Size of all text in the window. Keys: Ctrl + and Ctrl −.",
        "zoom font scale larger",
    ),
    SettingEntry("reduced_motion", "Appearance", "Reduced motion", "Switch off animations.", "animation accessibility"),
    SettingEntry(
        "parser",
        "Reading papers",
        "Parser",
        "Which program reads PDFs, unless you choose another one when adding papers.",
        "pdf grobid embedded built-in",
    ),
    SettingEntry(
        "grobid_url",
        "Reading papers",
        "GROBID address",
        "The server that PDFs are sent to if the parser is GROBID. They are sent nowhere else.",
        "server url test light",
    ),
    SettingEntry(
        "workers",
        "Reading papers",
        "Worker processes",
        "How many papers are read at the same time.",
        "cpu cores speed parallel jobs",
    ),
    SettingEntry(
        "backups",
        "Projects",
        "Backups",
        "A backup is made next to the project when it is closed, and once a day while it changes. The last ten are "
        "kept, and one for each month.",
        "restore copy disk space size damaged undo",
    ),
    SettingEntry(
        "keys", "Keyboard", "Shortcuts", "Each command's keys can be changed.", "keys remap keyboard bindings hotkeys"
    ),
    SettingEntry(
        "settings_file", "Folders", "Settings file", "The settings of this page, as text.", "config path toml"
    ),
    SettingEntry(
        "log", "Folders", "Log", "The record of what the program did; useful to report an error.", "path debug"
    ),
    SettingEntry(
        "data", "Folders", "Program data", "The sample project and the position of the window.", "path directory"
    ),
)
