"""A project of one paper, and its PDF, which tests may move, change or delete."""

from __future__ import annotations

import shutil
from pathlib import Path

from desktop.jobs.mining.run import NO_MODEL, mine
from miner.mining.settings import MiningSettings
from miner.parsing.files import FileKind
from miner.progress import Progress
from storage.project import Project
from tests.miner.parsing.pdf_factory import BOATS, FERRY, LEFT, RIGHT, STORE, Sheet
from tests.paper_importer import import_files

FERRIES = "However, it stays in harbour whenever the wind gets stronger than eighteen metres per second at the pier."
"""A hypothesis on the first page."""
OVERLEAF = "In contrast, the larger ones stay at the quay all the time, where their owners look after them when"
"""One that begins on the second page; its premise begins on the first."""

SETTINGS = MiningSettings(seed=2)  # the neutral pair has a sentence of "2 Boats", then one of "1 Introduction"


def ferry_paper() -> bytes:
    """Two pages in two columns; a sentence runs over the end of the first page."""
    sheet = Sheet("Ferries of a northern island", "Ann Tide")
    sheet.line(150, 60, "Ferries of a northern island", 17, "Times-Bold")
    y = sheet.heading(LEFT, 88, "1 Introduction")
    y = sheet.lines(LEFT, y, FERRY)
    sheet.lines(LEFT, y, STORE)
    y = sheet.heading(RIGHT, 88, "2 Boats")
    sheet.lines(RIGHT, y, BOATS[:2])
    sheet.next_page()
    sheet.lines(LEFT, 100, BOATS[2:])
    y = sheet.heading(RIGHT, 88, "3 Winter")
    sheet.lines(RIGHT, y, STORE)
    return sheet.bytes()


def add(project: Project, path: Path, kind: FileKind) -> None:
    import_files(project, [(path, kind)], "coastal")


def make_project(path: Path, paper: Path, kind: FileKind = FileKind.PDF) -> None:
    """A project at `path` with the paper in the file `paper`, mined."""
    with Project.create(path) as project:
        add(project, paper, kind)
        mine(project, SETTINGS, workers=1, model=NO_MODEL).work(Progress())


def keys(project: Project) -> dict[str, str]:
    """The keys of the pairs by their original hypothesis, in reading order."""
    found = {}
    with project.read_transaction() as stores:
        for md5 in stores.papers.md5s():
            for pair in stores.pairs.of_paper(md5):
                found.setdefault(pair.hypothesis_original, pair.key)
    return found


def copy_project(template: Path, folder: Path) -> tuple[Path, Path]:
    """A copy of the project that `make_template` made, in `folder`, and of its PDF in a folder of its own."""
    project_path, pdf = folder / "ferries.pairwright", folder / "papers" / "ferries.pdf"
    pdf.parent.mkdir(parents=True)
    shutil.copyfile(template / "ferries.pairwright", project_path)
    shutil.copyfile(template / "ferries.pdf", pdf)
    with Project.open(project_path) as project, project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE files SET path = ?", (str(pdf),))
    return project_path, pdf


def make_template(folder: Path) -> Path:
    (folder / "ferries.pdf").write_bytes(ferry_paper())
    make_project(folder / "ferries.pairwright", folder / "ferries.pdf")
    return folder
