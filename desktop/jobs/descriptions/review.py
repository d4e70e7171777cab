"""The results of answers, rounds and answer files, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.text import count, listed, shortened
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.review.agreement_report import AgreementReport
    from desktop.jobs.review.annotation_rounds import StartedRound
    from desktop.jobs.review.answers import ActionResult
    from desktop.jobs.review.merge_results import MergedFile, MergeResult, RefusedRows
    from storage.annotation.answer_histories import GivenValue
    from storage.annotation.merging import MergeConflict
    from storage.exchange.sent_pairs import SentFile

_LISTED_CONFLICTS = 20
_LISTED_ROWS = 10  # that were refused
_MAX_HYPOTHESIS_LENGTH = 90  # characters, of a pair in a sentence


def describe_action(result: ActionResult) -> ResultText:
    return ResultText(result.title if result.title.endswith(".") else f"{result.title}.")


def describe_sent_file(sent: SentFile) -> ResultText:
    assignment = sent.assignment
    pairs = tr("{pairs} of round {round:,}", pairs=count(assignment.pairs, "pair"), round=assignment.round)
    missing = tr(
        "{pairs} of the round left out, because they were removed or marked as bad.", pairs=count(sent.missing, "pair")
    )
    beside = tr(
        "Send {beside} together with {name}.", beside=listed([path.name for path in sent.beside]), name=sent.path.name
    )
    left = tr("It was there already, without answers, and was left as it is.")
    notes = [beside] * bool(sent.beside) + [missing] * bool(sent.missing) + [left] * sent.is_left
    return ResultText(
        tr("{name}: {pairs} for {name_2}.", name=sent.path.name, pairs=pairs, name_2=assignment.name), tuple(notes)
    )


def describe_merging(result: MergeResult) -> ResultText:
    parts = [describe_merged_file(file) for file in result.merged]
    return ResultText(
        " ".join(part.sentence for part in parts) or tr("Nothing was merged."),
        tuple(note for part in parts for note in part.notes),
        (
            *(ResultProblem(file.reason, file.hint) for file in result.refused),
            *(problem for rows in result.rows for problem in _refused_rows(rows)),
        ),
    )


def _refused_rows(rows: RefusedRows) -> list[ResultProblem]:
    """How many rows of a table were refused, and the first of them with the reasons."""
    verb = "was" if rows.number == 1 else "were"
    listed = rows.first[:_LISTED_ROWS]
    told = [f"{one.place}: {one.reason}." for one in listed]
    number = rows.number - sum(one.rows for one in listed)
    more = [tr("{number:,} more.", number=number)] if number else []
    hint = tr("Correct these rows, and merge the file again; the other rows are not merged twice.")
    head = tr("{rows} of {path} {verb} not merged.", rows=count(rows.number, "row"), path=rows.path, verb=verb)
    return [ResultProblem(head, hint), *(ResultProblem(f"{line[0].upper()}{line[1:]}") for line in (*told, *more))]


def describe_merged_file(file: MergedFile) -> ResultText:
    parts = [count(file.new, "new answer")]
    parts += [tr("{known:,} already there", known=file.known)] if file.known else []
    parts += [f"{count(len(file.conflicts), 'conflict')}"] if file.conflicts else []
    parts += [count(file.bad, "bad pair")] if file.bad else []
    parts += [tr("{unanswered:,} unanswered", unanswered=file.unanswered)] if file.unanswered else []
    notes = []
    if file.agreeing:
        notes.append(
            tr(
                "{pairs} of {name} had the same answer in two places.",
                pairs=count(file.agreeing, "pair"),
                name=file.name,
            )
        )
    if file.marks:
        was = "was" if file.marks == 1 else "were"
        notes.append(
            tr(
                "{notes} of {name} {was} merged too.",
                notes=count(file.marks, "flag or note", "flags and notes"),
                name=file.name,
                was=was,
            )
        )
    if file.called:
        notes.append(
            tr(
                "The annotator is called {called} in the file and {name} in this project.",
                called=file.called,
                name=file.name,
            )
        )
    if file.gone:
        notes.append(
            tr(
                "{pairs} of the file {is_} no longer in the project; the answers are kept, and count if the "
                "project has the pairs again.",
                pairs=count(file.gone, "pair"),
                is_=tr("is") if file.gone == 1 else tr("are"),
            )
        )
    if file.in_train:
        single = tr(
            "answer is to a pair that is now in train: it corrects the label there, but does not count as a vote"
        )
        several = tr(
            "answers are to pairs that are now in train: they correct the labels there, but do not count as votes"
        )
        notes.append(tr("{counted} for a gold label.", counted=count(file.in_train, single, several)))
    if file.ahead:
        ahead = count(file.ahead, "answer is", "answers are")
        notes.append(
            tr("{ahead} dated in the future: the clock of {name}'s computer is wrong.", ahead=ahead, name=file.name)
        )
    conflicts = file.conflicts[:_LISTED_CONFLICTS]
    notes += [
        tr("Conflict: {conflict_text}", conflict_text=conflict_text(one, file.name, file.hypotheses))
        for one in conflicts
    ]
    if (more := len(file.conflicts) - _LISTED_CONFLICTS) > 0:
        notes.append(
            tr("{were} answered differently in two places.", were=count(more, "more pair was", "more pairs were"))
        )
    return ResultText(
        tr("{name}, round {round:,}: {joined}", name=file.name, round=file.round, joined=joined(parts)), tuple(notes)
    )


def conflict_text(conflict: MergeConflict, name: str, hypotheses: Mapping[str, str]) -> str:
    """What an annotator answered in two places, and which answer counts.

    The pair is named by its hypothesis, else its key.
    """
    places = (conflict.here, conflict.there)
    here, there = (
        tr(
            "{answer_text} on {astimezone:%Y-%m-%d %H:%M}",
            answer_text=answer_text(one.answer),
            astimezone=one.at.astimezone(),
        )
        for one in places
    )
    later = max(conflict.here, conflict.there, key=lambda one: one.at)
    reason = tr(", because it is later") if conflict.holds == later.answer else tr(", which was given since")
    holds = (
        tr("{answer_text} counts{reason}", answer_text=answer_text(conflict.holds), reason=reason)
        if conflict.holds
        else tr("neither counts, because it was withdrawn")
    )
    pair = shortened(hypotheses.get(conflict.pair_key, conflict.pair_key), _MAX_HYPOTHESIS_LENGTH)
    return tr(
        "{name} answered {here} and {there}; {holds}. “{pair}”",
        name=name,
        here=here,
        there=there,
        holds=holds,
        pair=pair,
    )


def answer_text(given: GivenValue | None) -> str:
    """An answer in words, such as "reasoning; causal, lexical; forward"; "none" if there is no answer."""
    from miner.kinds.questionnaire import PairKinds

    if not isinstance(given, PairKinds):
        return str(given or "none")
    parts = [given.relation or tr("no relation"), ", ".join(sorted(given.categories)), given.direction or ""]
    return "; ".join(filter(None, [*parts, "" if given.complete else "unfinished"]))


def describe_started_round(started: StartedRound) -> ResultText:
    round, names = started.progress.round, listed([one.name for one in started.progress.assignments])
    votes = f" {started.votes_note}" if started.votes_note else ""
    return ResultText(
        tr(
            "Round {number:,}: {pairs} for {names}.{votes}",
            number=round.number,
            pairs=count(round.size, "pair"),
            names=names,
            votes=votes,
        )
    )


def describe_agreement(report: AgreementReport) -> ResultText:
    from desktop.jobs.review import agreement_text

    step = agreement_text.next_step(report).text
    found = report.overall.agreement
    others = [(tr("Krippendorff’s α"), found.alpha), (tr("Gwet’s AC1"), found.ac1)]
    figures = [f"{name} {agreement_text.coefficient_text(one)}" for name, one in others if one.value is not None]
    notes = [agreement_text.verdict(report), f"{', '.join(figures)}." if figures else "", *agreement_text.notes(report)]
    notes += [
        agreement_text.PUBLISHED if found.fleiss.value is not None else "",
        tr("Next: {step}", step=step) if step else "",
    ]
    return ResultText(agreement_text.headline(report), tuple(filter(None, notes)))
