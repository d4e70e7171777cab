"""All settings with their texts, for the Settings page, its search, and the command palette."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from desktop.settings import MISSED_PERCENTS, SCALES
from desktop.translation import tr


class SettingEntry(NamedTuple):
    """A setting. keywords: more words that people may search for.

    choices: the values of a field of `Settings`, by name; switch: what stands beside the box that switches one on. The
    page makes a control of either; others it has of its own.
    """

    key: str
    section: str
    title: str
    hint: str
    keywords: str = ""
    choices: Mapping[str, object] = MappingProxyType({})
    switch: str = ""

    def matches(self, query: str) -> bool:
        """Whether the setting's texts contain all words of a search."""
        text = " ".join((self.section, self.title, self.hint, self.keywords)).casefold()
        return all(word in text for word in query.casefold().split())


NOT_IN_ANSWER_FILES = (tr("Reading papers"), tr("Projects"))
"""Sections that the window of an answer file has no use for."""
ENTRIES = (
    SettingEntry(
        "annotator",
        tr("Reviewing"),
        tr("Annotator"),
        tr("Kept with each answer you give in this project."),
        tr("name initials who"),
    ),
    SettingEntry(
        "missed_percent",
        tr("Reviewing"),
        tr("Suggestions"),
        tr(
            "How often, at most, the true class may be missing from what a model suggests. With a smaller share, it "
            "names two classes more often, or says that it is not sure."
        ),
        tr("model confidence classes not sure conformal"),
        choices={
            tr("Always one class"): 0,
            **{tr("Missing in at most {share} %", share=share): share for share in MISSED_PERCENTS[1:]},
        },
    ),
    SettingEntry(
        "theme",
        tr("Appearance"),
        tr("Theme"),
        tr("Light and dark can follow the system."),
        tr("dark light colour mode night"),
        choices={
            tr("Same as system"): "system",
            tr("Light"): "light",
            tr("Dark"): "dark",
            tr("High contrast"): "contrast",
        },
    ),
    SettingEntry(
        "scale",
        tr("Appearance"),
        tr("Text size"),
        tr("Size of all text in the window. Keys: Ctrl + and Ctrl −."),
        tr("zoom font scale larger"),
        choices={f"{100 * scale:.0f} %": scale for scale in SCALES},
    ),
    SettingEntry(
        "reduced_motion",
        tr("Appearance"),
        tr("Reduced motion"),
        tr("Switch off animations."),
        tr("animation accessibility"),
        switch=tr("Reduce motion"),
    ),
    SettingEntry(
        "parser",
        tr("Reading papers"),
        tr("Parser"),
        tr("Which program reads PDFs, unless you choose another one when adding papers."),
        tr("pdf grobid embedded built-in"),
        choices={tr("Built in, no server needed"): "embedded", "GROBID": "grobid"},
    ),
    SettingEntry(
        "grobid_url",
        tr("Reading papers"),
        tr("GROBID address"),
        tr("The server that PDFs are sent to if the parser is GROBID. They are sent nowhere else."),
        tr("server url test light"),
    ),
    SettingEntry(
        "workers",
        tr("Reading papers"),
        tr("Worker processes"),
        tr("How many papers are read at the same time."),
        tr("cpu cores speed parallel jobs"),
    ),
    SettingEntry(
        "backups",
        tr("Projects"),
        tr("Backups"),
        tr(
            "A backup is made next to the project when it is closed, and once a day while it changes. The last ten are "
            "kept, and one for each month."
        ),
        tr("restore copy disk space size damaged undo"),
    ),
    SettingEntry(
        "keys",
        tr("Keyboard"),
        tr("Shortcuts"),
        tr("Each command's keys can be changed."),
        tr("keys remap keyboard bindings hotkeys"),
    ),
    SettingEntry(
        "settings_file",
        tr("Folders"),
        tr("Settings file"),
        tr("The settings of this page, as text."),
        tr("config path toml"),
    ),
    SettingEntry(
        "log",
        tr("Folders"),
        tr("Log"),
        tr("The record of what the program did; useful to report an error."),
        tr("path debug"),
    ),
    SettingEntry(
        "data",
        tr("Folders"),
        tr("Program data"),
        tr("The sample project and the position of the window."),
        tr("path directory"),
    ),
)
