"""What becomes of files that were scanned: papers are added, data sets read, and then all is mined."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.jobs.papers.scan import ScannedFiles
from desktop.jobs.papers.table import load_totals
from desktop.ui.pages.papers.table_model import InHand
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from miner.parsing.files import FoundFiles
from miner.progress import Job, Progress
from miner.records import Label
from storage.changes import Changes
from storage.papers.table import PaperTotals

if TYPE_CHECKING:  # parsers take half a second to import: the jobs do that, in their own thread
    from desktop.jobs.papers.import_session import FileListener, FileProgress, ImportOptions, ImportResult

_ADDING_STOPPED = "Papers that are read are kept. Add the same files again, and it goes on with the others."
_RETRY_STOPPED = "Papers that are read are kept. Retry the others next time."
_AGAIN_STOPPED = "Papers that are parsed are kept. Choose the others again to go on."
_OFTEN = 0.25  # seconds between two looks at the list while an import runs


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """What to make of papers: `domain` and `year` go over what a paper says, `parser` None is the one of Settings.

    `default_domain` is for papers that say none. `numbers`: what labels of data sets that are numbers mean, from 0.
    """

    domain: str | None = None
    year: int | None = None
    parser: str | None = None
    default_domain: str | None = None
    numbers: tuple[Label, ...] = ()


class ImportController(QObject):
    """The project's imports and minings, started here and followed file by file; `import_controller` has the one."""

    changed = Signal()  # what is in hand, or whether anything goes on

    def __init__(self, context: ProjectContext) -> None:
        super().__init__(context)
        self._context = context
        self._numbers = itertools.count(1)
        self._in_hand: dict[Path, tuple[int, str]] = {}
        self._steps: deque[FileProgress] = deque()  # filled by the job's thread
        self._given: dict[JobRun, tuple[ScannedFiles, ImportChoices]] = {}  # what an import was asked for
        self._left: tuple[ScannedFiles, ImportChoices] | None = None  # what a cancelled one had not come to
        self.has_new_pairs = False
        """Papers were mined or data sets read, and nobody has gone on from there yet."""
        self._going = 0
        self._said = 0.0
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._say)

    @property
    def is_going(self) -> bool:
        """Whether papers come, or are mined; then there is no need to ask for it."""
        return self._going > 0

    @property
    def in_hand(self) -> dict[int, InHand]:
        """Files that wait or are read, those in hand first."""
        ordered = sorted(self._in_hand.items(), key=lambda item: (not item[1][1], item[1][0]))
        return {number: InHand(path, state) for path, (number, state) in ordered}

    @property
    def left(self) -> int:
        """Files that a cancelled import had not come to."""
        return len(self._left[0].found.files) if self._left else 0

    def go_on(self) -> JobRun | None:
        """Add what a cancelled import had not come to, with what was chosen then."""
        left, self._left = self._left, None
        return self.add(*left) if left else None

    def forget_left(self) -> None:
        self._left = None
        self.changed.emit()

    def add(self, scanned: ScannedFiles, choices: ImportChoices) -> JobRun | None:
        """Add what was scanned, then mine; the run of the papers, None where there are only data sets."""
        run = None
        found = scanned.found
        if found.files or found.failed:
            for path, _ in found.files:
                self._in_hand.setdefault(path, (next(self._numbers), ""))

            def add(options: ImportOptions, on_file: FileListener) -> Job[ImportResult]:
                from desktop.jobs.papers import imports

                return imports.import_papers(self._context.project, found, options, on_file)

            run = self._start(f"Adding papers to {self._context.path.name}", add, choices, _ADDING_STOPPED)
            self._given[run] = scanned, choices
            run.cancelled.connect(self._on_adding_cancelled)
            run.done.connect(self._on_adding_done)
        if scanned.data_sets:
            from desktop.jobs.exchange.imports import import_data_sets

            domain = choices.domain or choices.default_domain or ""
            job = import_data_sets(self._context.project, scanned.data_sets, domain, choices.numbers)
            sets = self.follow(self._context.runner.start(job))
            sets.done.connect(self._on_pairs_there)
            sets.ended.connect(self._on_data_sets)  # also what a cancelled one had read is there
        self.changed.emit()
        return run

    def retry(self, ids: Sequence[int] | None) -> JobRun:
        """Read these failed files once more, all with None."""

        def retry(options: ImportOptions, on_file: FileListener) -> Job[ImportResult]:
            from desktop.jobs.papers import imports

            return imports.retry_failed_files(self._context.project, ids, options, on_file)

        return self._start("Retrying failed files", retry, ImportChoices(), _RETRY_STOPPED)

    def parse_again(self, ids: Sequence[int], parser: str) -> JobRun:
        """Read papers by this parser, now and from now on."""

        def parse_again(options: ImportOptions, on_file: FileListener) -> Job[ImportResult]:
            from desktop.jobs.papers import imports

            return imports.parse_again(self._context.project, ids, options, on_file)

        return self._start("Parsing papers again", parse_again, ImportChoices(parser=parser), _AGAIN_STOPPED)

    def mine(self) -> JobRun:
        from desktop.jobs.mining.run import mine

        job = mine(self._context.project, workers=self._context.settings_store.settings.workers)
        run = self.follow(self._context.runner.start(job))
        run.done.connect(self._on_pairs_there)
        run.ended.connect(self._on_mined)  # also what a cancelled one had mined is there
        return run

    def _start(
        self,
        title: str,
        make: Callable[[ImportOptions, FileListener], Job[ImportResult]],
        choices: ImportChoices,
        if_stopped: str,
    ) -> JobRun:
        settings, on_file = self._context.settings_store.settings, self._steps.append

        def work(progress: Progress) -> Any:  # ImportResult
            from desktop.jobs.papers.import_session import ImportOptions
            from miner.parsing.grobid import GrobidSettings

            grobid = GrobidSettings(settings.grobid_url) if (choices.parser or settings.parser) == "grobid" else None
            options = ImportOptions(
                choices.domain, choices.year, grobid, workers=settings.workers, default_domain=choices.default_domain
            )
            return make(options, on_file).work(progress)

        run = self.follow(self._context.runner.start(Job(title, work, if_stopped)))
        run.ticked.connect(self._on_ticked)
        run.failed.connect(self._on_stopped)
        run.done.connect(self._on_added)  # mining waits its turn, behind data sets that came with the papers
        run.ended.connect(self._on_files_ended)
        return run

    def follow(self, run: JobRun) -> JobRun:
        """Count a job that brings papers or mines them."""
        self._going += 1
        run.failed.connect(self._context.problems.show)
        run.ended.connect(self._on_ended)
        self.changed.emit()
        return run

    @Slot(object)
    def _on_ticked(self, _: object) -> None:
        while self._steps:
            path, state = self._steps.popleft()
            if not state:
                self._in_hand.pop(path, None)
            else:
                number, _ = self._in_hand.get(path, (0, ""))
                self._in_hand[path] = (number or next(self._numbers), state)
        if not self._soon.isActive():
            wait = self._said + _OFTEN - time.monotonic()
            self._soon.start(max(0, round(wait * 1000)))

    @Slot()
    def _say(self) -> None:
        self._said = time.monotonic()
        self.changed.emit()
        self._context.events.changed.emit(Changes(papers=True))

    @Slot()
    def _on_adding_cancelled(self) -> None:
        self._on_ticked(None)
        scanned, choices = self._given[cast(JobRun, self.sender())]
        files = [file for file in scanned.found.files if file[0] in self._in_hand]
        if files:
            self._left = replace(scanned, found=FoundFiles(files), data_sets=()), choices

    @Slot()
    def _on_adding_done(self) -> None:
        """What was added now is not left of an import before."""
        if self._left is not None:
            scanned, choices = self._left
            added = set(self._given[cast(JobRun, self.sender())][0].found.files)
            files = [file for file in scanned.found.files if file not in added]
            self._left = (replace(scanned, found=FoundFiles(files)), choices) if files else None

    @Slot()
    def _on_files_ended(self) -> None:
        self._on_ticked(None)
        scanned, _ = self._given.pop(cast(JobRun, self.sender()), (None, None))
        own = {path for path, _ in scanned.found.files} if scanned else set()
        for path, (_, state) in list(self._in_hand.items()):  # those of an import that waits stay
            if state or path in own:
                del self._in_hand[path]
        self._soon.stop()
        self.changed.emit()
        self._context.events.changed.emit(Changes(papers=True, pairs=True))  # a paper parsed again has lost its pairs

    @Slot()
    def _on_ended(self) -> None:
        self._going -= 1
        self.changed.emit()

    @Slot(object)
    def _on_added(self, added: ImportResult) -> None:
        if added.new or added.replaced:
            self.mine()
        elif added.known:
            run = self._context.runner.read(load_totals(self._context.project))
            run.done.connect(self._on_totals)
            run.failed.connect(self._context.problems.show)

    @Slot(object)
    def _on_stopped(self, error: Exception) -> None:
        from desktop.jobs.papers.import_session import ImportStopped

        if isinstance(error, ImportStopped):  # what came before is there to be mined
            self._on_added(error.result)

    @Slot(object)
    def _on_totals(self, found: PaperTotals) -> None:
        """The same papers again: mined by now, unless that was cancelled."""
        if found.unmined and not self.is_going:
            self.mine()

    @Slot()
    def _on_data_sets(self) -> None:
        self._context.events.changed.emit(Changes(papers=True, pairs=True))

    @Slot()
    def _on_pairs_there(self) -> None:
        self.has_new_pairs = True

    @Slot()
    def _on_mined(self) -> None:
        self._context.events.changed.emit(Changes(papers=True, pairs=True))


def import_controller(context: ProjectContext) -> ImportController:
    """The one of this context."""
    found = context.findChild(ImportController)
    return found if isinstance(found, ImportController) else ImportController(context)
