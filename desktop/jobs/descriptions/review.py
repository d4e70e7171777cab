"""The results of answers, rounds and answer files, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.text import count, listed, shortened

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
    return ResultText(f"{result.title}.")


def describe_sent_file(sent: SentFile) -> ResultText:
    assignment = sent.assignment
    pairs = f"{count(assignment.pairs, 'pair')} of round {assignment.round:,}"
    missing = f"{count(sent.missing, 'pair')} of the round left out, because they were removed or marked as bad."
    beside = f"Send {listed([path.name for path in sent.beside])} together with {sent.path.name}."
    notes = [beside] * bool(sent.beside) + [missing] * bool(sent.missing)
    return ResultText(f"{sent.path.name}: {pairs} for {assignment.name}.", tuple(notes))


def describe_merging(result: MergeResult) -> ResultText:
    parts = [describe_merged_file(file) for file in result.merged]
    return ResultText(
        " ".join(part.sentence for part in parts) or "Nothing was merged.",
        tuple(note for part in parts for note in part.notes),
        (
            *(ResultProblem(file.reason, file.hint) for file in result.refused),
            *(problem for rows in result.rows for problem in _refused_rows(rows)),
        ),
    )


def _refused_rows(rows: RefusedRows) -> list[ResultProblem]:
    """How many rows of a table were refused, and the first of them, with why."""
    verb = "was" if rows.number == 1 else "were"
    told = [f"{one.place}: {one.reason}." for one in rows.first[:_LISTED_ROWS]]
    more = [f"{rows.number - len(told):,} more."] if rows.number > len(told) else []
    hint = "Correct these rows, and merge the file again; the other rows are not merged twice."
    head = f"{count(rows.number, 'row')} of {rows.path} {verb} not merged."
    return [ResultProblem(head, hint), *(ResultProblem(f"{line[0].upper()}{line[1:]}") for line in (*told, *more))]


def describe_merged_file(file: MergedFile) -> ResultText:
    parts = [count(file.new, "new answer")]
    parts += [f"{file.known:,} already there"] if file.known else []
    parts += [f"{count(len(file.conflicts), 'conflict')}"] if file.conflicts else []
    parts += [count(file.bad, "bad pair")] if file.bad else []
    parts += [f"{file.unanswered:,} unanswered"] if file.unanswered else []
    notes = []
    if file.agreeing:
        notes.append(f"{count(file.agreeing, 'pair')} of {file.name} had the same answer in two places.")
    if file.marks:
        was = "was" if file.marks == 1 else "were"
        notes.append(f"{count(file.marks, 'flag or note', 'flags and notes')} of {file.name} {was} merged too.")
    if file.called:
        notes.append(f"The annotator is called {file.called} in the file and {file.name} in this project.")
    if file.gone:
        notes.append(
            f"{count(file.gone, 'pair')} of the file {'is' if file.gone == 1 else 'are'} no longer in the project; the "
            "answers are kept, and count if the project has the pairs again."
        )
    if file.in_train:
        single = "answer is to a pair that is now in train: it corrects the label there, but does not count as a vote"
        several = "answers are to pairs that are now in train: they correct the labels there, but do not count as votes"
        notes.append(f"{count(file.in_train, single, several)} for a gold label.")
    if file.ahead:
        ahead = count(file.ahead, "answer is", "answers are")
        notes.append(f"{ahead} dated in the future: the clock of {file.name}'s computer is wrong.")
    conflicts = file.conflicts[:_LISTED_CONFLICTS]
    notes += [f"Conflict: {conflict_text(one, file.name, file.hypotheses)}" for one in conflicts]
    if (more := len(file.conflicts) - _LISTED_CONFLICTS) > 0:
        notes.append(f"{count(more, 'more pair was', 'more pairs were')} answered differently in two places.")
    return ResultText(f"{file.name}, round {file.round:,}: {joined(parts)}", tuple(notes))


def conflict_text(conflict: MergeConflict, name: str, hypotheses: Mapping[str, str]) -> str:
    """What an annotator answered in two places, and which answer counts; the pair by its hypothesis, else its key."""
    places = (conflict.here, conflict.there)
    here, there = (f"{answer_text(one.answer)} on {one.at.astimezone():%Y-%m-%d %H:%M}" for one in places)
    later = max(conflict.here, conflict.there, key=lambda one: one.at)
    reason = ", because it is later" if conflict.holds == later.answer else ", which was given since"
    holds = (
        f"{answer_text(conflict.holds)} counts{reason}"
        if conflict.holds
        else "neither counts, because it was withdrawn"
    )
    pair = shortened(hypotheses.get(conflict.pair_key, conflict.pair_key), _MAX_HYPOTHESIS_LENGTH)
    return f"{name} answered {here} and {there}; {holds}. “{pair}”"


def answer_text(given: GivenValue | None) -> str:
    """What an answer says, such as "reasoning; causal, lexical; forward"; "none" for none."""
    from miner.kinds.questionnaire import PairKinds

    if not isinstance(given, PairKinds):
        return str(given or "none")
    parts = [given.relation or "no relation", ", ".join(sorted(given.categories)), given.direction or ""]
    return "; ".join(filter(None, [*parts, "" if given.complete else "unfinished"]))


def describe_started_round(started: StartedRound) -> ResultText:
    round, names = started.progress.round, listed([one.name for one in started.progress.assignments])
    votes = f" {started.votes_note}" if started.votes_note else ""
    return ResultText(f"Round {round.number:,}: {count(round.size, 'pair')} for {names}.{votes}")


def describe_agreement(report: AgreementReport) -> ResultText:
    from desktop.jobs.review import agreement_text

    step = agreement_text.next_step(report).text
    found = report.overall.agreement
    others = [("Krippendorff’s α", found.alpha), ("Gwet’s AC1", found.ac1)]
    figures = [f"{name} {agreement_text.coefficient_text(one)}" for name, one in others if one.value is not None]
    notes = [agreement_text.verdict(report), f"{', '.join(figures)}." if figures else "", *agreement_text.notes(report)]
    notes += [agreement_text.PUBLISHED if found.fleiss.value is not None else "", f"Next: {step}" if step else ""]
    return ResultText(agreement_text.headline(report), tuple(filter(None, notes)))
