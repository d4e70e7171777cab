"""Jobs that show how a data set is split, and look for leaks between its splits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop.jobs.exchange.imports import data_set_files
from desktop.translation import tr
from miner.progress import Job, Progress
from storage.dataset.export_options import ExportOptions
from storage.dataset.leaks import LeakReport
from storage.exchange.file_leaks import find_file_leaks
from storage.exchange.split_report import SplitReport, report_splits
from storage.project import Project


def split(project: Project, options: ExportOptions, *, check: bool = False) -> Job[SplitReport]:
    """How an export with these options is split: see `report_splits`."""

    def work(progress: Progress) -> SplitReport:
        return report_splits(project, options, progress, check=check)

    return Job(tr("Splitting {name}", name=project.path.name), work)


def check_files(paths: Sequence[Path]) -> Job[LeakReport]:
    """The leaks between the splits of data set files, or of folders of them: see `find_file_leaks`."""

    def work(progress: Progress) -> LeakReport:
        return find_file_leaks(data_set_files(paths), progress)

    return Job(tr("Looking for leaks"), work)
