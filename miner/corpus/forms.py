"""Finds the papers of a corpus that are forms of the same paper: a PDF and its publisher's XML, versions of an XML.

The database finds those that have a DOI or title in common with an XML; `deciding` compares these, and reads their
texts only where DOI and title do not decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from miner.corpus.database import TableWriter, rows_of
from miner.corpus.deciding import MERGED_COLUMNS, PaperForm, joined_forms
from miner.corpus.schema import PAPERS
from miner.disjoint_sets import DisjointSets
from miner.libraries import duckdb, np, pa
from miner.references.same_paper import XML_PARSER

FORM_COLUMNS = PaperForm._fields[1:]
_MOST = 500  # papers with this DOI or title; more of them are a series
_LINKED = pa.schema([("md5", pa.string()), ("kept", pa.string())])
_UNSURE = pa.schema([("md5", pa.string()), ("number", pa.int64())])
_JOINED = pa.schema([PAPERS.field("md5"), *(PAPERS.field(name) for name in MERGED_COLUMNS)])


class _TextsAreNeeded(Exception):
    pass


def link_forms(database: duckdb.DuckDBPyConnection, papers: str, paragraphs: str) -> int:
    """Fill the table `linked`: for each other form of a paper, the form that is kept. Returns how many there are.

    The kept forms have their merged columns in the table `merged`. papers, paragraphs: queries of those that count.
    """
    run = database.execute
    run("CREATE TABLE linked (md5 VARCHAR, kept VARCHAR)")
    if not _find_groups(database, papers):
        return 0
    run("CREATE TABLE joined AS FROM merged LIMIT 0")
    run("CREATE TABLE unsure (md5 VARCHAR, number BIGINT)")
    columns = f"SELECT number, {', '.join(FORM_COLUMNS)} FROM ({papers})"
    with TableWriter(database, "linked", _LINKED) as linked, TableWriter(database, "joined", _JOINED) as joined:

        def take(forms: Iterable[PaperForm], texts: Any) -> None:
            for found, values in list(joined_forms(forms, texts)):
                linked.put({"md5": form.md5, "kept": found[0].md5} for form in found[1:])
                joined.put([{"md5": found[0].md5, **values}])

        with TableWriter(database, "unsure", _UNSURE) as unsure:
            for number, forms in _grouped(database, f"{columns} JOIN grouped USING (md5) ORDER BY number"):
                try:
                    take(forms, _refuse)
                except _TextsAreNeeded:
                    unsure.put({"md5": form.md5, "number": number} for form in forms)
        query = f"""
            SELECT number, md5, text FROM unsure LEFT JOIN ({paragraphs}) USING (md5)
            ORDER BY number, md5, section, ordinal
        """
        again = _grouped(database, f"{columns} JOIN unsure USING (md5) ORDER BY number")
        with_texts = groupby(rows_of(database, query), key=itemgetter(0))
        for (_, forms), (_, rows) in zip(again, with_texts, strict=True):
            texts: dict[str, list[str]] = {}
            for _, md5, text in rows:
                texts.setdefault(md5, []).extend([] if text is None else [text])
            take(forms, texts.__getitem__)
    run("DELETE FROM merged WHERE md5 IN (SELECT md5 FROM joined)")
    run("INSERT INTO merged FROM joined")
    [(count,)] = run("SELECT count(*) FROM linked").fetchall()
    return int(count)


def _find_groups(database: duckdb.DuckDBPyConnection, papers: str) -> int:
    """Table `grouped`: the papers that share a key with an XML, each with the number of its group; how many papers."""
    run = database.execute
    run(f"CREATE TABLE keyed AS SELECT md5, unnest(keys) AS key, parser = '{XML_PARSER}' AS is_xml FROM ({papers})")
    run(f"""
        CREATE TABLE shared_keys AS SELECT key FROM keyed
        GROUP BY key HAVING count(*) BETWEEN 2 AND {_MOST} AND bool_or(is_xml)
    """)
    run("""
        CREATE TABLE alike AS SELECT md5, row_number() OVER () - 1 AS place
        FROM (SELECT DISTINCT md5 FROM keyed SEMI JOIN shared_keys USING (key))
    """)
    [(count,)] = run("SELECT count(*) FROM alike").fetchall()
    if count:
        groups = DisjointSets(count)
        for first, place in rows_of(
            database,
            """
            SELECT min(place) OVER (PARTITION BY key), place
            FROM keyed SEMI JOIN shared_keys USING (key) JOIN alike USING (md5)
            """,
        ):
            groups.join(first, place)
        numbers = pa.table({"place": pa.array(np.arange(count)), "number": pa.array(np.array(groups.lowest()))})
        database.register("numbers", numbers)
        run("CREATE TABLE grouped AS SELECT md5, number FROM alike JOIN numbers USING (place)")
        database.unregister("numbers")
    return int(count)


def _grouped(database: duckdb.DuckDBPyConnection, query: str) -> Iterator[tuple[int, list[PaperForm]]]:
    for number, forms in groupby(map(PaperForm._make, rows_of(database, query)), key=attrgetter("group")):
        yield number, list(forms)


def _refuse(md5: str) -> Sequence[str]:
    raise _TextsAreNeeded
