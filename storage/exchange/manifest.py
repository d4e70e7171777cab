"""The manifest of an exported data set: all that is needed to make the same files again from the same papers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from miner import codec
from miner.errors import UserError
from miner.installation import UPDATE_HINT
from miner.parsing.digests import text_digest, text_part
from miner.parsing.sentences.parameters import SplitterParameters
from miner.paths import check_ordinary
from miner.precision.report import PrecisionReport
from miner.records import Label
from miner.references.same_paper import XML_PARSER
from miner.splits import PaperSplit
from miner.versions import RULES_VERSION
from storage.convert import read_all
from storage.dataset.corpus_origin import CorpusOrigin
from storage.dataset.export_options import ExportOptions, FileFormat
from storage.dataset.gold_rule import GoldRules
from storage.errors import translate_decoding_errors
from storage.exchange.annotations_file import options_to_publish
from storage.exchange.export_files import WrittenFile
from storage.pairs.paper_splits import split_as_it_is
from storage.papers.decisions import merged_files
from storage.schema import DATA_SET
from storage.settings import CORPUS, GOLD, GOLD_EVERYWHERE, SENTENCES
from storage.stores import Stores

MANIFEST = "manifest.json"
ANNOTATIONS = "annotations.json"
_KIND = "pairwright manifest"
_VERSION = 1
MAX_BYTES = 200_000_000
_MD5, _SHA256 = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{64}")
FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_. -]{0,200}")


@dataclass(frozen=True, slots=True)
class PaperRecord:
    """A paper: what it is, and what was made of it. digest: of its text (`miner.parsing.digests.text_digest`).

    sha256: of the file that it is known by. files: of all files that it was read from. licence_by_hand: a person set
    the licence. sources: where the fields' values come from. to_check: what the parser was not sure of and nobody has
    confirmed (`miner.parsing.checks`). language: None in manifests of earlier versions, which do not say it.
    """

    md5: str
    sha256: str
    kind: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    doi: str | None
    domain: str
    licence: str
    parser: str
    parser_version: str
    splitter: str
    digest: str
    files: tuple[str, ...] = ()
    licence_by_hand: bool = False
    journal: str = ""
    keywords: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)
    to_check: tuple[str, ...] = ()
    language: str | None = None

    def __post_init__(self) -> None:
        _require(_MD5.fullmatch(self.md5), "a paper's MD5")
        for sha256 in (self.sha256, *self.files):
            _require(_SHA256.fullmatch(sha256), "a paper's SHA-256")
        _require(self.year is None or 0 <= self.year <= 9999, "a paper's year")


@dataclass(frozen=True, slots=True)
class DataSetRecord:
    """An imported data set. sha256: of its uncompressed content. domain: of rows without one.

    numbers: the labels that numbers stand for, from 0.
    """

    sha256: str
    domain: str = ""
    numbers: tuple[Label, ...] = ()

    def __post_init__(self) -> None:
        _require(_SHA256.fullmatch(self.sha256), "a data set's SHA-256")


@dataclass(frozen=True, slots=True)
class MiningRecord:
    """A mining run. settings: its `MiningSettings`, of which, with program and model, `run` is made."""

    run: str
    settings: dict[str, Any]
    program: str
    language_model: str


@dataclass(frozen=True, slots=True)
class PrecisionRecord:
    """The estimated share of right distant labels among the project's pairs of a class, domain, phrase; None for all.

    low, high: the 95 % interval.
    """

    label: Label | None
    domain: str | None
    phrase: str | None
    pairs: int
    answers: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file of the export. size: in bytes."""

    name: str
    rows: int
    size: int
    sha256: str

    def __post_init__(self) -> None:
        _require(FILE_NAME.fullmatch(self.name), "a file's name")
        _require(_SHA256.fullmatch(self.sha256), "a file's SHA-256")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an export was made of, and what it wrote.

    options: as `ExportOptions.to_data`. split: of the project's papers. sentences: the parameters of the sentence
    splitter that were learnt from the project's papers. files: data files and annotations. writer: the library that
    wrote Parquet, with its version. corpora: what was pulled from corpora; empty if nothing was. precision: of the
    distant labels, where people have answered enough of a sample. precision_domains: which this is limited to; empty
    for all.
    """

    kind: str
    version: int
    program: str
    rules: str
    writer: str
    options: dict[str, Any]
    gold: GoldRules
    mining: MiningRecord | None
    sentences: Any
    papers: tuple[PaperRecord, ...]
    data_sets: tuple[DataSetRecord, ...] = ()
    files: tuple[FileRecord, ...] = field(default=())
    split: PaperSplit | None = None
    gold_everywhere: bool = False
    corpora: tuple[CorpusOrigin, ...] = ()
    precision: tuple[PrecisionRecord, ...] = ()
    precision_domains: tuple[str, ...] = ()

    @property
    def export_options(self) -> ExportOptions:
        return ExportOptions.from_data(self.options)

    @property
    def splitter(self) -> SplitterParameters | None:
        return None if self.sentences is None else SplitterParameters.from_data(self.sentences)

    def to_json(self) -> str:
        data = codec.to_data(self)
        for name in ("corpora", "precision", "precision_domains"):
            if not data[name]:  # as earlier versions wrote it, and read it
                del data[name]
        return codec.encode(data, indent=1) + "\n"


def load_manifest(path: Path) -> Manifest:
    """The manifest in a file, which may be untrusted.

    Raises `UserError` if it is not a manifest, or of a newer version.
    """
    try:
        check_ordinary(path)
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as exc:
        raise UserError(f"{path} cannot be read: {exc.strerror}.", hint="Check the path.") from exc
    refusal = UserError(
        f"{path} is not a manifest of Pairwright.", hint="Give the manifest.json of an exported data set."
    )
    if len(content) > MAX_BYTES:
        raise refusal
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as exc:
        raise refusal from exc
    if not isinstance(data, dict) or data.get("kind") != _KIND:
        raise refusal
    if not isinstance(data.get("version"), int) or data["version"] > _VERSION:
        hint = f"Update Pairwright, then rebuild again. {UPDATE_HINT}"
        raise UserError(f"{path} was written by a newer version of Pairwright.", hint=hint)
    try:
        manifest = codec.from_data(Manifest, data)
        # Raises for invalid options or parameters, and for text that is not Unicode.
        _ = manifest.export_options, manifest.splitter, manifest.to_json().encode()
    except (ValueError, TypeError) as exc:
        raise UserError(f"{path} is damaged: {exc}.", hint="Fetch it again.") from exc
    return manifest


@translate_decoding_errors()
def make_manifest(
    stores: Stores, options: ExportOptions, files: tuple[WrittenFile, ...], precision: PrecisionReport | None = None
) -> Manifest:
    """The manifest of an export of this project."""
    sentences = stores.settings.get(SENTENCES)
    run = stores.mining_runs.current()
    mining = MiningRecord(run.id, json.loads(run.settings), run.program, run.language_model) if run else None
    return Manifest(
        _KIND,
        _VERSION,
        f"pairwright {version('pairwright')}",
        RULES_VERSION,
        f"pyarrow {version('pyarrow')}" if options.format is FileFormat.PARQUET else "",
        options_to_publish(stores._connection, options).to_data(),
        stores.settings.get(GOLD),
        mining,
        sentences and sentences.to_data(),
        tuple(_papers(stores)),
        tuple(_data_sets(stores)),
        tuple(FileRecord(file.name, file.rows, file.size, file.sha256) for file in files),
        split_as_it_is(stores._connection),
        bool(stores.settings.get(GOLD_EVERYWHERE)),
        stores.settings.get(CORPUS),
        () if precision is None else tuple(_precision(precision)),
        () if precision is None else precision.domains,
    )


def _precision(report: PrecisionReport) -> Iterator[PrecisionRecord]:
    for scope, one in report.estimates.items():
        if one.share is not None and one.interval is not None:
            shares = (round(share, 4) for share in (one.share, *one.interval))
            yield PrecisionRecord(*scope, one.pairs, one.answers, *shares)


def _papers(stores: Stores) -> list[PaperRecord]:
    query = f"""
        SELECT md5, sha256, kind, title, authors, year, doi, domain, licence, parser, parser_version, splitter, digest,
            (
                SELECT json_group_array(sha256) FROM (
                    SELECT DISTINCT sha256 FROM files
                    WHERE paper_id = papers.id AND (line = 0 OR parser = '{XML_PARSER}') AND length(sha256) = 64
                        AND coalesce(md5, '') NOT IN (SELECT value FROM json_each(:merged))
                    ORDER BY 1
                )
            ) AS files,
            instr(edited, '"licence"') > 0 AS licence_by_hand, journal, keywords, sources, language,
            (
                SELECT json_group_array(value) FROM json_each(to_check)
                WHERE value NOT IN (SELECT value FROM json_each(edited))
            ) AS to_check
        FROM papers WHERE kind <> '{DATA_SET}' ORDER BY md5
    """
    # A paper that was merged into another one is not needed for its text.
    named = {"merged": json.dumps(sorted(merged_files(stores._connection)))}
    papers = list(read_all(PaperRecord, stores._connection.exec_driver_sql(query, named)))
    return [
        replace(paper, digest=text_part(paper.digest) or text_digest(stores.papers.get(paper.md5))) for paper in papers
    ]


def _data_sets(stores: Stores) -> list[DataSetRecord]:
    """In the order in which they were imported."""
    query = f"""
        SELECT digest, max(iif(parser = 'import', domain, '')) FROM papers WHERE kind = '{DATA_SET}'
        GROUP BY digest ORDER BY min(id)
    """
    numbers = f"""
        SELECT DISTINCT CAST(source_label AS INTEGER), distant_label FROM pairs JOIN papers ON papers.id = paper_id
        WHERE kind = '{DATA_SET}' AND digest = ? AND source_label GLOB '[0-9]*' AND distant_label IS NOT NULL
        ORDER BY 1
    """
    found = []
    for digest, domain in stores._connection.exec_driver_sql(query).all():
        labels = dict(map(tuple, stores._connection.exec_driver_sql(numbers, (digest,))))
        is_complete = set(labels) == set(range(len(labels)))
        meanings = tuple(Label(labels[number]) for number in sorted(labels)) if is_complete else ()
        found.append(DataSetRecord(digest, domain, meanings))
    return found


def _require(holds: object, what: str) -> None:
    if not holds:
        raise ValueError(f"{what} is not one")
