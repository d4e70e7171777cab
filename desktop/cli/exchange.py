"""Commands that export and import data sets."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.cli.execution import (
    CommandResult,
    Options,
    full_text,
    open_project,
    problem_lines,
    run_job,
    with_known_names,
)
from desktop.cli.output import table
from desktop.cli.splits import split_state_result
from desktop.cli.year_lines import read_lines
from desktop.jobs.descriptions.balance import balance_advice, balance_text, is_helped_by_mining, phrases_to_measure
from desktop.jobs.descriptions.exchange import left_out_text, new_since_text, split_text, unmined_text
from desktop.jobs.exchange import releases
from desktop.jobs.exchange.export import (
    LastExport,
    load_split_export,
    save_last_export,
    save_split_export,
)
from desktop.jobs.exchange.export import export as export_job
from desktop.jobs.exchange.imports import RejectedFile, import_data_sets
from desktop.jobs.exchange.project_split import load_split
from desktop.jobs.exchange.rebuild import rebuild as rebuild_job
from desktop.jobs.exchange.split_text import gap_note, leaks_text, papers_left_out_text, share_note, split_way_text
from desktop.jobs.exchange.splits import check_files
from desktop.jobs.exchange.splits import split as split_job
from desktop.jobs.mining.class_balance import load_spare_phrases, measure_gain
from desktop.jobs.pairs.filter_text import read_filter
from desktop.jobs.results import describe
from desktop.text import count, shortened
from miner.errors import UserError
from miner.records import Label, PairFlag, Strategy
from miner.splits import PaperSplit
from miner.year_ranges import read_year_ranges
from storage.dataset.candidates import ClassBalance
from storage.dataset.leaks import LeakReport
from storage.dataset.options import ExportOptions, FileFormat, Preset, SplitOptions, TrainLabels
from storage.exchange.card_files import CARD_FILES
from storage.exchange.pair_export import ExportReceipt
from storage.exchange.pair_import import ImportedPairs
from storage.exchange.releases import Release
from storage.project import Project

_MAX_EXAMPLE_LENGTH = 100


def export(options: Options) -> CommandResult:
    export_options = _export_options(options)
    with open_project(options, for_reading=True) as project:
        export_options = _in_project_split(project, export_options, options)
        export_options = replace(export_options, scope=with_known_names(project, export_options.scope, options))
        receipt = run_job(export_job(project, options.folder, export_options, overwrite=options.overwrite), options)
        balance_lines = _balance_lines(project, receipt.balance, options) if receipt.balance else []
        with suppress(UserError):  # a read-only project; otherwise training leaves out the dev and test pairs
            run_job(save_last_export(project, LastExport(export_options, options.folder.absolute())), options)
            if export_options.in_splits and not export_options.split and receipt.rows:
                run_job(save_split_export(project, export_options), options)
    text = describe(receipt)
    hint = [] if receipt.rows or receipt.left_out else ["To make some: pairwright mine"]
    lines = [" ".join([text.sentence, *hint])]
    lines += _file_lines(options.folder, receipt)
    lines += text.notes
    lines += balance_lines
    lines += _unmined_lines(receipt)
    saved_receipt = json.loads((options.folder / "receipt.json").read_text(encoding="utf-8"))
    data = {**saved_receipt, "replaced": receipt.replaced, "removed": receipt.removed}
    data["balance"] = receipt.balance and _balance_data(receipt.balance)
    return CommandResult("\n".join(lines), data, ok=receipt.rows > 0)


def _export_options(options: Options) -> ExportOptions:
    if unknown := set(options.without) - set(PairFlag):
        raise UserError(f"Unknown flag {', '.join(sorted(unknown))}.", hint=f"Flags are: {', '.join(PairFlag)}.")
    return ExportOptions(
        preset=Preset(options.preset),
        **_read_splits(options),
        balance=options.balance,
        seed=options.seed,
        strategies=frozenset(Strategy) if options.implicit else frozenset(Strategy) - {Strategy.IMPLICIT},
        without=frozenset(map(PairFlag, options.without)),
        settled=options.settled,
        scope=read_filter(options.where),
        format=FileFormat(options.format),
        safe_cells=options.safe_cells,
        redistributable_only=options.redistributable,
        card=options.card,
        name=" ".join(options.name.split()),
    )


def _in_project_split(project: Project, export: ExportOptions, options: Options) -> ExportOptions:
    """The options with a file for each split of the project's papers, where these are split."""
    state = run_job(load_split(project), options)
    if export.in_splits:
        _require_no_split(state.split)
        return export
    if state.split is None or options.one_file:
        return export
    is_gold = not options.distant_test
    limited = is_gold and not options.all_gold
    split = SplitOptions(
        options.only,
        TrainLabels(options.train_labels),
        is_gold,
        state.targets.dev if limited else None,
        state.targets.test if limited else None,
    )
    return replace(export, split=split)


