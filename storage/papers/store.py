"""Papers of the project: save, load and count them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, NamedTuple, Unpack

from sqlalchemy import Connection, bindparam, delete, func, insert, select, tuple_, update

from miner.errors import UnreadableFile
from miner.parsing.checks import TEXT, fields_to_check
from miner.parsing.digests import paper_digest, text_digest, text_part, with_text
from miner.parsing.files import FileKind
from miner.parsing.parse_ranks import EMBEDDED
from miner.parsing.parse_ranks import is_better as is_better_parse
from miner.records import Paper, PaperDescription
from miner.references.same_paper import KnownPaper
from storage import convert
from storage.connections import OnStep, do_nothing
from storage.convert import field_types, read_all, read_first
from storage.errors import translate_decoding_errors
from storage.mining.runs import invalidate_from
from storage.pairs import paper_splits
from storage.pairs.store import delete_unannotated_pairs
from storage.papers.files import FileSource, link_file, store_file
from storage.papers.metadata import BY_HAND, CHOSEN_FOR_ALL, PAPERS, SUMMARY_COLUMNS, PaperMetadata, PaperSummary
from storage.schema import DATA_SET, PARAGRAPHS, SECTIONS, FileRow, ParagraphRow, SectionRow, columns_of

_PARSER = "parser"  # in `edited`: a person chose the parser of this paper

# Built once, because imports store many small papers: SQLAlchemy takes longer to build a statement than to run it.
_OF_MD5 = PAPERS.c.md5 == bindparam("md5")
_SELECT_STORED = select(PAPERS.c.id, *SUMMARY_COLUMNS).where(_OF_MD5)
_SELECT_SUMMARY = select(*SUMMARY_COLUMNS).where(_OF_MD5)
_SELECT_SECTIONS = (
    select(SectionRow.ordinal, SectionRow.title, SectionRow.kind)
    .where(SectionRow.paper_id == bindparam("paper_id"))
    .order_by(SectionRow.ordinal)
)
_SELECT_PARAGRAPHS = (
    select(
        ParagraphRow.section, ParagraphRow.text, ParagraphRow.after_break, ParagraphRow.sentences, ParagraphRow.spans
    )
    .where(ParagraphRow.paper_id == bindparam("paper_id"))
    .order_by(ParagraphRow.section, ParagraphRow.ordinal)
)
# A paper that was removed and added again has its events, but not what they set.
_EDITED_BY_ACTION = f"""
    SELECT DISTINCT field FROM paper_events AS e JOIN actions ON actions.id = action JOIN papers USING (md5)
    WHERE md5 = ? AND state = 'done' AND (
        field = 'domain' AND papers.domain IS e.new ->> 0 OR field = 'year' AND papers.year IS e.new ->> 0
    ) AND (sources ->> field) IS NOT '{CHOSEN_FOR_ALL}'
"""
_INSERT_PAPER = insert(PAPERS).returning(PAPERS.c.id)
_INSERT_SECTIONS, _INSERT_PARAGRAPHS = insert(SECTIONS), insert(PARAGRAPHS)


class SaveResult(StrEnum):
    """What `PaperStore.save` did: NEW: the paper is new. REPLACED: its text was replaced. KNOWN: its text stayed."""

    NEW = "new"
    KNOWN = "known"
    REPLACED = "replaced"


class StoredParse(NamedTuple):
    """What made a paper's text: a parser in some version, and the splitter that found its sentences."""

    parser: str
    version: str
    splitter: str


