"""Makes the rows of a paper in the tables of a corpus from its content; pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any, NamedTuple, cast

from miner.errors import UnreadableFile
from miner.mining.pair_values import pair_values
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import load_analyzer
from miner.mining.settings import MiningSettings
from miner.parsing.digests import paper_digest
from miner.parsing.file_parser import file_parser, parse_json_lines
from miner.parsing.files import FileContent, FileKind, hash_content
from miner.parsing.json_lines import JsonLine
from miner.parsing.sentences import SentenceSplitter, SplitterParameters, split_paper
from miner.parsing.spans import pack_spans
from miner.records import Funnel, Paper
from miner.references.same_paper import KnownPaper

Values = dict[str, Any]  # a row, by column
Rows = dict[str, list[Values]]  # by table


class Item(NamedTuple):
    """An input that may be a paper: its content, or why it could not be read.

    path, number, name: as in `schema.FILES`; `name` is the member's, "" outside of archives.
    """

    path: str
    number: int
    name: str
    kind: FileKind
    content: bytes
    failed: UnreadableFile | None = None

    @property
    def id(self) -> int:
        """A number that no other item of the corpus has."""
        return int.from_bytes(blake2b(f"{self.path}\0{self.number}".encode(), digest_size=8).digest(), signed=True)

    @property
    def shown(self) -> str:
        """Its name in messages."""
        if self.name:
            return self.name
        name = PurePosixPath(self.path).name
        return f"{name}, line {self.number:,}" if self.number else name


@dataclass(frozen=True, slots=True)
class MapSettings:
    """Everything besides its content that a paper's rows depend on.

    model: a language model, see `load_analyzer`. domain: of all papers; None: the domain that each paper states.
    """

    mining: MiningSettings = field(default_factory=MiningSettings)
    model: str | None = None
    domain: str | None = None


class PaperMapper:
    """Maps papers, with the parsers and the language model loaded once."""

    def __init__(self, settings: MapSettings) -> None:
        """`UserError` where the language model is missing."""
        parameters = SplitterParameters.bundled()
        self._settings = settings
        self._analyzer = load_analyzer(settings.model)
        self._parse = file_parser(parameters)
        self._splitter = SentenceSplitter(parameters)

    def map(self, item: Item) -> Rows:
        """The rows of a paper, by table; for an input that is no paper, only its row of `files`."""
        try:
            paper = self._paper(item)
        except UnreadableFile as exc:
            return unreadable_rows(item, exc)
        domain = self._settings.domain
        mined = mine_paper(paper, self._settings.mining, self._analyzer)
        origin = {"item": item.id, "md5": paper.md5}
        pairs = [{**origin, "ordinal": ordinal, **pair_values(pair)} for ordinal, pair in enumerate(mined.pairs)]
        return {
            "papers": [
                origin
                | paper_values(paper, item.kind)
                | ({} if domain is None else {"domain": domain})
                | {"keys": _keys(paper, item.kind), "characters": _characters(paper)}
            ],
            "paragraphs": [origin | values for values in _paragraphs(paper)],
            "pairs": pairs,
            "funnel": [origin | values for values in funnel_values(mined.funnel)],
            "files": [_file_values(item) | {"md5": paper.md5, "sha256": paper.sha256}],
        }

    def _paper(self, item: Item) -> Paper:
        if item.failed is not None:
            raise item.failed
        if item.kind is FileKind.PAPERS:
            found = parse_json_lines([JsonLine(item.number, item.content)])
        else:
            path, hashes = cast(Any, PurePosixPath(item.path)), hash_content(item.content)  # its name alone is used
            found = self._parse(FileContent(path, item.kind, item.content, hashes, item.number, item.name))
        for _, error in found.failed:
            raise error
        [(_, paper)] = found.papers
        return split_paper(paper, self._splitter) if item.kind is FileKind.PAPERS else paper


def paper_values(paper: Paper, kind: FileKind) -> Values:
    """The row of `papers`."""
    return {
        "kind": kind.value,
        "sha256": paper.sha256,
        "digest": paper_digest(paper),
        "title": paper.title,
        "authors": paper.authors,
        "year": paper.year,
        "doi": paper.doi,
        "domain": paper.domain,
        "journal": paper.journal,
        "licence": paper.licence,
        "keywords": paper.keywords,
        "language": paper.language,
        "pages": paper.pages,
        "parser": paper.parser,
        "parser_version": paper.parser_version,
        "splitter": paper.splitter,
        "hidden_words": paper.hidden_words,
        "repaired_characters": paper.repaired_characters,
        "repaired_fonts": paper.repaired_fonts,
        "words": paper.words,
        "unknown_words": paper.unknown_words,
        "unknown_lines": paper.unknown_lines,
        "sources": [source._asdict() for source in paper.sources],
        "sections": [{"title": section.title, "kind": section.kind.value} for section in paper.sections],
        "sentences": sum(len(paragraph.sentences) for section in paper.sections for paragraph in section.paragraphs),
    }


def _keys(paper: Paper, kind: FileKind) -> list[int]:
    """By which other forms of the paper are found."""
    digests = (blake2b(key.encode(), digest_size=8).digest() for key in KnownPaper.of(paper, kind).keys)
    return [int.from_bytes(digest, signed=True) for digest in digests]


def _characters(paper: Paper) -> int:
    return sum(len(paragraph.text) for section in paper.sections for paragraph in section.paragraphs)


def unreadable_rows(item: Item, error: UnreadableFile) -> Rows:
    """The rows of an input that is no paper."""
    return {"files": [_file_values(item) | {"code": error.code, "reason": str(error), "hint": error.hint}]}


def funnel_values(funnel: Funnel) -> Iterator[Values]:
    """The rows of `funnel`, without those that count nothing."""
    for outcome, counts in (("candidate", funnel.candidates), ("kept", funnel.kept)):
        for strategy, count in counts.items():
            if count:
                yield {"strategy": strategy.value, "outcome": outcome, "reason": "", "count": count}
    for drop, count in funnel.dropped.items():
        if count:
            yield {"strategy": drop.strategy.value, "outcome": "dropped", "reason": drop.reason, "count": count}


def _file_values(item: Item) -> Values:
    name, kind = item.name, item.kind.value
    return {"item": item.id, "path": item.path, "number": item.number, "name": name, "kind": kind}


def _paragraphs(paper: Paper) -> Iterator[Values]:
    for number, section in enumerate(paper.sections):
        for ordinal, paragraph in enumerate(section.paragraphs):
            yield {
                "section": number,
                "ordinal": ordinal,
                "text": paragraph.text,
                "after_break": paragraph.after_break,
                "sentences": [offset for sentence in paragraph.sentences for offset in sentence],
                "spans": pack_spans(paragraph.spans),
            }
