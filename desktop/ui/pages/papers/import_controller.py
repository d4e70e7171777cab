"""Imports of the open project: adds scanned papers and data sets, then mines the new papers."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop.jobs.papers.outdated import OutdatedPapers, close_offer, load_outdated
from desktop.jobs.papers.recognition_state import RecognitionOptions
from desktop.jobs.papers.scan import ScannedFiles
from desktop.jobs.papers.table import load_totals
from desktop.translation import tr
from desktop.ui.pages.papers.table_model import ImportingFile
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from miner.parsing.files import FoundFiles
from miner.progress import Job, Progress
from miner.records import Label
from storage.changes import Changes
from storage.papers.table import PaperTotals

if TYPE_CHECKING:  # parsers take half a second to import: the jobs do that, in their own thread
    from desktop.jobs.papers.import_session import FileListener, FileProgress, ImportOptions, ImportResult
    from storage.exchange.added_project import AddedProject

_ADDING_STOPPED = tr("Papers read so far are kept. Add the same files again to continue with the others.")
_RETRY_STOPPED = tr("Papers read so far are kept. Retry the others next time.")
_REPARSE_STOPPED = tr("Papers parsed so far are kept. Select the others again to continue.")
_REFRESH_INTERVAL_S = 0.25  # at most so often the list is refreshed while an import runs


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """The choices of the import dialog.

    domain, year: replace the paper's own. parser: None for the parser in Settings. default_domain: for papers without a
    domain. numeric_labels: the labels that the numbers 0, 1, … of a data set stand for.
    """

    domain: str | None = None
    year: int | None = None
    parser: str | None = None
    default_domain: str | None = None
    numeric_labels: tuple[Label, ...] = ()


class ImportController(QObject):
    """Starts imports and mining, and follows them file by file.

    `import_controller` returns the only one of a project.
    """

    references_found = Signal(object)  # list[Path]: bibliographies that came with papers, which are read now
    changed = Signal()  # the files being imported, or whether any job is running

    def __init__(self, context: ProjectContext) -> None:
        super().__init__(context)
        self._context = context
        self._numbers = itertools.count(1)
        self._importing: dict[Path, tuple[int, str]] = {}  # number and state of each file
        self._progress: deque[FileProgress] = deque()  # filled by the job's thread
        self._requests: dict[JobRun, tuple[ScannedFiles, ImportChoices]] = {}  # by the run that adds them
        self._remaining: list[tuple[ScannedFiles, ImportChoices]] = []  # of each cancelled import
        self.has_new_pairs = False
        """Papers were mined or data sets read, and the person has not been offered their review yet."""
        self._running_jobs = 0
        self._refreshed_at = 0.0  # time.monotonic()
        self._refresh_timer = QTimer(self, singleShot=True)
        self._refresh_timer.timeout.connect(self._refresh)

    @property
    def is_running(self) -> bool:
        """Whether papers are being added or mined."""
        return self._running_jobs > 0

    @property
    def importing_files(self) -> dict[int, ImportingFile]:
        """Files being imported, by number: first those being read, then those that wait."""
        ordered = sorted(self._importing.items(), key=lambda item: (not item[1][1], item[1][0]))
        return {number: ImportingFile(path, state) for path, (number, state) in ordered}

    @property
    def remaining_count(self) -> int:
        """The number of files that cancelled imports did not get to."""
        return sum(len(scanned.found.files) for scanned, _ in self._remaining)

    def resume(self) -> None:
        """Add the files that cancelled imports did not get to, with the choices made for each import."""
        remaining, self._remaining = self._remaining, []
        for scanned, choices in remaining:
            self.add(scanned, choices)

    def discard_remaining(self) -> None:
        """Forget the files that cancelled imports did not get to."""
        self._remaining.clear()
        self.changed.emit()

    def add(self, scanned: ScannedFiles, choices: ImportChoices) -> JobRun | None:
        """Add scanned files, then mine. Returns the run that adds the papers; None when there are only data sets."""
        run = None
        found = scanned.found
        if found.files or found.failed:
            for path, _ in found.files:
                self._importing.setdefault(path, (next(self._numbers), ""))

            def add(options: ImportOptions, on_file: FileListener) -> Job[ImportResult]:
                from desktop.jobs.papers import imports

                return imports.import_papers(self._context.project, found, options, on_file)

            run = self._start(
                tr("Adding papers to {name}", name=self._context.path.name), add, choices, _ADDING_STOPPED
            )
            self._requests[run] = scanned, choices
            run.cancelled.connect(self._on_adding_cancelled)
            run.done.connect(self._on_adding_done)
        if scanned.data_sets:
            from desktop.jobs.exchange.imports import import_data_sets

            domain = choices.domain or choices.default_domain or ""
            job = import_data_sets(self._context.project, scanned.data_sets, domain, choices.numeric_labels)
            data_set_run = self.track(self._context.runner.start(job))
            data_set_run.done.connect(self._on_new_pairs)
            data_set_run.ended.connect(self._on_data_sets_ended)  # a cancelled run has imported some of them
        self.changed.emit()
        return run

    def add_project(self, path: Path) -> JobRun:
        """Add another project's papers and annotations, then mine the papers."""
        from desktop.jobs.exchange.project_addition import add_project

        run = self.track(self._context.runner.start(add_project(self._context.project, path)))
        run.done.connect(self._on_project_added)
        run.ended.connect(self._on_project_ended)  # a cancelled run has added some of it
        return run

    def retry(self, ids: Sequence[int] | None) -> JobRun:
        """Read these failed files again; all failed files for None."""

        def retry(options: ImportOptions, on_file: FileListener) -> Job[ImportResult]:
            from desktop.jobs.papers import imports

            return imports.retry_failed_files(self._context.project, ids, options, on_file)

        return self._start(tr("Retrying failed files"), retry, ImportChoices(), _RETRY_STOPPED)

    def recognise(self, ids: Sequence[int] | None, chosen: RecognitionOptions) -> JobRun:
        """Recognise the text of these scans, of all scans for None, and add the results as papers."""

        def recognise(options: ImportOptions, on_file: FileListener) -> Job[ImportResult]:
            from desktop.jobs.papers import recognition

            return recognition.recognise(self._context.project, ids, chosen, options, on_file)

        stopped = tr("Text recognised so far is kept. Recognise the others next time.")
        return self._start(tr("Recognising text"), recognise, ImportChoices(), stopped)

    def parse_again(self, ids: Sequence[int], parser: str) -> JobRun:
        """Parse these papers with this parser, now and whenever they are parsed again."""

        def parse_again(options: ImportOptions, on_file: FileListener) -> Job[ImportResult]:
            from desktop.jobs.papers import reparsing

            return reparsing.parse_again(self._context.project, ids, options, on_file)

        return self._start(tr("Parsing papers again"), parse_again, ImportChoices(parser=parser), _REPARSE_STOPPED)

    def parse_outdated(self) -> JobRun:
        """Parse the papers again that an earlier version parsed, then mine them."""

        def parse_outdated(options: ImportOptions, on_file: FileListener) -> Job[ImportResult]:
            from desktop.jobs.papers import reparsing

            return reparsing.parse_outdated(self._context.project, options, on_file)

        choices = ImportChoices(parser="embedded")
        run = self._start(tr("Parsing papers of earlier versions again"), parse_outdated, choices, _REPARSE_STOPPED)
        run.setProperty("mines_all", True)  # this is what was asked for
        return run

    def close_offer(self) -> None:
        """Do not offer again to parse papers of these earlier versions."""
        self._context.runner.save(close_offer(self._context.project)).failed.connect(self._context.problems.show)

    def mine(self) -> JobRun:
        """Mine all papers that have not been mined with the current settings."""
        from desktop.jobs.mining.run import mine

        job = mine(self._context.project, workers=self._context.settings_store.settings.workers)
        run = self.track(self._context.runner.start(job))
        run.done.connect(self._on_new_pairs)
        run.ended.connect(self._on_mining_ended)  # a cancelled run has mined some of them
        return run

    def _start(
        self,
        title: str,
        create_job: Callable[[ImportOptions, FileListener], Job[ImportResult]],
        choices: ImportChoices,
        if_stopped: str,
    ) -> JobRun:
        settings, on_file = self._context.settings_store.settings, self._progress.append

        def work(progress: Progress) -> Any:  # ImportResult
            from desktop.jobs.papers.import_session import ImportOptions
            from miner.parsing.grobid import GrobidSettings

            grobid = GrobidSettings(settings.grobid_url) if (choices.parser or settings.parser) == "grobid" else None
            options = ImportOptions(
                choices.domain, choices.year, grobid, workers=settings.workers, default_domain=choices.default_domain
            )
            return create_job(options, on_file).work(progress)

        run = self.track(self._context.runner.start(Job(title, work, if_stopped)))
        run.ticked.connect(self._on_ticked)
        run.failed.connect(self._on_failed)
        run.done.connect(self._on_imported)  # mining is queued behind the data sets that came with the papers
        run.ended.connect(self._on_files_ended)
        return run

    def track(self, run: JobRun) -> JobRun:
        """Count a job that adds or mines papers as running until it ends, and show its errors."""
        self._running_jobs += 1
        run.failed.connect(self._context.problems.show)
        run.ended.connect(self._on_ended)
        self.changed.emit()
        return run

    @Slot(object)
    def _on_ticked(self, _: object) -> None:
        while self._progress:
            path, state = self._progress.popleft()
            if not state:
                self._importing.pop(path, None)
            else:
                number, _ = self._importing.get(path, (0, ""))
                self._importing[path] = (number or next(self._numbers), state)
        if not self._refresh_timer.isActive():
            delay = self._refreshed_at + _REFRESH_INTERVAL_S - time.monotonic()
            self._refresh_timer.start(max(0, round(delay * 1000)))

    @Slot()
    def _refresh(self) -> None:
        self._refreshed_at = time.monotonic()
        self.changed.emit()
        self._context.events.changed.emit(Changes(papers=True))

    @Slot()
    def _on_adding_cancelled(self) -> None:
        self._on_ticked(None)
        scanned, choices = self._requests[cast(JobRun, self.sender())]
        self._forget_remaining(scanned)
        files = [file for file in scanned.found.files if file[0] in self._importing]
        if files:
            self._remaining.append((replace(scanned, found=FoundFiles(files), data_sets=()), choices))

    @Slot()
    def _on_adding_done(self) -> None:
        scanned = self._requests[cast(JobRun, self.sender())][0]
        self._forget_remaining(scanned)
        if scanned.bibliographies:
            self.references_found.emit(list(scanned.bibliographies))

    def _forget_remaining(self, scanned: ScannedFiles) -> None:
        """Remove the files of a new import from the remaining files of earlier imports."""
        later = set(scanned.found.files)
        earlier = [
            (replace(scanned, found=FoundFiles([file for file in scanned.found.files if file not in later])), choices)
            for scanned, choices in self._remaining
        ]
        self._remaining = [(scanned, choices) for scanned, choices in earlier if scanned.found.files]

    @Slot()
    def _on_files_ended(self) -> None:
        self._on_ticked(None)
        scanned, _ = self._requests.pop(cast(JobRun, self.sender()), (None, None))
        own = {path for path, _ in scanned.found.files} if scanned else set()
        for path, (_, state) in list(self._importing.items()):  # files of an import that waits are kept
            if state or path in own:
                del self._importing[path]
        self._refresh_timer.stop()
        self.changed.emit()
        self._context.events.changed.emit(Changes(papers=True, pairs=True))  # a paper parsed again has lost its pairs

    @Slot()
    def _on_ended(self) -> None:
        self._running_jobs -= 1
        self.changed.emit()

    @Slot(object)
    def _on_imported(self, result: ImportResult) -> None:
        if (result.new or result.replaced) and self.sender().property("mines_all"):
            self.mine()
        elif result.new or result.replaced:
            self._mine_new()
        elif result.known:
            self._context.read(load_totals(self._context.project), self._on_totals)

    def _mine_new(self) -> None:
        run = self.track(self._context.runner.read(load_outdated(self._context.project)))
        run.done.connect(self._on_outdated)

    @Slot(object)
    def _on_outdated(self, outdated: OutdatedPapers) -> None:
        """Mine the added papers, unless that would mine all papers again by newer rules; the page asks before that."""
        if not outdated.has_older_rules:
            self.mine()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        from desktop.jobs.papers.import_session import ImportStopped

        if isinstance(error, ImportStopped):  # the papers added before that can be mined
            self._on_imported(error.result)

    @Slot(object)
    def _on_totals(self, totals: PaperTotals) -> None:
        """Mine pending papers after an import of known papers only, since earlier mining may have been cancelled."""
        if totals.unmined and not self.is_running:
            self._mine_new()

    @Slot(object)
    def _on_project_added(self, added: AddedProject) -> None:
        if added.papers or added.waiting:
            self._mine_new()

    @Slot()
    def _on_project_ended(self) -> None:
        changes = Changes(papers=True, pairs=True, many_annotated=True, settings=True)
        self._context.events.changed.emit(changes)

    @Slot()
    def _on_data_sets_ended(self) -> None:
        self._context.events.changed.emit(Changes(papers=True, pairs=True))

    @Slot()
    def _on_new_pairs(self) -> None:
        self.has_new_pairs = True

    @Slot()
    def _on_mining_ended(self) -> None:
        self._context.events.changed.emit(Changes(papers=True, pairs=True))


def import_controller(context: ProjectContext) -> ImportController:
    """The import controller of this project; it is created at the first call."""
    existing = context.findChild(ImportController)
    return existing if isinstance(existing, ImportController) else ImportController(context)
