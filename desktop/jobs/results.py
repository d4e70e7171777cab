"""Describes the results of jobs, in the same sentences for the window and the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from desktop.jobs.exchange.split_text import gap_note, leaks_text, papers_left_out_text, share_note
from desktop.text import count, listed, points, shortened
from miner.records import Label
from miner.statistics import wilson

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.backups import RestoredProject
    from desktop.jobs.exchange.imports import RejectedFile
    from desktop.jobs.mining.class_balance import RareClass, SampleGain, SparePhrases
    from desktop.jobs.mining.run import MiningResult
    from desktop.jobs.models.calibration import Calibration
    from desktop.jobs.models.suggestions import SuggestionResult
    from desktop.jobs.models.training import TrainedModel
    from desktop.jobs.pairs.data_set_statistics import MeasuredDataSet
    from desktop.jobs.papers.edits import EditResult
    from desktop.jobs.papers.import_session import ImportFailure, ImportResult
    from desktop.jobs.papers.sentences import SentenceLearningResult
    from desktop.jobs.review.agreement_report import AgreementReport
    from desktop.jobs.review.annotation_rounds import StartedRound
    from desktop.jobs.review.answers import ActionResult
    from desktop.jobs.review.merging import MergedFile, MergeResult
    from miner.mining.linking_phrases import Phrase
    from storage.annotation.merging import MergeConflict
    from storage.dataset.candidates import ClassBalance
    from storage.exchange.answer_files import SentFile
    from storage.exchange.import_rows import BadRow
    from storage.exchange.pair_export import ExportReceipt
    from storage.exchange.pair_import import ImportedPairs
    from storage.exchange.releases import NewSince

_SPLIT_METHODS = {
    "paper": "by paper",
    "shared_sentences": "by shared sentences, as they name no paper",
    "own_split": "as they came",
}

_LISTED_CONFLICTS = 20
_MAX_ABSENT = 3  # missing classes that are named; the others are counted
_MAX_HYPOTHESIS_LENGTH = 90  # characters, of a pair in a sentence
_LISTED_ROWS = 10  # bad rows of a file that are listed; the others are counted
_ROWS_PER_REASON = 3


class ResultProblem(NamedTuple):
    """One thing that went wrong while the job went on, and what to do."""

    text: str
    hint: str = ""


class ResultText(NamedTuple):
    """A job's result in words: one line, and further sentences."""

    sentence: str
    notes: tuple[str, ...] = ()
    problems: tuple[ResultProblem, ...] = ()


def describe(result: object) -> ResultText:
    """A job's result in words; "Done." for other types. Of a list: the first three, and how many more."""
    if isinstance(result, ResultText):
        return result
    if isinstance(result, list):
        return _describe_all([describe(part) for part in result])
    describe_it = _DESCRIPTIONS.get(type(result).__name__)
    return ResultText("Done.") if describe_it is None else describe_it(result)


def _describe_all(parts: list[ResultText]) -> ResultText:
    more = [f"And {len(parts) - 3:,} more."] if len(parts) > 3 else []
    return ResultText(
        " ".join([*(part.sentence for part in parts[:3]), *more]) or "Nothing to do.",
        tuple(note for part in parts for note in part.notes),
        tuple(problem for part in parts for problem in part.problems),
    )


def _describe_import(result: ImportResult) -> ResultText:
    failed = len(result.failed) + result.unlisted
    parts = [count(result.new, "new paper")] if result.new or not result.given else []
    parts += [f"{result.known:,} already there"] if result.known else []
    parts += [f"{result.replaced:,} parsed again"] if result.replaced else []
    parts += [f"{failed:,} could not be read"] if failed else []
    ignored = [count(result.ignored - result.links, "other file")] if result.ignored > result.links else []
    ignored += (
        [f"{count(result.links, 'link that leads', 'links that lead')} out of its folder"] if result.links else []
    )
    notes = [f"Passed over {' and '.join(ignored)}."] if ignored else []
    notes += [f"Left out {count(result.hidden_words, 'word')} that nobody sees."] if result.hidden_words else []
    return ResultText(_sentence(parts), tuple(notes), tuple(map(_describe_failure, result.failed)))


