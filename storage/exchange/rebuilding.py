"""The steps of rebuilding the project that a manifest describes, and of moving it to its path."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from miner.errors import UserError
from miner.parsing.digests import text_part
from miner.parsing.formats import ONE_PAPER_KINDS, FileKind
from miner.paths import check_ordinary
from miner.progress import Progress
from miner.references.same_paper import XML_PARSER
from miner.versions import EMBEDDED_VERSION, JATS_VERSION, RULES_VERSION
from storage.dataset.export_options import FileFormat
from storage.exchange.annotations_file import AnnotationLine, store_annotations
from storage.exchange.card_files import CARD_FILES
from storage.exchange.earlier_export import RECEIPT
from storage.exchange.export_files import NewFile, locked_export_folder, publish
from storage.exchange.manifest import Manifest, PaperRecord
from storage.pairs import paper_splits
from storage.pairs.filters import CONDITIONS, PassedOn, fields_passed_on
from storage.project import Project
from storage.schema import DATA_SET
from storage.settings import GOLD, GOLD_EVERYWHERE, SENTENCES, SPLIT
from storage.stores import Stores

_LISTED = 5
_CHUNK_BYTES = 1 << 20


def check_origin(manifest: Manifest, writer: str) -> None:
    """Raise `UserError` if other pairs or files would be made here than there. writer: the library for Parquet."""
    scope = manifest.export_options.scope
    # Where pairs without any are asked for, those that are found may be the same: the files have the last word.
    if fields := [name for name in fields_passed_on(scope, PassedOn.NO) if not _is_for_none(getattr(scope, name))]:
        raise _chosen_by(fields)
    if manifest.corpora and not any(origin.is_all for origin in manifest.corpora):
        origin = manifest.corpora[0]
        raise UserError(
            f"The data set has some papers of the corpus {origin.place}. Which pairs they have depends on its other "
            "papers too, so it cannot be made again of these alone. Nothing was written.",
            hint="With the corpus: pairwright corpus pull "
            + shlex.join([origin.place, "NAME.pairwright", *origin.arguments]),
        )
    differing = []
    if manifest.rules != RULES_VERSION:
        differing.append(f"rules {manifest.rules} (here {RULES_VERSION})")
    parsers = {paper.parser_version for paper in manifest.papers if paper.parser == "embedded"} - {EMBEDDED_VERSION}
    differing += [f"parser {version} (here {EMBEDDED_VERSION})" for version in sorted(parsers)]
    readers = {paper.parser_version for paper in manifest.papers if paper.parser == XML_PARSER} - {JATS_VERSION}
    differing += [f"reader of XML {version} (here {JATS_VERSION})" for version in sorted(readers)]
    if manifest.export_options.format is FileFormat.PARQUET and manifest.writer != writer:
        differing.append(f"{manifest.writer} (here {writer})")
    if differing:
        raise UserError(
            f"The data set was made with other versions: {', '.join(differing)}. Nothing was written.",
            hint=f"Install {manifest.program}.",
        )


def _is_for_none(value: object) -> bool:
    """Whether a condition's value asks for pairs without a value, too."""
    return isinstance(value, frozenset) and "" in value


def _chosen_by(fields: Iterable[str]) -> UserError:
    """The error for a data set whose pairs meet conditions that only its own project can tell."""
    named = ", ".join(CONDITIONS[name].typed for name in fields)
    return UserError(
        f"The pairs of the data set were chosen by what is not passed on: {named}. Nothing was written.",
        hint="Only the project that it was exported from has these.",
    )


def find_sources(manifest: Manifest, files: Iterable[Path], progress: Progress) -> dict[str, Path]:
    """The files that the manifest names, by SHA-256. Raises `UserError` for papers that are missing."""
    wanted = {sha256 for paper in manifest.papers for sha256 in (paper.sha256, *paper.files)}
    found: dict[str, Path] = {}
    for path in files:
        progress.tick(len(found), None, path.name)
        sha256 = _digest(path)
        if sha256 in wanted:
            found.setdefault(sha256, path)
    missing = [
        paper
        for paper in manifest.papers
        if paper.kind in ONE_PAPER_KINDS and not found.keys() & {paper.sha256, *paper.files}
    ]
    require_papers(missing)
    return found


