"""The sample project, made from the eight short fictional papers that come with the program."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from desktop.jobs.papers.import_session import ImportOptions, ImportResult
from desktop.jobs.papers.imports import import_papers
from desktop.translation import tr
from miner.errors import UserError
from miner.paths import exists, write_hint
from miner.progress import Job, Progress
from storage.project import Project
from storage.settings import SAMPLE_PAPERS_MISSING

DOMAINS = {
    "coastal": "coastal engineering",
    "ecology": "ecology",
    "nlp": "nlp",
    "reading": "reading research",
}
_NAME = "sample.pairwright"


def create_sample_project(folder: Path) -> Job[Path]:
    """Create the sample project with its papers' files in `folder`, unless it exists; the job's result is its path."""

    def work(progress: Progress) -> Path:
        path = folder / _NAME
        if exists(path):
            return path
        try:
            with as_file(files("desktop") / "samples") as samples:
                for name in DOMAINS:
                    shutil.copytree(samples / name, folder / name, dirs_exist_ok=True)
        except OSError as exc:
            what = tr(
                "The sample papers could not be copied to {folder}: {strerror}.",
                folder=folder,
                strerror=exc.strerror or exc,
            )
            raise UserError(what, hint=write_hint(exc)) from exc
        with Project.create(path) as project, project.transaction() as stores:
            stores.settings.put(SAMPLE_PAPERS_MISSING, True)
        return path

    return Job(tr("Making the sample project"), work)


def import_sample_papers(project: Project) -> Job[ImportResult | None]:
    """Import the papers beside the sample project, once; None for any other project."""

    def work(progress: Progress) -> ImportResult | None:
        with project.read_transaction() as stores:
            if not stores.settings.get(SAMPLE_PAPERS_MISSING):
                return None
        folders = {project.path.parent / name: domain for name, domain in DOMAINS.items()}
        added = import_papers(project, list(folders), ImportOptions(workers=2)).work(progress)
        with project.transaction() as stores:
            for md5 in stores.papers.md5s():
                for path in stores.papers.file_paths(md5):
                    if domain := folders.get(Path(path).parent):
                        stores.papers.set_metadata(md5, domain=domain)
            stores.settings.put(SAMPLE_PAPERS_MISSING, False)
        return added

    return Job(tr("Reading the sample papers"), work)
