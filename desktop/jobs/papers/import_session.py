"""One import into a project: stores the papers of files, and counts them as new, known, replaced or failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.papers.import_metadata import KnownPaperChange, change_known_papers, set_new_metadata
from desktop.jobs.papers.outdated import is_outdated
from desktop.jobs.papers.returned_papers import ReturnedPapers
from desktop.translation import tr
from miner.errors import UnreadableFile, UserError
from miner.parsing.file_parser import ParsedFile
from miner.parsing.files import FileContent, FileKind, Hashes
from miner.parsing.grobid import GrobidSettings
from miner.parsing.language import ENGLISH
from miner.parsing.parse_ranks import EMBEDDED
from miner.parsing.sentences import SentenceSplitter, SplitterParameters
from miner.processes.child import ProcessLimits
from miner.progress import Progress
from miner.records import Paper
from miner.references.same_paper import XML_PARSER, PaperIndex
from miner.versions import EMBEDDED_VERSION, JATS_VERSION, TEI_VERSION
from storage.papers.files import ChosenMetadata, FileSource
from storage.papers.metadata import PaperSummary
from storage.papers.store import SaveResult, StoredParse
from storage.project import Project
from storage.settings import SENTENCES
from storage.stores import Stores


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to import files.

    domain, year: replace the paper's own. grobid: the server that parses PDFs; None: the embedded parser. retry: also
    send the PDFs that GROBID has refused or found no text in. workers: the number of processes; None: one for each
    processor. reparse: the papers keep this parser from now on, whichever parsed them before. default_domain: for
    papers without a domain, unless a domain was chosen when their files failed. renew: also parse known files whose
    papers an earlier version parsed; else those stay as they are, since people are asked first. identities: the MD5 of
    the paper that a file is, by the file's SHA-256, where this is known (a rebuild).
    """

    domain: str | None = None
    year: int | None = None
    grobid: GrobidSettings | None = None
    retry: bool = False
    workers: int | None = None
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    reparse: bool = False
    default_domain: str | None = None
    renew: bool = False
    identities: Mapping[str, str] = field(default_factory=dict)


class FileProgress(NamedTuple):
    """The state of a file in the import: "reading", "parsing" or a state of GROBID's; "" once the file is finished."""

    path: Path
    state: str


FileListener = Callable[[FileProgress], None]
"""Called in the job's thread."""


class ImportFailure(NamedTuple):
    """Why a file, or a line of it (from 1; 0: the whole file), is not a paper."""

    path: Path
    line: int
    code: str
    reason: str
    hint: str


@dataclass(slots=True)
class ImportResult:
    """How many papers are new, known, replaced and failed.

    ignored: how many files in the folders are not papers. links: how many of these lead out of their folder. unlisted:
    how many bad lines files have beyond `failed`. hidden_words: how many words were left out of papers because they are
    invisible on the page. other_languages: how many new and replaced papers are in other languages than English, by
    language (ISO 639-1). changes: what was chosen in this import and is another value than known papers had.
    kept_edits: how many known papers keep a domain or year that somebody has set for them. returned: how many new
    papers are removed ones of a release, and stay in its split, by split.
    """

    new: int = 0
    known: int = 0
    replaced: int = 0
    failed: list[ImportFailure] = field(default_factory=list)
    ignored: int = 0
    links: int = 0
    unlisted: int = 0
    hidden_words: int = 0
    linked: int = 0
    changes: list[KnownPaperChange] = field(default_factory=list)
    kept_edits: int = 0
    notices: list[str] = field(default_factory=list)
    other_languages: Counter[str] = field(default_factory=Counter)
    returned: Counter[str] = field(default_factory=Counter)

    @property
    def given(self) -> int:
        return self.new + self.known + self.replaced + len(self.failed) + self.unlisted


class ImportStopped(UserError):
    """Raised where the import ends before its last file for a reason that affects all files.

    result: of the files before.
    """

    def __init__(self, error: UserError, result: ImportResult) -> None:
        super().__init__(str(error), hint=error.hint)
        self.result = result