def _describe_failure(failure: ImportFailure) -> ResultProblem:
    return file_problem(str(failure.path), failure.reason, failure.hint)


def file_problem(path: str, reason: str, hint: str) -> ResultProblem:
    """Why a file was not read; its path is added unless the reason begins with it."""
    return ResultProblem(reason if reason.startswith(path) else f"{path}: {reason}", hint)


def _describe_mining(mined: MiningResult) -> ResultText:
    kept, dropped = sum(mined.funnel.kept.values()), sum(mined.funnel.dropped.values())
    before = mined.papers - mined.mined
    parts = [
        f"{count(kept, 'pair')} kept",
        f"{count(dropped, 'candidate')} dropped",
        f"from {count(mined.papers, 'paper')}",
    ]
    parts += [f"{before:,} of them mined before"] if before else []
    hint = "Its text is unusual. Report it with the paper, if you may."
    problems = [
        ResultProblem(f"Mining paper {md5} took too much, or met a bug; it gave no pairs.", hint)
        for md5 in mined.failed
    ]
    return ResultText(_sentence(parts), tuple(map(_new_filter_note, mined.new_filters)), tuple(problems))


def _new_filter_note(name: str) -> str:
    from miner.mining.filters import FILTERS

    return f"A filter is new, and on: {name}. {FILTERS[name]}"


def _describe_export(receipt: ExportReceipt) -> ResultText:
    left_out = sum(receipt.left_out.values())
    if receipt.rows:
        parts = [f"{count(receipt.rows, 'pair')} written"] + ([f"{left_out:,} left out"] if left_out else [])
        sentence = _sentence(parts)
    elif left_out:
        sentence = "No pair is left to export; the data set is empty."
    else:
        sentence = "There are no pairs to export; the data set is empty."
    return ResultText(sentence, tuple(filter(None, (replaced_text(receipt), *receipt_notes(receipt)))))


def receipt_notes(receipt: ExportReceipt) -> list[str]:
    """What was left out, how the others were split, and whether anything leaks."""
    notes = [
        left_out_text(receipt.left_out),
        split_text(receipt.split_by),
        papers_left_out_text(receipt.papers_left_out, receipt.options.years, "receipt.json names all"),
    ]
    notes += [gap_note(receipt.options), share_note(receipt.options.shares), leaks_text(receipt.leaks)]
    return list(filter(None, notes))


def _describe_imported_pairs(file: ImportedPairs) -> ResultText:
    answered = f"{file.answered:,} with {count(file.answers, 'answer')} of annotators"
    details = [answered] if file.answered else []
    details += [f"{file.unlabelled:,} without a label"] if file.unlabelled else []
    parts = [count(file.new, "new pair") + (f" ({', '.join(details)})" if details else "")]
    parts += [f"{file.known:,} already there"] if file.known else []
    parts += [f"{file.duplicates:,} with the same two sentences as another pair"] if file.duplicates else []
    parts += [count(file.bad, "bad row")] if file.bad else []
    problems = tuple(ResultProblem(f"{file.path}, {line}") for line in _row_problems(file))
    return ResultText(f"{file.path.name}: {_sentence(parts)}", problems=problems)


def _row_problems(file: ImportedPairs) -> list[str]:
    """The problems of a file's rows, the first ones by their line."""
    if not file.rows:
        return ["it has no rows."]
    of_reason: Counter[str] = Counter()
    listed: list[BadRow] = []
    for row in file.bad_rows:
        of_reason[row.reason] += 1
        if of_reason[row.reason] <= _ROWS_PER_REASON and len(listed) < _LISTED_ROWS:
            listed.append(row)
    lines = [f"line {row.line:,}: {row.reason}" for row in listed]
    if more := file.bad - len(listed):
        others = Counter(file.reasons) - Counter(row.reason for row in listed)
        why = ", ".join(f"{reason} ({number:,})" for reason, number in others.most_common(3))
        lines.append(f"{count(more, 'more bad row')}: {why}")
    for line, _, here, there in file.conflict_rows[:_LISTED_ROWS]:
        lines.append(f"line {line:,}: the pair is {here} here and {there} in the project, where it stays so")
    if (more := file.conflicts - _LISTED_ROWS) > 0:
        lines.append(f"{count(more, 'more pair has', 'more pairs have')} another label in the project")
    if file.other_split:
        pairs = count(file.other_split, "pair stands", "pairs stand")
        lines.append(f"{pairs} in another split of the project already, and stay there")
    if file.moved:
        pairs = count(file.moved, "pair that was there is", "pairs that were there are")
        lines.append(f"{pairs} in the split that this file says now")
    for text, rows, line in file.remarks.values():
        lines.append(f"line {line:,}{f' and {rows - 1:,} more' if rows > 1 else ''}: {text}")
    return [line if line.endswith("?") else f"{line}." for line in lines]