def _require_no_split(split: PaperSplit | None) -> None:
    """Raise `UserError` if an export asks for another split than the project's."""
    if split is not None:
        raise UserError(
            "The project's papers are split already, and every export obeys that.",
            hint="See it: pairwright split. Change it: pairwright split set. Without splits: --one-file",
        )


def release(options: Options) -> CommandResult:
    if options.again is not None:
        with open_project(options, for_reading=True) as project:
            written = run_job(releases.write_again(project, options.name, options.again), options)
        said = f"{written.name} is in {options.again} again: {count(written.rows, 'pair')}."
        return CommandResult(said, _release_data(written))
    export_options = _export_options(options)
    if not export_options.name:
        export_options = replace(export_options, name=options.name)
    with open_project(options) as project:
        export_options = _in_project_split(project, export_options, options)
        if export_options.split is not None:
            export_options = replace(export_options, card=True)
        export_options = replace(export_options, scope=with_known_names(project, export_options.scope, options))
        receipt = run_job(releases.release(project, options.name, options.folder, export_options), options)
        if export_options.in_splits and not export_options.split:
            run_job(save_split_export(project, export_options), options)
    text = describe(receipt)
    lines = [f"Released {options.name}: {text.sentence}", *_file_lines(options.folder, receipt), *text.notes]
    lines += _unmined_lines(receipt)
    return CommandResult("\n".join(lines), json.loads((options.folder / "receipt.json").read_text(encoding="utf-8")))


