"""The job that makes the files of a manifest again from the same papers, in a temporary project."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from importlib.metadata import version
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from desktop.jobs.exchange.card_measures import measure_for_card
from desktop.jobs.exchange.imports import RejectedFile, import_data_sets
from desktop.jobs.mining.run import NO_MODEL, AnnotatedByPaper, mine
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.translation import tr
from miner.errors import UserError
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import read_settings
from miner.parsing.files import FileKind, find_files
from miner.parsing.formats import ONE_PAPER_KINDS
from miner.paths import is_folder
from miner.progress import Job, Progress
from storage.exchange import rebuilding
from storage.exchange.annotations_file import (
    AnnotationLine,
    annotated_by_paper,
    read_annotations,
    store_suggestions,
)
from storage.exchange.manifest import ANNOTATIONS, DataSetRecord, Manifest, load_manifest
from storage.exchange.pair_export import export_pairs
from storage.exchange.pair_import import content_digest
from storage.project import Project


class RebuiltDataSet(NamedTuple):
    """What `rebuild` wrote.

    lacks_precision: the manifest says how precise the distant labels are, and the files of `rebuild` do not.
    """

    files: tuple[Path, ...]
    rows: int
    papers: int
    lacks_precision: bool = False


def rebuild(manifest_file: Path, papers: Path, folder: Path, *, workers: int | None = None) -> Job[RebuiltDataSet]:
    """Make the files of a manifest again in `folder`, from the papers in the folder `papers`.

    `folder` is new or empty, or has what an interrupted rebuild of the manifest left.
    `UserError` names papers that are missing or changed, and data files that would differ; then nothing is written.
    """

    def work(progress: Progress) -> RebuiltDataSet:
        manifest = load_manifest(manifest_file)
        rebuilding.check_origin(manifest, f"pyarrow {version('pyarrow')}")
        rebuilding.require_empty(folder, manifest)
        if not is_folder(papers):
            raise UserError(
                tr("There is no folder {papers}.", papers=papers), hint=tr("Name the folder that the papers are in.")
            )
        annotations = _annotations(manifest_file, manifest, progress)
        found = find_files([papers], lambda path: progress.tick(0, None, path.name))
        in_files = [path for path, kind in found.files if kind in ONE_PAPER_KINDS]
        sources = rebuilding.find_sources(manifest, in_files, progress)
        lines = [path for path, kind in found.files if kind is FileKind.PAPERS]
        archives = [path for path, kind in found.files if kind is FileKind.ARCHIVE]
        data_sets = _data_sets(manifest, [*lines, *found.tables], progress)
        with TemporaryDirectory(prefix="pairwright-rebuild-") as temporary:
            read = Path(temporary) / "read.pairwright"
            with Project.create(read) as project:
                rebuilding.prepare(project, manifest, annotations)
                has_lines = any(paper.kind == FileKind.PAPERS for paper in manifest.papers)
                given = [*sorted(set(sources.values())), *(lines if has_lines else ())]
                given += archives if rebuilding.wants_archives(manifest, sources) else ()
                if given:
                    identities = {sha256: one.md5 for one in manifest.papers for sha256 in (one.sha256, *one.files)}
                    options = ImportOptions(workers=workers, identities=identities)
                    import_papers(project, given, options).work(progress)
                with project.transaction() as stores:
                    rebuilding.keep_papers(stores, manifest)
            by_paper = annotated_by_paper(annotations)
            steps: tuple[Callable[[Project], None], ...] = (
                lambda project: _import(project, data_sets, progress),
                lambda project: _mine(project, manifest, by_paper, workers, progress),
            )
            # Of a pair that is in a paper and in a data set, that one stays which came first.
            orders = permutations(steps) if data_sets and manifest.mining else [steps]
            for number, order in enumerate(orders):
                made, rebuilt = Path(temporary) / f"made-{number}", Path(temporary) / f"{number}.pairwright"
                shutil.copyfile(read, rebuilt)
                with Project.open(rebuilt) as project:
                    for step in order:
                        step(project)
                    with project.transaction() as stores:
                        store_suggestions(stores, annotations)
                    exported = manifest.export_options
                    measures = measure_for_card(project, exported, progress)
                    receipt = export_pairs(project, made, exported, progress, measures=measures)
                if not (differing := rebuilding.differing_files(made, manifest)):
                    break
            else:
                raise rebuilding.difference_error(manifest, differing)
            files = rebuilding.hand_over(made, folder)
        return RebuiltDataSet(tuple(files), receipt.rows, len(manifest.papers), bool(manifest.precision))

    return Job(tr("Rebuilding {name}", name=manifest_file.name), work, tr("Nothing of it is written."))


def _annotations(manifest_file: Path, manifest: Manifest, progress: Progress) -> list[AnnotationLine]:
    """The annotations, from the file beside the manifest; [] if the manifest names no such file."""
    named = [file for file in manifest.files if file.name == ANNOTATIONS]
    if not named:
        return []
    path = manifest_file.parent / ANNOTATIONS
    found = read_annotations(path)
    if content_digest(path, progress) != named[0].sha256:
        raise UserError(
            tr("{path} was changed since the export. Nothing was written.", path=path),
            hint=tr("Fetch the folder again."),
        )
    return found


def _data_sets(manifest: Manifest, files: list[Path], progress: Progress) -> list[tuple[DataSetRecord, Path]]:
    """The file of each data set; `UserError` for one that is missing."""
    if not manifest.data_sets:
        return []
    by_digest: dict[str, Path] = {}
    for path in files:
        progress.tick(0, None, path.name)
        by_digest.setdefault(content_digest(path, progress), path)
    missing = [record.sha256 for record in manifest.data_sets if record.sha256 not in by_digest]
    if missing:
        raise UserError(
            tr(
                "An imported data set is missing or changed: SHA-256 {missing} of its uncompressed content. "
                "Nothing was written.",
                missing=", ".join(missing),
            ),
            hint=tr("Put its file into the folder of papers, and rebuild again."),
        )
    return [(record, by_digest[record.sha256]) for record in manifest.data_sets]


def _import(project: Project, data_sets: list[tuple[DataSetRecord, Path]], progress: Progress) -> None:
    for record, path in data_sets:
        for file in import_data_sets(project, [path], record.domain, record.numbers).work(progress):
            if isinstance(file, RejectedFile):
                raise UserError(file.reason, hint=file.hint)


def _mine(
    project: Project, manifest: Manifest, annotated: AnnotatedByPaper, workers: int | None, progress: Progress
) -> None:
    if manifest.mining is None:
        return
    settings = read_settings(json.dumps(manifest.mining.settings))
    by_rules = manifest.mining.language_model == SentenceAnalyzer.name_of_rules()
    model = NO_MODEL if by_rules else None
    result = mine(project, settings, workers=workers, model=model, annotated=annotated).work(progress)
    if result.run == manifest.mining.run:
        return
    with project.read_transaction() as stores:
        here, splitters = stores.mining_runs.current(), stores.papers.splitters()
    program = here.program if here else ""
    compared = (
        ("program", manifest.mining.program, program),
        (tr("language model"), manifest.mining.language_model, result.language_model),
        (tr("sentence parameters"), ", ".join(sorted({one.splitter for one in manifest.papers})), ", ".join(splitters)),
    )
    differing = [
        tr("{what} {there} (here {here})", what=what, there=there, here=here)
        for what, there, here in compared
        if there != here
    ]
    if not differing:
        raise UserError(
            tr(
                "The papers' sentences were split with other parameters after the papers were mined, and the data "
                "set was exported before they were mined again. Nothing was written."
            ),
            hint=tr("In the project that it was exported from, mine and export again."),
        )
    raise UserError(
        tr(
            "The papers were mined with other versions: {differing}. Nothing was written.",
            differing="; ".join(differing),
        ),
        hint=tr("Install the same versions, and rebuild again."),
    )