def _describe_rejected(file: RejectedFile) -> ResultText:
    return ResultText(f"{file.path.name}: nothing read.", problems=(ResultProblem(file.reason, file.hint),))


def _describe_action(result: ActionResult) -> ResultText:
    return ResultText(f"{result.title}.")


def _describe_edit(edited: EditResult) -> ResultText:
    return ResultText(f"{edited.title}.")


def _describe_learning(learned: SentenceLearningResult) -> ResultText:
    return ResultText(
        f"Learned from {count(learned.papers, 'paper')}; {learned.changed:,} of them have other sentences now."
    )


def _describe_suggestions(suggested: SuggestionResult) -> ResultText:
    parts = [
        f"{count(suggested.pairs, 'pair')} with a suggestion by {suggested.model}",
        f"{suggested.new:,} of them new",
    ]
    parts += [f"in {suggested.seconds:,.1f} s ({suggested.device})"] if suggested.new else []
    notes = []
    if suggested.ece is not None:
        fitted = f"on {count(suggested.calibrated_on, 'answer')}: expected calibration error {points(suggested.ece)} %"
        notes = [f"Confidence was adjusted (temperature {suggested.temperature:.2f}) {fitted}."]
    return ResultText(_sentence(parts), tuple(notes), tuple(map(ResultProblem, suggested.notes)))


def _describe_training(trained: TrainedModel) -> ResultText:
    best = trained.metrics.get("held_out") or trained.metrics.get("dev")
    learned = f"“{trained.name}” (run {trained.run}) learned from {count(trained.examples, 'pair')}"
    parts = [f"{learned} in {trained.seconds:,.0f} s ({trained.device})"]
    parts += [f"macro F1 {points(best['macro_f1'])}"] if best else []
    parts += ["stopped early; the best so far is kept"] if trained.stopped else []
    notes = []
    for name, pairs in (("dev", "kept aside"), ("held_out", "judged out of fold")):
        if scores := trained.metrics.get(name):
            figures = scores_text(scores["macro_f1"], scores["accuracy"], scores.get("ece"))
            notes.append(f"On {count(scores['n'], 'pair')} {pairs}: {figures}.")
    notes += [str(trained.kept)] if str(trained.kept) else []
    problems = [ResultProblem(note) for note in trained.notes]
    if others := trained.gone + trained.changed:
        now = f"{trained.gone:,} gone, {trained.changed:,} with another label or text now"
        text = f"While it trained, {count(others, 'example')} changed in the project: {now}."
        problems.append(ResultProblem(text, "Train again to learn from the current labels."))
    return ResultText(_sentence(parts), tuple(notes), tuple(problems))


def scores_text(macro_f1: float, accuracy: float, calibration_error: float | None = None) -> str:
    """ "macro F1 68.1, right 70.4 %, calibration error 3.0 %"; shares in, the last only where it is known."""
    text = f"macro F1 {points(macro_f1)}, right {points(accuracy)} %"
    return text if calibration_error is None else f"{text}, calibration error {points(calibration_error)} %"


def calibration_text(known: Calibration) -> str:
    """How right the suggestions are, by people's answers."""
    return f"On {count(known.n, 'answer')}: {scores_text(known.macro_f1, known.accuracy, known.ece)}."


def _describe_sent_file(sent: SentFile) -> ResultText:
    assignment = sent.assignment
    pairs = f"{count(assignment.pairs, 'pair')} of round {assignment.round:,}"
    missing = f"{count(sent.missing, 'pair')} of the round left out: removed, or marked as bad."
    return ResultText(f"{sent.path.name}: {pairs} for {assignment.name}.", (missing,) if sent.missing else ())


