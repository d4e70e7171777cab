"""Jobs about lists of pairs, which a person puts together and names, such as a region of a data map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from desktop.jobs.transactions import read_job, write_job
from desktop.translation import tr
from miner.errors import UserError
from storage.annotation.removals import LIST
from storage.changes import Changes
from storage.pairs.filters import PairFilter, with_list_renamed
from storage.pairs.lists import NamedPairList
from storage.settings import LAST_EXPORT, LAST_SPLIT_EXPORT, PAIR_FILTERS, RENAMED_LISTS
from storage.stores import Stores

MAX_NAME_LENGTH = 100  # characters
_MAX_NAMES_LISTED = 12  # in a message


@dataclass(frozen=True, slots=True)
class ListsChanged:
    """The result of changing lists. lists: all lists after the change, in the order in which they were made.

    renamed: the name before and after, if a list was renamed.
    """

    lists: tuple[NamedPairList, ...]
    changes: Changes
    renamed: tuple[str, str] | None = None


@read_job("Reading lists of pairs")
def load_lists(stores: Stores) -> tuple[NamedPairList, ...]:
    """All lists of the project, in the order in which they were made."""
    return tuple(stores.pair_lists.all())


@write_job("Saving a list of pairs")
def put_list(stores: Stores, name: str, keys: Sequence[str]) -> ListsChanged:
    """Make a list of these pairs, replacing a list with the same name, which is for lists that the program names.

    `UserError` for a name that is not allowed.
    """
    stores.pair_lists.put(_checked(name), keys, datetime.now(UTC))
    return ListsChanged(tuple(stores.pair_lists.all()), Changes(pairs=True, settings=True))


@write_job("Saving a list of pairs")
def keep_list(stores: Stores, name: str, keys: Sequence[str]) -> ListsChanged:
    """Make a list of these pairs; a list with the same name is replaced as an action that can be undone.

    `UserError` for a name that is not allowed.
    """
    name, now = _checked(name), datetime.now(UTC)
    with stores.actions.replacing_list(tr("Replace the list “{name}”", name=name), name, now):
        stores.pair_lists.put(name, keys, now)
    return ListsChanged(tuple(stores.pair_lists.all()), Changes(pairs=True, settings=True))


@write_job("Saving a list of pairs")
def add_list(stores: Stores, name: str, keys: Sequence[str]) -> ListsChanged:
    """Make a list of these pairs. `UserError` for a name that is not allowed, or that a list of other pairs has."""
    name = _checked(name)
    present = stores.pair_lists.keys(name)
    if present is not None and present != sorted(set(keys)):
        raise _taken(name)
    stores.pair_lists.put(name, keys, datetime.now(UTC))
    return ListsChanged(tuple(stores.pair_lists.all()), Changes(pairs=True, settings=True))


@write_job("Renaming a list of pairs")
def rename_list(stores: Stores, name: str, new: str) -> ListsChanged:
    """Give a list another name, also in saved filters, in those of queues and in the choices of the last export.

    `UserError` where there is no such list, or the new name is taken or not allowed.
    """
    known = {one.name for one in stores.pair_lists.all()}
    _require(name, known)
    if new in known - {name}:
        raise _taken(new)
    new = _checked(new)
    stores.pair_lists.rename(name, new)
    stores.queues.rename_list(name, new)
    before = {old: new if present == name else present for old, present in stores.settings.get(RENAMED_LISTS).items()}
    stores.settings.put(RENAMED_LISTS, {old: present for old, present in (before | {name: new}).items() if old != new})
    filters = stores.settings.get(PAIR_FILTERS)
    stores.settings.put(PAIR_FILTERS, {key: with_list_renamed(one, name, new) for key, one in filters.items()})
    for setting in (LAST_EXPORT, LAST_SPLIT_EXPORT):
        if (chosen := stores.settings.get(setting)) is not None:
            stores.settings.put(setting, replace(chosen, scope=with_list_renamed(chosen.scope, name, new)))
    return ListsChanged(tuple(stores.pair_lists.all()), Changes(pairs=True, settings=True), (name, new))


@write_job("Deleting a list of pairs")
def delete_list(stores: Stores, name: str) -> ListsChanged:
    """Delete a list, as an action that can be undone; its pairs stay. `UserError` where there is no such list."""
    _require(name, {one.name for one in stores.pair_lists.all()})
    stores.actions.remove(tr("Delete the list “{name}”", name=name), f"{LIST} {name}", datetime.now(UTC))
    return ListsChanged(tuple(stores.pair_lists.all()), Changes(pairs=True, settings=True))


def require_lists(stores: Stores, filter: PairFilter) -> None:
    """Raise `UserError` if a filter asks for a list that the project does not have, be it to leave its pairs out."""
    asked = (filter.lists | filter.outside_lists) - {""}
    if not asked:
        return
    known, renamed = [one.name for one in stores.pair_lists.all()], stores.settings.get(RENAMED_LISTS)
    for name in sorted(asked.difference(known)):
        if (new := renamed.get(name)) in known:
            what = tr("There is no list called “{name}” any more: it was renamed to “{new}”.", name=name, new=new)
            raise UserError(what, hint=tr("Write “{new}” instead, or give the list its earlier name again.", new=new))
        more = ", …" if len(known) > _MAX_NAMES_LISTED else ""
        there = tr("There are: {names}.", names=", ".join(known[:_MAX_NAMES_LISTED]) + more)
        hint = there if known else tr("The project has no lists.")
        raise UserError(tr("There is no list called “{name}”.", name=name), hint=hint)


def _taken(name: str) -> UserError:
    return UserError(tr("There is a list called “{new}” already.", new=name), hint=tr("Choose another name."))


def _require(name: str, known: set[str]) -> None:
    if name not in known:
        raise UserError(
            tr("There is no list called “{name}”.", name=name), hint=tr("It was renamed or deleted meanwhile.")
        )


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME_LENGTH or "," in name:  # a comma separates names in a typed filter
        hint = tr("At most {max_name_length} characters, and no comma.", max_name_length=MAX_NAME_LENGTH)
        raise UserError(tr("This cannot be the name of a list."), hint=hint)
    return name
