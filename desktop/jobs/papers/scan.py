"""Looks for papers, data sets and bibliographies among files and folders that a person wants to add."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from desktop.translation import tr
from miner.parsing.files import FileKind, FoundFiles, find_files
from miner.progress import Job, Progress
from miner.references.recognition import is_bibliography
from storage.exchange.labelled_files import has_unexplained_numbers, is_labelled_file
from storage.project import Project

_NOT_A_PAPER = "not_a_paper"
_TICK_EVERY = 50  # files


@dataclass(frozen=True, slots=True)
class ScannedFiles:
    """Papers, data sets and bibliographies among files and folders. found.failed: named files that are none of these.

    domains: of the project, those with most papers first. has_unexplained_numbers: the labels of a data set are
    numbers, and a person must say what they stand for.
    """

    found: FoundFiles
    data_sets: tuple[Path, ...]
    domains: tuple[str, ...]
    has_unexplained_numbers: bool = False
    bibliographies: tuple[Path, ...] = ()

    def count(self, kind: FileKind) -> int:
        return sum(its_kind is kind for _, its_kind in self.found.files)


def scan_files(project: Project, paths: Sequence[Path]) -> Job[ScannedFiles]:
    """Look through files and folders for papers, data sets and bibliographies, distinguished by their content."""

    def work(progress: Progress) -> ScannedFiles:
        visited = 0

        def on_file(path: Path) -> None:
            nonlocal visited
            visited += 1
            if visited % _TICK_EVERY == 1:
                progress.tick(visited, None, path.name)

        with project.read_transaction() as stores:
            domains = stores.papers.domain_counts()
        found = find_files(paths, on_file)
        bibliographies = _bibliographies(found)
        data_sets = [path for path in _data_sets(found) if path not in bibliographies]
        by_size = sorted((domain for domain in domains if domain), key=lambda domain: (-domains[domain], domain))
        papers = _without(found, {*data_sets, *bibliographies})
        has_numbers = any(map(has_unexplained_numbers, data_sets))
        return ScannedFiles(papers, tuple(data_sets), tuple(by_size), has_numbers, tuple(bibliographies))

    return Job(tr("Looking through the files"), work)


def _data_sets(found: FoundFiles) -> list[Path]:
    """The files, of any kind, that hold labelled pairs."""
    candidates = [path for path, kind in found.files if kind is FileKind.PAPERS] + found.tables
    candidates += [path for path, error in found.failed if error.code == _NOT_A_PAPER]
    return list(filter(is_labelled_file, candidates))


def _bibliographies(found: FoundFiles) -> list[Path]:
    named = [path for path, error in found.failed if error.code == _NOT_A_PAPER]
    return sorted(filter(is_bibliography, [*found.bibliographies, *named]))


def _without(found: FoundFiles, excluded: Collection[Path]) -> FoundFiles:
    beside = {*found.tables, *found.bibliographies}
    return replace(
        found,
        files=[(path, kind) for path, kind in found.files if path not in excluded],
        failed=[(path, error) for path, error in found.failed if path not in excluded],
        ignored=found.ignored - len(beside.intersection(excluded)),
    )
