"""The files beside the data of an export with a card: data card, Croissant metadata, manifest, annotations, sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storage.connections import driver_connection
from storage.dataset.leaks import LeakReport
from storage.dataset.options import ExportOptions
from storage.exchange.annotations_file import annotation_lines
from storage.exchange.croissant import CROISSANT, croissant
from storage.exchange.data_card import CARD, CardFacts, data_card, title
from storage.exchange.export_files import WrittenFile
from storage.exchange.manifest import ANNOTATIONS, MANIFEST, make_manifest
from storage.project import Stores
from storage.schema import DATA_SET

SUMS = "SHA256SUMS"
CARD_FILES = (CARD, CROISSANT, MANIFEST, ANNOTATIONS, SUMS)
# Whoever answered; a key that is not among the annotators has the role of one.
_ROLES = """
    SELECT coalesce(role, 'annotator'), count(DISTINCT annotator) FROM label_events
    LEFT JOIN annotators ON annotators.key = annotator
    WHERE new IS NOT NULL AND pair_key IN (SELECT key FROM pairs) GROUP BY 1 ORDER BY 1
"""


def annotations_content(stores: Stores, options: ExportOptions) -> Iterator[bytes]:
    """The annotations file in pieces; none if people did nothing. To be called after `select_candidates`."""
    is_first = True
    for line in annotation_lines(stores._connection, options):
        yield b"[\n" if is_first else b",\n"
        yield line
        is_first = False
    if not is_first:
        yield b"\n]\n"


def describe(
    stores: Stores,
    options: ExportOptions,
    files: Mapping[str, WrittenFile],
    annotated: WrittenFile | None,
    counts: Mapping[tuple[str, str, str], int],
    left_out: Mapping[str, int],
    leaks: LeakReport | None,
    agreement: str,
) -> Iterator[tuple[str, str]]:
    """Names and texts of the card's files but for the sums. files: data files by split, "" for a single one.

    annotated: the annotations file. To be called after `select_candidates`. agreement: for the card (`CardFacts`).
    """
    driver = driver_connection(stores._connection)
    of_papers = dict(driver.execute("SELECT md5, count(*) FROM candidates WHERE reason IS NULL AND named GROUP BY md5"))
    unnamed = driver.execute("SELECT count(*) FROM candidates WHERE reason IS NULL AND NOT named").fetchone()[0]
    own = {row[0] for row in driver.execute(f"SELECT md5 FROM papers WHERE kind <> '{DATA_SET}'")}
    of_others = sum(pairs for md5, pairs in of_papers.items() if md5 not in own)
    statistics = stores.data_set_statistics.measure(options)
    written = (*files.values(), *((annotated,) if annotated else ()))
    manifest = make_manifest(stores, options, written)
    facts = CardFacts(
        manifest=manifest,
        options=options,
        files=files,
        rows=sum(file.rows for file in files.values()),
        counts=counts,
        left_out=left_out,
        papers={md5: pairs for md5, pairs in of_papers.items() if md5 in own},
        unnamed=unnamed + of_others,
        statistics=statistics,
        leaks=leaks,
        roles=dict(driver.execute(_ROLES)),
        agreement=agreement,
    )
    yield MANIFEST, manifest.to_json()
    description = f"{facts.rows} pairs of sentences of scientific papers, each with one of four relations; see {CARD}."
    yield CROISSANT, croissant(title(options), description, sorted(facts.licences), files, options)
    yield CARD, data_card(facts)
