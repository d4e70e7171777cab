"""The annotator of this account: a key stored for each account of each machine, as people pass project files on."""

from __future__ import annotations

import getpass
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from desktop.jobs.transactions import read_job, write_job
from desktop.translation import tr
from miner.errors import UserError
from storage.annotation.annotators import Annotator
from storage.settings import ANNOTATOR, ASSIGNMENT
from storage.stores import Stores


@dataclass(frozen=True, slots=True)
class KnownAnnotators:
    """All annotators. own: the key of this account's annotator; "" before one is chosen. names: their names, by key.

    elsewhere: the keys of the annotators of other accounts and machines.
    """

    own: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    elsewhere: frozenset[str] = frozenset()


@read_job("Reading who annotates")
def annotator(stores: Stores) -> str:
    """The key of this account's annotator; "" before one is chosen."""
    assignment = stores.settings.get(ASSIGNMENT)
    return assignment.annotator if assignment else stores.settings.get(ANNOTATOR.of(account()))


@read_job("Reading who annotates")
def load_annotators(stores: Stores) -> KnownAnnotators:
    """This account's annotator, and all others."""
    accounts = stores.settings.of_accounts(ANNOTATOR)
    accounts.pop(account(), "")
    own = annotator.within(stores)
    return KnownAnnotators(own, stores.annotators.names(), frozenset(accounts.values()) - {own, ""})


@write_job("Remembering who annotates")
def set_annotator(stores: Stores, name: str) -> Annotator:
    """Store the annotator of this account; a name that the project does not know becomes a new annotator.

    The account's former annotator is removed if nothing was done under that name: it was only tried, or misspelt.
    Raises `UserError` for an answer file, whose answers belong to the person it was sent to.
    """
    if (assignment := stores.settings.get(ASSIGNMENT)) is not None:
        raise UserError(
            tr("This file is for the answers of {name} alone.", name=assignment.name),
            hint=tr("Ask who sent it for a file of your own."),
        )
    former = stores.settings.get(ANNOTATOR.of(account()))
    chosen = stores.annotators.ensure(name)
    stores.settings.put(ANNOTATOR.of(account()), chosen.key)
    if former not in {"", *stores.settings.of_accounts(ANNOTATOR).values()}:
        stores.annotators.remove_unused(former)
    return chosen


@write_job("Looking for an annotator")
def register_annotator(stores: Stores, name: str) -> Annotator:
    """The annotator of this name, who is added if the project does not know them."""
    return stores.annotators.ensure(name)


def account() -> str:
    """A hash of this account and machine; it hides their names from others who read the project file."""
    try:
        name = getpass.getuser()
    except (ImportError, KeyError, OSError):  # an account without a name; Windows has no module for others
        name = ""
    digest = blake2b(f"{name}\0{platform.node()}".encode("utf-8", "surrogateescape"), digest_size=8)
    return digest.hexdigest()
