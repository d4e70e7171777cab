"""Jobs about releases: make one, list them, write one again, and say what is new since."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from desktop.jobs.exchange.card_measures import measure_for_card
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.progress import Job, Progress
from storage.dataset.export_options import ExportOptions
from storage.exchange import releases
from storage.exchange.pair_export import ExportReceipt
from storage.exchange.release_size import require_space
from storage.exchange.releases import NewSince, Release
from storage.project import Project
from storage.stores import Stores


def release(project: Project, name: str, folder: Path, options: ExportOptions) -> Job[ExportReceipt]:
    """Export into `folder`, and keep it in the project under a name: see `releases.make_release`.

    What is too large to be kept is refused before the work (`storage.exchange.release_size`).
    """

    def work(progress: Progress) -> ExportReceipt:
        require_space(project, options, progress)
        measures = measure_for_card(project, options, progress)
        return releases.make_release(project, name, folder, options, progress, datetime.now(UTC), measures)

    return Job(tr("Releasing {name}", name=name), work, tr("Nothing is released. Release again when there is time."))


@read_job("Reading the releases")
def load_releases(stores: Stores) -> list[Release]:
    """All releases, the latest first."""
    return releases.list_releases(stores)


def write_again(project: Project, name: str, folder: Path) -> Job[Release]:
    """Write a release into `folder` again, byte for byte: see `releases.write_again`."""

    def work(progress: Progress) -> Release:
        return releases.write_again(project, name, folder, progress)

    return Job(tr("Writing {name} again", name=name), work, tr("Nothing of it is written."))


def count_new_since(project: Project, name: str) -> Job[NewSince]:
    """What has changed in the project since a release."""

    def work(progress: Progress) -> NewSince:
        return releases.count_new_since(project, name, progress)

    return Job(tr("Comparing with {name}", name=name), work)
