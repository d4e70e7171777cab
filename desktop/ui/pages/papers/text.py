"""The names of papers, their authors, states and parsers on the Papers page."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from desktop.jobs.descriptions.stock import PARSER_NAMES, failure_name
from desktop.translation import tr
from miner.parsing.formats import part_text
from miner.parsing.language import ENGLISH, language_name
from storage.papers.table import PaperTableRow


class PaperState(NamedTuple):
    """A state as a symbol and a word, so that it can be told without colour. `tone` is a colour of the theme."""

    symbol: str
    word: str
    tone: str

    def __str__(self) -> str:
        return f"{self.symbol} {self.word}"


def display_title(line: PaperTableRow) -> str:
    """The title of a paper; without one (data sets, failed files), the name of the file."""
    if line.title:
        return line.title
    where = f", {part_text(Path(line.path), line.line)}" if line.line else ""
    return Path(line.path).name + where or (tr("Imported data set") if line.data_set else tr("(no title)"))


def paper_state(line: PaperTableRow) -> PaperState:
    if line.code:
        return PaperState("▲", failure_name(line.code), "warning")
    if line.data_set:
        return PaperState("◆", tr("data set"), "muted")
    if line.to_check:
        return PaperState("▲", "check", "warning")
    if line.language not in ("", ENGLISH):
        return PaperState("●", language_name(line.language), "muted")
    return PaperState("●", "parsed", "good")


def import_state(state: str) -> PaperState:
    """The state of a file that is being imported; `state` as in `import_session.FileProgress`, "" while it waits."""
    return PaperState("◐", state or "waiting", "muted")


def parser_name(parser: str) -> str:
    return PARSER_NAMES.get(parser, parser)


def short_authors(authors: tuple[str, ...]) -> str:
    """The authors' surnames, shortened as in a citation.

    >>> short_authors(("Ayşe Ünal",)), short_authors(("Ünal, Ayşe", "Wei Li")), short_authors(("A B", "C D", "E F"))
    ('Ünal', 'Ünal & Li', 'B et al.')
    """
    surnames = [name.split(",")[0] if "," in name else name.split()[-1] for name in authors if name.strip()]
    if len(surnames) > 2:
        return tr("{surname} et al.", surname=surnames[0])
    return " & ".join(surnames)
