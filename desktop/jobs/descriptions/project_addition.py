"""The result of adding another project, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultText, joined
from desktop.jobs.descriptions.review import conflict_text
from desktop.text import count, listed
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from storage.exchange.added_project import AddedProject

_LISTED_CONFLICTS = 20
_LISTED_DOMAINS = 10


def describe_added_project(added: AddedProject) -> ResultText:
    return ResultText(_sentence(added), tuple(_notes(added)))


def _sentence(added: AddedProject) -> str:
    name = added.path.stem
    if not added.title:
        there = count(added.known, "paper")
        there += tr(" and {answers}", answers=count(added.known_answers, "answer")) if added.known_answers else ""
        are = "is" if added.known + added.known_answers == 1 else "are"
        return tr("Nothing of {name} is new: {there} {are} already there.", name=name, there=there, are=are)
    parts = [count(added.papers, "new paper")]
    parts += [count(added.data_sets, "new part of data sets", "new parts of data sets")] if added.data_sets else []
    parts += [tr("{known:,} already there", known=added.known)] if added.known else []
    parts += [count(added.answers, "new answer")] if added.answers else []
    parts += (
        [tr("{answers} already there", answers=count(added.known_answers, "answer"))] if added.known_answers else []
    )
    parts += [count(added.conflict_count, "conflict")] if added.conflict_count else []
    parts += [count(added.marks, "flag or note", "flags and notes")] if added.marks else []
    parts += [count(added.texts, "corrected sentence")] if added.texts else []
    parts += [count(added.lists, "list")] if added.lists else []
    parts += [count(added.pilots, "pilot round")] if added.pilots else []
    return tr("Added {name}: {joined}", name=name, joined=joined(parts))


def _notes(added: AddedProject) -> list[str]:
    name = added.path.stem
    notes = []
    if added.people:
        notes.append(
            tr("New annotators: {people}. People of the same name count as one person.", people=listed(added.people))
        )
    if added.roles:
        notes.append(
            tr(
                "{roles} had another role in {name}; the role in this project counts.",
                roles=listed(added.roles),
                name=name,
            )
        )
    if added.agreeing:
        notes.append(
            tr("{pairs} had the same answer of the same person in both projects.", pairs=count(added.agreeing, "pair"))
        )
    if added.waiting:
        single = tr("pair was annotated that is not among the pairs of this project yet: it is")
        several = tr("pairs were annotated that are not among the pairs of this project yet: they are")
        notes.append(
            tr(
                "{counted} kept, and counted as soon as mining finds them with this project's settings.",
                counted=count(added.waiting, single, several),
            )
        )
    if added.text_conflicts:
        were = count(added.text_conflicts, "sentence was", "sentences were")
        notes.append(tr("{were} corrected differently in the two projects; the later text counts.", were=were))
    for one in added.domains[:_LISTED_DOMAINS]:
        notes.append(
            tr(
                "“{title}” is in {there} in {name}, and stays in {here} here.",
                title=one.title,
                there=one.there,
                name=name,
                here=one.here or tr("no domain"),
            )
        )
    if (more := added.domain_count - min(len(added.domains), _LISTED_DOMAINS)) > 0:
        notes.append(
            tr("{have} another domain in {name}.", have=count(more, "more paper has", "more papers have"), name=name)
        )
    if added.splitters:
        papers = count(added.splitters, "paper was", "papers were")
        notes.append(
            tr(
                "{papers} split into sentences in another way than this project would. To split all papers "
                "in the same way, learn abbreviations again; the pairs whose sentences change are then "
                "others.",
                papers=papers,
            )
        )
    if added.is_split and added.papers:
        notes.append(tr("This project's split says which of the added papers are in train, dev and test."))
    if added.staying:
        notes.append(tr("Not taken over from {name}: {staying}.", name=name, staying=listed(added.staying)))
    notes += [
        tr("Conflict: {conflict_text}", conflict_text=conflict_text(one.conflict, one.name, added.hypotheses))
        for one in added.conflicts[:_LISTED_CONFLICTS]
    ]
    if (more := added.conflict_count - min(len(added.conflicts), _LISTED_CONFLICTS)) > 0:
        notes.append(
            tr("{were} answered differently in the two projects.", were=count(more, "more pair was", "more pairs were"))
        )
    return notes
