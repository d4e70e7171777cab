"""Work on projects whose calls of the system are recorded; says on standard output what is done, a line each.

A line is written when the program would say so to people: "answered KEY ANSWER" once the job of an answer has ended.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from desktop.jobs.review import answers
from miner.progress import Progress
from storage import backups
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.project import Project
from storage.settings import GUIDELINES
from tests.torture.answering import ANNOTATOR, answer_of, pair_keys

PROJECT, OLD, NEW = "p.pairwright", "old.pairwright", "new.pairwright"
AT = datetime(2026, 7, 1, tzinfo=UTC)
OPTIONS = ExportOptions(Preset.FULL)
WRITTEN = "Written first."


def say(*words: str) -> None:
    os.write(1, " ".join((*words, "\n")).encode())


def answer(project: Project, keys: list[str]) -> None:
    for key in keys:
        answers.answer(project, [key], ANNOTATOR, answer_of(key)).work(Progress())
        say("answered", key, answer_of(key).value)


def wait_for_nothing() -> None:
    """Let every transaction be one that a power cut may undo (`bulk`)."""
    transaction = Project.transaction
    Project.transaction = lambda self, *, bulk=False: transaction(self, bulk=True)  # type: ignore[method-assign]


def main() -> None:
    folder = Path(sys.argv[1])
    if "--normal" in sys.argv:
        wait_for_nothing()
    path = folder / PROJECT
    say("begin answers")
    with Project.open(path) as project:
        keys = pair_keys(project)
        answer(project, keys[:8])
        say("begin export")
        for out in ("out", "new out"):  # over an earlier export, and into a new folder
            export_pairs(project, folder / out, OPTIONS, Progress())
            say("exported", out)
        say("begin backup")
        backup = backups.back_up(path, AT)
        say("backed-up", backup.path.name)
        say("begin answers")
        answer(project, keys[8:12])
    say("begin restore")
    backups.restore(path, backup.path, AT)
    say("restored")
    say("begin new")
    with Project.create(folder / NEW) as project, project.transaction() as stores:
        stores.settings.put(GUIDELINES, WRITTEN)
    say("created")
    say("begin update")
    Project.open(folder / OLD).close()
    say("updated")


if __name__ == "__main__":
    main()