def list_releases(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        found = run_job(releases.load_releases(project), options)
        new = {one.name: run_job(releases.count_new_since(project, one.name), options) for one in found if options.new}
    rows = [(one.name, f"{one.at:%Y-%m-%d %H:%M}", f"{one.rows:,}", len(one.files)) for one in found]
    text = table(("name", "released", "pairs", "files"), rows) if rows else "Nothing was released yet."
    lines = [f"{name}: {new_since_text(since)}" for name, since in new.items()]
    data = [_release_data(one) | ({"new": new[one.name]._asdict()} if one.name in new else {}) for one in found]
    return CommandResult("\n".join([text, *lines]), data)


def rebuild(options: Options) -> CommandResult:
    made = run_job(rebuild_job(options.manifest, options.papers, options.out, workers=options.jobs), options)
    text = f"Rebuilt {count(made.rows, 'pair')} of {count(made.papers, 'paper')} in {options.out}: the same bytes."
    return CommandResult(text, {"files": [str(path) for path in made.files], "rows": made.rows, "papers": made.papers})


def _release_data(release: Release) -> dict[str, Any]:
    files = [file._asdict() for file in release.files]
    return {"name": release.name, "at": release.at.isoformat(), "rows": release.rows, "files": files}


def _file_lines(folder: Path, receipt: ExportReceipt) -> list[str]:
    lines = []
    for file in receipt.files:
        rows = "" if file.name in CARD_FILES else f"{count(file.rows, 'row')}  "
        lines.append(f"  {folder / file.name}  {rows}SHA-256 {file.sha256}")
    return lines


def _read_splits(options: Options) -> dict[str, Any]:
    """The fields of `ExportOptions` that are about the splits of a single export."""
    lines = read_lines(options.years)
    return {
        "shares": options.split,
        "years": read_year_ranges(lines) if lines else (),
        "as_imported": options.as_imported,
        "keep_released": options.keep_released,
        "drop_near_duplicates": options.drop_near_duplicates,
    }


def split(options: Options) -> CommandResult:
    chosen = ExportOptions(seed=options.seed, **_read_splits(options))
    with open_project(options, for_reading=True) as project:
        state = run_job(load_split(project), options)
        if chosen.in_splits:
            _require_no_split(state.split)
        elif state.split is not None:
            shown = split_state_result(state)
            if not options.check:
                return shown
            everything = ExportOptions(split=SplitOptions(gold=False))
            leaks = run_job(split_job(project, everything, check=True), options).leaks
            text = "\n".join([shown.text, *leak_lines(leaks)])
            data = {**shown.data, "leaks": leaks and leaks.to_data()}
            return CommandResult(text, data, ok=leaks is None or leaks.is_clean)
        else:
            last = run_job(load_split_export(project), options)
            if last is None:
                return split_state_result(state)
            chosen = last
        report = run_job(split_job(project, chosen, check=options.check), options)
    rows = [(size.split, size.domain, size.papers, size.pairs) for size in report.sizes]
    lines = [f"Split {split_way_text(chosen)}.", table(("split", "domain", "papers", "pairs"), rows)]
    lines += [
        left_out_text(report.left_out),
        split_text(report.split_by),
        papers_left_out_text(report.papers_left_out, chosen.years, "--json names all"),
    ]
    lines += [gap_note(chosen), share_note(chosen.shares), *leak_lines(report.leaks)]
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


def leaks(options: Options) -> CommandResult:
    report = run_job(check_files(options.paths), options)
    rows = list(report.pairs.items())
    lines = [table(("split", "pairs"), rows), *leak_lines(report)]
    return CommandResult("\n".join(lines), report.to_data(), ok=bool(rows) and report.is_clean)


def _unmined_lines(receipt: ExportReceipt) -> list[str]:
    return [f"{unmined_text(receipt)} To mine them: pairwright mine"] if receipt.unmined else []


def leak_lines(report: LeakReport | None) -> list[str]:
    """What leaks, and the first leaks of each kind."""
    if report is None:
        return []
    lines = [leaks_text(report)]
    for kind, found in report.examples.items():
        what = {"papers": "paper", "sentences": "sentence"}.get(kind, "nearly the same")
        lines += [
            f"  {what} in {', '.join(leak.splits)}: {shortened(leak.what, _MAX_EXAMPLE_LENGTH)}" for leak in found
        ]
    return lines


def _balance_data(balance: ClassBalance) -> dict[str, Any]:
    return {**balance._asdict(), "absent": [one._asdict() for one in balance.absent]}


def _balance_lines(project: Project, balance: ClassBalance, options: Options) -> list[str]:
    """What balancing the classes cost, and what would have left more."""
    spare = run_job(load_spare_phrases(project), options)
    wanted = phrases_to_measure(balance, spare, settled=options.settled)
    gain = run_job(measure_gain(project, Label(balance.rarest)), options) if wanted else None
    advice = balance_advice(balance, spare, gain, settled=options.settled)
    if balance.rarest != Label.NEUTRAL and is_helped_by_mining(balance, spare, gain, settled=options.settled):
        advice = f"{advice.removesuffix('.')}: pairwright mine --more {balance.rarest}"
    return list(filter(None, (f"As many of each class: {balance_text(balance)}", advice)))


def import_pairs(options: Options) -> CommandResult:
    with open_project(options) as project:
        job = import_data_sets(
            project, options.paths, options.domain, options.label_numbers, tuple(options.predictions)
        )
        found = run_job(job, options)
    read = [file for file in found if isinstance(file, ImportedPairs)]
    ok = len(read) == len(found) and any(file.rows > file.bad for file in read)
    texts = [describe(file) for file in found]
    notes = problem_lines(problem for text in texts for problem in text.problems)
    return CommandResult("\n".join(map(full_text, texts)), list(map(import_data, found)), ok, notes)


def import_data(file: ImportedPairs | RejectedFile) -> dict[str, Any]:
    if isinstance(file, RejectedFile):
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
        "predictions": file.predictions,
    }
