"""Data sets out of the project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.review.annotator import account
from miner.progress import Job, Progress
from storage.exchange.choosing import ExportOptions
from storage.exchange.earlier import find_earlier
from storage.exchange.export import Preview, Receipt, export_pairs, preview_pairs
from storage.project import Project

_WISH, _RELEASED = "export", "export in splits"  # the project's settings


def export(project: Project, folder: Path, options: ExportOptions, *, overwrite: bool = False) -> Job[Receipt]:
    """Write the data set into `folder`: see `export_pairs`."""

    def work(progress: Progress) -> Receipt:
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
        if (earlier := find_earlier(folder)) is None:
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
) -> Job[Preview]:
    """What `export` would write: see `preview_pairs`."""

    def work(progress: Progress) -> Preview:
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
            kept, folder = stores.settings.get(_WISH), stores.settings.get(_folder())
        try:
            return Wish(ExportOptions.from_data(kept["options"]), Path(folder) if folder else None)
        except (ValueError, TypeError, KeyError):
            return Wish(ExportOptions(), None)

    return Job("Reading how the project was exported", work)


def remember(project: Project, wish: Wish) -> Job[None]:
    """Keep it for the next export."""

    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            stores.settings.put(_WISH, {"options": wish.options.to_data()})
            stores.settings.put(_folder(), str(wish.folder) if wish.folder else None)

    return Job("Remembering how the project was exported", work)


def released(project: Project) -> Job[ExportOptions | None]:
    """The last export in splits, whatever was exported later: what it holds out is not to be learned from.

    None where there was none, or it cannot be understood.
    """

    def work(progress: Progress) -> ExportOptions | None:
        with project.reading() as stores:
            kept = stores.settings.get(_RELEASED) or stores.settings.get(_WISH)  # of earlier versions
        try:
            options = ExportOptions.from_data(kept["options"])
        except (ValueError, TypeError, KeyError):
            return None
        return options if options.shares else None

    return Job("Reading how the project was exported", work)


def remember_released(project: Project, options: ExportOptions) -> Job[None]:
    """Keep how an export has dealt its splits."""

    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            stores.settings.put(_RELEASED, {"options": options.to_data()})

    return Job("Remembering the export's splits", work)


def _folder() -> str:
    """The setting of this account: another person's file shall not say where this one writes."""
    return f"export folder:{account()}"
