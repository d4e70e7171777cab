"""Files that people offer: what is among them, and reading some of them once more."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from desktop.jobs.intake import Added, AddOptions, Intake, Watch
from desktop.jobs.papers import take_in
from miner.errors import Unreadable, UserError
from miner.parsing.files import Collected, Kind, collect, hashes, read_bytes
from miner.progress import Job, Progress
from storage.exchange.imports import holds_pairs
from storage.project import Project

_NOT_A_PAPER = "not_a_paper"


@dataclass(frozen=True, slots=True)
class Offered:
    """Papers and data sets among files and folders; `found.failed` are files named outright that are neither.

    `domains` are the project's, those with most papers first.
    """

    found: Collected
    data_sets: tuple[Path, ...]
    domains: tuple[str, ...]

    def count(self, kind: Kind) -> int:
        return sum(its is kind for _, its in self.found.files)


def gather(project: Project, paths: Sequence[Path]) -> Job[Offered]:
    """Look through files and folders for papers, and for data sets, which are told by their content."""

    def work(progress: Progress) -> Offered:
        seen = 0

        def look(path: Path) -> None:
            nonlocal seen
            seen += 1
            if seen % 50 == 1:
                progress.tick(seen, None, path.name)

        with project.reading() as stores:
            domains = stores.papers.domains()
        found = collect(paths, look)
        pairs = [path for path, kind in found.files if kind is Kind.PAPERS and holds_pairs(path)]
        pairs += filter(holds_pairs, found.tables)
        pairs += [path for path, why in found.failed if why.code == _NOT_A_PAPER and holds_pairs(path)]
        taken = set(pairs)
        sorted_out = replace(
            found,
            files=[(path, kind) for path, kind in found.files if path not in taken],
            failed=[(path, why) for path, why in found.failed if path not in taken],
            ignored=found.ignored - len(taken.intersection(found.tables)),
        )
        by_size = sorted((domain for domain in domains if domain), key=lambda domain: (-domains[domain], domain))
        return Offered(sorted_out, tuple(pairs), tuple(by_size))

    return Job("Looking through the files", work)


def retry(
    project: Project, ids: Sequence[int] | None, options: AddOptions, watch: Watch = lambda step: None
) -> Job[Added]:
    """Read failed files once more: those of these rows of the list, None for all."""

    def work(progress: Progress) -> Added:
        with project.reading() as stores:
            paths = stores.files.failed_paths(None if ids is None else [-number for number in ids if number < 0])
        found = collect(paths)
        return take_in(Intake(project, replace(options, retry=True), progress, len(found.files), watch), found)

    return Job("Retrying failed files", work)


def parse_again(
    project: Project, ids: Sequence[int], options: AddOptions, watch: Watch = lambda step: None
) -> Job[Added]:
    """Read the PDFs of these papers by the parser that `options` name, and from now on by that alone.

    A paper whose PDF is not there keeps the prose it has, and is told of among the failed.
    """

    def work(progress: Progress) -> Added:
        found, missing = Collected(), []
        with project.reading() as stores:
            papers = stores.files.pdfs([number for number in ids if number > 0])
        if not any(paths for _, _, paths in papers):
            raise UserError("These papers came without a PDF.", hint="Add their PDFs; then they can be parsed again.")
        for done, (_, sha256, paths) in enumerate(papers):
            progress.tick(done, None, "looking for the PDFs")
            if path := next((path for path in paths if _is_still(path, sha256)), None):
                found.files.append((path, Kind.PDF))
            elif paths:
                missing.append((paths[0], _gone(paths[0])))
        intake = Intake(project, replace(options, again=True), progress, len(found.files), watch)
        intake.tell(missing)
        return take_in(intake, found)

    return Job("Parsing papers again", work)


def _is_still(path: Path, sha256: str) -> bool:
    with suppress(Unreadable):  # it is not there, then
        return hashes(read_bytes(path, Kind.PDF))[1] == sha256
    return False


def _gone(path: Path) -> Unreadable:
    if path.exists():
        return Unreadable("changed", f"{path.name} is not what was added: it was changed.", hint="Add it anew.")
    return Unreadable("missing", f"{path} is no longer there.", hint="If it was moved, use Papers > Locate file.")
