"""One import into a project: stores what files give, and counts it. Every file is new, known, replaced or failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from miner.errors import Unreadable, UserError
from miner.parsing.embedded import PARSER as EMBEDDED
from miner.parsing.embedded import VERSION as EMBEDDED_VERSION
from miner.parsing.file_parser import ParsedFile
from miner.parsing.files import FileContent, FileKind, Hashes
from miner.parsing.grobid import Grobid
from miner.parsing.sentences import SentenceSplitter, SplitterParameters
from miner.parsing.tei import EXTRACTOR
from miner.processes.child import ProcessLimits
from miner.progress import Progress
from miner.records import Paper
from storage.papers.files import ChosenMetadata, FileSource
from storage.papers.store import PaperMetadata, PaperSummary, SaveResult
from storage.project import Project, Stores
from storage.settings import SENTENCES


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What to make of the files: `domain` and `year` go over what a paper says itself; with `grobid`, PDFs go there.

    `default_domain` is for papers that say none, and for which none was chosen when their files failed.
    `retry` sends again what GROBID has refused or found no text in. `again`: these papers are to be read by this parser
    from now on, whatever has read them before. `workers` None: one for each processor.
    """

    domain: str | None = None
    year: int | None = None
    grobid: Grobid | None = None
    retry: bool = False
    workers: int | None = None
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    again: bool = False
    default_domain: str | None = None


class FileProgress(NamedTuple):
    """A file has come this far: `state` is "parsing", a few words of GROBID's, or "" when all is said of it."""

    path: Path
    state: str


Watch = Callable[[FileProgress], None]


class ImportFailure(NamedTuple):
    """A file, or a line of one (0: all of it), that is no paper, and why."""

    path: Path
    line: int
    code: str
    reason: str
    hint: str


@dataclass(slots=True)
class ImportResult:
    """What became of all that was given, in papers; and how many other files lay in the folders.

    `links` are those of the others that lead out of their folder.
    Of a file's lines that are no papers only the first are among the `failed`; `unlisted` are the others.
    `hidden_words` of the papers were left out, because they cannot be seen on the pages.
    """

    new: int = 0
    known: int = 0
    replaced: int = 0
    failed: list[ImportFailure] = field(default_factory=list)
    ignored: int = 0
    links: int = 0
    unlisted: int = 0
    hidden_words: int = 0

    @property
    def given(self) -> int:
        return self.new + self.known + self.replaced + len(self.failed) + self.unlisted


class ImportStopped(UserError):
    """The rest could not be tried, for a reason that is no file's: `result` is what came of those before."""

    def __init__(self, why: UserError, result: ImportResult) -> None:
        super().__init__(str(why), hint=why.hint)
        self.result = result


