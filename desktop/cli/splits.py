"""Commands that show, set and suggest the split of the project's papers, and look for leaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from desktop.cli.execution import CommandResult, Options, open_project, run_job, with_known_names
from desktop.cli.output import table
from desktop.cli.split_options import read_years, require_no_split
from desktop.jobs.exchange import project_split
from desktop.jobs.exchange.export import load_split_export
from desktop.jobs.exchange.project_split import (
    SplitChange,
    SplitState,
    gold_text,
    load_split,
)
from desktop.jobs.exchange.receipt_text import left_out_text, split_text
from desktop.jobs.exchange.split_text import (
    gap_note,
    leaks_text,
    outcome_note,
    papers_left_out_text,
    share_note,
    shared_text,
    split_way_text,
    too_few_papers_text,
)
from desktop.jobs.exchange.splits import check_files
from desktop.jobs.exchange.splits import split as split_job
from desktop.jobs.pairs.filter_text import read_filter
from desktop.jobs.papers.split_moves import consent_text, moves_text
from desktop.jobs.review.older_rules import older_rules_text
from desktop.jobs.review.shortages import gold_left_out_text
from desktop.text import count, listed, shortened
from miner.errors import UserError
from miner.records import Label
from miner.split_suggestion import DomainSuggestion
from miner.splits import SPLITS, PaperSplit
from miner.year_ranges import OTHER_DOMAINS, YearRange, check_year_ranges, year_ranges_text
from storage.dataset.export_options import ExportOptions, SplitOptions
from storage.dataset.leaks import LeakReport
from storage.exchange.split_report import SharedSentences
from storage.project import Project

_LISTED = 5  # papers
_MAX_EXAMPLE_LENGTH = 100


def show_split(options: Options) -> CommandResult:
    chosen = ExportOptions(
        shares=options.split,
        years=read_years(options.years),
        as_imported=options.as_imported,
        keep_released=options.keep_released,
        drop_near_duplicates=options.drop_near_duplicates,
        seed=options.seed,
    )
    with open_project(options, for_reading=True) as project:
        state = run_job(load_split(project), options)
        if chosen.in_splits:
            require_no_split(state.split)
        elif state.split is not None:
            shown = _state_result(state)
            if not options.check:
                return shown
            everything = ExportOptions(split=SplitOptions(gold=False))
            report = run_job(split_job(project, everything, check=True), options)
            lines = [shown.text, *_shared_lines(report.shared), *_leak_lines(report.leaks)]
            data = {**shown.data, "shared": report.shared and report.shared.to_data()}
            data["leaks"] = report.leaks and report.leaks.to_data()
            return CommandResult("\n".join(lines), data, ok=report.leaks is None or report.leaks.is_clean)
        else:
            last = run_job(load_split_export(project), options)
            if last is None:
                return _state_result(state)
            chosen = last
        report = run_job(split_job(project, chosen, check=options.check), options)
    rows = [(size.split, size.domain, size.papers, size.pairs) for size in report.sizes]
    lines = [f"Split {split_way_text(chosen)}.", table(("split", "domain", "papers", "pairs"), rows)]
    lines += [
        left_out_text(report.left_out),
        split_text(report.split_by),
        papers_left_out_text(report.papers_left_out, chosen.years, "--json names all"),
    ]
    pairs = Counter[str]()
    for size in report.sizes:
        pairs[size.split] += size.pairs
    lines += [gap_note(chosen), share_note(chosen.shares), outcome_note(chosen.shares, pairs)]
    lines += _leak_lines(report.leaks)
    data = {
        "options": chosen.to_data(),
        "splits": [size._asdict() for size in report.sizes],
        "left_out": report.left_out,
        "split_by": report.split_by,
        "papers_left_out": [paper._asdict() for paper in report.papers_left_out],
        "leaks": report.leaks and report.leaks.to_data(),
    }
    ok = bool(report.sizes) and (report.leaks is None or report.leaks.is_clean)
    return CommandResult("\n".join(filter(None, lines)), data, ok)


def set_split(options: Options) -> CommandResult:
    with open_project(options) as project:
        split = _read_split(project, options)
        change = run_job(project_split.set_split(project, split, confirmed=options.yes), options)
    notes = dict.fromkeys(share_note(_read_shares(text).shares) for text in options.shares)
    return _change_result(change, notes)


def clear_split(options: Options) -> CommandResult:
    with open_project(options) as project:
        change = run_job(project_split.set_split(project, None, confirmed=options.yes), options)
    return _change_result(change)


def suggest(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        job = project_split.suggest(project, options.dev, options.test, seed=options.seed)
        found = run_job(job, options)
    rows = [
        (one.domain or "no domain", *(one.papers[split] for split in SPLITS), one.train_pairs, one.line.split(": ")[-1])
        for one in found
    ]
    lines = [table(("domain", *SPLITS, "train pairs", "shares"), rows)]
    for one in found:
        short = _shortage_text(one) if one.shortages else ""
        lines += filter(None, [too_few_papers_text(one) or short])
    if any(one.shortages for one in found):
        lines.append(
            "To reach them: add papers, use more linking phrases (pairwright mine --more CLASS), or lower the targets."
        )
    shares = " ".join(f'--shares "{one.line}"' if one.domain else f"--shares {one.line}" for one in found)
    seed = "" if options.seed == 1 else f" --seed {options.seed}"
    lines.append(f"To split the papers in this way: pairwright split set {shares}{seed}")
    return CommandResult("\n".join(lines), [_suggestion_data(one) for one in found])


def leaks(options: Options) -> CommandResult:
    report = run_job(check_files(options.paths), options)
    rows = list(report.pairs.items())
    if not rows:
        raise UserError("There are no pairs in these files.", hint="Name files of a data set, or their folder.")
    lines = [table(("split", "pairs"), rows), *_leak_lines(report)]
    return CommandResult("\n".join(lines), report.to_data(), ok=bool(rows) and report.is_clean)


def _state_result(state: SplitState) -> CommandResult:
    """The split in words and tables: papers and pairs by split and domain, and gold labels beside their targets."""
    known = {split for split, _ in state.papers} | {one.split for one in state.pairs}
    names = [split for split in (*SPLITS, "") if split in known]
    domains = sorted({domain for _, domain in state.papers} | {one.domain for one in state.pairs})
    rows = []
    for split in names:
        for domain in domains:
            of = [one for one in state.pairs if (one.split, one.domain) == (split, domain)]
            papers, target = state.papers.get((split, domain), 0), state.targets.of(split) if split else 0
            if not papers and not of:
                continue
            by_class = {one.label: one for one in of}
            cells = [_cell(by_class.get(label), target if split in ("dev", "test") else None) for label in Label]
            rows.append((split or "none", domain or "no domain", papers, sum(one.pairs for one in of), *cells))
    lines = [way_text(state.split)]
    lines.append(table(("split", "domain", "papers", "pairs", *(f"{label}" for label in Label)), rows))
    if any(one.split in ("dev", "test") for one in state.pairs):
        lines.append(
            "In dev and test, 3/50 (12) means: 3 gold labels of this class, a target of 50, and 12 pairs with this "
            "distant label, whose gold label may be another one."
        )
    if left_out := gold_left_out_text(sum(one.left_out for one in state.pairs)):
        lines.append(f"{left_out}.")
    if state.split is None:
        hint = "To see how many papers dev and test need: pairwright split suggest"
        corrects = "" if state.older is not None else " One answer corrects a distant label."
        lines.append(f"Without a split, no paper is set apart for dev and test.{corrects} {hint}")
    if state.older is not None:
        hint = " To split them in this way: pairwright split set --from-gold" if state.older.papers else ""
        lines.append(f"{older_rules_text(state.older)}{hint}")
    lines += _without_split_lines(state)
    return CommandResult("\n".join(filter(None, lines)), _state_data(state))


def way_text(split: PaperSplit | None) -> str:
    """How the papers are split, in a sentence."""
    if split is None:
        return "The papers are not split."
    ways = "; ".join(year_ranges_text(split.ranges).splitlines()) if split.ranges else ""
    parts = [ways.removeprefix(f"{OTHER_DOMAINS}: ")] if ways else []
    if split.named:
        parts.append(f"{count(len(split.named), 'paper')} by name")
    parts += ["whole journals"] if split.whole_journals else []
    if split.rest:
        parts.append(f"all others {split.rest}")
    return f"Split: {', '.join(parts) or 'as imported'}; seed {split.seed}."


def _read_split(project: Project, options: Options) -> PaperSplit:
    filters = {
        split: with_known_names(project, read_filter(texts), options) if texts else None
        for split, texts in (("dev", options.dev_where), ("test", options.test_where))
    }
    ways = [bool(options.shares or options.years), options.as_imported, any(filters.values()), options.from_gold]
    if sum(ways) != 1:
        raise UserError(
            "Say in which one way the papers are to be split.",
            hint="--shares 70/10/20, --years TEXT, --as-imported, --dev-where and --test-where, or --from-gold",
        )
    if any(filters.values()):
        job = project_split.split_from_filters(project, filters["dev"], filters["test"], seed=options.seed)
        found = run_job(job, options)
    elif options.from_gold:
        found = run_job(project_split.split_from_gold(project, seed=options.seed), options)
    else:
        ranges = [_read_shares(text) for text in options.shares]
        ranges += read_years(options.years)
        if ranges:
            check_year_ranges(ranges)
        found = PaperSplit(tuple(ranges), options.seed)
    whole = options.whole_journals
    return PaperSplit(found.ranges, found.seed, found.named, options.rest or found.rest, options.keep_released, whole)


def _read_shares(text: str) -> YearRange:
    """The shares of a domain, such as "nlp: 60/15/25", or of all others."""
    domain, _, numbers = text.rpartition(":")
    try:
        shares = tuple(zip(SPLITS, (float(part) for part in numbers.split("/")), strict=True))
        return YearRange(domain.strip() or OTHER_DOMAINS, shares)
    except ValueError:
        raise UserError(
            f"“{text}” is not a list of shares.", hint="For example: 70/10/20, or “nlp: 70/10/20”."
        ) from None


def _change_result(change: SplitChange, notes: Iterable[str] = ()) -> CommandResult:
    if not change.is_done:
        lines = [f"{consent_text(change.moved)} Nothing was changed.", moves_text(change.moved, "This would move")]
        lines.append("No answer would be lost. To change the split anyway, add --yes.")
        data = {"done": False, "moved": [one._asdict() for one in change.moved]}
        return CommandResult("\n".join(filter(None, lines)), data, ok=False)
    shown = _state_result(change.state)
    lines = [shown.text, *notes, moves_text(change.moved), gold_text(*change.gold)]
    data = {**shown.data, "done": True, "moved": [one._asdict() for one in change.moved], "gold": list(change.gold)}
    return CommandResult("\n".join(filter(None, lines)), data)


def _cell(found: Any, target: int | None) -> str:
    pairs, gold = (0, 0) if found is None else (found.pairs, found.gold)
    return f"{pairs:,}" if target is None else f"{gold:,}/{target:,} ({pairs:,})"


def _without_split_lines(state: SplitState) -> list[str]:
    papers = state.without_split
    if not papers:
        return []
    undated = sum(one.year is None for one in papers)
    named = [f"“{one.title}” ({one.year or 'no year'})" for one in papers[:_LISTED]]
    more = [f"{len(papers) - _LISTED:,} more"] if len(papers) > _LISTED else []
    years = f", {undated:,} of them without a year" if undated and state.split and state.split.has_years() else ""
    hint = "To put them into train: the same with --rest train"
    return [f"In no split: {count(len(papers), 'paper')}{years}: {listed([*named, *more])}. {hint}"]


def _shortage_text(one: DomainSuggestion) -> str:
    parts = [
        f"{short.label} in {short.split} has {short.available:,} of {short.wanted:,} pairs needed, for about "
        f"{count(short.gold, 'gold label')}"
        for short in one.shortages
    ]
    return f"{one.domain or 'no domain'}: {'; '.join(parts)}."


def _suggestion_data(one: DomainSuggestion) -> dict[str, Any]:
    return {
        "domain": one.domain,
        "papers": one.papers,
        "shares": dict(one.shares),
        "train_pairs": one.train_pairs,
        "shortages": [short._asdict() for short in one.shortages],
    }


def _state_data(state: SplitState) -> dict[str, Any]:
    papers = [{"split": split, "domain": domain, "papers": n} for (split, domain), n in sorted(state.papers.items())]
    split = state.split
    return {
        "split": None if split is None else {"way": way_text(split), "seed": split.seed},
        "older_rules": state.older and state.older._asdict(),
        "papers": papers,
        "pairs": [one._asdict() for one in state.pairs],
        "without_split": [one._asdict() for one in state.without_split],
        "targets": {"dev": state.targets.dev, "test": state.targets.test},
    }


def _leak_lines(report: LeakReport | None) -> list[str]:
    """How many leaks there are, and the first ones of each kind."""
    if report is None:
        return []
    return [leaks_text(report), *_example_lines(report)]


def _shared_lines(shared: SharedSentences | None) -> list[str]:
    """What the project's splits share, with the first examples of each kind."""
    text = shared_text(shared)
    return [text, *_example_lines(shared.leaks), "Without these pairs:"] if shared and text else []


def _example_lines(report: LeakReport) -> list[str]:
    lines = []
    for kind, found in report.examples.items():
        what = {"papers": "paper", "sentences": "sentence"}.get(kind, "nearly the same")
        lines += [
            f"  {what} in {', '.join(leak.splits)}: {shortened(leak.what, _MAX_EXAMPLE_LENGTH)}" for leak in found
        ]
    return lines