def wants_archives(manifest: Manifest, found: Mapping[str, Path]) -> bool:
    """Whether any paper is in none of the found files, or not its publisher's XML, and so in an archive."""
    return any(
        (paper.parser == XML_PARSER or paper.kind == FileKind.ARCHIVE)
        and not found.keys() & ({*paper.files, paper.sha256} - _pdf_of(paper))
        for paper in manifest.papers
    )


def _pdf_of(paper: PaperRecord) -> set[str]:
    return {paper.sha256} if paper.kind == FileKind.PDF else set()


def require_papers(missing: Sequence[PaperRecord], what: str = "missing or changed") -> None:
    """Raise `UserError` that names papers which are missing or changed, if there are any."""
    if missing:
        raise UserError(
            _sentence(missing, what),
            hint="Put the same files into the folder of papers, under any name, and rebuild again.",
        )


def _sentence(papers: Sequence[PaperRecord], what: str) -> str:
    """ "2 papers are missing: “Title”, SHA-256 …; …. Nothing was written."."""
    listed = "; ".join(f"“{paper.title or 'untitled'}”, SHA-256 {paper.sha256}" for paper in papers[:_LISTED])
    more = f" and {len(papers) - _LISTED:,} more" if len(papers) > _LISTED else ""
    those = "A paper is" if len(papers) == 1 else f"{len(papers):,} papers are"
    return f"{those} {what}: {listed}{more}. Nothing was written."


def prepare(project: Project, manifest: Manifest, annotations: list[AnnotationLine]) -> None:
    """Store settings and what people did, in an empty project."""
    with project.transaction() as stores:
        stores.settings.put(GOLD, manifest.gold)
        stores.settings.put(SPLIT, manifest.split)
        stores.settings.put(GOLD_EVERYWHERE, manifest.gold_everywhere or None)
        if (splitter := manifest.splitter) is not None:
            stores.settings.put(SENTENCES, splitter)
        store_annotations(stores._connection, annotations)


def keep_papers(stores: Stores, manifest: Manifest) -> None:
    """Remove papers that the manifest does not name, and give the others its metadata.

    Raises `UserError` if a paper is missing, or its text differs from the one that the data set was made from.
    """
    connection = stores._connection
    named = json.dumps([paper.md5 for paper in manifest.papers])
    connection.exec_driver_sql(
        f"DELETE FROM papers WHERE kind <> '{DATA_SET}' AND md5 NOT IN (SELECT value FROM json_each(?))", (named,)
    )
    rows = connection.exec_driver_sql(f"SELECT md5, digest, parser FROM papers WHERE kind <> '{DATA_SET}'").all()
    digests = {md5: text_part(digest) for md5, digest, _ in rows}
    by_xml = {md5 for md5, _, parser in rows if parser == XML_PARSER}
    # A digest by an earlier version may be of what people edited, too, and says nothing: `compare` has the last word.
    differing = [
        one for one in manifest.papers if one.md5 not in digests or text_part(one.digest) not in ("", digests[one.md5])
    ]
    require_papers(
        [one for one in differing if one.parser == XML_PARSER and one.md5 in digests and one.md5 not in by_xml],
        "without their publisher's XML",
    )
    # A file that is the same byte for byte is only read differently.
    read_otherwise = [paper for paper in differing if paper.kind in ONE_PAPER_KINDS and paper.md5 in digests]
    require_papers([paper for paper in differing if paper not in read_otherwise])
    if read_otherwise:
        raise UserError(
            _sentence(read_otherwise, "read differently here"),
            hint=f"Install {manifest.program}, the same build of it.",
        )
    columns = ("title", "authors", "year", "doi", "domain", "licence", "journal", "edited")
    lists = ("keywords", "to_check", "sources")
    assignments = ", ".join(f"{column} = ?" for column in columns + lists)
    update = f"UPDATE papers SET {assignments}, language = coalesce(?, language) WHERE md5 = ?"
    for paper in manifest.papers:
        authors = json.dumps(paper.authors, ensure_ascii=False)
        edited = '["licence"]' if paper.licence_by_hand else "[]"
        values = (paper.title, authors, paper.year, paper.doi, paper.domain, paper.licence, paper.journal, edited)
        more = (json.dumps(getattr(paper, column), ensure_ascii=False) for column in lists)
        connection.exec_driver_sql(update, (*values, *more, paper.language, paper.md5))
        files = f"UPDATE papers SET sha256 = ?, kind = ? WHERE md5 = ? AND kind <> '{DATA_SET}'"
        connection.exec_driver_sql(files, (paper.sha256, paper.kind, paper.md5))
    paper_splits.refresh_all(connection)  # they follow from domains and years


