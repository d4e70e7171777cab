"""The files beside the data of an export with a card: data card, Croissant metadata, manifest, annotations, sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from miner.records import Strategy
from storage.connections import driver_connection
from storage.dataset.export_options import ExportOptions
from storage.dataset.leaks import LeakReport
from storage.exchange.annotations_file import annotation_lines
from storage.exchange.card_facts import CardFacts, CardMeasures, ParserReading
from storage.exchange.croissant import CROISSANT, croissant
from storage.exchange.data_card import CARD, data_card
from storage.exchange.export_files import WrittenFile
from storage.exchange.manifest import ANNOTATIONS, MANIFEST, make_manifest
from storage.mining.runs import funnel_from_rows
from storage.schema import DATA_SET
from storage.stores import Stores

SUMS = "SHA256SUMS"
CARD_FILES = (CARD, CROISSANT, MANIFEST, ANNOTATIONS, SUMS)
# Whoever answered; a key that is not among the annotators has the role of one.
_ROLES = """
    SELECT coalesce(role, 'annotator'), count(DISTINCT annotator) FROM (
        SELECT pair_key, annotator, new FROM label_events UNION ALL SELECT pair_key, annotator, new FROM kind_events
    ) LEFT JOIN annotators ON annotators.key = annotator
    WHERE new IS NOT NULL AND EXISTS (SELECT 1 FROM pairs WHERE pairs.key = pair_key AND current) GROUP BY 1 ORDER BY 1
"""
_WITH_KINDS = """
    SELECT count(*), coalesce(sum(annotators), 0) FROM pair_kinds
    WHERE pair_key IN (SELECT key FROM candidates WHERE reason IS NULL)
"""
# The papers that pairs come from, by what has read them.
_READ = f"""
    SELECT * FROM papers WHERE kind <> '{DATA_SET}'
    AND md5 IN (SELECT md5 FROM candidates WHERE reason IS NULL AND named)
"""
_READINGS = f"""
    SELECT parser, parser_version, count(*), coalesce(sum((
        SELECT sum(json_array_length(sentences)) FROM paragraphs WHERE paper_id = read.id
    )), 0)
    FROM ({_READ}) AS read GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2
"""
_FUNNEL = f"""
    SELECT strategy, outcome, reason, sum(count) FROM funnel JOIN ({_READ}) AS read ON read.id = paper_id
    WHERE strategy = '{Strategy.LINKED}' AND parser = ? AND parser_version = ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
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
    measures: CardMeasures,
) -> Iterator[tuple[str, str]]:
    """Names and texts of the card's files but for the sums. files: data files by split, "" for a single one.

    annotated: the annotations file. To be called after `select_candidates`.
    """
    driver = driver_connection(stores._connection)
    of_papers = dict(driver.execute("SELECT md5, count(*) FROM candidates WHERE reason IS NULL AND named GROUP BY md5"))
    unnamed = driver.execute("SELECT count(*) FROM candidates WHERE reason IS NULL AND NOT named").fetchone()[0]
    own = {md5 for (md5,) in driver.execute(f"SELECT md5 FROM papers WHERE kind <> '{DATA_SET}'")}
    of_others = sum(pairs for md5, pairs in of_papers.items() if md5 not in own)
    readings = [
        ParserReading(
            f"{parser} {version}", papers, sentences, funnel_from_rows(driver.execute(_FUNNEL, (parser, version)))
        )
        for parser, version, papers, sentences in driver.execute(_READINGS).fetchall()
    ]
    with_kinds, kinds_answers = driver.execute(_WITH_KINDS).fetchone()
    statistics = stores.data_set_statistics.measure(options)
    written = (*files.values(), *((annotated,) if annotated else ()))
    precision = stores.precision_samples.measure()
    manifest = make_manifest(stores, options, written, precision)
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
        readings=tuple(readings),
        measures=measures,
        with_kinds=with_kinds,
        kinds_answers=kinds_answers,
        precision=precision,
    )
    yield MANIFEST, manifest.to_json()
    description = f"{facts.rows} sentence pairs from scientific papers for natural-language inference; see {CARD}."
    yield CROISSANT, croissant(facts.title, description, sorted(facts.licences), files, options)
    yield CARD, data_card(facts)
