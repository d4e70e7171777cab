"""Learns abbreviations from the project's papers, and splits these into sentences with them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from desktop.translation import tr
from miner.errors import UserError
from miner.parsing.sentences import SentenceSplitter, SplitterParameters, split_paper
from miner.parsing.sentences.punkt_training import (
    abbreviation_finder,
    combine_windows,
    find_abbreviations,
    paper_windows,
)
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run, worker_count
from miner.progress import Job, Progress
from storage.project import Project
from storage.settings import SENTENCE_WINDOWS, SENTENCES
from storage.stores import Stores

_BATCH_SIZE = 64  # papers stored in one transaction
_LIMITS = ProcessLimits(seconds=600)


class SentenceLearningResult(NamedTuple):
    """How many papers abbreviations were learned from, and how many of these papers have other sentences now."""

    papers: int
    changed: int


def learn_sentences(project: Project, *, workers: int | None = None) -> Job[SentenceLearningResult]:
    """Learn abbreviations from all papers of the project and split them again; later imports split in the same way.

    Text windows that have not changed since the last time are not analysed again.
    """

    def work(progress: Progress) -> SentenceLearningResult:
        with project.read_transaction() as stores:
            papers = stores.papers.md5s()
        if not papers:
            raise UserError(tr("The project has no papers yet."), hint=tr("Add some first: pairwright add FOLDER"))
        learner = _AbbreviationLearner(project, papers, progress)
        learner.learn(worker_count(workers))
        parameters = learner.combine()
        splitter = SentenceSplitter(parameters)
        with project.transaction() as stores:
            stores.settings.put(SENTENCES, parameters)
            if stores.papers.splitters() == [splitter.name]:
                return SentenceLearningResult(len(papers), 0)
        changed = 0
        for done in range(0, len(papers), _BATCH_SIZE):
            progress.tick(len(papers) + done, 2 * len(papers), "splitting")
            changed += sum(split_again(project, papers[done : done + _BATCH_SIZE], splitter).values())
        return SentenceLearningResult(len(papers), changed)

    return Job(tr("Learning sentences from {name}", name=project.path.name), work)


def split_again(project: Project, papers: Sequence[str], splitter: SentenceSplitter) -> dict[str, bool]:
    """Split stored papers in one transaction. Returns, by MD5, whether a paper's sentences have changed.

    Papers with the same sentences need not be mined again.
    """
    is_changed = {}
    with project.transaction(bulk=True) as stores:
        for md5 in papers:
            with suppress(KeyError):  # it was removed in between
                is_changed[md5] = _split_again(stores, md5, splitter)
        stores.mining_runs.set_splitters(stores.papers.splitters())
    return is_changed


def _split_again(stores: Stores, md5: str, splitter: SentenceSplitter) -> bool:
    before = stores.papers.get(md5)
    after = split_paper(before, splitter)
    if after.sections != before.sections:
        stores.papers.set_sentences(after)
        return True
    if after != before:
        stores.papers.set_splitter(after)
    return False


class _AbbreviationLearner:
    """Finds the abbreviations of the papers' text windows, and stores them by the windows' digests."""

    def __init__(self, project: Project, papers: list[str], progress: Progress) -> None:
        self._project = project
        self._papers = papers
        self._progress = progress
        self._paper_number = 0
        with project.read_transaction() as stores:
            self._known = stores.settings.get(SENTENCE_WINDOWS)

    def learn(self, workers: int) -> None:
        """Find the abbreviations of new and changed windows, in worker processes, and store those of all windows."""
        known: dict[str, list[str]] = {}

        def unknown_windows() -> Iterator[str]:
            for text in self._windows():
                digest = _digest(text)
                if digest in self._known:
                    known[digest] = self._known[digest]
                else:
                    yield text

        for text, found in run(
            abbreviation_finder, unknown_windows(), workers=workers, limits=_LIMITS, on_poll=self._tick
        ):
            if isinstance(found, Failure):
                if found.kind == "error":
                    raise RuntimeError(f"learning met a bug in its own process:\n{found.detail}")
                hint = tr("Close other programs, then try again.")
                raise UserError(tr("Learning took too long, or needed more memory than there is."), hint=hint)
            known[_digest(text)] = found
        self._known = known
        with self._project.transaction() as stores:
            stores.settings.put(SENTENCE_WINDOWS, known)

    def combine(self) -> SplitterParameters:
        """The parameters of all windows; a window that changed during `learn` is analysed here."""
        known = ((text, self._known.get(_digest(text))) for text in self._windows())
        return combine_windows((text, find_abbreviations(text) if words is None else words) for text, words in known)

    def _windows(self) -> Iterator[str]:
        return paper_windows(self._texts())

    def _texts(self) -> Iterator[tuple[str, str]]:
        for number, md5 in enumerate(self._papers):
            self._paper_number = number
            self._tick()
            with self._project.read_transaction() as stores:
                text = "\n".join(stores.papers.paragraph_texts(md5))
            yield md5, text

    def _tick(self) -> None:
        self._progress.tick(self._paper_number, 2 * len(self._papers), "learning")


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
