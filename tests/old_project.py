"""A project as the version before made it: rules 1, built-in parser 2, JSON lines 1, splitter 1.

It holds four of the sample papers: two PDFs, a TEI and a JSON line, mined by rules, and 28 answers of "anna". What the
parser of that version would have left was put into the text of one PDF: "COASTAL NOTES 12", a running head, within the
hypothesis of a pair that she answered.
"""

from __future__ import annotations

import gzip
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.sample_papers import SAMPLES

_STORED = Path(__file__).parent / "data" / "projects" / "rules-1.pairwright.gz"
FILES = (
    "coastal/wrack-lines.pdf",
    "ecology/seedlings-in-gaps.pdf",
    "ecology/late-mowing.jsonl",
    "reading/whispering.tei.xml",
)
RUNNING_HEAD = "COASTAL NOTES 12"


def make_old_project(path: Path, papers: Path) -> None:
    """Make the project at `path`, with its papers in the folder `papers`."""
    papers.mkdir()
    for name in FILES:
        shutil.copy(SAMPLES / name, papers)
    path.write_bytes(gzip.decompress(_STORED.read_bytes()))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE files SET path = replace(path, '/papers', ?)", (str(papers),))
