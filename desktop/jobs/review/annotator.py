"""Who annotates here: the annotator's key, stored for each account of each machine, as people pass the file on."""

from __future__ import annotations

import getpass
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from storage.annotation.annotators import Annotator
from storage.project import Project, Stores
from storage.settings import ANNOTATOR, ASSIGNMENT


@dataclass(frozen=True, slots=True)
class KnownAnnotators:
    """Who annotates. own: the key of this account's annotator; "" before one is chosen. names: of all, by key.

    elsewhere: the keys of the annotators of other accounts and machines.
    """

    own: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    elsewhere: frozenset[str] = frozenset()


def annotator(project: Project) -> Job[str]:
    """The key of this account's annotator; "" before one is chosen."""

    def work(progress: Progress) -> str:
        with project.read_transaction() as stores:
            return _own(stores)

    return Job(tr("Reading who annotates"), work)


def load_annotators(project: Project) -> Job[KnownAnnotators]:
    """This account's annotator, and all others."""

    def work(progress: Progress) -> KnownAnnotators:
        with project.read_transaction() as stores:
            accounts = stores.settings.of_accounts(ANNOTATOR)
            accounts.pop(account(), "")
            own = _own(stores)
            return KnownAnnotators(own, stores.annotators.names(), frozenset(accounts.values()) - {own, ""})

    return Job(tr("Reading who annotates"), work)


def set_annotator(project: Project, name: str) -> Job[Annotator]:
    """Store who annotates with this account; a name that the project does not know becomes a new annotator.

    Raises `UserError` for an answer file, whose answers are those of the one it was sent to.
    """

    def work(progress: Progress) -> Annotator:
        with project.transaction() as stores:
            if (assignment := stores.settings.get(ASSIGNMENT)) is not None:
                raise UserError(
                    tr("This file is for the answers of {name} alone.", name=assignment.name),
                    hint=tr("Ask who sent it for a file of your own."),
                )
            chosen = stores.annotators.ensure(name)
            stores.settings.put(ANNOTATOR.of(account()), chosen.key)
            return chosen

    return Job(tr("Remembering who annotates"), work)


def register_annotator(project: Project, name: str) -> Job[Annotator]:
    """The annotator of this name, who is added if the project does not know them."""

    def work(progress: Progress) -> Annotator:
        with project.transaction() as stores:
            return stores.annotators.ensure(name)

    return Job(tr("Looking for an annotator"), work)


def _own(stores: Stores) -> str:
    """Who an answer file was sent to; in other projects, who annotates with this account."""
    assignment = stores.settings.get(ASSIGNMENT)
    return assignment.annotator if assignment else stores.settings.get(ANNOTATOR.of(account()))


def account() -> str:
    """A hash of this account and machine, as others may read the file."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        name = ""
    digest = blake2b(f"{name}\0{platform.node()}".encode("utf-8", "surrogateescape"), digest_size=8)
    return digest.hexdigest()
