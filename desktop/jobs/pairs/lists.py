"""Jobs about lists of pairs: sets that a person puts together and names, such as a region of a data map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from storage.annotation.removals import LIST
from storage.changes import Changes
from storage.pairs.lists import NamedPairList
from storage.project import Project

MAX_NAME_LENGTH = 100  # characters


@dataclass(frozen=True, slots=True)
class ListsChanged:
    """What a change of lists came to. lists: all there are then, in the order in which they were made."""

    lists: tuple[NamedPairList, ...]
    changes: Changes


def load_lists(project: Project) -> Job[tuple[NamedPairList, ...]]:
    """All lists of the project, in the order in which they were made."""

    def work(progress: Progress) -> tuple[NamedPairList, ...]:
        with project.read_transaction() as stores:
            return tuple(stores.pair_lists.all())

    return Job(tr("Reading lists of pairs"), work)


def put_list(project: Project, name: str, keys: Sequence[str]) -> Job[ListsChanged]:
    """Make a list of these pairs, in place of one with the same name. `UserError` for a name that cannot be one."""

    def work(progress: Progress) -> ListsChanged:
        with project.transaction() as stores:
            stores.pair_lists.put(_checked(name), keys, datetime.now(UTC))
            return ListsChanged(tuple(stores.pair_lists.all()), Changes(pairs=True, settings=True))

    return Job(tr("Saving a list of pairs"), work)


def rename_list(project: Project, name: str, new: str) -> Job[ListsChanged]:
    """Give a list another name. `UserError` where there is no such list, or the new name is taken or none."""

    def work(progress: Progress) -> ListsChanged:
        with project.transaction() as stores:
            known = {one.name for one in stores.pair_lists.all()}
            _require(name, known)
            if new in known - {name}:
                raise UserError(tr("There is a list called “{new}” already.", new=new), hint=tr("Choose another name."))
            stores.pair_lists.rename(name, _checked(new))
            return ListsChanged(tuple(stores.pair_lists.all()), Changes(pairs=True, settings=True))

    return Job(tr("Renaming a list of pairs"), work)


def delete_list(project: Project, name: str) -> Job[ListsChanged]:
    """Delete a list, as an action that can be undone; its pairs stay. `UserError` where there is no such list."""

    def work(progress: Progress) -> ListsChanged:
        with project.transaction() as stores:
            _require(name, {one.name for one in stores.pair_lists.all()})
            stores.actions.remove(tr("Delete the list “{name}”", name=name), f"{LIST} {name}", datetime.now(UTC))
            return ListsChanged(tuple(stores.pair_lists.all()), Changes(pairs=True, settings=True))

    return Job(tr("Deleting a list of pairs"), work)


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