def _describe_merging(result: MergeResult) -> ResultText:
    parts = [_describe_merged_file(file) for file in result.merged]
    return ResultText(
        " ".join(part.sentence for part in parts) or "Nothing was merged.",
        tuple(note for part in parts for note in part.notes),
        tuple(ResultProblem(file.reason, file.hint) for file in result.refused),
    )


def _describe_merged_file(file: MergedFile) -> ResultText:
    parts = [count(file.new, "new answer")]
    parts += [f"{file.known:,} already there"] if file.known else []
    parts += [f"{count(len(file.conflicts), 'conflict')}"] if file.conflicts else []
    parts += [count(file.bad, "bad pair")] if file.bad else []
    parts += [f"{file.unanswered:,} unanswered"] if file.unanswered else []
    notes = []
    if file.agreeing:
        notes.append(f"{count(file.agreeing, 'pair')} of {file.name} had the same answer in two places.")
    if file.marks:
        notes.append(f"{count(file.marks, 'flag or note', 'flags and notes')} of {file.name} came along.")
    if file.called:
        notes.append(f"The file calls its annotator {file.called}; here they are {file.name}.")
    if file.gone:
        notes.append(
            f"{count(file.gone, 'pair')} of the file {'is' if file.gone == 1 else 'are'} not in the project now; the "
            "answers are kept for when they are again."
        )
    if file.ahead:
        ahead = count(file.ahead, "answer has", "answers have")
        notes.append(f"{ahead} a time to come: the clock of {file.name}'s computer is wrong.")
    conflicts = file.conflicts[:_LISTED_CONFLICTS]
    notes += [f"Conflict: {conflict_text(one, file.name, file.hypotheses)}" for one in conflicts]
    if (more := len(file.conflicts) - _LISTED_CONFLICTS) > 0:
        notes.append(f"{count(more, 'more pair was', 'more pairs were')} answered differently in two places.")
    return ResultText(f"{file.name}, round {file.round:,}: {_sentence(parts)}", tuple(notes))


def conflict_text(conflict: MergeConflict, name: str, hypotheses: Mapping[str, str]) -> str:
    """What an annotator answered in two places, and which answer counts; the pair by its hypothesis, else its key."""
    here, there = (f"{one.answer} on {one.at.astimezone():%Y-%m-%d %H:%M}" for one in (conflict.here, conflict.there))
    later = max(conflict.here, conflict.there, key=lambda one: one.at)
    reason = ", as it is later" if conflict.holds == later.answer else ", which was answered since"
    holds = f"{conflict.holds} holds{reason}" if conflict.holds else "none holds, as it was withdrawn later"
    pair = shortened(hypotheses.get(conflict.pair_key, conflict.pair_key), _MAX_HYPOTHESIS_LENGTH)
    return f"{name} answered {here} and {there}; {holds}. “{pair}”"


def _describe_started_round(started: StartedRound) -> ResultText:
    round, names = started.progress.round, listed([one.name for one in started.progress.assignments])
    votes = f" Gold takes the majority of {started.raised_votes:,} votes from now on." if started.raised_votes else ""
    return ResultText(f"Round {round.number:,}: {count(round.size, 'pair')} for {names}.{votes}")


def _describe_agreement(report: AgreementReport) -> ResultText:
    from desktop.jobs.review import agreement_text

    step = agreement_text.next_step(report).text
    found = report.overall.agreement
    others = [("Krippendorff’s α", found.alpha), ("Gwet’s AC1", found.ac1)]
    figures = [f"{name} {agreement_text.coefficient_text(one)}" for name, one in others if one.value is not None]
    notes = [agreement_text.verdict(report), f"{', '.join(figures)}." if figures else "", *agreement_text.notes(report)]
    notes += [agreement_text.PUBLISHED if found.fleiss.value is not None else "", f"Next: {step}" if step else ""]
    return ResultText(agreement_text.headline(report), tuple(filter(None, notes)))


