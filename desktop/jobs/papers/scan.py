"""Files that people offer: what is among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from miner.parsing.files import FileKind, FoundFiles, find_files
from miner.progress import Job, Progress
from storage.exchange.labelled_files import has_unexplained_numbers, is_labelled_file
from storage.project import Project

_NOT_A_PAPER = "not_a_paper"


@dataclass(frozen=True, slots=True)
class ScannedFiles:
    """Papers and data sets among files and folders; `found.failed` are files named outright that are neither.

    `has_unexplained_numbers`: the labels of some data set are numbers, and somebody has to say what these mean.
    `domains` are the project's, those with most papers first.
    """

    found: FoundFiles
    data_sets: tuple[Path, ...]
    domains: tuple[str, ...]
    has_unexplained_numbers: bool = False

    def count(self, kind: FileKind) -> int:
        return sum(its is kind for _, its in self.found.files)


def scan_files(project: Project, paths: Sequence[Path]) -> Job[ScannedFiles]:
    """Look through files and folders for papers, and for data sets, which are told by their content."""

    def work(progress: Progress) -> ScannedFiles:
        seen = 0

        def look(path: Path) -> None:
            nonlocal seen
            seen += 1
            if seen % 50 == 1:
                progress.tick(seen, None, path.name)

        with project.reading() as stores:
            domains = stores.papers.domain_counts()
        found = find_files(paths, look)
        pairs = _data_sets(found)
        by_size = sorted((domain for domain in domains if domain), key=lambda domain: (-domains[domain], domain))
        return ScannedFiles(
            _without(found, pairs), tuple(pairs), tuple(by_size), any(map(has_unexplained_numbers, pairs))
        )

    return Job("Looking through the files", work)


def _data_sets(found: FoundFiles) -> list[Path]:
    """Those of the files, of whatever kind, that hold labelled pairs."""
    candidates = [path for path, kind in found.files if kind is FileKind.PAPERS] + found.tables
    candidates += [path for path, why in found.failed if why.code == _NOT_A_PAPER]
    return list(filter(is_labelled_file, candidates))


def _without(found: FoundFiles, data_sets: Sequence[Path]) -> FoundFiles:
    taken = set(data_sets)
    return replace(
        found,
        files=[(path, kind) for path, kind in found.files if path not in taken],
        failed=[(path, why) for path, why in found.failed if path not in taken],
        ignored=found.ignored - len(taken.intersection(found.tables)),
    )
