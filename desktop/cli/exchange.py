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
from desktop.cli.file_uses import FileUse, sort_paths
from desktop.cli.options.declared import read_options
from desktop.cli.options.exchange import add_export_options
from desktop.cli.options.shared import given_options
from desktop.cli.output import table
from desktop.cli.split_options import read_years, require_no_split
from desktop.jobs.descriptions.balance import balance_advice, balance_text, is_helped_by_mining, phrases_to_measure
from desktop.jobs.descriptions.exchange import new_since_text, unmined_text
from desktop.jobs.exchange import releases
from desktop.jobs.exchange.export import (
    LastExport,
    save_last_export,
    save_split_export,
)
from desktop.jobs.exchange.export import export as export_job
from desktop.jobs.exchange.imports import RejectedFile, import_data_sets
from desktop.jobs.exchange.project_split import load_split
from desktop.jobs.exchange.rebuild import rebuild as rebuild_job
from desktop.jobs.mining.class_balance import load_spare_phrases, measure_gain
from desktop.jobs.pairs.filter_text import read_filter
from desktop.jobs.results import describe
from desktop.jobs.review.released_targets import load_targets_note
from desktop.text import count, listed
from miner.errors import UserError
from miner.records import Label, PairFlag, Strategy
from storage.dataset.candidates import ClassBalance
from storage.dataset.export_options import ExportOptions, SplitOptions
from storage.exchange.card_files import CARD_FILES
from storage.exchange.pair_export import ExportReceipt
from storage.exchange.pair_import import ImportedPairs
from storage.exchange.releases import Release
from storage.project import Project

_NO_RELEASE = "There is no release yet. To make one: pairwright release NAME --out DIR"


def export(options: Options) -> CommandResult:
    export_options = _export_options(options)
    with open_project(options, for_reading=True) as project:
        export_options = _in_project_split(project, export_options, options)
        export_options = replace(export_options, scope=with_known_names(project, export_options.scope, options))
        receipt = run_job(export_job(project, options.folder, export_options, overwrite=options.overwrite), options)
        balance_lines = _balance_lines(project, receipt.balance, options) if receipt.balance else []
        with suppress(UserError):  # a read-only project; otherwise training leaves out the dev and test pairs
            run_job(save_last_export(project, LastExport(export_options, options.folder.absolute())), options)
            if export_options.in_splits and not export_options.split:
                run_job(save_split_export(project, export_options), options)
    text = describe(receipt)
    lines = [text.sentence]
    lines += _file_lines(options.folder, receipt)
    lines += text.notes
    lines += balance_lines
    lines += _unmined_lines(receipt)
    saved_receipt = json.loads((options.folder / "receipt.json").read_text(encoding="utf-8"))
    data = {**saved_receipt, "replaced": receipt.replaced, "removed": receipt.removed}
    data["balance"] = receipt.balance and _balance_data(receipt.balance)
    return CommandResult("\n".join(lines), data)


def _export_options(options: Options) -> ExportOptions:
    if unknown := set(options.without) - set(PairFlag):
        raise UserError(f"Unknown flag {', '.join(sorted(unknown))}.", hint=f"Flags are: {', '.join(PairFlag)}.")
    return read_options(
        ExportOptions,
        options,
        shares=options.split,
        years=read_years(options.years),
        split=None,
        strategies=frozenset(Strategy) if options.implicit else frozenset(Strategy) - {Strategy.IMPLICIT},
        without=frozenset(map(PairFlag, options.without)),
        scope=read_filter(options.where),
        name=" ".join(options.name.split()),
    )


def _in_project_split(project: Project, export: ExportOptions, options: Options) -> ExportOptions:
    """The options with a file for each split of the project's papers, where these are split."""
    state = run_job(load_split(project), options)
    if export.in_splits:
        require_no_split(state.split)
    if export.in_splits or state.split is None or options.one_file:
        chosen = read_options(SplitOptions, options, gold=True, dev=None, test=None)
        if chosen != SplitOptions() or options.all_gold or options.distant_test:
            raise UserError(
                "--only, --train-labels, --all-gold and --distant-test are for files by the project's split.",
                hint="Leave them out, or split the papers first: pairwright split set --shares 70/10/20"
                if state.split is None
                else "Leave them out, or leave out --one-file.",
            )
        return export
    is_gold = not options.distant_test
    limited = is_gold and not options.all_gold
    split = read_options(
        SplitOptions,
        options,
        gold=is_gold,
        dev=state.targets.dev if limited else None,
        test=state.targets.test if limited else None,
    )
    return replace(export, split=split)


