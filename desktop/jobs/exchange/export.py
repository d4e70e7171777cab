"""Jobs that export data sets: preview, export, and what the project remembers of its last export."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.exchange.card_measures import measure_for_card
from desktop.jobs.exchange.receipt_text import left_out_text
from desktop.jobs.exchange.split_text import gap_note
from desktop.jobs.review.annotator import account
from desktop.jobs.transactions import read_job, write_job
from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from storage.dataset.export_options import ExportOptions
from storage.exchange.earlier_export import find_earlier_export
from storage.exchange.pair_export import ExportPreview, ExportReceipt, export_pairs, preview_pairs
from storage.project import Project
from storage.settings import LAST_EXPORT, LAST_EXPORT_FOLDER, LAST_SPLIT_EXPORT
from storage.stores import Stores


def export(project: Project, folder: Path, options: ExportOptions, *, overwrite: bool = False) -> Job[ExportReceipt]:
    """Write the data set into `folder`: see `export_pairs`. `UserError` if no pair would be in it."""

    def work(progress: Progress) -> ExportReceipt:
        measures = measure_for_card(project, options, progress)
        return export_pairs(
            project, folder, options, progress, overwrite=overwrite, measures=measures, check=_require_rows
        )

    return Job(
        tr("Exporting {name}", name=project.path.name),
        work,
        tr("Nothing of it is written. Export again when there is time."),
    )


def _require_rows(receipt: ExportReceipt) -> None:
    if receipt.rows:
        return
    if not receipt.left_out:
        hint = tr("Mine papers, or import a data set, first.")
        raise UserError(tr("There are no pairs to export; nothing was written."), hint=hint)
    nothing = tr("No pair is left to export; nothing was written.")
    reasons = [left_out_text(receipt.left_out), gap_note(receipt.options)]
    raise UserError(" ".join(filter(None, [nothing, *reasons])), hint=tr("Look at what the options leave out."))


class ReplacedExport(NamedTuple):
    """The earlier export that an export into a folder would replace; `changed`: its files that were edited since."""

    rows: int
    files: tuple[str, ...]
    changed: tuple[str, ...]


def find_replaced(folder: Path, *, compare: bool = False) -> Job[ReplacedExport | None]:
    """The export in `folder`, None if there is none. Only with `compare` are its files read, to fill `changed`."""

    def work(progress: Progress) -> ReplacedExport | None:
        if (earlier := find_earlier_export(folder)) is None:
            return None
        try:
            changed = tuple(earlier.changed_files(folder)) if compare else ()
        except OSError:  # `export` will report the error
            changed = ()
        return ReplacedExport(earlier.rows, tuple(earlier.present_files(folder)), changed)

    return Job(tr("Looking into the folder"), work)


def preview(
    project: Project,
    options: ExportOptions,
    *,
    lines: int = 20,
    on_partial: Callable[[dict[str, tuple[str, ...]]], None] | None = None,
) -> Job[ExportPreview]:
    """What `export` would write: see `preview_pairs`."""

    def work(progress: Progress) -> ExportPreview:
        return preview_pairs(project, options, progress, lines=lines, listen=on_partial)

    return Job(tr("Looking at what would be exported"), work)


class LastExport(NamedTuple):
    """The options of a project's last export, and the folder on this machine; None if it was never exported here."""

    options: ExportOptions
    folder: Path | None


@read_job("Reading how the project was exported")
def load_last_export(stores: Stores) -> LastExport:
    """The project's last export; default options if there was none, or a newer version wrote them."""
    options = stores.settings.get(LAST_EXPORT)
    folder = stores.settings.get(LAST_EXPORT_FOLDER.of(account()))
    if options is None:
        return LastExport(ExportOptions(), None)
    return LastExport(options, Path(folder) if folder else None)


@write_job("Remembering how the project was exported")
def save_last_export(stores: Stores, last: LastExport) -> None:
    """Store the last export, for the next one."""
    stores.settings.put(LAST_EXPORT, last.options)
    stores.settings.put(LAST_EXPORT_FOLDER.of(account()), str(last.folder or ""))


@read_job("Reading how the project was exported")
def load_split_export(stores: Stores) -> ExportOptions | None:
    """The options of the last export with splits: its dev and test pairs must not be learned.

    None if there was none, or a newer version wrote them.
    """
    options = stores.settings.get(LAST_SPLIT_EXPORT)
    return options if options and options.in_splits else None


@write_job("Remembering the export's splits")
def save_split_export(stores: Stores, options: ExportOptions) -> None:
    """Store the options of an export with splits."""
    stores.settings.put(LAST_SPLIT_EXPORT, options)
