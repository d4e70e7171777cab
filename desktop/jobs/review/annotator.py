"""The annotator's name, stored in the project for each account of each machine, as people pass the file on."""

from __future__ import annotations

import getpass
import platform
from hashlib import blake2b

from miner.progress import Job, Progress
from storage.project import Project
from storage.settings import ANNOTATOR


def annotator(project: Project) -> Job[str]:
    """The name chosen by this account; "" before one is chosen."""

    def work(progress: Progress) -> str:
        with project.read_transaction() as stores:
            return stores.settings.get(ANNOTATOR.of(account()))

    return Job("Reading who annotates", work)


def set_annotator(project: Project, name: str) -> Job[None]:
    """Store this account's name."""

    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            stores.settings.put(ANNOTATOR.of(account()), name)

    return Job("Remembering who annotates", work)


def account() -> str:
    """A hash of this account and machine, as others may read the file."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        name = ""
    digest = blake2b(f"{name}\0{platform.node()}".encode("utf-8", "surrogateescape"), digest_size=8)
    return digest.hexdigest()
