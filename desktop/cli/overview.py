"""The commands info and stats, and tables of a project's papers and pairs."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from desktop.cli.execution import CommandResult, Options, open_project, problem_lines, run_job
from desktop.cli.output import table
from desktop.jobs.descriptions.drop_reasons import drop_reason_meaning
from desktop.jobs.descriptions.papers import file_problem
from desktop.jobs.overview import AnswerCounts, Overview
from desktop.jobs.overview import overview as overview_job
from desktop.jobs.papers.outdated import OutdatedPapers
from desktop.text import count, one_line, size
from miner import codec
from miner.records import NEUTRAL_STRATEGIES, Funnel, Strategy
from storage.mining.runs import MiningRunState
from storage.papers.files import FailedFile

_MAX_FAILURES_LISTED = 20
_NONE = "(none)"
_NOT_MINED = "The papers have not been mined yet. To find pairs: pairwright mine"


def info(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        seen = run_job(overview_job(project), options)
        path = project.path
    run, settings = seen.run, seen.settings
    lines = [
        f"{path}, {size(path.stat().st_size)}",
        f"{holdings_text(seen)}{_unread_text(len(seen.failures))}",
        answers_text(seen.answers) or "No pair has been annotated yet.",
        *filter(None, [outdated_text(seen.outdated)]),
        run_text(seen),
        f"Settings: seed {settings.seed}, casing {settings.casing}",
        f"Filters: {', '.join(sorted(settings.filters)) or 'none'}",
        "Linking phrases: " + ", ".join(phrase.text for phrase in settings.phrases if phrase.on),
    ]
    data = {
        "project": str(path),
        "bytes": path.stat().st_size,
        "papers": seen.papers,
        "data_sets": seen.data_sets,
        "pairs": seen.pairs,
        "answers": seen.answers._asdict(),
        "run": dataclasses.asdict(run) if run else None,
        "unmined": seen.unmined,
        "settings": json.loads(codec.encode(settings)),
    }
    return CommandResult("\n".join(lines), data)


def run_text(seen: Overview) -> str:
    """The mining run of the pairs, and what it has still to mine."""
    run, earlier = seen.run, seen.earlier_run
    if run is None:
        return _NOT_MINED
    state = "done" if run.state is MiningRunState.DONE else "unfinished"
    text = f"Mining run: {run.id} ({state}), {run.program}, {run.language_model}"
    if seen.unmined:
        text += (
            f"\n{seen.unmined:,} of {count(seen.papers, 'paper')} {'is' if seen.unmined == 1 else 'are'} to be mined"
        )
        text += f"; the pairs there are of the earlier run {earlier.id}" if earlier is not None else ""
        text += ". To mine: pairwright mine"
    return text


def stats(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        seen = run_job(overview_job(project), options)
    parts = [
        holdings_text(seen),
        answers_text(seen.answers),
        table(("domain", "papers"), [(name or "(none)", number) for name, number in seen.domains.items()]),
        failures_text(seen.failures),
        hidden_text(*seen.hidden),
        outdated_text(seen.outdated),
    ]
    if seen.papers and seen.run is None:
        parts.append(_NOT_MINED)
    elif seen.papers and seen.unmined:
        parts.append(f"{count(seen.unmined, 'paper has', 'papers have')} to be mined. To mine: pairwright mine")
    parts.append(pairs_text(seen))
    if seen.papers and seen.run is not None:
        parts.append(funnel_text(seen.funnel))
    parts.append(phrases_text(seen))
    data = {
        "papers": seen.papers,
        "data_sets": seen.data_sets,
        "sentences": seen.sentences,
        "answers": seen.answers._asdict(),
        "hidden_words": seen.hidden[0],
        "outdated": seen.outdated.papers,
        "domains": seen.domains,
        "failures": [dataclasses.asdict(failure) for failure in seen.failures],
        "pairs": seen.pairs,
        "counts": counts_data(seen),
        "phrases": [dict(zip(("phrase", "label", "pairs"), row, strict=True)) for row in seen.phrases],
        "unmined": seen.unmined,
        **funnel_data(seen.funnel),
    }
    return CommandResult("\n\n".join(filter(None, parts)), data)


def holdings_text(seen: Overview) -> str:
    """Such as "8 papers, 1 imported data set, 2,140 sentences, 137 pairs"."""
    parts = [count(seen.papers, "paper")] if seen.papers or not seen.data_sets else []
    parts += [count(seen.data_sets, "imported data set")] if seen.data_sets else []
    parts += [count(seen.sentences, "sentence")] if seen.papers or not seen.data_sets else []
    return ", ".join([*parts, count(seen.pairs, "pair")])


def _unread_text(files: int) -> str:
    return f", {count(files, 'file')} that could not be read" if files else ""


def answers_text(answers: AnswerCounts) -> str:
    """The numbers of judged pairs and of answers by annotator; "" if there are none."""
    total = answers.settled + answers.unsettled + answers.waiting + answers.discarded + answers.bad
    parts = [f"{answers.settled:,} settled"]
    parts += [f"{answers.unsettled:,} whose votes have no majority or are unclear"] if answers.unsettled else []
    parts += [f"{answers.waiting:,} that wait for more votes"] if answers.waiting else []
    parts += (
        [f"{answers.discarded:,} discarded, because the gold label is not the distant label"]
        if answers.discarded
        else []
    )
    parts += [f"{answers.bad:,} marked as bad"] if answers.bad else []
    accepted = f"; {answers.accepted:,} of them only by accepting suggestions" if answers.accepted else ""
    lines = [f"{count(total, 'annotated pair')}: {', '.join(parts)}{accepted}."] if total else []
    people = [f"{one_line(name) or 'no name'} {number:,}" for name, number in answers.annotators.items()]
    lines += [f"Answers: {', '.join(people)}."] if people else []
    lines += [f"{count(answers.kinds, 'pair')} with answers about kinds of reasoning."] if answers.kinds else []
    return "\n".join(filter(None, (*lines, gone_text(answers))))


def gone_text(answers: AnswerCounts) -> str:
    """The number of judged pairs that mining no longer finds; "" if there are none."""
    if not answers.gone:
        return ""
    what = count(answers.gone, "annotated pair is no longer found", "annotated pairs are no longer found")
    return (
        f"{what}, because of other mining settings, because their papers were parsed again and their texts differ now, "
        "because of a paper with the same sentences (see: pairwright papers duplicates), or because their paper was "
        "merged into another one. The answers are kept, and count again if the pairs are found again."
    )


def failures_text(failures: Sequence[FailedFile]) -> str:
    """The first files that could not be read with the reasons, and the number of the others."""
    if not failures:
        return ""
    lines = [f"{count(len(failures), 'file')} could not be read:"]
    shown = problem_lines(file_problem(file.path, file.reason, file.hint) for file in failures[:_MAX_FAILURES_LISTED])
    lines += [f"  {line}" for line in shown]
    more = len(failures) - _MAX_FAILURES_LISTED
    return "\n".join([*lines, f"  and {more:,} more: pairwright papers list --failed"] if more > 0 else lines)


def hidden_text(words: int, papers: int) -> str:
    """How much invisible text was left out; "" if none was."""
    if not words:
        return ""
    was = count(words, "word was", "words were")
    return f"{was} left out of {count(papers, 'paper')}, because they cannot be seen on the page."


def outdated_text(outdated: OutdatedPapers) -> str:
    """How many papers an earlier version parsed, and how to parse them again; "" if there are none."""
    if not outdated.papers:
        return ""
    verb = "was" if outdated.papers == 1 else "were"
    papers = f"{count(outdated.papers, 'paper')} {verb} parsed by an earlier version of Pairwright."
    return f"{papers} To parse again (all answers are kept): pairwright papers reparse"


def pairs_text(seen: Overview) -> str:
    """Pairs by class and strategy; with several domains, also by domain and class."""
    by_strategy: Counter[tuple[str, str]] = Counter()
    by_domain: Counter[tuple[str, str]] = Counter()
    for (domain, strategy, label), number in seen.counts.items():
        by_strategy[label or _NONE, strategy] += number
        by_domain[domain or _NONE, label or _NONE] += number
    parts = [table(("label", "strategy", "pairs"), [(*names, n) for names, n in sorted(by_strategy.items())])]
    if len(domains := sorted({domain for domain, _ in by_domain})) > 1:
        labels = sorted({label for _, label in by_domain})
        rows = [(domain, *(by_domain[domain, label] for label in labels)) for domain in domains]
        parts.append(table(("domain", *labels), rows))
    return "\n\n".join(parts)


def funnel_text(funnel: Funnel) -> str:
    """Candidates, kept and dropped, by strategy, and the reasons for dropping them."""
    counts = [(name, number, funnel.kept.get(name, 0)) for name, number in funnel.candidates.items()]
    head = table(("candidates", "found", "kept", "dropped"), [(*row, row[1] - row[2]) for row in counts])
    parts = [head]
    for title, strategies in (
        ("linked pairs", {Strategy.LINKED, Strategy.IMPLICIT}),
        ("neutral draws", NEUTRAL_STRATEGIES),
    ):
        reasons: Counter[str] = Counter()
        for drop, number in funnel.dropped.items():
            if drop.strategy in strategies:
                reasons[drop.reason] += number
        rows = [(reason, number, drop_reason_meaning(reason)) for reason, number in reasons.most_common()]
        parts.append(table((f"dropped {title}", "number", "reason"), rows))
    return "\n\n".join(filter(None, parts))


def phrases_text(seen: Overview) -> str:
    return table(("phrase", "label", "pairs"), seen.phrases)


def counts_data(seen: Overview) -> list[dict[str, Any]]:
    return [dict(zip(("domain", "strategy", "label"), key, strict=True), pairs=n) for key, n in seen.counts.items()]


def funnel_data(funnel: Funnel) -> dict[str, Any]:
    dropped = [{"strategy": drop.strategy, "reason": drop.reason, "pairs": n} for drop, n in funnel.dropped.items()]
    return {"candidates": dict(funnel.candidates), "kept": dict(funnel.kept), "dropped": dropped}