class PaperStore:
    """The papers and their text."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def save(
        self,
        paper: Paper,
        source: FileSource,
        *,
        parser_chosen: bool = False,
        own_md5: str = "",
        is_better: bool | None = None,
    ) -> SaveResult:
        """Save a paper and the file it came from. The same content again changes nothing.

        The result does not depend on the order in which files are saved: the text of the better parse is kept (GROBID's
        before the embedded parser's, then the later version's), with the hash and page count of the PDF if there is
        one, and of several domains the first by name. Metadata that a person set is kept. If a person chose the parser
        (`parser_chosen`), this parse replaces any other, and from then on only later parses by the same parser replace
        it. A PDF with the MD5 of another one (a forgery) is saved as a failed file; the result is KNOWN.

        own_md5: the MD5 of the file, where it is another form of a paper that came in under another one
        (`miner.references.same_paper`). is_better: whether the text is the better one, where the caller has compared.
        """
        old = self._connection.execute(_SELECT_STORED, {"md5": paper.md5}).first()
        if old is None:
            self._insert(paper, source, parser_chosen=parser_chosen)
            return SaveResult.NEW
        if source.kind is FileKind.PDF and old.kind == FileKind.PDF and old.sha256 != paper.sha256:
            clash = UnreadableFile("clash", "Another PDF of this project has the same MD5 but other content.")
            store_file(self._connection, source.path, source.line, own_md5 or paper.md5, paper.sha256, None, clash)
            return SaveResult.KNOWN
        replaces = self._update(old, paper, source, parser_chosen=parser_chosen, is_better=is_better)
        link_file(self._connection, source, paper, old.id, own_md5)
        return SaveResult.REPLACED if replaces else SaveResult.KNOWN

    def _insert(self, paper: Paper, source: FileSource, *, parser_chosen: bool) -> None:
        values = {
            "md5": paper.md5,
            "kind": source.kind,
            "domain": paper.domain,
            "edited": [_PARSER] if parser_chosen else [],
            **_file_values(paper),
            **_parse_values(paper),
        }
        paper_id = self._connection.execute(_INSERT_PAPER, values).scalar_one()
        self._insert_prose(paper_id, paper)
        link_file(self._connection, source, paper, paper_id)
        paper_splits.refresh_papers(self._connection, [paper_id])
        invalidate_from(self._connection, paper.md5)

    def _update(
        self,
        old: Any,  # a row
        paper: Paper,
        source: FileSource,
        *,
        parser_chosen: bool,
        is_better: bool | None,
    ) -> bool:
        """Merge the paper into the stored one. Returns whether its text replaces the stored text."""
        digest, edited = paper_digest(paper), _edited_fields(old.edited)
        values: dict[str, Any] = {}
        if parser_chosen:
            edited.add(_PARSER)
            values["edited"] = sorted(edited)
            replaces = bool(digest != old.digest)
        else:
            is_allowed = _PARSER not in edited or paper.parser == old.parser
            replaces = is_allowed and (is_better_parse(paper, digest, old) if is_better is None else is_better)
        if paper.domain and "domain" not in edited:
            values["domain"] = min(old.domain or paper.domain, paper.domain)
        # Of two TEI files of the same text, always keep the same one.
        same = digest == old.digest and paper.sha256 < old.sha256
        if source.kind is FileKind.PDF or ((replaces or same) and old.kind != FileKind.PDF):
            values |= {"kind": source.kind, **_file_values(paper)}
        if replaces:
            values |= {key: value for key, value in _parse_values(paper).items() if key not in edited - {_PARSER}}
            values["sources"] = _sources(paper, json.loads(old.sources), edited)
            if TEXT in edited:  # it was another text that a person found right
                values["edited"] = sorted(edited - {TEXT})
            self._replace_prose(old.id, paper)
        if "licence" not in edited and (values or paper.licence):
            values["licence"] = _licence(paper, old, replaces=replaces)
        if values:
            self._connection.execute(update(PAPERS).where(PAPERS.c.id == old.id).values(**values))
            paper_splits.refresh_papers(self._connection, [old.id])
        return replaces

    def _replace_prose(self, paper_id: int, paper: Paper) -> None:
        self._connection.execute(delete(SectionRow).where(SectionRow.paper_id == paper_id))
        self._insert_prose(paper_id, paper)
        delete_unannotated_pairs(self._connection, paper_id)
        invalidate_from(self._connection, paper.md5)

    def set_sentences(self, paper: Paper) -> None:
        """Replace a stored paper's sentences by the sentences of `paper`: the same text, split differently."""
        paper_id = self._connection.execute(select(PAPERS.c.id).where(PAPERS.c.md5 == paper.md5)).scalar_one()
        self._connection.execute(delete(SectionRow).where(SectionRow.paper_id == paper_id))
        self._insert_prose(paper_id, paper)
        self.set_splitter(paper)
        invalidate_from(self._connection, paper.md5)

    def set_splitter(self, paper: Paper) -> None:
        """Save that the splitter of `paper` gives the sentences that the stored paper has, and the language found.

        The paper stays mined, unless its language is another now: splitters are part of what identifies a mining run,
        see `MiningRunStore.set_splitters`.
        """
        columns = select(PAPERS.c.digest, PAPERS.c.edited, PAPERS.c.language).where(PAPERS.c.md5 == paper.md5)
        old = self._connection.execute(columns).one()
        # The rest of `paper` comes from the project: people may have edited it, so that no parse gives it.
        values = {"digest": with_text(old.digest, paper), "splitter": paper.splitter}
        if "language" not in _edited_fields(old.edited) and paper.language != old.language:
            values["language"] = paper.language
            invalidate_from(self._connection, paper.md5)
        self._connection.execute(update(PAPERS).where(PAPERS.c.md5 == paper.md5).values(**values))

    def known_papers(self) -> list[KnownPaper]:
        """The fields of all papers by which a file is recognised as another form of a known paper."""
        return list(read_all(KnownPaper, self._connection.execute(_papers(*columns_of(PAPERS, KnownPaper)))))

    def paragraph_texts(self, md5: str) -> list[str]:
        """The text of a paper's paragraphs, in order."""
        query = select(ParagraphRow.text).join(PAPERS, PAPERS.c.id == ParagraphRow.paper_id)
        order = (ParagraphRow.section, ParagraphRow.ordinal)
        return list(self._connection.scalars(query.where(PAPERS.c.md5 == md5).order_by(*order)))

    def summary(self, md5: str) -> PaperSummary | None:
        return read_first(PaperSummary, self._connection.execute(_SELECT_SUMMARY, {"md5": md5}))

    def summaries_of(self, md5s: Sequence[str]) -> dict[str, PaperSummary]:
        """By MD5; without those that the project does not have."""
        wanted = select(func.json_each(json.dumps(list(md5s))).table_valued("value").c.value)
        rows = self._connection.execute(select(*SUMMARY_COLUMNS).where(PAPERS.c.md5.in_(wanted)))
        return {paper.md5: paper for paper in read_all(PaperSummary, rows)}

    def summary_by_sha256(self, sha256: str) -> PaperSummary | None:
        """The paper of a file with this content, whichever of the paper's files that is."""
        query = (
            select(*SUMMARY_COLUMNS)
            .join(FileRow, FileRow.paper_id == PAPERS.c.id)
            .where(FileRow.sha256 == sha256)
            .limit(1)
        )
        return read_first(PaperSummary, self._connection.execute(query))

    def get(self, md5: str) -> Paper:
        """The whole paper. Raises KeyError if there is none."""
        row = self._connection.execute(_SELECT_STORED, {"md5": md5}).mappings().first()
        if row is None:
            raise KeyError(md5)
        of_paper = {"paper_id": row["id"]}
        return convert.paper_from_rows(
            row,
            self._connection.execute(_SELECT_SECTIONS, of_paper),
            self._connection.execute(_SELECT_PARAGRAPHS, of_paper),
        )

    def md5s(self) -> list[str]:
        """The MD5s of all papers, ascending: the order in which papers are mined and exported."""
        return list(self._connection.scalars(_papers(PAPERS.c.md5).order_by(PAPERS.c.md5)))

    def summaries(self) -> list[PaperSummary]:
        """All papers, ordered by MD5."""
        rows = self._connection.execute(_papers(*SUMMARY_COLUMNS).order_by(PAPERS.c.md5))
        return list(read_all(PaperSummary, rows))

    def count(self) -> int:
        return self._connection.scalar(_papers(func.count())) or 0

    def has_papers_by(self, parser: str) -> bool:
        """Whether any paper was read by this parser."""
        return self._connection.scalar(select(PAPERS.c.id).where(PAPERS.c.parser == parser).limit(1)) is not None

    def count_sentences(self) -> int:
        return self._connection.scalar(select(func.sum(func.json_array_length(ParagraphRow.sentences)))) or 0

    def count_hidden_words(self) -> tuple[int, int]:
        """How many words were left out because they are invisible on the pages, and in how many papers."""
        query = select(func.coalesce(func.sum(PAPERS.c.hidden_words), 0), func.count())
        words, papers = self._connection.execute(query.where(PAPERS.c.hidden_words > 0)).one()
        return words, papers

    def text_digests(self) -> dict[str, str]:
        """The digest of each paper's text, by MD5, ascending."""
        rows = self._connection.execute(_papers(PAPERS.c.md5, PAPERS.c.digest).order_by(PAPERS.c.md5))
        return {md5: text_part(digest) or digest for md5, digest in rows}

    def find_changed(self, on_step: OnStep = do_nothing) -> list[str]:
        """The MD5s of the papers whose text is not the one that their digest was made of, ascending."""
        changed = []
        for md5, digest in self._connection.execute(_papers(PAPERS.c.md5, PAPERS.c.digest).order_by(PAPERS.c.md5)):
            on_step()
            if (expected := text_part(digest)) and text_digest(self.get(md5)) != expected:
                changed.append(md5)
        return changed

    def text_digest(self) -> str:
        """A digest of the texts of all papers; it changes with other papers, or another parse of a paper."""
        digest = blake2b(digest_size=16)
        for md5, of_text in self.text_digests().items():
            digest.update(f"{md5} {of_text}\n".encode())
        return digest.hexdigest()

    def splitters(self) -> list[str]:
        """The sentence splitters that papers of the project were split by, each once, sorted."""
        return list(self._connection.scalars(_papers(PAPERS.c.splitter).distinct().order_by(PAPERS.c.splitter)))

    def parses(self) -> dict[StoredParse, int]:
        """What made the papers, with the number of papers."""
        columns = (PAPERS.c.parser, PAPERS.c.parser_version, PAPERS.c.splitter)
        rows = self._connection.execute(_papers(*columns, func.count()).group_by(*columns).order_by(*columns))
        return {StoredParse(*made_by): number for *made_by, number in rows}

    def ids_of_parses(self, parses: Collection[StoredParse]) -> list[int]:
        """The ids of the papers with one of these parses, ordered by MD5."""
        made_by = tuple_(PAPERS.c.parser, PAPERS.c.parser_version, PAPERS.c.splitter)
        query = _papers(PAPERS.c.id).where(made_by.in_(list(parses))).order_by(PAPERS.c.md5)
        return list(self._connection.scalars(query)) if parses else []

    def domain_counts(self) -> dict[str, int]:
        """The number of papers by domain, sorted by domain."""
        query = _papers(PAPERS.c.domain, func.count()).group_by(PAPERS.c.domain).order_by(PAPERS.c.domain)
        return dict(self._connection.execute(query).all())

    def file_paths(self, md5: str) -> list[str]:
        """Where files of this paper were when they were last read."""
        query = select(FileRow.path).join(PAPERS, PAPERS.c.id == FileRow.paper_id).where(PAPERS.c.md5 == md5)
        return list(self._connection.scalars(query.order_by(FileRow.path)))

    def edited_by_action(self, md5: str) -> set[str]:
        """Which of domain and year an action has set (`PaperEditStore.edit`) for this paper, and it still has.

        An action that set them for all papers of an import does not count.
        """
        return set(self._connection.exec_driver_sql(_EDITED_BY_ACTION, (md5,)).scalars())

    def set_metadata(self, md5: str, **changes: Unpack[PaperMetadata]) -> None:
        """Set metadata by a person; no later parse overwrites it. Raises KeyError if there is no such paper."""
        columns = (PAPERS.c.id, PAPERS.c.edited, PAPERS.c.sources)
        row = self._connection.execute(select(*columns).where(PAPERS.c.md5 == md5)).first()
        if row is None:
            raise KeyError(md5)
        values: dict[str, Any] = dict(changes)  # column values
        stated = {field: BY_HAND if field in changes else source for field, source in json.loads(row.sources).items()}
        values["sources"] = dict(sorted(stated.items()))
        edited = frozenset((*_edited_fields(row.edited), *changes))
        self._connection.execute(update(PAPERS).where(PAPERS.c.id == row.id).values(edited=edited, **values))
        paper_splits.refresh_papers(self._connection, [row.id])

    def set_stated_licence(self, md5: str, licence: str) -> None:
        """Set the licence that a paper's PDF states, where no other file does and no person has set one."""
        unknown = (PAPERS.c.md5 == md5, PAPERS.c.licence == "", ~PAPERS.c.edited.contains('"licence"'))
        self._connection.execute(update(PAPERS).where(*unknown).values(licence=licence))

    def set_default_domain(self, md5: str, domain: str) -> None:
        """Set the domain of a paper without one, unless a person removed it. Raises KeyError if there is no paper."""
        row = self._connection.execute(select(PAPERS.c.domain, PAPERS.c.edited).where(PAPERS.c.md5 == md5)).first()
        if row is None:
            raise KeyError(md5)
        if not row.domain and "domain" not in _edited_fields(row.edited):
            self.set_metadata(md5, domain=domain)

    def _insert_prose(self, paper_id: int, paper: Paper) -> None:
        sections = [
            {"paper_id": paper_id, "ordinal": ordinal, "title": section.title, "kind": section.kind.value}
            for ordinal, section in enumerate(paper.sections)
        ]
        paragraphs = list(convert.paragraph_values(paper_id, paper))
        if sections:
            self._connection.execute(_INSERT_SECTIONS, sections)
        if paragraphs:
            self._connection.execute(_INSERT_PARAGRAPHS, paragraphs)


