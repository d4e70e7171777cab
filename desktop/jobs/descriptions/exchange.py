"""The results of exports and imports of data sets, in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.jobs.exchange.receipt_text import receipt_notes
from desktop.text import count
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.exchange.imports import RejectedFile
    from desktop.jobs.pairs.data_set_statistics import MeasuredDataSet
    from storage.exchange.labelled_rows import BadRow
    from storage.exchange.pair_export import ExportReceipt
    from storage.exchange.pair_import import ImportedPairs
    from storage.exchange.releases import NewSince

_LISTED_ROWS = 10  # bad rows of a file that are listed; the others are counted
_ROWS_PER_REASON = 3


def describe_export(receipt: ExportReceipt) -> ResultText:
    left_out = sum(receipt.left_out.values())
    parts = [tr("{pairs} written", pairs=count(receipt.rows, "pair"))] + (
        [tr("{left_out:,} left out", left_out=left_out)] if left_out else []
    )
    return ResultText(joined(parts), tuple(filter(None, (replaced_text(receipt), *receipt_notes(receipt)))))


def unmined_text(unmined: int, *, has_manifest: bool = False) -> str:
    """A sentence that papers are still to be mined, and what this means for an export; "" if all were mined."""
    from storage.exchange.manifest import MANIFEST

    if not unmined:
        return ""
    lost = tr(", and the files cannot be rebuilt from {manifest}", manifest=MANIFEST) if has_manifest else ""
    papers = count(unmined, "paper has", "papers have")
    return tr(
        "{papers} to be mined, because papers were added or changed since the last mining, or mining was stopped: "
        "pairs may be missing or out of date{lost}.",
        papers=papers,
        lost=lost,
    )


def new_since_text(since: NewSince) -> str:
    """ "The same export would have 120 more pairs now, and 3 papers were added since." """
    parts = []
    if since.now is not None:
        difference = since.now - since.then
        compared = "more" if difference > 0 else "fewer"
        more = count(abs(difference), f"{compared} pair") if difference else tr("the same number of pairs")
        parts.append(tr("the same export would have {more} now", more=more))
    if since.papers is not None:
        parts.append(
            tr(
                "{were} added since",
                were=count(since.papers, "paper was", "papers were") if since.papers else tr("no paper was"),
            )
        )
    text = tr(", and ").join(parts) or tr("its options are of a newer version of Pairwright")
    return f"{text[:1].upper()}{text[1:]}."


def replaced_text(receipt: ExportReceipt) -> str:
    """Which files of an earlier export were replaced or removed, as a sentence; "" if none were."""
    parts = [
        f"{verb}: {', '.join(files)}"
        for verb, files in (("replaced", receipt.replaced), ("removed", receipt.removed))
        if files
    ]
    return tr("The earlier export in this folder was {parts}.", parts="; ".join(parts)) if parts else ""


def describe_imported_pairs(file: ImportedPairs) -> ResultText:
    answered = tr(
        "{answered:,} with {answers} of annotators", answered=file.answered, answers=count(file.answers, "answer")
    )
    details = [answered] if file.answered else []
    details += [tr("{with_kinds:,} with kinds of reasoning", with_kinds=file.with_kinds)] if file.with_kinds else []
    details += [tr("{unlabelled:,} without a label", unlabelled=file.unlabelled)] if file.unlabelled else []
    parts = [count(file.new, "new pair") + (f" ({', '.join(details)})" if details else "")]
    parts += [tr("{known:,} already there", known=file.known)] if file.known else []
    parts += (
        [tr("{duplicates:,} with the same two sentences as another pair", duplicates=file.duplicates)]
        if file.duplicates
        else []
    )
    parts += [
        tr("{predictions} of {name}", predictions=count(number, "prediction"), name=name)
        for name, number in file.predictions.items()
    ]
    parts += [count(file.bad, "bad row")] if file.bad else []
    problems = tuple(ResultProblem(f"{file.path}, {line}") for line in _row_problems(file))
    if any(reason.startswith("unknown label") for reason in file.reasons):
        what = tr("{path} has labels other than the four relations; those rows were left out.", path=file.path)
        hint = tr('An experiment can read files of any classes: files = { test = ... } and classes = "found". ')
        hint += tr("If it has kinds of reasoning, “pairwright kinds FILE” counts them as they are.")
        problems = (*problems, ResultProblem(what, hint))
    return ResultText(f"{file.path.name}: {joined(parts)}", problems=problems)


def _row_problems(file: ImportedPairs) -> list[str]:
    """The problems of a file's rows: the first ones each with its line, and how many others there are."""
    if not file.rows:
        return [tr("it has no rows.")]
    of_reason: Counter[str] = Counter()
    listed: list[BadRow] = []
    for row in file.bad_rows:
        of_reason[row.reason] += 1
        if of_reason[row.reason] <= _ROWS_PER_REASON and len(listed) < _LISTED_ROWS:
            listed.append(row)
    lines = [tr("line {line:,}: {reason}", line=row.line, reason=row.reason) for row in listed]
    if more := file.bad - len(listed):
        others = Counter(file.reasons) - Counter(row.reason for row in listed)
        why = ", ".join(f"{reason} ({number:,})" for reason, number in others.most_common(3))
        lines.append(f"{count(more, 'more bad row')}: {why}")
    for line, _, here, there in file.conflict_rows[:_LISTED_ROWS]:
        lines.append(
            tr(
                "line {line:,}: the label is {here} in the file and {there} in the project, which keeps it",
                line=line,
                here=here,
                there=there,
            )
        )
    if (more := file.conflicts - _LISTED_ROWS) > 0:
        lines.append(tr("{have} another label in the project", have=count(more, "more pair has", "more pairs have")))
    if file.other_split:
        pairs = count(file.other_split, "pair is", "pairs are")
        lines.append(tr("{pairs} in another split of the project already, which is kept", pairs=pairs))
    if file.elsewhere:
        pairs = count(file.elsewhere, "pair is", "pairs are")
        lines.append(
            tr(
                "{pairs} in another split than this file says: a paper has one split, test before dev before train",
                pairs=pairs,
            )
        )
    if file.moved:
        pairs = count(file.moved, "known pair is", "known pairs are")
        lines.append(tr("{pairs} now in the split that this file says", pairs=pairs))
    for text, rows, line in file.remarks.values():
        lines.append(
            tr(
                "line {line:,}{value}: {text}",
                line=line,
                value=tr(" and {rows:,} more", rows=rows - 1) if rows > 1 else "",
                text=text,
            )
        )
    return [line if line.endswith("?") else f"{line}." for line in lines]


def describe_rejected(file: RejectedFile) -> ResultText:
    return ResultText(
        tr("{name}: nothing was imported.", name=file.path.name), problems=(ResultProblem(file.reason, file.hint),)
    )


def describe_measuring(measured: MeasuredDataSet) -> ResultText:
    pairs = count(measured.counted.statistics.count(), "pair")
    if measured.complete is None:
        return ResultText(tr("Measured {pairs}.", pairs=pairs))
    premise, hypothesis = measured.complete.of()
    complete = premise.successes + hypothesis.successes
    parsed = tr(
        "{complete:,} of {sentences} are complete",
        complete=complete,
        sentences=count(premise.trials + hypothesis.trials, "sampled sentence"),
    )
    return ResultText(tr("Measured {pairs}; {parsed}.", pairs=pairs, parsed=parsed))
