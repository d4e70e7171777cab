"""Jobs about the people who annotate: list, add and rename them, and change what their answers count for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from desktop.jobs.transactions import read_job, write_job
from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from storage.annotation.annotators import Annotator, Role, clean_name
from storage.changes import Changes
from storage.project import Project
from storage.stores import Stores

ROLE_NAMES: Mapping[Role, str] = {
    Role.ANNOTATOR: tr("annotator"),
    Role.REFERENCE: tr("reference"),
    Role.ADJUDICATOR: tr("adjudicator"),
    Role.EXPERT: tr("expert"),
    Role.LAYPERSON: tr("layperson"),
}
ROLE_MEANINGS: Mapping[Role, str] = {
    Role.ANNOTATOR: tr("The answers count as votes for the gold label."),
    Role.REFERENCE: tr(
        "Answers to pilot rounds are compared with the answers of this person, which never count as votes."
    ),
    Role.ADJUDICATOR: tr("Decides pairs whose votes have no majority. These answers do not count towards agreement."),
    Role.EXPERT: tr(
        "Human performance is measured on the answers of this expert of the domain, which never count as votes."
    ),
    Role.LAYPERSON: tr(
        "Human performance is measured on the answers of this person without knowledge of the domain. "
        "They never count as votes."
    ),
}


@dataclass(frozen=True, slots=True)
class Person:
    """An annotator. answers: how many pairs they gave a relation. kinds: how many pairs they gave kinds."""

    key: str
    name: str
    role: Role
    answers: int
    kinds: int = 0


@dataclass(frozen=True, slots=True)
class ChangedPerson:
    """An annotator after a change. refreshed: how many pairs were decided again."""

    person: Annotator
    refreshed: int
    changes: Changes


@read_job("Reading who annotates")
def list_people(stores: Stores) -> list[Person]:
    """Everybody who is registered or has answered, by name."""
    answers, kinds = stores.annotators.answer_counts(), stores.annotators.kinds_counts()
    known = {one.key: one for one in stores.annotators.all()}
    found = [known.get(key) or Annotator(key, key, Role.ANNOTATOR) for key in {*known, *answers, *kinds}]
    return [
        Person(one.key, one.name, one.role, answers.get(one.key, 0), kinds.get(one.key, 0))
        for one in sorted(found, key=_by_name)
    ]


def find_person(stores: Stores, name: str) -> Annotator:
    """The annotator with this name or key, registered or known only by their answers.

    `UserError` if there is none, or if it is the key of one annotator and the name of another.
    """
    wanted = " ".join(name.split()).casefold()
    found = [one for one in list_people.within(stores) if one.key == name or one.name.casefold() == wanted]
    if len(found) > 1:
        ways = [one.key if one.name.casefold() == wanted else one.name for one in found]
        raise UserError(
            tr("“{name}” is the name of an annotator, and the key of another one, who was renamed.", name=name),
            hint=tr("Say {ways}.", ways=" or ".join(f"“{way}”" for way in ways)),
        )
    if found:
        return Annotator(found[0].key, found[0].name, found[0].role)
    names = ", ".join(one.name for one in list_people.within(stores)[:12])
    raise UserError(
        tr("No annotator is called “{name}”.", name=name),
        hint=tr("There are: {names}.", names=names) if names else tr("Add them first."),
    )


@write_job("Adding an annotator")
def add_person(stores: Stores, name: str, role: Role = Role.ANNOTATOR) -> ChangedPerson:
    """Register somebody; `UserError` if the name is taken."""
    if other := stores.annotators.find(name):
        raise UserError(
            tr("{name} is in this project already.", name=other.name),
            hint=tr("Choose a name that tells the two apart."),
        )
    with stores.actions.deciding(tr("Add {name}", name=clean_name(name)), datetime.now(UTC)):
        return ChangedPerson(stores.annotators.ensure(name, role), 0, Changes(settings=True))


@write_job("Adding annotators")
def register_people(stores: Stores, names: Sequence[str], role: Role = Role.ANNOTATOR) -> list[Annotator]:
    """Register these people, each as an action of its own; `UserError`, and nobody is added, if one cannot be."""
    try:
        return [add_person.within(stores, name, role).person for name in names]
    except UserError as exc:
        if len(names) == 1:
            raise
        raise UserError(str(exc), hint=tr("Nobody was added. {hint}", hint=exc.hint).rstrip()) from exc


@write_job("Renaming an annotator")
def rename_person(stores: Stores, key: str, name: str) -> ChangedPerson:
    """Give somebody another name; their answers stay theirs. `UserError` if the name is taken."""
    before = stores.annotators.register(key).name
    title = tr("Rename {before} to {name}", before=before, name=clean_name(name))
    with stores.actions.deciding(title, datetime.now(UTC)):
        return ChangedPerson(stores.annotators.rename(key, name), 0, Changes(settings=True))


def set_role(project: Project, key: str, role: Role) -> Job[ChangedPerson]:
    """Change what somebody's answers count for; all pairs they answered are decided again."""

    def work(progress: Progress) -> ChangedPerson:
        with project.transaction() as stores:
            name = stores.annotators.register(key).name  # before the action, whose undo would remove them
            title = tr("Give {name} the role {role_name}", name=name, role_name=ROLE_NAMES[role])
            with stores.actions.deciding(title, datetime.now(UTC)):
                refreshed = stores.annotators.set_role(key, role, partial(progress.tick, may_wait=False))
            changes = Changes(settings=True, many_annotated=bool(refreshed))
            return ChangedPerson(stores.annotators.get(key), refreshed, changes)

    return Job(tr("Changing a role"), work, if_stopped=tr("The role has not changed."))


def _by_name(one: Annotator) -> tuple[str, str]:
    return one.name.casefold(), one.key
