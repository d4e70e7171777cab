"""What people do with papers that are there: change what is said of them, remove them, say where a file has gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from desktop.text import count, listed
from miner.errors import Unreadable, UserError
from miner.parsing.files import FileKind, hash_content, read_bytes
from miner.paths import exists
from miner.progress import Cancelled, Job, Progress
from storage.changes import Changes
from storage.papers.edits import RemovalCounts
from storage.papers.files import KnownFile, as_text
from storage.papers.store import PaperMetadata
from storage.project import Project

_TOGETHER = 50  # papers that are taken out in one transaction
_WORDS = {"title": "title", "authors": "authors", "year": "year", "doi": "DOI", "domain": "domain"}


@dataclass(frozen=True, slots=True)
class Edited:
    """What was done, in words, and to how many papers; to none, there is nothing to undo."""

    title: str
    count: int
    changes: Changes


def edit(project: Project, ids: Sequence[int], annotator: str, changes: PaperMetadata) -> Job[Edited]:
    """Change what is said of the papers among these rows of the list, as one action."""

    def work(progress: Progress) -> Edited:
        with project.transaction() as stores:
            md5s = stores.paper_table.md5s(ids)
            title = f"Changed the {listed([_WORDS[field] for field in changes])} of {count(len(md5s), 'paper')}"
            action = stores.actions.begin(annotator, title, datetime.now(UTC))
            changed = stores.paper_edits.edit(action, md5s, changes)
            if not changed:
                stores.actions.discard(action)
                title = "Nothing was changed: all of it was so already"
        return Edited(title, changed, Changes(papers=True, many_annotated="domain" in changes or "year" in changes))

    return Job("Changing papers", work)


def remove(project: Project, ids: Sequence[int], annotator: str) -> Job[Edited]:
    """Take rows of the list out, papers with their pairs, as one action; what a cancelled one took out is undone alike.

    Some at a time, so that answers can be saved meanwhile. Taken back meanwhile, it stops.
    """

    def work(progress: Progress) -> Edited:
        files = [-number for number in ids if number < 0]
        with project.transaction() as stores:
            md5s = stores.paper_table.md5s(ids)
            title = f"Removed {removal_text(stores.paper_edits.preview_removal(md5s, files))}"
            action = stores.actions.begin(annotator, title, datetime.now(UTC))
            taken = stores.paper_edits.remove(action, [], files)
            if not md5s and not taken.files:  # they were removed meanwhile
                stores.actions.discard(action)
                return Edited("Nothing was removed: it was gone already", 0, Changes(papers=True))
        for done in range(0, len(md5s), _TOGETHER):
            progress.tick(done, len(md5s))
            with project.transaction() as stores:
                if not stores.actions.is_done(action):
                    raise Cancelled
                stores.paper_edits.remove(action, md5s[done : done + _TOGETHER])
        return Edited(title, len(ids), Changes(papers=True, pairs=bool(md5s)))

    return Job(f"Removing {count(len(ids), 'paper')}", work)


def locate(project: Project, md5: str, path: Path) -> Job[Edited]:
    """A person says where a paper's file is now: its content must be the same.

    Other files that are no longer where they were are then looked for there too, by name.
    """

    def work(progress: Progress) -> Edited:
        with project.reading() as stores:
            files = [file for file in stores.evidence.files(md5) if file.line == 0]
        sha256 = _sha256(path)
        old = next((KnownFile(md5, file.path, sha256) for file in files if file.sha256 == sha256), None)
        if old is None:
            raise UserError(
                f"{path.name} is not the file that was added: its content is another.",
                hint="Choose the same file at its new place, or add this one as a new paper.",
            )
        moved = [(old, path)]
        for file in _missing(project, old.path.parent):
            progress.tick(len(moved), None, file.path.name)
            here = path.parent / file.path.relative_to(old.path.parent)
            if file != old and exists(here) and _sha256(here) == file.sha256:
                moved.append((file, here))
        with project.transaction() as stores:
            for file, here in moved:
                stores.files.move(file.md5, as_text(file.path), here)
        return Edited(f"Found {count(len(moved), 'paper')} in {path.parent}", len(moved), Changes(papers=True))

    return Job(f"Looking at {path.name}", work)


def _missing(project: Project, folder: Path) -> Iterator[KnownFile]:
    """Files of papers that were in `folder` and are not."""
    with project.reading() as stores:
        known = stores.files.files_in(folder)
    for file in known:
        if not exists(file.path):
            yield file


def _sha256(path: Path) -> str:
    try:
        return hash_content(read_bytes(path, FileKind.PDF))[1]
    except Unreadable as exc:
        raise UserError(str(exc), hint=exc.hint) from exc


def removal_text(taken: RemovalCounts) -> str:
    """ "12 papers and 1 failed file"."""
    parts = [count(taken.papers, "paper")] if taken.papers else []
    parts += [count(taken.data_sets, "data set")] if taken.data_sets else []
    parts += [count(taken.files, "failed file")] if taken.files else []
    return listed(parts) or "nothing"