def _papers(*columns: Any) -> Any:  # SQLAlchemy types a select by its columns, one overload a count
    return select(*columns).select_from(PAPERS).where(PAPERS.c.kind != DATA_SET)


def _file_values(paper: Paper) -> dict[str, Any]:
    """The columns about the file that was parsed."""
    return {"sha256": paper.sha256, "pages": paper.pages}


_NOT_PARSED = ("md5", "sha256", "pages", "domain")  # fields of a description


def _parse_values(paper: Paper) -> dict[str, Any]:
    """The columns that a parser fills."""
    described = {name: getattr(paper, name) for name in field_types(PaperDescription) if name not in _NOT_PARSED}
    derived = {"sources": _sources(paper), "to_check": fields_to_check(paper), "digest": paper_digest(paper)}
    return described | derived


def _licence(paper: Paper, old: Any, *, replaces: bool) -> str:
    """The licence after a parse: from the text's own file, else from the paper's other file.

    If the built-in parser reads a PDF again, its result replaces the licence that an earlier version found.
    """
    if paper.parser == old.parser == EMBEDDED and replaces:
        return paper.licence
    return paper.licence or str(old.licence) if replaces else str(old.licence) or paper.licence


def _sources(
    paper: Paper, old: Mapping[str, str] = MappingProxyType({}), edited: Collection[str] = ()
) -> dict[str, str]:
    """The sources of the paper's fields, by field; unchanged for fields that people have set (`edited`)."""
    found = {source.field: source.source for source in paper.sources if source.field not in edited}
    kept = {field: source for field, source in old.items() if field in edited}
    return dict(sorted((found | kept).items()))


@translate_decoding_errors()
def _edited_fields(stored: str) -> set[str]:
    """The names of the fields that people have set, which no parse overwrites."""
    return set(json.loads(stored))
