"""Exports pairs: one file, or one for each split, and a receipt."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from miner.progress import Progress
from storage.connections import driver_connection
from storage.dataset.candidates import ClassBalance, count_candidates, count_split_methods, select_candidates
from storage.dataset.export_options import UNCOUNTED, ExportOptions
from storage.dataset.leaks import LeakReport, find_leaks
from storage.exchange.annotations_file import options_to_publish
from storage.exchange.card_facts import NO_MEASURES, CardMeasures
from storage.exchange.card_files import SUMS, annotations_content, describe
from storage.exchange.data_files import DataFile, data_file
from storage.exchange.earlier_export import RECEIPT, publish_export
from storage.exchange.export_files import NewFile, WrittenFile, locked_export_folder
from storage.exchange.export_rows import LABEL, REASON, SPLIT, STRATEGY, check_kinds, read_batches, read_first_rows
from storage.exchange.manifest import ANNOTATIONS
from storage.exchange.split_report import PaperLeftOut, list_papers_left_out
from storage.project import Project
from storage.stores import Stores
from storage.verification import verifying

ONE_FILE = "pairs"
_SPLIT, _COUNTED_BY = itemgetter(SPLIT), itemgetter(SPLIT, LABEL, STRATEGY)


@dataclass(frozen=True, slots=True)
class ExportPreview:
    """What an export would write: the first lines of each file, and the counts of its receipt.

    balance: what it costs to balance the classes, whether or not they are; None if no pair has a label.
    papers_left_out: those of other years, or none.
    """

    lines: dict[str, tuple[str, ...]]
    rows: int
    counts: dict[tuple[str, str, str], int]
    left_out: dict[str, int]
    split_by: dict[str, int]
    unmined: int
    balance: ClassBalance | None = None
    papers_left_out: tuple[PaperLeftOut, ...] = ()

    @property
    def pairs(self) -> int:
        return self.rows + sum(self.left_out.values())


@dataclass(frozen=True, slots=True)
class ExportReceipt:
    """What an export wrote.

    rows, left_out: together all pairs of the project; the latter by reason.
    counts: rows by (split, label, strategy), "" for none.
    split_by: rows by the method that gave them their split (`storage.dataset.splits.count_methods`); {} for one file.
    unmined: papers that are not mined yet, so that pairs may be missing.
    papers_left_out: those of other years, or none. leaks: between the splits; None for one file.
    replaced, removed: files of an earlier export in the folder. balance: what balancing the classes cost; None if they
    were not balanced. The receipt on disk does not have these three.
    """

    files: tuple[WrittenFile, ...]
    rows: int
    counts: dict[tuple[str, str, str], int]
    left_out: dict[str, int]
    split_by: dict[str, int]
    unmined: int
    mining_run: str | None
    options: ExportOptions
    papers_left_out: tuple[PaperLeftOut, ...] = ()
    leaks: LeakReport | None = None
    replaced: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    balance: ClassBalance | None = None


def export_pairs(
    project: Project,
    folder: Path,
    options: ExportOptions,
    progress: Progress,
    *,
    overwrite: bool = False,
    measures: CardMeasures = NO_MEASURES,
    check: Callable[[ExportReceipt], None] = lambda receipt: None,
) -> ExportReceipt:
    """Write the project's pairs into `folder` as one file, or one for each split, and `receipt.json`.

    A pair's label is the one that people agree on, else the distant one. Pairs are left out if people answered without
    agreeing, and if a sentence of theirs is in another split already.

    Rows are ordered by the MD5 of their paper, then in reading order; the bytes depend only on the project's content
    and the options. Files of an earlier export in the folder are replaced or removed. Raises `FilesChanged` if somebody
    changed them, unless `overwrite`; `UserError` if the folder cannot be written, or has a foreign file of that name.

    measures: what the data card says besides. check: may raise to refuse the export, before any file has its name.
    """

    def check_all(receipt: ExportReceipt) -> None:
        check(receipt)
        require_verified()

    with (
        verifying(project, progress) as require_verified,
        locked_export_folder(folder),
        project.read_transaction() as stores,
    ):
        return write_export(
            stores,
            folder,
            options,
            progress,
            overwrite=overwrite,
            measures=measures,
            check=check_all,
        )


def write_export(
    stores: Stores,
    folder: Path,
    options: ExportOptions,
    progress: Progress,
    *,
    overwrite: bool = False,
    measures: CardMeasures = NO_MEASURES,
    check: Callable[[ExportReceipt], None] = lambda receipt: None,
) -> ExportReceipt:
    """As `export_pairs`, within a transaction, into a folder that the caller has locked.

    check: may raise to refuse the export, before any file has its name.
    """
    with ExitStack() as stack:
        with stores.cancellable(progress):
            select_candidates(stores._connection, options, progress)
            check_kinds(stores._connection, options)
        files: dict[str, DataFile] = {}

        def add_file(split: str) -> None:
            files[split] = data_file(folder, split, options)
            stack.enter_context(files[split].file)

        def write_file(name: str, content: Iterable[bytes]) -> WrittenFile:
            others.append(stack.enter_context(NewFile(folder, name)))
            for part in content:
                others[-1].write(part, 0)
            return others[-1].finish()

        others: list[NewFile] = []
        for split in options.split_names if options.in_splits else [ONE_FILE]:
            add_file(split)
        written_rows: Counter[tuple[str, str, str]] = Counter()
        left_out: Counter[str] = Counter()
        done, total = 0, stores._connection.exec_driver_sql("SELECT count(*) FROM pairs").scalar_one()
        for batch in read_batches(stores._connection, options):
            rows = [row for row in batch if row[REASON] is None]
            if len(rows) < len(batch):
                left_out.update(row[REASON] for row in batch if row[REASON] not in (None, UNCOUNTED))
            written_rows.update(map(_COUNTED_BY, rows))
            for split, group in groupby(rows, _SPLIT) if options.in_splits else [(ONE_FILE, iter(rows))]:
                if split not in files:  # the split of an imported data set
                    add_file(split)
                files[split].write(list(group))
            done += len(batch)
            progress.tick(done, total)
        run = stores.mining_runs.current()
        driver = driver_connection(stores._connection)
        with stores.cancellable(progress):
            leaks = _find_leaks(driver, options, progress)
        written = {split: file.finish() for split, file in files.items()}
        balance = count_candidates(stores._connection).balance if options.balance else None
        split_by = (
            count_split_methods(stores._connection, written_rows.total())
            if options.in_splits and not options.split
            else {}
        )
        beside = []
        if options.card:
            by_split = written if options.in_splits else {"": written[ONE_FILE]}
            with stores.cancellable(progress):
                content = annotations_content(stores, options)
                if first := next(content, b""):
                    beside.append(write_file(ANNOTATIONS, chain([first], content)))
                counted = dict(sorted(written_rows.items())), dict(sorted(left_out.items()))
                annotated = beside[0] if beside else None
                texts = describe(stores, options, by_split, annotated, *counted, leaks, measures)
                beside += [write_file(name, [text.encode()]) for name, text in texts]
            sums = [f"{file.sha256}  {file.name}\n".encode() for file in (*written.values(), *beside)]
            beside.append(write_file(SUMS, sums))
        receipt = ExportReceipt(
            files=(*written.values(), *beside),
            rows=written_rows.total(),
            counts=dict(sorted(written_rows.items())),
            left_out=dict(sorted(left_out.items())),
            split_by=split_by,
            unmined=stores.mining_runs.count_pending(run.number) if run else 0,
            mining_run=run.id if run else None,
            options=options,
            papers_left_out=tuple(list_papers_left_out(driver)) if options.years else (),
            leaks=leaks,
            balance=balance,
        )
        receipt_file = write_file(
            RECEIPT, [f"{_as_json(receipt, options_to_publish(stores._connection, options))}\n".encode()]
        )
        new = {file.name: file.sha256 for file in (*receipt.files, receipt_file)}
        check(receipt)
        of_data = [file.file for file in files.values()]
        replaced, removed = publish_export(folder, [*of_data, *others], new, overwrite=overwrite)
    return replace(receipt, replaced=replaced, removed=removed)


def preview_pairs(
    project: Project,
    options: ExportOptions,
    progress: Progress,
    *,
    lines: int,
    listen: Callable[[dict[str, tuple[str, ...]]], None] | None = None,
) -> ExportPreview:
    """The first `lines` of each file of an export with these options, and its counts; nothing is written.

    `listen` is called with the lines of a single file long before all pairs are counted.
    """
    with project.read_transaction() as stores, stores.cancellable(progress):
        connection = stores._connection
        select_candidates(connection, options, progress)
        first: dict[str, tuple[str, ...]] = {}
        if not options.in_splits:
            first[f"{ONE_FILE}.{options.format.value}"] = tuple(read_first_rows(connection, options, None, lines))
            if listen is not None:
                listen(first)
        progress.tick(0)
        rows, left_out, balance = count_candidates(connection)
        sizes = Counter(dict.fromkeys(options.split_names, 0))
        for (split, _, _), count in rows.items():
            sizes[split] += count
        for split, size in sizes.items() if options.in_splits else ():
            progress.tick(len(first), len(sizes))
            first[f"{split}.{options.format.value}"] = tuple(
                read_first_rows(connection, options, split, lines) if size else ()
            )
        run = stores.mining_runs.current()
        split_by = count_split_methods(connection, sizes.total()) if options.in_splits and not options.split else {}
        unmined = stores.mining_runs.count_pending(run.number) if run else 0
        papers = tuple(list_papers_left_out(driver_connection(connection))) if options.years else ()
        return ExportPreview(first, sizes.total(), rows, left_out, split_by, unmined, balance, papers)


def _find_leaks(driver: sqlite3.Connection, options: ExportOptions, progress: Progress) -> LeakReport | None:
    """The leaks of an export in splits; near-duplicates only where they were looked for anyway."""
    return (
        find_leaks(driver, progress, near_duplicates=options.drop_near_duplicates or options.split is not None)
        if options.in_splits
        else None
    )


def _as_json(receipt: ExportReceipt, options: ExportOptions) -> str:
    content: dict[str, Any] = {
        "files": [asdict(file) for file in receipt.files],
        "rows": receipt.rows,
        "counts": [
            {"split": split or None, "label": label or None, "strategy": strategy, "rows": rows}
            for (split, label, strategy), rows in receipt.counts.items()
        ],
        "left_out": receipt.left_out,
        "split_by": receipt.split_by,
        "papers_not_mined": receipt.unmined,
        "mining_run": receipt.mining_run,
        "options": options.to_data(),
    }
    if receipt.options.years:
        content["papers_left_out"] = [paper._asdict() for paper in receipt.papers_left_out]
    if receipt.leaks is not None:
        content["leaks"] = receipt.leaks.counts
    return json.dumps(content, ensure_ascii=False, indent=2)