def release(options: Options) -> CommandResult:
    if options.again is not None:
        if given := given_options(add_export_options, options):
            raise UserError(
                f"--again writes a release as it was: {listed(given)} would change nothing.",
                hint="Leave them out, or make a new release: pairwright release NAME --out DIR",
            )
        with open_project(options, for_reading=True) as project:
            written = run_job(releases.write_again(project, options.release, options.again), options)
        said = f"Release {written.name} was written again, into {options.again}: {count(written.rows, 'pair')}."
        return CommandResult(said, _release_data(written))
    export_options = _export_options(options)
    if not export_options.name:
        export_options = replace(export_options, name=options.release)
    with open_project(options) as project:
        export_options = _in_project_split(project, export_options, options)
        if export_options.split is not None:
            export_options = replace(export_options, card=True)
        export_options = replace(export_options, scope=with_known_names(project, export_options.scope, options))
        changed_targets = run_job(load_targets_note(project), options) if export_options.split else ""
        receipt = run_job(releases.release(project, options.release, options.folder, export_options), options)
        if export_options.in_splits and not export_options.split:
            run_job(save_split_export(project, export_options), options)
    text = describe(receipt)
    lines = [f"Release {options.release}: {text.sentence}", *_file_lines(options.folder, receipt), *text.notes]
    lines += _unmined_lines(receipt) + ([changed_targets] if changed_targets else [])
    return CommandResult("\n".join(lines), json.loads((options.folder / "receipt.json").read_text(encoding="utf-8")))


def list_releases(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        found = run_job(releases.load_releases(project), options)
        new = {one.name: run_job(releases.count_new_since(project, one.name), options) for one in found if options.new}
    rows = [(one.name, f"{one.at:%Y-%m-%d %H:%M}", f"{one.rows:,}", len(one.files)) for one in found]
    text = (
        table(("name", "released", "pairs", "files"), rows)
        if rows
        else "There is no release yet. To make one: pairwright release NAME --out DIR"
    )
    lines = [f"{name}: {new_since_text(since)}" for name, since in new.items()]
    data = [_release_data(one) | ({"new": new[one.name]._asdict()} if one.name in new else {}) for one in found]
    return CommandResult("\n".join([text, *lines]), data)


def rebuild(options: Options) -> CommandResult:
    made = run_job(rebuild_job(options.manifest, options.papers, options.out, workers=options.jobs), options)
    pairs, papers = count(made.rows, "pair"), count(made.papers, "paper")
    text = f"Rebuilt {pairs} in {options.out}, from the {papers} of the manifest. "
    text += "All data files are the same, byte for byte."
    if made.lacks_precision:
        text += (
            " The card of the rebuilt data set does not say how many distant labels are right, since the sample for "
            "that is not in the manifest."
        )
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


def _unmined_lines(receipt: ExportReceipt) -> list[str]:
    told = unmined_text(receipt.unmined, has_manifest=receipt.options.card)
    return [f"{told} To mine them: pairwright mine"] if told else []


def _balance_data(balance: ClassBalance) -> dict[str, Any]:
    return {**balance._asdict(), "absent": [one._asdict() for one in balance.absent]}


def _balance_lines(project: Project, balance: ClassBalance, options: Options) -> list[str]:
    """How many pairs balancing the classes left out, and what would have left more, in sentences."""
    spare = run_job(load_spare_phrases(project), options)
    wanted = phrases_to_measure(balance, spare, settled=options.settled)
    gain = run_job(measure_gain(project, Label(balance.rarest)), options) if wanted else None
    advice = balance_advice(balance, spare, gain, settled=options.settled)
    if balance.rarest != Label.NEUTRAL and is_helped_by_mining(balance, spare, gain, settled=options.settled):
        advice = f"{advice.removesuffix('.')}: pairwright mine --more {balance.rarest}"
    return list(filter(None, (f"Balanced classes: {balance_text(balance)}", advice)))


def import_pairs(options: Options) -> CommandResult:
    paths, misplaced = sort_paths(options.paths, set(FileUse) - {FileUse.DATA_SET})
    with open_project(options) as project:
        job = import_data_sets(project, paths, options.domain, options.label_numbers, tuple(options.predictions))
        found = [*run_job(job, options), *(RejectedFile(*one) for one in misplaced)]
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
        "elsewhere",
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
