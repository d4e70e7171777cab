"""Describes the result of any job, in the same sentences for the window and the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from desktop.jobs.descriptions.corpus import (
    describe_corpus_mining,
    describe_corpus_suggestions,
    describe_load,
    describe_pull,
    describe_push,
    describe_settling,
)
from desktop.jobs.descriptions.exchange import (
    describe_export,
    describe_imported_pairs,
    describe_measuring,
    describe_rejected,
)
from desktop.jobs.descriptions.mining import describe_mining
from desktop.jobs.descriptions.models import describe_suggestions, describe_training
from desktop.jobs.descriptions.papers import describe_edit, describe_import, describe_learning
from desktop.jobs.descriptions.phrases import describe_discovery
from desktop.jobs.descriptions.project_addition import describe_added_project
from desktop.jobs.descriptions.references import describe_references
from desktop.jobs.descriptions.result_text import ResultText
from desktop.jobs.descriptions.review import (
    describe_action,
    describe_agreement,
    describe_merged_file,
    describe_merging,
    describe_sent_file,
    describe_started_round,
)
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.backups import RestoredProject


def describe(result: object, otherwise: ResultText | None = None) -> ResultText:
    """A job's result in words. A list is described by its first three results and the number of the others.

    otherwise: the text for a type without a line in `_DESCRIPTIONS`; TypeError if it is None.
    """
    if isinstance(result, ResultText):
        return result
    if isinstance(result, list):
        return _describe_all([describe(part, otherwise) for part in result])
    name = type(result).__name__
    if otherwise is not None and name not in _DESCRIPTIONS:
        return otherwise
    if name not in _DESCRIPTIONS:
        raise TypeError(f"{name} has no description: add its line to _DESCRIPTIONS")
    return _DESCRIPTIONS[name](result)


def _describe_all(parts: list[ResultText]) -> ResultText:
    more = [tr("And {parts:,} more.", parts=len(parts) - 3)] if len(parts) > 3 else []
    return ResultText(
        " ".join([*(part.sentence for part in parts[:3]), *more]) or tr("Nothing to do."),
        tuple(note for part in parts for note in part.notes),
        tuple(problem for part in parts for problem in part.problems),
    )


def _describe_restoring(restored: RestoredProject) -> ResultText:
    when = f"{restored.backup.at.astimezone():%d %B %Y, %H:%M}".lstrip("0")
    notes = (
        () if restored.previous is None else (tr("The former file is kept: {previous}", previous=restored.previous),)
    )
    if restored.is_own:
        sentence = tr("{stem} is as it was on {when}.", stem=restored.project.stem, when=when)
    else:
        sentence = tr("{stem} is now a copy of {path}.", stem=restored.project.stem, path=restored.backup.path)
    return ResultText(sentence, notes)


_DESCRIPTIONS: dict[str, Callable[[Any], ResultText]] = {  # by the name of the result's type
    "ActionResult": describe_action,
    "AddedProject": describe_added_project,
    "CorpusLoad": describe_load,
    "CorpusMining": describe_corpus_mining,
    "PulledCorpus": describe_pull,
    "PushedProject": describe_push,
    "CorpusSuggestions": describe_corpus_suggestions,
    "ImportResult": describe_import,
    "EditResult": describe_edit,
    "ImportedPairs": describe_imported_pairs,
    "SentenceLearningResult": describe_learning,
    "MergeResult": describe_merging,
    "MergedFile": describe_merged_file,
    "MiningResult": describe_mining,
    "MeasuredDataSet": describe_measuring,
    "PhraseDiscovery": describe_discovery,
    "NoneType": lambda _: ResultText(tr("Nothing to do.")),
    "ExportReceipt": describe_export,
    "ReferenceResult": describe_references,
    "RejectedFile": describe_rejected,
    "RestoredProject": _describe_restoring,
    "SentFile": describe_sent_file,
    "Settled": describe_settling,
    "StartedRound": describe_started_round,
    "SuggestionResult": describe_suggestions,
    "TrainedModel": describe_training,
    "AgreementReport": describe_agreement,
}