class ImportSession:
    """Stores papers and failures as they come, counts them in `result`, and reports the progress of files."""

    def __init__(
        self,
        project: Project,
        options: ImportOptions,
        progress: Progress,
        on_file: FileListener = lambda progress: None,
        *,
        files: int = 1,
    ) -> None:
        self.project = project
        self.options = options
        self.progress = progress
        self.on_file = on_file
        self.result = ImportResult()
        self.pdfs_to_ask: dict[str, tuple[Path, str]] = {}
        """Path and SHA-256 of PDFs whose TEI states no licence, by MD5; `read_missing_licences` empties it."""
        self._known: set[str] = set()  # the MD5s of known papers for which metadata are chosen in this import
        self._files = files
        self._done = 0
        self._index: PaperIndex | None = None
        self._returned = ReturnedPapers()
        with project.read_transaction() as stores:
            learned = stores.settings.get(SENTENCES)
            self._metadata_of_failed = stores.files.chosen_metadata()  # by path
            self._merged = stores.duplicates.merged_files()
        self.parameters = learned or SplitterParameters.bundled()
        self.splitter = SentenceSplitter(self.parameters)

    # Files that are read

    def store(
        self, path: Path, kind: FileKind, parsed: ParsedFile, hashes: Hashes | None = None, cache_key: str = ""
    ) -> None:
        """Store the papers and failures of a file, or of some of its lines, in one transaction.

        hashes: of the whole file. cache_key: the key to store the TEI under, if there is a TEI.
        """
        md5, sha256 = hashes or (None, None)
        saved: list[SaveResult] = []
        other_languages = Counter[str]()
        hidden = 0
        with self.project.transaction(bulk=True) as stores:
            if cache_key and parsed.tei is not None:
                stores.parser_cache.put(cache_key, parsed.tei)
            for line, own in parsed.papers:
                paper, result = self._save(stores, own, FileSource(path, kind, line))
                saved.append(result)
                if kind is FileKind.PDF:
                    self.ask_for_licence(paper, path)
                if saved[-1] is not SaveResult.KNOWN:
                    hidden += paper.hidden_words
                    other_languages[paper.language] += paper.language not in ("", ENGLISH)
                if saved[-1] is SaveResult.NEW:
                    set_new_metadata(stores, paper.md5, self._metadata_for(path))
                else:
                    self._set_known_metadata(stores, paper.md5)
            for line, error in parsed.failed:
                metadata = self._metadata_for(path)
                stores.files.save_failure(path, error, md5=md5, sha256=sha256, line=line, chosen=metadata)
        self.result.new += saved.count(SaveResult.NEW)
        self.result.known += saved.count(SaveResult.KNOWN)
        self.result.replaced += saved.count(SaveResult.REPLACED)
        self.result.hidden_words += hidden
        self.result.other_languages += other_languages  # without those that count 0
        self._count_failed(path, parsed.failed)

    def _save(self, stores: Stores, own: Paper, source: FileSource) -> tuple[Paper, SaveResult]:
        """Save the paper of a file; if it is another form of a stored paper, under that paper's MD5.

        If two XML files are the same paper, the longer text is kept, and a notice names the other file.
        """
        chosen = self.options.reparse
        if own.md5 in self._merged and (kept := stores.files.paper_of(own.md5)) not in (None, own.md5):
            assert kept is not None
            stores.files.add(source, kept, own.sha256, own.md5)
            return replace(own, md5=kept), SaveResult.KNOWN
        if source.kind is FileKind.PAPERS:
            return own, stores.papers.save(own, source, parser_chosen=chosen)
        if self._index is None:
            self._index = PaperIndex(stores.papers.known_papers())
        md5 = self.options.identities.get(own.sha256) or stores.files.paper_of(own.md5)
        if md5 is None:
            md5 = self._index.find(own, source.kind, stores.papers.paragraph_texts) or own.md5
            self.result.linked += md5 != own.md5
        paper = own if md5 == own.md5 else replace(own, md5=md5)
        is_better = self._is_longer_version(stores, paper, source)
        own_md5 = own.md5 if md5 != own.md5 else ""
        result = stores.papers.save(paper, source, parser_chosen=chosen, own_md5=own_md5, is_better=is_better)
        self._index.put_stored(md5, paper, source.kind, replaced=result is not SaveResult.KNOWN)
        if result is SaveResult.NEW and (split := self._returned.keep_split(stores, paper, source.kind)):
            self.result.returned[split] += 1
        return paper, result

    def _is_longer_version(self, stores: Stores, paper: Paper, source: FileSource) -> bool | None:
        """Whether an XML file has more text than another file of its paper; None where length does not decide.

        Length does not decide for equal texts, and where a later version reads a known file again.
        """
        if paper.parser != XML_PARSER or (stored := stores.papers.summary(paper.md5)) is None:
            return None
        files = stores.evidence.files(paper.md5)
        is_known = any(file.sha256 == paper.sha256 for file in files)
        is_same_version = (stored.parser_version, stored.splitter) == (paper.parser_version, paper.splitter)
        if stored.parser != XML_PARSER or (is_known and not is_same_version):
            return None
        texts = [paragraph.text for section in paper.sections for paragraph in section.paragraphs]
        there = stores.papers.paragraph_texts(paper.md5)
        if texts == there:
            return None
        is_longer = (sum(map(len, texts)), texts) > (sum(map(len, there)), there)
        others = (file.path.name for file in files if file.sha256 != paper.sha256)
        other = next((name for name in others if not name.lower().endswith(".pdf")), tr("an earlier file"))
        kept = source.path.name if is_longer else other
        self.result.notices.append(
            tr(
                "{name} and {other} are one paper by their DOI or title, but differ: the longer text is "
                "kept, that of {kept}.",
                name=source.path.name,
                other=other,
                kept=kept,
            )
        )
        return is_longer

    def fail(self, path: Path, error: UnreadableFile, hashes: Hashes | None = None, cache_key: str = "") -> None:
        """Store why a file is not a paper; with `cache_key`, also as its parser's answer, which will not change."""
        md5, sha256 = hashes or (None, None)
        with self.project.transaction(bulk=True) as stores:
            stores.files.save_failure(path, error, md5=md5, sha256=sha256, chosen=self._metadata_for(path))
            if cache_key:
                stores.parser_cache.put_failure(cache_key, error)
        self._count_failed(path, [(0, error)])

    def take_over(self, failed: Path, path: Path) -> None:
        """Apply the metadata that were chosen for a failed file to the file that is made from it."""
        self._metadata_of_failed[path] = self._metadata_of_failed.get(failed, ChosenMetadata())

    def fail_unlisted(
        self, path: Path, lines: int, one: str = tr("line is not a paper"), many: str = tr("lines are not papers")
    ) -> None:
        """Store a single failure for this many further lines, or other parts, of a file that are not papers."""
        what = tr("{lines:,} more {one}.", lines=lines, one=one if lines == 1 else many)
        self.fail(path, UnreadableFile("bad_line", what, hint=tr("Correct the file, then add it again.")))
        self.result.unlisted += lines - 1  # `fail` has counted one

    def count_unavailable(self, path: Path, error: UnreadableFile) -> None:
        """Count a file that cannot be read again as failed, and store nothing: the project has its paper."""
        self._count_failed(path, [(0, error)])

    # Files whose paper the project has

    def known_paper(self, sha256: str) -> PaperSummary | None:
        """The paper that was read from a file with this content; None if there is none."""
        with self.project.read_transaction() as stores:
            return stores.papers.summary_by_sha256(sha256)

    def is_current(self, paper: PaperSummary, parser: str = "") -> bool:
        """Whether the paper's file need not be parsed now. parser: the required parser in an import that reparses."""
        if parser and self.options.reparse and paper.parser != parser:
            return False
        if self._must_wait(paper):
            return True
        if paper.splitter != self.splitter.name:
            return False
        if paper.parser == EMBEDDED:
            return paper.parser_version == EMBEDDED_VERSION
        if paper.parser == XML_PARSER:
            return paper.parser_version == JATS_VERSION
        return paper.parser_version.endswith(f"reader {TEI_VERSION}")

    def count_known(self, file: FileContent, paper: PaperSummary) -> None:
        """Count the file as known, and store its path and the metadata chosen in this import."""
        self.result.known += 1
        with self.project.read_transaction() as stores:
            is_known = stores.files.is_known_paper(file.path, file.hashes.sha256, file.line)
        if file.kind is FileKind.PDF and not is_known:
            self.ask_for_licence(replace(paper, sha256=file.hashes.sha256), file.path)
        if is_known and not self._has_metadata_for(paper):
            return
        with self.project.transaction(bulk=True) as stores:
            own_md5 = "" if file.kind is FileKind.TEI else file.hashes.md5
            stores.files.add(FileSource(file.path, file.kind, file.line), paper.md5, file.hashes.sha256, own_md5)
            self._set_known_metadata(stores, paper.md5)

    def ask_for_licence(self, paper: Paper | PaperSummary, pdf: Path) -> None:
        """Note that the paper's PDF may state the licence that its TEI does not."""
        if paper.parser == "grobid" and not paper.licence:
            self.pdfs_to_ask[paper.md5] = pdf, paper.sha256

    def count_known_lines(self, found: Sequence[tuple[int, Paper]], before: Mapping[int, str]) -> set[int]:
        """Count the papers of a file that are stored exactly as they are in it now; returns their lines.

        before: the MD5 of each line's paper when the file was last read. Only metadata chosen in this import is stored.
        """
        with self.project.read_transaction() as stores:
            stored = stores.papers.summaries_of([paper.md5 for _, paper in found])
        unchanged = [
            (line, stored[paper.md5])
            for line, paper in found
            if before.get(line) == paper.md5 and paper.md5 in stored and self._is_unchanged(paper, stored[paper.md5])
        ]
        if edited := [paper for _, paper in unchanged if self._has_metadata_for(paper)]:
            with self.project.transaction(bulk=True) as stores:
                for paper in edited:
                    self._set_known_metadata(stores, paper.md5)
        self.result.known += len(unchanged)
        return {line for line, _ in unchanged}

    def _set_known_metadata(self, stores: Stores, md5: str) -> None:
        """Set the default domain of a known paper; `change_known_papers` sets what else is chosen in this import."""
        if self.options.default_domain:
            stores.papers.set_default_domain(md5, self.options.default_domain)
        if self.options.domain is not None or self.options.year is not None:
            self._known.add(md5)

    def change_known_papers(self) -> None:
        """Set the domain and year chosen in this import for the known papers so far, as an action."""
        if not self._known:
            return
        with self.project.transaction(bulk=True) as stores:
            changes, kept = change_known_papers(stores, self._known, self._chosen_metadata())
        self._known.clear()
        self.result.changes += changes
        self.result.kept_edits += kept

    # Progress

    def finish_file(self, path: Path) -> None:
        """Report that a file is finished; raises `Cancelled` if the import was cancelled."""
        self._done += 1
        self.on_file(FileProgress(path, ""))
        self.tick(path.name)

    def tick(self, note: str = "") -> None:
        """Report how many files are finished; raises `Cancelled` if the import was cancelled."""
        self.progress.tick(self._done, self._files, note)

    def _count_failed(self, path: Path, failed: Sequence[tuple[int, UnreadableFile]]) -> None:
        self.result.failed += [ImportFailure(path, line, error.code, str(error), error.hint) for line, error in failed]

    def _has_metadata_for(self, paper: PaperSummary) -> bool:
        """Whether this import's options change the metadata of a stored paper."""
        options = self.options
        has_default = bool(options.default_domain and not paper.domain)
        return options.domain is not None or options.year is not None or has_default

    def _must_wait(self, stored: PaperSummary) -> bool:
        """Whether an earlier version parsed the paper, and nobody has asked to parse it again."""
        made_by = StoredParse(stored.parser, stored.parser_version, stored.splitter)
        return not (self.options.renew or self.options.reparse) and is_outdated(made_by)

    def _is_unchanged(self, paper: Paper, stored: PaperSummary) -> bool:
        """Whether storing the paper would change nothing."""
        is_same_parse = stored.parser_version == paper.parser_version and stored.splitter == self.splitter.name
        return (
            stored.parser == paper.parser
            and (is_same_parse or self._must_wait(stored))
            and (stored.sha256, stored.authors) == (paper.sha256, paper.authors)
            and bool(stored.domain or not paper.domain)
        )

    def _chosen_metadata(self) -> ChosenMetadata:
        return ChosenMetadata(self.options.domain, self.options.year, self.options.default_domain)

    def _metadata_for(self, path: Path) -> ChosenMetadata:
        """The metadata chosen in this import, else when the file failed in an earlier one."""
        options, earlier = self.options, self._metadata_of_failed.get(path, ChosenMetadata())
        return ChosenMetadata(
            earlier.domain if options.domain is None else options.domain,
            earlier.year if options.year is None else options.year,
            earlier.default_domain or options.default_domain,
        )