def differing_files(made: Path, manifest: Manifest) -> list[str]:
    """The files that the manifest names and that were written otherwise: data files and annotations."""
    return [file.name for file in manifest.files if _digest(made / file.name) != file.sha256]


def difference_error(manifest: Manifest, differing: Sequence[str]) -> UserError:
    """The error for files that were written otherwise than the manifest says, with what may be the reason."""
    if fields := fields_passed_on(manifest.export_options.scope, PassedOn.IF_NONE, PassedOn.NO):
        return _chosen_by(fields)
    overlap = (
        "If pairs of its data sets are in its papers, too, those stayed that came first, and some papers may have "
        "been mined before a data set was imported and others after it. "
        if manifest.data_sets and manifest.mining
        else ""
    )
    return UserError(
        f"The rebuilt {', '.join(differing)} differ from those of the manifest. Nothing was written.",
        hint=f"{overlap}Rebuild with {manifest.program}, and with its language model"
        f"{f' ({manifest.mining.language_model})' if manifest.mining else ''}.",
    )


def hand_over(made: Path, folder: Path) -> list[Path]:
    """Write the files of `made` into `folder`, which must be empty or new, apart from files that are the same.

    All of them are written or none, and after an interruption those that the next rebuild takes for the same.
    """
    with locked_export_folder(folder):
        files = sorted(path for path in made.iterdir() if not path.name.startswith("."))
        _require_only(folder, {path.name: _digest(path) for path in files})
        written: list[NewFile] = []
        with ExitStack() as stack:
            for path in files:
                written.append(stack.enter_context(NewFile(folder, path.name)))
                with path.open("rb") as content:
                    while chunk := content.read(_CHUNK_BYTES):
                        written[-1].write(chunk, 0)
                written[-1].finish()
            publish(folder, written)
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def require_empty(folder: Path, manifest: Manifest) -> None:
    """Raise `UserError` if the folder has files; hidden ones do not count, nor those that an interrupted rebuild of
    this manifest may have left."""
    digests = dict.fromkeys((*CARD_FILES, RECEIPT), "")  # not named by the manifest; compared by `hand_over`
    _require_only(folder, digests | {file.name: file.sha256 for file in manifest.files})


def _require_only(folder: Path, digests: Mapping[str, str]) -> None:
    """Raise `UserError` if the folder has another file than these: SHA-256 by name, "" for any content."""
    try:
        names = [path.name for path in folder.iterdir() if not path.name.startswith(".")]
    except FileNotFoundError:
        return
    except OSError as exc:
        raise UserError(f"{folder} cannot be read: {exc.strerror}.", hint="Choose another folder.") from exc
    for name in names:
        if digests.get(name) not in ("", _digest(folder / name) or None):
            raise UserError(f"{folder} is not empty: it has {name}. Nothing was written.", hint="Choose a new folder.")


def _digest(path: Path) -> str:
    """SHA-256; "" if the file cannot be read."""
    try:
        check_ordinary(path)
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
