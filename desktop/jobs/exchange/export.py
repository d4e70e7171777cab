"""Data sets out of the project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.review.annotator import account
from miner.progress import Job, Progress
from storage.dataset.options import ExportOptions
from storage.exchange.earlier_export import find_earlier_export
from storage.exchange.pair_export import ExportPreview, ExportReceipt, export_pairs, preview_pairs
from storage.project import Project
from storage.settings import LAST_EXPORT, LAST_EXPORT_FOLDER, LAST_SPLIT_EXPORT


def export(project: Project, folder: Path, options: ExportOptions, *, overwrite: bool = False) -> Job[ExportReceipt]:
    """Write the data set into `folder`: see `export_pairs`."""

    def work(progress: Progress) -> ExportReceipt:
        return export_pairs(project, folder, options, progress, overwrite=overwrite)

    stays = "Nothing of it is written. Export again when there is time."
    return Job(f"Exporting {project.path.name}", work, stays)


class Replaced(NamedTuple):
    """What an export into a folder would replace: an export of so many `rows`, its `files`, those `changed` since."""

    rows: int
    files: tuple[str, ...]
    changed: tuple[str, ...]


def replaced(folder: Path, *, compare: bool = False) -> Job[Replaced | None]:
    """The export that lies in `folder`, None for none; only with `compare` are its files read and `changed` filled."""

    def work(progress: Progress) -> Replaced | None:
        if (earlier := find_earlier_export(folder)) is None:
            return None
        try:
            changed = tuple(earlier.changed(folder)) if compare else ()
        except OSError:  # the export itself says what is wrong with the folder
            changed = ()
        return Replaced(earlier.rows, tuple(earlier.present(folder)), changed)

    return Job("Looking into the folder", work)


def preview(
    project: Project,
    options: ExportOptions,
    *,
    lines: int = 20,
    listen: Callable[[dict[str, tuple[str, ...]]], None] | None = None,
) -> Job[ExportPreview]:
    """What `export` would write: see `preview_pairs`."""

    def work(progress: Progress) -> ExportPreview:
        return preview_pairs(project, options, progress, lines=lines, listen=listen)

    return Job("Looking at what would be exported", work)


class Wish(NamedTuple):
    """What was exported last from a project on this machine, and where to."""

    options: ExportOptions
    folder: Path | None


def last_wish(project: Project) -> Job[Wish]:
    """What the project remembers of its last export; the defaults where there was none, or it cannot be understood."""

    def work(progress: Progress) -> Wish:
        with project.reading() as stores:
            options = stores.settings.get(LAST_EXPORT)
            folder = stores.settings.get(LAST_EXPORT_FOLDER.of(account()))
        if options is None:
            return Wish(ExportOptions(), None)
        return Wish(options, Path(folder) if folder else None)

    return Job("Reading how the project was exported", work)


def remember(project: Project, wish: Wish) -> Job[None]:
    """Keep it for the next export."""

    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            stores.settings.put(LAST_EXPORT, wish.options)
            stores.settings.put(LAST_EXPORT_FOLDER.of(account()), str(wish.folder or ""))

    return Job("Remembering how the project was exported", work)


def released(project: Project) -> Job[ExportOptions | None]:
    """The last export in splits, whatever was exported later: what it holds out is not to be learned from.

    None where there was none, or it cannot be understood.
    """

    def work(progress: Progress) -> ExportOptions | None:
        with project.reading() as stores:
            options = stores.settings.get(LAST_SPLIT_EXPORT)
        return options if options and options.shares else None

    return Job("Reading how the project was exported", work)


def remember_released(project: Project, options: ExportOptions) -> Job[None]:
    """Keep how an export has dealt its splits."""

    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            stores.settings.put(LAST_SPLIT_EXPORT, options)

    return Job("Remembering the export's splits", work)
