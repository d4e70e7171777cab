"""What a job's result looks like, in words for people and as data for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from desktop.cli.output import table
from desktop.jobs.exchange.imports import Refused, notes
from desktop.jobs.overview import Answers, Overview
from desktop.jobs.pairs.statistics import MEANINGS
from desktop.jobs.papers.import_session import Added, Problem
from desktop.text import count, one_line
from miner.records import NEUTRAL_STRATEGIES, Funnel, Strategy
from storage.exchange.export import Receipt
from storage.exchange.imports import ImportedPairs
from storage.papers.files import FailedFile

_SHOWN = 20  # files that were not read
_NONE = "(none)"


def problem_text(problem: Problem) -> str:
    return failed_text(str(problem.path), problem.reason, problem.hint)


def failed_text(path: str, reason: str, hint: str) -> str:
    """The reason names the line, if it is of one, and sometimes the path."""
    what = reason if reason.startswith(path) else f"{path}: {reason}"
    return one_line(f"{what} {hint}").rstrip()


def added_text(added: Added) -> str:
    parts = [f"{count(added.new, 'new paper')}"]
    parts += [f"{added.known:,} already there"] if added.known else []
    parts += [f"{added.replaced:,} replaced by a better parse"] if added.replaced else []
    reasons = Counter(problem.code for problem in added.failed)
    why = ", ".join(f"{code} {number:,}" for code, number in reasons.most_common())
    parts += [f"{len(added.failed) + added.unlisted:,} could not be read ({why})"] if added.failed else []
    text = f"{added.given:,} given: {', '.join(parts)}."
    passed = [count(added.ignored - added.links, "other file")] if added.ignored > added.links else []
    passed += [count(added.links, "link that leads", "links that lead") + " out of its folder"] if added.links else []
    text += f" Passed over {' and '.join(passed)}." if passed else ""
    return text + (f" Left out {count(added.hidden_words, 'word')} that nobody sees." if added.hidden_words else "")


def hidden_text(words: int, papers: int) -> str:
    """What was left out because nobody sees it; "" for nothing."""
    if not words:
        return ""
    verb = "was" if words == 1 else "were"
    return f"{count(words, 'word')} of {count(papers, 'paper')} {verb} left out: nobody sees them on the pages."


def holdings_text(seen: Overview) -> str:
    """ "8 papers, 1 imported data set, 2,140 sentences, 137 pairs"."""
    parts = [count(seen.papers, "paper")] if seen.papers or not seen.data_sets else []
    parts += [count(seen.data_sets, "imported data set")] if seen.data_sets else []
    parts += [count(seen.sentences, "sentence")] if seen.papers or not seen.data_sets else []
    return ", ".join([*parts, count(seen.pairs, "pair")])


def answers_text(answers: Answers) -> str:
    """What people judged, and who; "" where nobody has."""
    total = answers.settled + answers.unsettled + answers.bad
    parts = [f"{answers.settled:,} settled"]
    parts += [f"{answers.unsettled:,} without a majority"] if answers.unsettled else []
    parts += [f"{answers.bad:,} marked bad"] if answers.bad else []
    accepted = f"; {answers.accepted:,} of them by accepting suggestions alone" if answers.accepted else ""
    lines = [f"{count(total, 'pair')} judged: {', '.join(parts)}{accepted}."] if total else []
    people = [f"{one_line(name) or 'no name'} {number:,}" for name, number in answers.annotators.items()]
    lines += [f"Answers by {', '.join(people)}."] if people else []
    return "\n".join(filter(None, (*lines, gone_text(answers))))


def gone_text(answers: Answers) -> str:
    """That judged pairs count for nothing by these mining settings; "" where there are none."""
    if not answers.gone:
        return ""
    what = count(answers.gone, "judged pair is no longer mined", "judged pairs are no longer mined")
    return f"{what}: the answers are kept, and count again when the settings are such that they are found."


def failures_text(failures: Sequence[FailedFile]) -> str:
    """Files that could not be read, with their reasons; the first of them, and how many more."""
    if not failures:
        return ""
    lines = [f"{count(len(failures), 'file')} not read:"]
    lines += [f"  {failed_text(file.path, file.reason, file.hint)}" for file in failures[:_SHOWN]]
    more = len(failures) - _SHOWN
    return "\n".join([*lines, f"  and {more:,} more: pairwright papers list --failed"] if more > 0 else lines)


def empty_text(receipt: Receipt) -> str:
    """Why an export has no rows."""
    if receipt.left_out:
        return "No pair is left to export; the data set is empty."
    return "There are no pairs to export; the data set is empty. To make some: pairwright mine"


def import_text(file: ImportedPairs | Refused) -> str:
    if isinstance(file, Refused):
        return f"{file.path}: nothing read."
    aside = [f"{file.answered:,} with {count(file.answers, 'answer')} of annotators"] if file.answered else []
    aside += [f"{file.unlabelled:,} without a label"] if file.unlabelled else []
    parts = [count(file.new, "new pair") + (f" ({', '.join(aside)})" if aside else "")]
    parts += [f"{file.known:,} already there"] if file.known else []
    parts += [f"{file.duplicates:,} with the same two sentences as another pair"] if file.duplicates else []
    parts += [count(file.bad, "bad row")] if file.bad else []
    return f"{file.path}: {', '.join(parts)}."


def import_asides(file: ImportedPairs | Refused) -> list[str]:
    """What is wrong with the file, or what there is to say of its rows."""
    if isinstance(file, Refused):
        return [f"{file.reason} {file.hint}".rstrip()]
    return [f"{file.path}, {note}" for note in notes(file)]


def import_data(file: ImportedPairs | Refused) -> dict[str, Any]:
    if isinstance(file, Refused):
        return {"path": str(file.path), "error": file.reason, "hint": file.hint}
    numbers = (
        "new",
        "known",
        "duplicates",
        "conflicts",
        "other_split",
        "moved",
        "bad",
        "unlabelled",
        "answered",
        "answers",
    )
    return {
        "path": str(file.path),
        **{name: getattr(file, name) for name in numbers},
        "bad_rows": [row._asdict() for row in file.bad_rows],
        "bad_reasons": dict(file.reasons.most_common()),
        "conflict_rows": [row._asdict() for row in file.conflict_rows],
        "remarks": [remark._asdict() for remark in file.remarks.values()],
    }


def pairs_text(seen: Overview) -> str:
    """Pairs by class and strategy; where there are several domains, by domain and class too."""
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
    """In = kept + dropped, by strategy, and the reasons. Neutral pairs are drawn until there are enough."""
    counts = [(name, number, funnel.kept.get(name, 0)) for name, number in funnel.candidates.items()]
    head = table(("candidates", "in", "kept", "dropped"), [(*row, row[1] - row[2]) for row in counts])
    parts = [head]
    for title, strategies in (("linked", {Strategy.LINKED, Strategy.IMPLICIT}), ("neutral draws", NEUTRAL_STRATEGIES)):
        reasons: Counter[str] = Counter()
        for drop, number in funnel.dropped.items():
            if drop.strategy in strategies:
                reasons[drop.reason] += number
        rows = [(reason, number, MEANINGS.get(reason, "")) for reason, number in reasons.most_common()]
        parts.append(table((f"dropped {title}", "pairs", "because"), rows))
    return "\n\n".join(filter(None, parts))


def phrases_text(seen: Overview) -> str:
    return table(("phrase", "label", "pairs"), seen.phrases)


def counts_data(seen: Overview) -> list[dict[str, Any]]:
    return [dict(zip(("domain", "strategy", "label"), key, strict=True), pairs=n) for key, n in seen.counts.items()]


def funnel_data(funnel: Funnel) -> dict[str, Any]:
    dropped = [{"strategy": drop.strategy, "reason": drop.reason, "pairs": n} for drop, n in funnel.dropped.items()]
    return {"candidates": dict(funnel.candidates), "kept": dict(funnel.kept), "dropped": dropped}
