"""Edits of papers: change their metadata, remove them, record where a moved file is now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from desktop.jobs.transactions import write_job
from desktop.text import count, listed
from desktop.translation import tr
from miner.errors import UnreadableFile, UserError
from miner.parsing.files import FileKind, hash_content, read_bytes
from miner.paths import exists
from miner.progress import Cancelled, Job, Progress
from storage.changes import Changes
from storage.pairs.paper_splits import PaperMove
from storage.papers.files import KnownFile, as_text
from storage.papers.metadata import PaperMetadata
from storage.papers.removals import RemovalCounts
from storage.project import Project
from storage.stores import Stores

_BATCH_SIZE = 50  # papers removed in one transaction
FIELD_NAMES = {name: name for name in PaperMetadata.__annotations__} | {"doi": "DOI", "text": "text"}
"""What people read: by field, and the text itself where it is to be checked."""


@dataclass(frozen=True, slots=True)
class EditResult:
    """The title of the edit, and how many papers it changed.

    With a `count` of 0 nothing changed, and undo has no entry. moved: papers that the edit put into another split.
    """

    title: str
    count: int
    changes: Changes
    moved: tuple[PaperMove, ...] = ()


def edit(
    project: Project, ids: Sequence[int], annotator: str, changes: PaperMetadata, *, confirms: bool = False
) -> Job[EditResult]:
    """Change the metadata of the papers among these rows, as one action that can be undone.

    confirms: a person has also found the doubtful metadata of the papers right.
    """

    def work(progress: Progress) -> EditResult:
        with project.transaction() as stores:
            md5s = stores.paper_table.md5s(ids)
            what = (
                tr("Changed the {changes} of", changes=listed([FIELD_NAMES[field] for field in changes]))
                if changes
                else tr("Confirmed")
            )
            title = f"{what} {count(len(md5s), 'paper')}"
            action = stores.actions.begin(annotator, title, datetime.now(UTC))
            before = stores.split_counts.places(md5s)
            changed = stores.paper_edits.edit(action, md5s, changes)
            if confirms:
                changed = stores.paper_edits.confirm(action, md5s)
            after = stores.split_counts.places(md5s)
            moved = tuple(
                one._replace(old=before[md5].new) for md5, one in sorted(after.items()) if one.new != before[md5].new
            )
            if not changed:
                stores.actions.discard(action)
                title = tr("Nothing was changed: it was all set already")
        moves_pairs = not changes.keys().isdisjoint(("domain", "year", "journal"))
        return EditResult(title, changed, Changes(papers=True, many_annotated=moves_pairs), moved)

    return Job(tr("Changing papers"), work)


@write_job("Confirming papers")
def confirm(stores: Stores, ids: Sequence[int], annotator: str) -> EditResult:
    """Save that a person found the doubtful metadata of the papers among these rows right; it can be undone."""
    md5s = stores.paper_table.md5s(ids)
    title = tr("Confirmed {papers}", papers=count(len(md5s), "paper"))
    action = stores.actions.begin(annotator, title, datetime.now(UTC))
    if not (changed := stores.paper_edits.confirm(action, md5s)):
        stores.actions.discard(action)
        title = tr("Nothing was to be checked")
    return EditResult(title, changed, Changes(papers=True))


def remove(project: Project, ids: Sequence[int], annotator: str) -> Job[EditResult]:
    """Remove rows, papers with their pairs, as one action; if cancelled, undo restores what was removed so far.

    Papers are removed in batches, so that answers can be saved in between. If the action is undone meanwhile, the job
    stops.
    """

    def work(progress: Progress) -> EditResult:
        files = [-number for number in ids if number < 0]
        with project.transaction() as stores:
            md5s = stores.paper_table.md5s(ids)
            title = tr("Removed {removal_text}", removal_text=removal_text(stores.paper_removals.preview(md5s, files)))
            action = stores.actions.begin(annotator, title, datetime.now(UTC))
            removed = stores.paper_removals.remove(action, [], files)
            if not md5s and not removed.files:  # another job has removed them
                stores.actions.discard(action)
                return EditResult(tr("Nothing was removed: it had been removed already"), 0, Changes(papers=True))
        for done in range(0, len(md5s), _BATCH_SIZE):
            progress.tick(done, len(md5s))
            with project.transaction() as stores:
                if not stores.actions.is_done(action):
                    raise Cancelled
                stores.paper_removals.remove(action, md5s[done : done + _BATCH_SIZE])
        return EditResult(title, len(ids), Changes(papers=True, pairs=bool(md5s)))

    return Job(tr("Removing {papers}", papers=count(len(ids), "paper")), work)


def locate(project: Project, md5: str, path: Path) -> Job[EditResult]:
    """Record the new path of a paper's file, which a person chose; its content must be the same.

    Other missing files of the old folder are then looked for beside it, by name.
    """

    def work(progress: Progress) -> EditResult:
        with project.read_transaction() as stores:
            files = [file for file in stores.evidence.files(md5) if file.line == 0]
        sha256 = _sha256(path)
        known = next((KnownFile(md5, file.path, sha256) for file in files if file.sha256 == sha256), None)
        if known is None:
            raise UserError(
                tr("{name} is not the file that was added: its content differs.", name=path.name),
                hint=tr("Choose the same file at its new place, or add this one as a new paper."),
            )
        moved = [(known, path)]
        for file in _missing_files(project, known.path.parent):
            progress.tick(len(moved), None, file.path.name)
            new_path = path.parent / file.path.relative_to(known.path.parent)
            if file != known and exists(new_path) and _sha256(new_path) == file.sha256:
                moved.append((file, new_path))
        with project.transaction() as stores:
            for file, new_path in moved:
                stores.files.move(file.md5, as_text(file.path), new_path)
        return EditResult(
            tr("Found {papers} in {parent}", papers=count(len(moved), "paper"), parent=path.parent),
            len(moved),
            Changes(papers=True),
        )

    return Job(tr("Looking at {name}", name=path.name), work)


def _missing_files(project: Project, folder: Path) -> Iterator[KnownFile]:
    """Files of papers that were added from `folder` and are no longer there."""
    with project.read_transaction() as stores:
        known = stores.files.files_in(folder)
    for file in known:
        if not exists(file.path):
            yield file


def _sha256(path: Path) -> str:
    try:
        return hash_content(read_bytes(path, FileKind.PDF))[1]
    except UnreadableFile as exc:
        raise UserError(str(exc), hint=exc.hint) from exc


def removal_text(removed: RemovalCounts) -> str:
    """What is removed, e.g. "12 papers and 1 failed file"."""
    parts = [count(removed.papers, "paper")] if removed.papers else []
    parts += [count(removed.data_sets, "data set")] if removed.data_sets else []
    parts += [count(removed.files, "failed file")] if removed.files else []
    return listed(parts) or "nothing"
