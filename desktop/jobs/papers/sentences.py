"""Learning from the project's own papers where their sentences end."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

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
from storage.project import Project, Stores
from storage.settings import SENTENCE_WINDOWS, SENTENCES

_TOGETHER = 64  # papers that are stored in one transaction
_LIMITS = ProcessLimits(seconds=600)


class Learnt(NamedTuple):
    """Papers learnt from, and how many of them have other sentences now."""

    papers: int
    changed: int


def learn_sentences(project: Project, *, workers: int | None = None) -> Job[Learnt]:
    """Learn abbreviations from all the project's papers and split them anew; papers added later are split alike.

    What was learnt before of stretches of the papers that are as they were is not learnt again.
    """

    def work(progress: Progress) -> Learnt:
        with project.reading() as stores:
            papers = stores.papers.md5s()
        if not papers:
            raise UserError("The project has no papers yet.", hint="Add some first: pairwright add FOLDER")
        learning = _Learning(project, papers, progress)
        learning.study(worker_count(workers))
        parameters = learning.conclude()
        splitter = SentenceSplitter(parameters)
        with project.transaction() as stores:
            stores.settings.put(SENTENCES, parameters)
            if stores.papers.splitters() == [splitter.name]:
                return Learnt(len(papers), 0)
        changed = 0
        for done in range(0, len(papers), _TOGETHER):
            progress.tick(len(papers) + done, 2 * len(papers), "splitting")
            with project.transaction(bulk=True) as stores:
                for md5 in papers[done : done + _TOGETHER]:
                    with suppress(KeyError):  # it was taken out meanwhile
                        changed += _split(stores, md5, splitter)
        return Learnt(len(papers), changed)

    return Job(f"Learning sentences from {project.path.name}", work)


def _split(stores: Stores, md5: str, splitter: SentenceSplitter) -> bool:
    """Whether the paper has other sentences now."""
    before = stores.papers.get(md5)
    after = split_paper(before, splitter)
    if after.sections != before.sections:
        stores.papers.set_sentences(after)
        return True
    if after != before:
        stores.papers.set_splitter(after)
    return False


class _Learning:
    def __init__(self, project: Project, papers: list[str], progress: Progress) -> None:
        self._project = project
        self._papers = papers
        self._progress = progress
        self._read = 0
        with project.reading() as stores:
            self._known = stores.settings.get(SENTENCE_WINDOWS)

    def study(self, workers: int) -> None:
        """Find the abbreviations of windows in which they are not known, and keep them."""
        known: dict[str, list[str]] = {}

        def unknown() -> Iterator[str]:
            for text in self._windows():
                digest = _digest(text)
                if digest in self._known:
                    known[digest] = self._known[digest]
                else:
                    yield text

        for text, found in run(abbreviation_finder, unknown(), workers=workers, limits=_LIMITS, on_poll=self._tick):
            if isinstance(found, Failure):
                if found.kind == "error":
                    raise RuntimeError(f"learning met a bug in its own process:\n{found.detail}")
                hint = "Close other programs, then try again."
                raise UserError("Learning took too long, or needed more memory than there is.", hint=hint)
            known[_digest(text)] = found
        self._known = known
        with self._project.transaction() as stores:
            stores.settings.put(SENTENCE_WINDOWS, known)

    def conclude(self) -> SplitterParameters:
        """What all windows teach; one that has changed since is studied here."""
        known = ((text, self._known.get(_digest(text))) for text in self._windows())
        return combine_windows((text, find_abbreviations(text) if words is None else words) for text, words in known)

    def _windows(self) -> Iterator[str]:
        return paper_windows(self._texts())

    def _texts(self) -> Iterator[tuple[str, str]]:
        for number, md5 in enumerate(self._papers):
            self._read = number
            self._tick()
            with self._project.reading() as stores:
                text = "\n".join(stores.papers.paragraph_texts(md5))
            yield md5, text

    def _tick(self) -> None:
        self._progress.tick(self._read, 2 * len(self._papers), "learning")


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
