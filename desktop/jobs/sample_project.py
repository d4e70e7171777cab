"""The sample project: eight short made-up papers that ship with the program, to try everything on."""

from __future__ import annotations

import shutil
from importlib import metadata
from pathlib import Path

from desktop.jobs.papers.import_session import Added
from desktop.jobs.papers.imports import AddOptions, add
from miner.errors import UserError
from miner.paths import exists, is_folder, write_hint
from miner.progress import Job, Progress
from storage.project import Project

DOMAINS = {"coastal": "coastal engineering", "ecology": "ecology", "nlp": "nlp", "reading": "reading research"}
_SETTING = "sample"  # the project's setting: papers that are yet to be added
_NAME = "sample.pairwright"


def make_sample(folder: Path) -> Job[Path]:
    """The path of the sample project in `folder`, made there with its papers beside it unless it is there already."""

    def work(progress: Progress) -> Path:
        path = folder / _NAME
        if exists(path):
            return path
        source = _samples()
        try:
            for name in DOMAINS:
                shutil.copytree(source / name, folder / name, dirs_exist_ok=True)
        except OSError as exc:
            what = f"The sample papers could not be copied to {folder}: {exc.strerror or exc}."
            raise UserError(what, hint=write_hint(exc)) from exc
        with Project.create(path) as project, project.transaction() as stores:
            stores.settings.put(_SETTING, "to fill")
        return path

    return Job("Making the sample project", work)


def fill_sample(project: Project) -> Job[Added | None]:
    """Add the papers beside the project; None where that was done before."""

    def work(progress: Progress) -> Added | None:
        with project.reading() as stores:
            if stores.settings.get(_SETTING) is None:
                return None
        folders = {project.path.parent / name: domain for name, domain in DOMAINS.items()}
        added = add(project, list(folders), AddOptions(workers=2)).work(progress)
        with project.transaction() as stores:
            for md5 in stores.papers.in_order():
                for path in stores.papers.paths(md5):
                    if domain := folders.get(Path(path).parent):
                        stores.papers.set_metadata(md5, domain=domain)
            stores.settings.put(_SETTING, None)
        return added

    return Job("Reading the sample papers", work)


def _samples() -> Path:
    """Where the samples lie: in the checkout, or where the installer has put them."""
    checkout = Path(__file__).parents[2] / "packaging" / "samples"
    if is_folder(checkout):
        return checkout
    for file in metadata.files("pairwright") or ():
        if file.parts[-3:-1] == ("samples", "coastal"):
            return Path(str(file.locate())).parent.parent.resolve()
    raise UserError("The sample papers are not installed.", hint="Install Pairwright again, or add papers of your own.")
