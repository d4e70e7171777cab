"""The results of jobs about papers, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.jobs.papers.split_moves import split_moves_text
from desktop.text import count
from miner.parsing.language import language_name

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.papers.edits import EditResult
    from desktop.jobs.papers.import_session import ImportFailure, ImportResult
    from desktop.jobs.papers.sentences import SentenceLearningResult


_MAX_NOTICES = 10  # listed one by one


def describe_import(result: ImportResult) -> ResultText:
    failed = len(result.failed) + result.unlisted
    parts = [count(result.new, "new paper")] if result.new or not result.given else []
    parts += [f"{result.known:,} already there"] if result.known else []
    parts += [f"{result.replaced:,} parsed again"] if result.replaced else []
    parts += [f"{failed:,} could not be read"] if failed else []
    ignored = [count(result.ignored - result.links, "other file")] if result.ignored > result.links else []
    ignored += (
        [f"{count(result.links, 'link that leads', 'links that lead')} out of its folder"] if result.links else []
    )
    notes = [f"Ignored {' and '.join(ignored)}."] if ignored else []
    hidden = count(result.hidden_words, "word was", "words were")
    notes += [f"{hidden} left out that cannot be seen on the page."] if result.hidden_words else []
    if result.linked:
        files = "is another file of a known paper" if result.linked == 1 else "are other files of known papers"
        notes.append(f"{result.linked:,} of them {files}: a PDF and its XML are one paper.")
    notes += result.notices[:_MAX_NOTICES]
    if (more := len(result.notices) - _MAX_NOTICES) > 0:
        notes.append(f"{count(more, 'more paper')} came in versions that differ.")
    notes += [other_languages_text(result.other_languages)] if result.other_languages else []
    return ResultText(joined(parts), tuple(notes), tuple(map(describe_failure, result.failed)))


def other_languages_text(languages: Mapping[str, int]) -> str:
    """Such as "3 papers are not in English (2 German, 1 French), so no pairs are mined from them."."""
    number = sum(languages.values())
    parts = ", ".join(f"{papers:,} {language_name(language)}" for language, papers in languages.items())
    them = "it" if number == 1 else "them"
    return f"{count(number, 'paper is', 'papers are')} not in English ({parts}), so no pairs are mined from {them}."


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
            f"Learned from {papers} where sentences end. No sentence changed, so all pairs stay as they are."
        )
    changed = count(learned.changed, "paper is", "papers are")
    return ResultText(f"Learned from {papers} where sentences end: {changed} split into other sentences than before.")
