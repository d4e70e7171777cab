"""Jobs that mend the sentences of a pair: complete broken ones from the paper (SciNLI, section 3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from desktop.jobs.papers.evidence import Evidence, find_evidence
from desktop.jobs.review.answers import ActionResult
from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from storage.annotation.texts import PairTexts, read_sentence
from storage.changes import Changes
from storage.pairs.mended_texts import MINED_COLUMN, SentenceField
from storage.project import Project
from storage.settings import ASSIGNMENT


@dataclass(frozen=True, slots=True)
class MendablePair:
    """What is needed to mend a pair. evidence: the paper's paragraphs. has_suggestion: a model has scored this text."""

    key: str
    texts: PairTexts
    evidence: Evidence
    has_suggestion: bool


def load_pair(project: Project, key: str) -> Job[MendablePair]:
    """The pair to mend; `UserError` if it is not in the project."""

    def work(progress: Progress) -> MendablePair:
        progress.tick(0, 1)
        with project.read_transaction() as stores:
            evidence = find_evidence(stores, key)
            if evidence is None:
                raise _missing_error(key)
            has_suggestion = bool(stores.suggestions.of_pairs(stores.pair_table.ids_of([key])))
            return MendablePair(key, stores.texts.of_pair(key), evidence, has_suggestion)

    return Job(tr("Reading a pair"), work)


def find_pair(project: Project, key: str) -> Job[str]:
    """The key of the pair whose key starts with this text; `UserError` if there is none, or more than one."""

    def work(progress: Progress) -> str:
        progress.tick(0, 1)
        with project.read_transaction() as stores:
            found = stores.pairs.keys_with_prefix(key.strip().lower(), limit=2)
        if len(found) > 1:
            raise UserError(tr("Several pairs begin with “{key}”.", key=key), hint=tr("Give more of the pair's id."))
        if not found:
            raise _missing_error(key)
        return found[0]

    return Job(tr("Looking for a pair"), work)


def mend(project: Project, key: str, annotator: str, texts: Mapping[SentenceField, str | None]) -> Job[ActionResult]:
    """Set sentences of a pair as one action; None restores the mined text. The change is on disk when the job is done.

    Answers stay; the pair's suggestion is dropped. The result's count is 0 if nothing changed. Raises `UserError` for a
    pair that is not in the project, for a text that is empty or too long, and in an answer file.
    """

    def work(progress: Progress) -> ActionResult:
        given = {field: None if text is None else read_sentence(text, field) for field, text in texts.items()}
        with project.transaction() as stores:
            if stores.settings.get(ASSIGNMENT) is not None:
                raise UserError(
                    tr("The sentences of an answer file stay as they were sent."),
                    hint=tr("Mark the pair as bad, or write a note; the owner of the project can correct it."),
                )
            if not stores.pairs.present([key]):
                raise _missing_error(key)
            title = _title(stores.texts.of_pair(key), given)
            had_suggestion = bool(stores.suggestions.of_pairs(stores.pair_table.ids_of([key])))
            at = datetime.now(UTC)
            action = stores.actions.begin(annotator, title, at)
            count = stores.texts.mend(key, annotator, given, at, action=action)
            if not count:
                stores.actions.discard(action)
                return ActionResult(title, 0, Changes(), (key,))
        return ActionResult(title, 1, Changes(annotated_keys=frozenset([key]), suggestions=had_suggestion), (key,))

    return Job(tr("Correcting a sentence"), work)


def _title(now: PairTexts, given: Mapping[SentenceField, str | None]) -> str:
    mined = {field: getattr(now, MINED_COLUMN[field]) for field in given}
    changed = [field for field, text in given.items() if (text or mined[field]) != getattr(now, field)]
    if changed and all(given[field] in (None, mined[field]) for field in changed):
        return tr("Back to the mined text")
    if len(changed) > 1:
        return tr("Correct both sentences")
    return tr("Correct the {changed}", changed=changed[0]) if changed else tr("Correct a sentence")


def _missing_error(key: str) -> UserError:
    return UserError(
        tr("There is no pair {key}.", key=key[:40]),
        hint=tr("Its paper was removed or mined again. Nothing was changed."),
    )
