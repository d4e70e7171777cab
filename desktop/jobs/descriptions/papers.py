"""The results of jobs about papers, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.jobs.papers.split_moves import split_moves_text
from desktop.text import count
from desktop.translation import tr
from miner.parsing.language import language_name

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.papers.edits import EditResult
    from desktop.jobs.papers.import_session import ImportFailure, ImportResult
    from desktop.jobs.papers.sentences import SentenceLearningResult


_MAX_NOTICES = 10  # listed one by one


def describe_import(result: ImportResult) -> ResultText:
    failed = len(result.failed) + result.unlisted
    parts = [count(result.new, "new paper")] if result.new or not result.given else []
    parts += [tr("{known:,} already there", known=result.known)] if result.known else []
    parts += [tr("{replaced:,} parsed again", replaced=result.replaced)] if result.replaced else []
    parts += [tr("{failed:,} could not be read", failed=failed)] if failed else []
    ignored = [count(result.ignored - result.links, "other file")] if result.ignored > result.links else []
    ignored += (
        [tr("{lead} out of its folder", lead=count(result.links, "link that leads", "links that lead"))]
        if result.links
        else []
    )
    notes = [tr("Ignored {ignored}.", ignored=" and ".join(ignored))] if ignored else []
    hidden = count(result.hidden_words, "word was", "words were")
    notes += [tr("{hidden} left out that cannot be seen on the page.", hidden=hidden)] if result.hidden_words else []
    if result.linked:
        files = tr("is another file of a known paper") if result.linked == 1 else tr("are other files of known papers")
        notes.append(
            tr("{linked:,} of them {files}: a PDF and its XML are one paper.", linked=result.linked, files=files)
        )
    if returned := result.returned.total():
        was, were = (
            tr("new paper was in a release before it was removed, and stays in its split"),
            tr("new papers were in a release before they were removed, and stay in their splits"),
        )
        what = count(returned, was, were)
        splits = ", ".join(f"{number:,} {split}" for split, number in sorted(result.returned.items()))
        notes.append(tr("{what}: {splits}.", what=what, splits=splits))
    for change in result.changes:
        papers = count(change.papers, "known paper")
        value = change.value or tr("empty")
        notes.append(tr("The {field} of {papers} is now {value}.", field=change.field, papers=papers, value=value))
    if result.kept_edits:
        keep = count(result.kept_edits, "paper keeps", "papers keep")
        notes.append(tr("{keep} the domain or year that was set by hand.", keep=keep))
    notes += result.notices[:_MAX_NOTICES]
    if (more := len(result.notices) - _MAX_NOTICES) > 0:
        notes.append(tr("{papers} came in versions that differ.", papers=count(more, "more paper")))
    notes += [other_languages_text(result.other_languages)] if result.other_languages else []
    return ResultText(joined(parts), tuple(notes), tuple(map(describe_failure, result.failed)))


def other_languages_text(languages: Mapping[str, int]) -> str:
    """Such as "3 papers are not in English (2 German, 1 French), so no pairs are mined from them."."""
    number = sum(languages.values())
    parts = ", ".join(f"{papers:,} {language_name(language)}" for language, papers in languages.items())
    them = "it" if number == 1 else "them"
    return tr(
        "{are} not in English ({parts}), so no pairs are mined from {them}.",
        are=count(number, "paper is", "papers are"),
        parts=parts,
        them=them,
    )


def describe_failure(failure: ImportFailure) -> ResultProblem:
    return file_problem(str(failure.path), failure.reason, failure.hint)


def file_problem(path: str, reason: str, hint: str) -> ResultProblem:
    """Why a file was not read; its path is added unless the reason begins with it."""
    return ResultProblem(reason if reason.startswith(path) else f"{path}: {reason}", hint)


def describe_edit(edited: EditResult) -> ResultText:
    moved = split_moves_text(edited.moved)
    return ResultText(f"{edited.title}.", (moved,) if moved else ())


def describe_learning(learned: SentenceLearningResult) -> ResultText:
    papers = count(learned.papers, "paper")
    if not learned.changed:
        return ResultText(
            tr(
                "Learned from {papers} where sentences end. No sentence changed, so all pairs stay as they are.",
                papers=papers,
            )
        )
    changed = count(learned.changed, "paper is", "papers are")
    return ResultText(
        tr(
            "Learned from {papers} where sentences end: {changed} split into other sentences than before.",
            papers=papers,
            changed=changed,
        )
    )