class ImportSession:
    """Stores papers and failures as they come, counts them in `result`, and reports progress by file.

    `watch` hears how far each file is, on the job's own thread.
    """

    def __init__(
        self,
        project: Project,
        options: ImportOptions,
        progress: Progress,
        watch: Watch = lambda step: None,
        *,
        files: int = 1,
    ) -> None:
        self.project = project
        self.options = options
        self.progress = progress
        self.watch = watch
        self.result = ImportResult()
        self._files = files
        self._done = 0
        with project.reading() as stores:
            learnt = stores.settings.get(SENTENCES)
            self._chosen_before = stores.files.chosen_metadata()
        self.parameters = learnt or SplitterParameters.bundled()
        self.splitter = SentenceSplitter(self.parameters)

    # A file that was read for the first time, or anew

    def store(
        self, path: Path, kind: FileKind, parsed: ParsedFile, known: Hashes | None = None, cache_key: str = ""
    ) -> None:
        """Store what a file, or some of its lines, gave, all or none of it; `known`: the hashes of the whole file.

        The TEI that it was read from is kept under `cache_key`, if there is one.
        """
        md5, sha256 = known or (None, None)
        saved: list[SaveResult] = []
        hidden = 0
        with self.project.transaction(bulk=True) as stores:
            if cache_key and parsed.tei is not None:
                stores.parser_cache.put(cache_key, parsed.tei)
            for line, paper in parsed.papers:
                saved.append(stores.papers.save(paper, FileSource(path, kind, line), parser_chosen=self.options.again))
                hidden += 0 if saved[-1] is SaveResult.KNOWN else paper.hidden_words
                chosen = self._chosen_for(path) if saved[-1] is SaveResult.NEW else self._chosen_now()
                _set_metadata(stores, paper.md5, chosen)
            for line, why in parsed.failed:
                chosen = self._chosen_for(path)
                stores.files.save_failure(path, why, md5=md5, sha256=sha256, line=line, chosen=chosen)
        self.result.new += saved.count(SaveResult.NEW)
        self.result.known += saved.count(SaveResult.KNOWN)
        self.result.replaced += saved.count(SaveResult.REPLACED)
        self.result.hidden_words += hidden
        self._count_failed(path, parsed.failed)

    def fail(self, path: Path, why: Unreadable, known: Hashes | None = None, cache_key: str = "") -> None:
        """Store why a file is no paper; with `cache_key`, also that its parser need not be asked again."""
        md5, sha256 = known or (None, None)
        with self.project.transaction(bulk=True) as stores:
            stores.files.save_failure(path, why, md5=md5, sha256=sha256, chosen=self._chosen_for(path))
            if cache_key:
                stores.parser_cache.put_failure(cache_key, why)
        self._count_failed(path, [(0, why)])

    def fail_unlisted(self, path: Path, lines: int) -> None:
        """Store that so many more lines of a file are no papers, in one row."""
        verb = "line is no paper" if lines == 1 else "lines are no papers"
        self.fail(path, Unreadable("bad_line", f"{lines:,} more {verb}.", hint="Correct the file, then add it again."))
        self.result.unlisted += lines - 1  # one is counted as the row

    def count_untried(self, path: Path, why: Unreadable) -> None:
        """Count a file that could not be tried as failed, and store nothing: its paper is there."""
        self._count_failed(path, [(0, why)])

    # A file whose paper is there already

    def known_paper(self, sha256: str) -> PaperSummary | None:
        """The paper that a file of this content is already; None when none has been read."""
        with self.project.reading() as stores:
            return stores.papers.summary_by_sha256(sha256)

    def is_current(self, paper: PaperSummary, parser: str = "") -> bool:
        """Whether the file would be read in the same way now; `parser`: the one that papers read `again` must have."""
        if parser and self.options.again and paper.parser != parser:
            return False
        if paper.splitter != self.splitter.name:
            return False
        if paper.parser == EMBEDDED:
            return paper.parser_version == EMBEDDED_VERSION
        return paper.parser_version.endswith(f"reader {EXTRACTOR}")

    def count_known(self, file: FileContent, paper: PaperSummary) -> None:
        """Remember that a known paper lies here too, and the metadata chosen for it now."""
        self.result.known += 1
        with self.project.reading() as stores:
            if not self._has_choice_for(paper) and stores.files.is_known_paper(file.path, file.hashes.sha256):
                return
        with self.project.transaction(bulk=True) as stores:
            stores.files.add(FileSource(file.path, file.kind), paper.md5, file.hashes.sha256)
            _set_metadata(stores, paper.md5, self._chosen_now())

    def count_known_lines(self, found: Sequence[tuple[int, Paper]], before: Mapping[int, str]) -> set[int]:
        """Count the papers of a file that are stored just as they were read now; their lines.

        `before`: the MD5 that each line had when the file was last read. Only metadata chosen now is written.
        """
        with self.project.reading() as stores:
            stored = stores.papers.summaries_of([paper.md5 for _, paper in found])
        same = [
            (line, stored[paper.md5])
            for line, paper in found
            if before.get(line) == paper.md5 and paper.md5 in stored and self._is_unchanged(paper, stored[paper.md5])
        ]
        if chosen := [paper for _, paper in same if self._has_choice_for(paper)]:
            with self.project.transaction(bulk=True) as stores:
                for paper in chosen:
                    _set_metadata(stores, paper.md5, self._chosen_now())
        self.result.known += len(same)
        return {line for line, _ in same}

    # Progress

    def finish_file(self, path: Path) -> None:
        """Report that all is said of a file; raises `Cancelled` when somebody asked to stop."""
        self._done += 1
        self.watch(FileProgress(path, ""))
        self.tick(path.name)

    def tick(self, note: str = "") -> None:
        """Report how many files are done; raises `Cancelled` when somebody asked to stop."""
        self.progress.tick(self._done, self._files, note)

    def _count_failed(self, path: Path, failed: Sequence[tuple[int, Unreadable]]) -> None:
        self.result.failed += [ImportFailure(path, line, why.code, str(why), why.hint) for line, why in failed]

    def _has_choice_for(self, paper: PaperSummary) -> bool:
        """Whether metadata is chosen now for a paper that is there."""
        now = self.options
        return now.domain is not None or now.year is not None or bool(now.default_domain and not paper.domain)

    def _is_unchanged(self, paper: Paper, stored: PaperSummary) -> bool:
        """Whether saving the paper, once split, would change nothing."""
        return (
            (stored.parser, stored.parser_version) == (paper.parser, paper.parser_version)
            and stored.splitter == self.splitter.name
            and (stored.sha256, stored.authors) == (paper.sha256, paper.authors)
            and bool(stored.domain or not paper.domain)
        )

    def _chosen_now(self) -> ChosenMetadata:
        return ChosenMetadata(self.options.domain, self.options.year, self.options.default_domain)

    def _chosen_for(self, path: Path) -> ChosenMetadata:
        """What is chosen now, or else was when the file failed; a default is no choice."""
        now, before = self.options, self._chosen_before.get(path, ChosenMetadata())
        return ChosenMetadata(
            before.domain if now.domain is None else now.domain,
            before.year if now.year is None else now.year,
            before.default_domain or now.default_domain,
        )


def _set_metadata(stores: Stores, md5: str, chosen: ChosenMetadata) -> None:
    """What a person chose for a paper holds, whatever a parser reads now or later."""
    metadata = PaperMetadata()
    if chosen.domain is not None:
        metadata["domain"] = chosen.domain
    if chosen.year is not None:
        metadata["year"] = chosen.year
    if metadata:
        stores.papers.set_metadata(md5, **metadata)
    if chosen.default_domain:
        stores.papers.set_default_domain(md5, chosen.default_domain)