def _describe_measuring(measured: MeasuredDataSet) -> ResultText:
    pairs = count(measured.counted.statistics.count(), "pair")
    if measured.complete is None:
        return ResultText(f"Measured {pairs}.")
    premise, hypothesis = measured.complete.of()
    complete = premise.successes + hypothesis.successes
    parsed = f"{complete:,} of {count(premise.trials + hypothesis.trials, 'sentence')} drawn are complete"
    return ResultText(f"Measured {pairs}; {parsed}.")


def _describe_restoring(restored: RestoredProject) -> ResultText:
    when = f"{restored.backup.at.astimezone():%d %B %Y, %H:%M}".lstrip("0")
    notes = () if restored.previous is None else (f"The former file is kept: {restored.previous}",)
    return ResultText(f"{restored.project.stem} is as it was on {when}.", notes)


def rare_class_text(rare: RareClass) -> ResultText:
    """Which linked class has the fewest pairs; as notes, what would add to it and how far people agree with that."""
    whole = "sample" if rare.in_sample else "project"
    name = rare.label.capitalize()
    sentence = f"{name} is the rarest linked class: {rare.pairs:,} of the {whole}'s {count(rare.all_pairs, 'pair')}."
    if not rare.spare:
        on = "All phrases of the extended lexicon for it are on"
        return ResultText(sentence, (f"{on}; more papers, or a phrase of your own, would add to it.",))
    spare = count(
        len(rare.spare), "phrase of the extended lexicon for it is", "phrases of the extended lexicon for it are"
    )
    notes = [f"{spare} off{_gain_text(rare.gain)}."]
    if rare.answered:
        low, high = wilson(rare.agreed, rare.answered)
        agreement = f"People agree with {rare.agreed:,} of {count(rare.answered, 'answered pair')} of theirs"
        notes.append(f"{agreement}: for all, likely {100 * low:.0f} to {100 * high:.0f} %.")
    elif rare.can_grow:
        notes.append("Nobody has answered any of their pairs yet.")
    return ResultText(sentence, tuple(notes))


def _gain_text(gain: SampleGain | None) -> str:
    if gain is None:
        return ""
    if gain.papers < gain.all_papers:
        papers = f"a sample of {gain.papers:,} of {gain.all_papers:,} papers"
    else:
        papers = f"all {gain.papers:,} papers" if gain.papers > 1 else "the one paper"
    added = f"{count(gain.added, 'pair')} to the {gain.pairs:,} there" if gain.added else "no pair"
    return f": in {papers} they would add {added}"


def balance_text(balance: ClassBalance) -> str:
    """ "712 of 4,073 pairs; entailment has fewest, 178.": what is left where all classes have as many pairs.

    Domains and splits that have none of a class are named: only their other classes are alike.
    """
    absent = _absent_text(balance)
    if balance.kept == balance.pairs:
        return f"all {count(balance.pairs, 'pair')}: the classes are alike.{absent}"
    parts = ", each split and domain alike" if balance.parts > 1 else ""
    kept = f"{balance.kept:,} of {count(balance.pairs, 'pair')}{parts}"
    return f"{kept}; {balance.rarest} has fewest, {balance.fewest:,}.{absent}"


def _absent_text(balance: ClassBalance) -> str:
    named = [
        f"{one.label} in {' of '.join(filter(None, (one.split, one.domain or 'no domain')))} has 0 of {one.pairs:,}"
        for one in balance.absent[:_MAX_ABSENT]
    ]
    if not named:
        return ""
    more = len(balance.absent) - len(named)
    text = f"{', '.join(named)} and so on for {more:,} more" if more else listed(named)
    return f" Only the other classes are alike where one is missing: {text}."


