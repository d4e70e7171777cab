"""How far a paper is, as a shape with a word: never by colour alone."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from storage.papers.table import PaperTableRow

_FAILURES = {
    "scan": "no text layer",
    "no_text": "no text found",
    "encrypted": "encrypted",
    "damaged": "damaged",
    "empty": "empty file",
    "not_a_paper": "not a paper",
    "not_a_file": "not a file",
    "too_large": "too large",
    "too_many_pages": "too many pages",
    "timeout": "took too long",
    "memory": "too much memory",
    "crash": "ended the parser",
    "error": "met a bug",
    "missing": "file missing",
    "unreadable": "cannot be read",
    "clash": "forged copy",
}
_PARSERS = {"embedded": "Built-in parser", "grobid": "GROBID"}


class State(NamedTuple):
    """`tone`: good, muted or warning, as the theme's colours are named."""

    shape: str
    word: str
    tone: str

    def __str__(self) -> str:
        return f"{self.shape} {self.word}"


def name_of(line: PaperTableRow) -> str:
    """A paper's title; a data set and a file that could not be read are called as their files are."""
    if line.title:
        return line.title
    where = f", line {line.line:,}" if line.line else ""
    return Path(line.path).name + where or ("Imported data set" if line.data_set else "(no title)")


def state_of(line: PaperTableRow) -> State:
    if line.code:
        return State("▲", _FAILURES.get(line.code, line.code.replace("_", " ")), "warning")
    if line.data_set:
        return State("◆", "data set", "muted")
    return State("●", "parsed", "good")


def in_hand(state: str) -> State:
    """Of a file that is on its way; `state` as in `import_session.FileProgress`, "" while it waits."""
    return State("◐", state or "waiting", "muted")


def parser_name(parser: str) -> str:
    return _PARSERS.get(parser, parser)


def people(authors: tuple[str, ...]) -> str:
    """As a list of papers names them: "Ünal", "Ünal & Li", "Ünal et al."."""
    surnames = [name.split(",")[0] if "," in name else name.split()[-1] for name in authors if name.strip()]
    if len(surnames) > 2:
        return f"{surnames[0]} et al."
    return " & ".join(surnames)
