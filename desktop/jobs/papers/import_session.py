"""What a file becomes in the project, and the tally of it: every given file is new, known, replaced or failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from miner.errors import Unreadable, UserError
from miner.parsing.embedded import PARSER as EMBEDDED
from miner.parsing.embedded import VERSION as EMBEDDED_VERSION
from miner.parsing.files import Kind
from miner.parsing.grobid import Grobid
from miner.parsing.reading import Read
from miner.parsing.sentences import Parameters, Splitter
from miner.parsing.tei import EXTRACTOR
from miner.processes.child import Limits
from miner.progress import Progress
from miner.records import Paper
from storage.papers.files import ChosenMetadata, Source
from storage.papers.store import Metadata, PaperSummary, Saved
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
    limits: Limits = field(default_factory=Limits)
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
    """The rest could not be tried, for a reason that is no file's: `added` is what came of those before."""

    def __init__(self, why: UserError, added: ImportResult) -> None:
        super().__init__(str(why), hint=why.hint)
        self.added = added


class ImportSession:
    """Writes papers and failures to the project as they come, counts them and reports progress by file."""

    def __init__(
        self,
        project: Project,
        options: ImportOptions,
        progress: Progress,
        files: int,
        watch: Watch = lambda step: None,
    ) -> None:
        self.project = project
        self.options = options
        self.progress = progress
        self.watch = watch  # hears of each file as it goes on, on the job's own thread
        self.added = ImportResult()
        self._files = files
        self._done = 0
        with project.reading() as stores:
            learnt = stores.settings.get(SENTENCES)
            self._chosen_before = stores.files.chosen()
        self.parameters = learnt or Parameters.bundled()
        self.splitter = Splitter(self.parameters)

    def take(
        self,
        path: Path,
        kind: Kind,
        read: Read,
        *,
        md5: str | None = None,
        sha256: str | None = None,
        output: str | None = None,
    ) -> None:
        """Store what a file, or some of its lines, gave, all or none of it; the hashes are of the whole file.

        `output` is the key under which to keep the TEI it was read from.
        """
        saved, hidden = [], 0
        with self.project.transaction(bulk=True) as stores:
            if output and read.output is not None:
                stores.outputs.put(output, read.output)
            for line, paper in read.papers:
                saved.append(stores.papers.save(paper, Source(path, kind, line), chosen=self.options.again))
                hidden += 0 if saved[-1] is Saved.KNOWN else paper.hidden_words
                if saved[-1] is Saved.NEW:
                    self._tell(stores, paper.md5, self._chosen_for(path))
                else:
                    self._tell(stores, paper.md5)
            for line, why in read.failed:
                chosen = self._chosen_for(path)
                stores.files.save_failure(path, why, md5=md5, sha256=sha256, line=line, chosen=chosen)
        self.added.new += saved.count(Saved.NEW)
        self.added.known += saved.count(Saved.KNOWN)
        self.added.hidden_words += hidden
        self.added.replaced += saved.count(Saved.REPLACED)
        self.added.failed += [ImportFailure(path, line, why.code, str(why), why.hint) for line, why in read.failed]

    def fail(
        self,
        path: Path,
        why: Unreadable,
        *,
        md5: str | None = None,
        sha256: str | None = None,
        refused: str | None = None,
    ) -> None:
        """Store why a file is no paper; `refused` is the key under which its parser need not be asked again."""
        with self.project.transaction(bulk=True) as stores:
            stores.files.save_failure(path, why, md5=md5, sha256=sha256, chosen=self._chosen_for(path))
            if refused:
                stores.outputs.put_failure(refused, why)
        self.added.failed.append(ImportFailure(path, 0, why.code, str(why), why.hint))

    def sum_up(self, path: Path, lines: int) -> None:
        """Store that so many more lines of a file are no papers, in one row."""
        verb = "line is no paper" if lines == 1 else "lines are no papers"
        self.fail(path, Unreadable("bad_line", f"{lines:,} more {verb}.", hint="Correct the file, then add it again."))
        self.added.unlisted += lines - 1  # one is counted as the row

    def tell(self, missing: Sequence[tuple[Path, Unreadable]]) -> None:
        """Count files that could not be tried, without a word of them in the project: their papers are there."""
        self.added.failed += [ImportFailure(path, 0, why.code, str(why), why.hint) for path, why in missing]

    def known(self, sha256: str) -> PaperSummary | None:
        """The paper that a file of this content is already; None when none has been read."""
        with self.project.reading() as stores:
            return stores.papers.by_sha256(sha256)

    def is_current(self, paper: PaperSummary, parser: str = "") -> bool:
        """Whether what reads such files now would read it in the same way; `parser`, when it is asked for again."""
        if parser and self.options.again and paper.parser != parser:
            return False
        if paper.splitter != self.splitter.name:
            return False
        if paper.parser == EMBEDDED:
            return paper.parser_version == EMBEDDED_VERSION
        return paper.parser_version.endswith(f"reader {EXTRACTOR}")

    def count_known(self, path: Path, kind: Kind, paper: PaperSummary, sha256: str) -> None:
        """The file is a paper that is there already: remember that it lies here too, and what is told of it now."""
        self.added.known += 1
        with self.project.reading() as stores:
            if not self._is_told(paper) and stores.files.has(path, sha256):
                return
        with self.project.transaction(bulk=True) as stores:
            stores.files.add(Source(path, kind), paper.md5, sha256)
            self._tell(stores, paper.md5)

    def settle_known(self, found: Sequence[tuple[int, Paper]], lines: Mapping[int, str]) -> set[int]:
        """Count the papers of a file that are kept just as they were read, in these `lines` of it; which lines.

        Nothing is written for them but what is told of papers now.
        """
        with self.project.reading() as stores:
            kept = stores.papers.by_md5s([paper.md5 for _, paper in found])
        same = [
            (number, kept[paper.md5])
            for number, paper in found
            if lines.get(number) == paper.md5 and paper.md5 in kept and self._is_kept(paper, kept[paper.md5])
        ]
        if told := [paper for _, paper in same if self._is_told(paper)]:
            with self.project.transaction(bulk=True) as stores:
                for paper in told:
                    self._tell(stores, paper.md5)
        self.added.known += len(same)
        return {number for number, _ in same}

    def _is_told(self, paper: PaperSummary) -> bool:
        """Whether something is said now of a paper that is there."""
        now = self.options
        return now.domain is not None or now.year is not None or bool(now.default_domain and not paper.domain)

    def _is_kept(self, paper: Paper, kept: PaperSummary) -> bool:
        """Whether saving the paper, once split, would change nothing."""
        return (
            (kept.parser, kept.parser_version) == (paper.parser, paper.parser_version)
            and kept.splitter == self.splitter.name
            and (kept.sha256, kept.authors) == (paper.sha256, paper.authors)
            and bool(kept.domain or not paper.domain)
        )

    def file_done(self, path: Path) -> None:
        self._done += 1
        self.watch(FileProgress(path, ""))
        self.look(path.name)

    def look(self, note: str = "") -> None:
        """Report; raises `Cancelled` when somebody asked to stop."""
        self.progress.tick(self._done, self._files, note)

    def _chosen_for(self, path: Path) -> ChosenMetadata:
        """What is chosen now, or else was when the file failed; a default is no choice."""
        now, before = self.options, self._chosen_before.get(path, ChosenMetadata())
        return ChosenMetadata(
            before.domain if now.domain is None else now.domain,
            before.year if now.year is None else now.year,
            before.default_domain or now.default_domain,
        )

    def _tell(self, stores: Stores, md5: str, chosen: ChosenMetadata | None = None) -> None:
        """What the person says of a paper (None: now) holds, whatever a parser reads now or later."""
        chosen = chosen or ChosenMetadata(self.options.domain, self.options.year, self.options.default_domain)
        told = Metadata()
        if chosen.domain is not None:
            told["domain"] = chosen.domain
        if chosen.year is not None:
            told["year"] = chosen.year
        if told:
            stores.papers.set_metadata(md5, **told)
        if chosen.default_domain:
            stores.papers.set_default_domain(md5, chosen.default_domain)