def balance_advice(balance: ClassBalance, spare: SparePhrases | None, gain: SampleGain | None, *, settled: bool) -> str:
    """What would leave more pairs where classes are balanced; "" if nothing is known to.

    spare: None without papers to mine. gain: of `phrases_to_measure`; None until it is known. settled: only pairs that
    people answered are exported.
    """
    if balance.kept == balance.pairs:
        return ""
    if settled:
        return "To keep more, answer more of its pairs."
    if spare is None:
        return ""
    if balance.rarest == Label.NEUTRAL:
        return "To keep more, mine more neutral pairs for each linked one."
    of_class = len(spare.of_class(balance.rarest))
    if of_class and gain is None:
        return ""
    if gain is None or not gain.added:
        return "To keep more, add papers, or phrases of your own for it."
    phrases = count(of_class, "phrase")
    they = "it would add" if of_class == 1 else "they would add"
    sample = f" in a sample of {gain.papers:,} of {gain.all_papers:,} papers" if gain.papers < gain.all_papers else ""
    added = count(gain.added, "pair")
    return f"To keep more, switch on its {phrases} of the extended lexicon: {they} {added}{sample}."


def phrases_to_measure(balance: ClassBalance, spare: SparePhrases | None, *, settled: bool) -> tuple[Phrase, ...]:
    """The spare phrases whose gain `balance_advice` depends on."""
    return () if spare is None or settled or balance.kept == balance.pairs else spare.of_class(balance.rarest)


def is_helped_by_mining(
    balance: ClassBalance, spare: SparePhrases | None, gain: SampleGain | None, *, settled: bool
) -> bool:
    """Whether `balance_advice` is about mining settings."""
    if balance.kept == balance.pairs or settled or spare is None:
        return False
    return balance.rarest == Label.NEUTRAL or (gain is not None and gain.added > 0)


def left_out_text(reasons: Mapping[str, int]) -> str:
    """ "312 pairs are left out: 200 marked bad, 112 without a majority."; "" for none."""
    from storage.dataset.options import LEFT_OUT_REASONS

    total = sum(reasons.values())
    if not total:
        return ""
    most_first = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{number:,} {LEFT_OUT_REASONS.get(reason, reason)}" for reason, number in most_first]
    return f"{count(total, 'pair is', 'pairs are')} left out: {', '.join(parts)}."


def new_since_text(since: NewSince) -> str:
    """ "The same export has 120 pairs more now, and 3 papers are new." """
    parts = []
    if since.now is not None:
        difference = since.now - since.then
        compared = "more" if difference > 0 else "fewer"
        more = f"{count(abs(difference), 'pair')} {compared}" if difference else "as many pairs"
        parts.append(f"the same export has {more} now")
    if since.papers is not None:
        parts.append(f"{count(since.papers, 'paper is', 'papers are') if since.papers else 'no paper is'} new")
    text = ", and ".join(parts) or "its options are of a newer version"
    return f"{text[:1].upper()}{text[1:]}."


def replaced_text(receipt: ExportReceipt) -> str:
    """Which files of an earlier export were replaced or removed; "" for none."""
    parts = [
        f"{verb} {', '.join(files)}"
        for verb, files in (("replaced", receipt.replaced), ("removed", receipt.removed))
        if files
    ]
    return f"Of the earlier export there: {'; '.join(parts)}." if parts else ""


def split_text(split_by: Mapping[str, int]) -> str:
    """How pairs were split: "Split: 1,200 pairs by paper; 976 pairs as they came."; "" for an export without splits."""
    parts = [f"{count(number, 'pair')} {_SPLIT_METHODS[way]}" for way, number in split_by.items() if number]
    return f"Split: {'; '.join(parts)}." if parts else ""


def _sentence(parts: list[str]) -> str:
    return ", ".join(parts) + "."


_DESCRIPTIONS: dict[str, Callable[[Any], ResultText]] = {  # by the name of the result's type
    "ActionResult": _describe_action,
    "ImportResult": _describe_import,
    "EditResult": _describe_edit,
    "ImportedPairs": _describe_imported_pairs,
    "SentenceLearningResult": _describe_learning,
    "MergeResult": _describe_merging,
    "MergedFile": _describe_merged_file,
    "MiningResult": _describe_mining,
    "MeasuredDataSet": _describe_measuring,
    "NoneType": lambda _: ResultText("Nothing to do."),
    "ExportReceipt": _describe_export,
    "RejectedFile": _describe_rejected,
    "RestoredProject": _describe_restoring,
    "SentFile": _describe_sent_file,
    "StartedRound": _describe_started_round,
    "SuggestionResult": _describe_suggestions,
    "TrainedModel": _describe_training,
    "AgreementReport": _describe_agreement,
}
