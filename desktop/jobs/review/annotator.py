"""Who annotates in a project: a name for each account on each machine, for the file travels from person to person."""

from __future__ import annotations

import getpass
import platform
from hashlib import blake2b

from miner.progress import Job, Progress
from storage.project import Project
from storage.settings import ANNOTATOR


def annotator(project: Project) -> Job[str]:
    """The name that was given on this machine; "" while nobody was asked."""

    def work(progress: Progress) -> str:
        with project.reading() as stores:
            return stores.settings.get(ANNOTATOR.of(account()))

    return Job("Reading who annotates", work)


def set_annotator(project: Project, name: str) -> Job[None]:
    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            stores.settings.put(ANNOTATOR.of(account()), name)

    return Job("Remembering who annotates", work)


def account() -> str:
    """This account of this machine; hashed, since others will read the file."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        name = ""
    digest = blake2b(f"{name}\0{platform.node()}".encode("utf-8", "surrogateescape"), digest_size=8)
    return digest.hexdigest()
