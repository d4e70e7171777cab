"""The propositions of a project's papers: kept ones, and those of papers that are parsed now."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from desktop.jobs.lab.experiments.kept_propositions import KeptPropositions, PaperPropositions
from desktop.text import count
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.probes.propositions import Proposition, PropositionReader
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run, worker_count
from miner.progress import Progress
from miner.records import Paper
from storage.project import Project

log = logging.getLogger(__name__)


class UnparsedPapers(UserError):
    """Raised where papers are still to be parsed, which only a run does."""


Said = tuple[tuple[int, Proposition], ...]
_LIMITS = ProcessLimits(seconds=300, megabytes=4_000)
_MAX_BATCH, _MAX_BATCH_SECONDS = 64, 5.0  # papers are kept in batches


class PropositionSource:
    """Reads the propositions of papers.

    unread: MD5s of the papers that took too much time or memory; a later run tries them again. parsed: how many papers
    were parsed because their propositions were not kept. may_parse: False to read only kept propositions.
    """

    def __init__(self, project: Project, *, workers: int | None = None, may_parse: bool = True) -> None:
        self._project, self._workers, self._may_parse = project, worker_count(workers), may_parse
        self.unread: list[str] = []
        self.parsed = 0

    def read(self, papers: Collection[str], progress: Progress) -> Iterator[PaperPropositions]:
        """The propositions of each of these papers, given by MD5s, in no particular order.

        New propositions are kept at once. `UserError` without a language model, or where the file cannot be written.
        """
        with self._project.read_transaction() as stores:
            present = stores.papers.text_digests()
        digests = {md5: present[md5] for md5 in papers if md5 in present}
        kept = KeptPropositions(self._project, PropositionReader.name_of(), digests)
        waiting = dict(digests)
        for one in kept.read():
            waiting.pop(one.paper)
            progress.tick(len(digests) - len(waiting), len(digests), tr("reading propositions"))
            yield one
        if not waiting:
            return
        if not self._may_parse:
            hint = tr("A run begins with that, about half a second a paper; what is parsed is kept.")
            raise UnparsedPapers(
                tr("{papers} must be parsed to find propositions.", papers=count(len(waiting), "paper")), hint=hint
            )
        yield from self._parse(waiting, kept, len(digests), progress)
        if kept.is_mostly_old(present):
            kept.forget(present)

    def _parse(
        self, digests: dict[str, str], kept: KeptPropositions, total: int, progress: Progress
    ) -> Iterator[PaperPropositions]:
        done = total - len(digests)

        def tick() -> None:
            progress.tick(done, total, tr("finding propositions"))

        tick()
        ready: list[PaperPropositions] = []
        since = time.monotonic()
        try:
            with closing(self._results(sorted(digests), tick)) as results:
                for md5, said in results:
                    done += 1
                    if isinstance(said, Failure):
                        if said.refusal is not None:
                            raise said.refusal
                        log.error("reading the propositions of %s failed (%s)\n%s", md5, said.kind, said.detail)
                        self.unread.append(md5)
                        continue
                    if said is None:
                        continue
                    ready.append(PaperPropositions(md5, digests[md5], said))
                    self.parsed += 1
                    yield ready[-1]
                    if len(ready) >= _MAX_BATCH or time.monotonic() > since + _MAX_BATCH_SECONDS:
                        batch, ready, since = ready, [], time.monotonic()
                        kept.add(batch)
                    tick()
        finally:
            if ready:
                kept.add(ready)

    def _results(self, md5s: list[str], tick: Callable[[], None]) -> Generator[tuple[str, Said | Failure | None]]:
        if self._workers > 1:
            return run(
                partial(_open_reader, self._project.path), md5s, workers=self._workers, limits=_LIMITS, on_poll=tick
            )
        read = _reader(self._project)
        return ((md5, read(md5)) for md5 in md5s)


def numbered_sentences(paper: Paper) -> list[str]:
    """The sentences of a paper in order: their numbers are those of `PaperPropositions`."""
    paragraphs = (paragraph for section in paper.sections for paragraph in section.paragraphs)
    return [paragraph.sentence(number) for paragraph in paragraphs for number in range(len(paragraph.sentences))]


def _open_reader(path: Path) -> Callable[[str], Said | None]:
    """`_reader` for a worker process; the project is closed when the process ends."""
    return _reader(Project.open(path, read_only=True))


def _reader(project: Project) -> Callable[[str], Said | None]:
    """A function from a paper's MD5 to its propositions; None if the paper was removed."""
    reader = PropositionReader.load()

    def read(md5: str) -> Said | None:
        try:
            with project.read_transaction() as stores:
                paper = stores.papers.get(md5)
        except KeyError:
            return None
        found = enumerate(reader.read(numbered_sentences(paper)))
        return tuple((number, one) for number, said in found for one in said)

    return read
