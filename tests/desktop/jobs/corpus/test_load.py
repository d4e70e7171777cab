"""A corpus in a database has the rows of its shards, and the papers' tables that a project of the same papers has."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop.jobs.corpus.load import CorpusLoad, LoadOptions, load_corpus
from desktop.jobs.corpus.settle import settle_corpus
from desktop.jobs.corpus.statistics import measure_shards
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.pairs.data_set_statistics import measure
from desktop.jobs.pairs.paper_tables import PaperTable, paper_table
from miner.classifier.vocabulary import STARTER_TOKENIZER
from miner.corpus.answers import write_answers
from miner.corpus.locations import Location
from miner.corpus.schema import ANSWERS, TABLES
from miner.corpus.warehouse import _without_nul
from miner.corpus.warehouse_targets import without_password
from miner.errors import UserError
from miner.installation import is_installed
from miner.parsing.formats import FileKind
from miner.progress import Cancelled, Progress
from storage.project import Project
from tests.desktop.jobs.corpus.test_corpus import SAMPLES, HerePool, mapped, needs_duckdb, rows
from tests.paper_importer import import_files
from tests.postgres import PROGRAMS, Server, postgres

pytestmark = needs_duckdb
OPTIONS = LoadOptions(sentences=0, tokenizer=None, workers=1)
needs_postgres = pytest.mark.skipif(
    PROGRAMS is None or not is_installed("adbc_driver_postgresql"),
    reason="PostgreSQL, of Debian's package `postgresql`, or adbc-driver-postgresql is not installed",
)


class Stop(Exception):
    pass


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Papers of two domains, with what is special in SQL and in CSV."""
    folder = tmp_path / "papers"
    folder.mkdir()
    write_paper(folder, "a", " the ")
    write_paper(folder, "b", " its ")
    return folder


def write_paper(folder: Path, name: str, article: str) -> None:
    """Write a paper of a domain of its own; with the article, its sentences are others' no more."""
    text = (SAMPLES / "ecology" / "late-mowing.jsonl").read_text().splitlines()[0].replace(" the ", article)
    paper = {**json.loads(text), "title": f'It\'s \\N, "{name}"; --', "domain": f"{name}'s"}
    (folder / f"{name}.jsonl").write_text(json.dumps(paper) + "\n")


@pytest.fixture
def corpus(papers: Path, tmp_path: Path) -> Path:
    return settled(papers, tmp_path / "corpus")


def settled(papers: Path, out: Path) -> Path:
    mapped(HerePool(), papers, out)
    settle_corpus(str(out)).work(Progress())
    return out


def loaded(corpus: Path, url: str, on_tick: Callable[..., None] | None = None) -> CorpusLoad:
    return load_corpus(str(corpus), url, OPTIONS).work(Progress(on_tick) if on_tick else Progress())


def project_tables(papers: Path, path: Path) -> dict[PaperTable, Any]:
    """The texts of the papers' tables of a project with these papers."""
    with Project.create(path) as project:
        import_files(project, [(file, FileKind.PAPERS) for file in sorted(papers.glob("*.jsonl"))], None)
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        found = measure(project, sentences=0, workers=1).work(Progress())
    return {which: paper_table(found, which) for which in PaperTable}


def expected_rows(corpus: Path) -> list[tuple[Any, ...]]:
    """Of `table_2` as of the program's own table."""
    found = measure_shards(str(corpus)).work(Progress()).figures.counted.statistics
    lines = []
    for domain in found.domains:
        means = found.means(domain)
        assert means is not None
        lines.append((domain, found.count(domain), *(pytest.approx(one.mean) for one in means)))
    return lines


COLUMNS = "domain, pairs, premise_tokens, hypothesis_tokens, word_overlap / 100"


@pytest.mark.slow
def test_statistics_are_those_of_a_project(corpus: Path, papers: Path, tmp_path: Path) -> None:
    found = measure_shards(str(corpus), tokenizer=STARTER_TOKENIZER, workers=1).work(Progress()).figures
    expected = project_tables(papers, tmp_path / "one.pairwright")
    for which in (PaperTable.DATA_SET, PaperTable.DOMAINS, PaperTable.SIMILARITY):
        texts = [
            [[cell.text for cell in row.cells] for row in one.rows]
            for one in (paper_table(found, which), expected[which])
        ]
        assert texts[0] == texts[1]


def test_a_file_of_duckdb_follows_the_corpus(corpus: Path, papers: Path, tmp_path: Path) -> None:
    import duckdb

    file = tmp_path / "out.duckdb"
    first = loaded(corpus, str(file))
    assert first.rows == {table: len(rows(corpus, table)) for table in TABLES} | {"answers": 0}
    assert loaded(corpus, f"duckdb://{file}").rows == {}
    with duckdb.connect(str(file)) as database:
        assert database.sql(f"SELECT {COLUMNS} FROM pairwright.table_2").fetchall() == expected_rows(corpus)
        old = database.sql("FROM pairwright.pairs ORDER BY ALL").fetchall()
    write_paper(papers, "c", " that ")
    settled(papers, corpus)

    def stop(done: int, *_: object) -> None:
        if done:
            raise Stop

    with pytest.raises(Stop):
        loaded(corpus, str(file), stop)
    with duckdb.connect(str(file)) as database:
        assert database.sql("FROM pairwright.pairs ORDER BY ALL").fetchall() == old
    assert 0 < loaded(corpus, str(file)).changed <= 3
    with duckdb.connect(str(file)) as database:
        for table in TABLES:
            assert database.sql(f"SELECT count(*) FROM pairwright.{table}").fetchall() == [(len(rows(corpus, table)),)]


def push_answers(corpus: Path) -> dict[str, tuple[str | None, int]]:
    """Push answers to four pairs; for each the gold label and the votes that `gold_labels` is to have."""
    first, second, third, fourth = rows(corpus, "pairs")[:4]
    base = {"md5": first["md5"], "role": "annotator", "what": "answer", "via": "answer"}

    def event(pair: dict[str, Any], name: str, value: str | None, hour: int = 1, **more: str) -> dict[str, Any]:
        given = {"pair_key": pair["key"], "annotator": name, "value": value, "at": f"2026-01-01T{hour:02}:00:00+00:00"}
        return dict.fromkeys(ANSWERS.names) | base | {"md5": pair["md5"]} | given | more

    events = [
        *(event(first, name, label) for name, label in (("Ada", "neutral"), ("Ben", "reasoning"), ("Cy", "reasoning"))),
        event(first, "Ada", "entailment", 2),
        event(first, "Dee", "neutral", via="accepted"),
        event(first, "Ada", "a note with \0", what="note"),
        *(event(second, name, label) for name, label in (("Ada", "neutral"), ("Ben", "unclear"), ("Cy", "reasoning"))),
        event(second, "Eve", "entailment", role="adjudicator"),
        *(event(third, name, "neutral") for name in ("Ada", "Ben", "Cy")),
        event(third, "Cy", None, 3),
        *(event(fourth, name, "unclear") for name in ("Ada", "Ben", "Cy")),
    ]
    write_answers(Location.of(str(corpus)), events[:5])
    write_answers(Location.of(str(corpus)), events[2:])
    gold = {first["key"]: ("reasoning", 3), second["key"]: ("entailment", 3)}
    return gold | {third["key"]: (None, 2), fourth["key"]: (None, 3)}


GOLD = "SELECT pair_key, gold_label, votes FROM pairwright.gold_labels"
CURRENT = "SELECT count(*) FROM pairwright.current_answers WHERE answer = 'entailment' AND annotator = 'Ada'"


def test_answers_are_loaded_when_somebody_has_pushed(corpus: Path, tmp_path: Path) -> None:
    import duckdb

    file = tmp_path / "out.duckdb"
    loaded(corpus, str(file))
    expected = push_answers(corpus)
    done = loaded(corpus, str(file))
    assert (done.changed, done.rows) == (0, {"answers": 17})
    assert loaded(corpus, str(file)).rows == {}
    with duckdb.connect(str(file)) as database:
        assert {key: (label, votes) for key, label, votes in database.sql(GOLD).fetchall()} == expected
        assert database.sql(CURRENT).fetchall() == [(1,)]
        agrees = "SELECT count(*) FROM pairwright.gold_labels WHERE agrees <> (gold_label = distant_label)"
        assert database.sql(agrees).fetchall() == [(0,)]


@pytest.mark.slow
@needs_postgres
def test_postgresql_has_the_answers(corpus: Path, server: Server) -> None:
    server.psql("DROP SCHEMA IF EXISTS pairwright CASCADE")
    expected = push_answers(corpus)
    assert loaded(corpus, server.url).rows["answers"] == 17
    lines = [line.split("|") for line in server.psql(GOLD).splitlines()]
    assert {key: (label or None, int(votes)) for key, label, votes in lines} == expected
    assert server.psql(CURRENT) == "1"
    assert server.psql("SELECT value FROM pairwright.answers WHERE what = 'note'") == "a note with \ufffd"


def test_files_and_tables_of_others_are_not_touched(corpus: Path, tmp_path: Path) -> None:
    import duckdb

    (tmp_path / "text.duckdb").write_text("no database\n")
    (tmp_path / "folder.duckdb").mkdir()
    for name, hint in (("text", "another kind of file"), ("folder", "a folder"), ("no/file", "Make its folder")):
        with pytest.raises(UserError) as raised:
            loaded(corpus, str(tmp_path / f"{name}.duckdb"))
        assert hint in (raised.value.hint or "")
    assert (tmp_path / "text.duckdb").read_text() == "no database\n"
    file = tmp_path / "out.duckdb"
    for statement, words in (
        ("CREATE TABLE pairwright_loads AS SELECT 99 AS version", "have version 99"),
        ("UPDATE pairwright_loads SET version = 1; CREATE TABLE answers (own int)", "called answers"),
    ):
        with duckdb.connect(str(file)) as database:
            database.execute(f"CREATE SCHEMA IF NOT EXISTS pairwright; USE pairwright; {statement}")
        with pytest.raises(UserError, match=words):
            loaded(corpus, str(file))
    with duckdb.connect(str(file)) as database:
        database.execute("DROP TABLE pairwright.answers")
    assert loaded(corpus, str(file)).changed


def test_no_text_keeps_a_nul_character() -> None:
    import duckdb

    for table in TABLES.values():
        for field in table:
            duckdb.sql(f"SELECT {_without_nul('value', field.type)} FROM (SELECT NULL AS value)")
    sources = TABLES["papers"].field("sources").type
    query = "SELECT [{'field': 'a' || chr(0), 'source': '', 'is_sure': true}] AS value"
    [[found]] = duckdb.sql(f"SELECT {_without_nul('value', sources)} FROM ({query})").fetchall()
    assert found[0]["field"] == "a\ufffd"


@pytest.mark.parametrize(
    "url", ["postgresql://me:s3cret@h/d", "postgresql://me:s3/cr@t:x@h/d", "postgresql://h/d?password=s3cret&user=me"]
)
def test_a_password_is_not_shown(url: str) -> None:
    assert "s3" not in without_password(url)


@pytest.fixture(scope="module")
def server() -> Any:
    with postgres() as running:
        yield running


@pytest.mark.slow
@needs_postgres
def test_postgresql_has_the_rows_and_figures(corpus: Path, papers: Path, server: Server) -> None:
    done = load_corpus(str(corpus), server.url, LoadOptions(sentences=4, workers=1)).work(Progress())
    assert "pass" not in repr(done)
    assert loaded(corpus, server.url).rows == {}
    for table in TABLES:
        assert int(server.psql(f"SELECT count(*) FROM pairwright.{table}")) == len(rows(corpus, table))
    pairs = [f"{row['md5']}|{row['ordinal']}|{row['premise']}" for row in rows(corpus, "pairs")]
    assert server.psql("SELECT md5, ordinal, premise FROM pairwright.pairs ORDER BY 1, 2").splitlines() == pairs
    titles = [row["title"] for row in rows(corpus, "papers")]
    assert server.psql('SELECT title FROM pairwright.papers ORDER BY md5 COLLATE "C"').splitlines() == titles
    lines = [line.split("|") for line in server.psql(f"SELECT {COLUMNS} FROM pairwright.table_2").splitlines()]
    assert [(line[0], int(line[1]), *map(float, line[2:])) for line in lines] == expected_rows(corpus)
    found = measure_shards(str(corpus), sentences=4, tokenizer=STARTER_TOKENIZER, workers=1).work(Progress()).figures
    assert found.similarity is not None
    assert found.complete is not None
    cosine = server.psql("SELECT cosine FROM pairwright.table_13 WHERE domain <> other_domain")
    assert float(cosine) == pytest.approx(found.similarity.cosines[1][0])
    for query, part in (("table_3", None), ("table_2 WHERE domain LIKE 'a%'", "a's")):
        shares = server.psql(f"SELECT complete_premises, complete_hypotheses FROM pairwright.{query}").split("|")
        expected = [100 * (one.share or 0) for one in found.complete.of(part)]
        assert list(map(float, shares)) == pytest.approx(expected)

    before = server.psql("SELECT count(*) FROM pairwright.pairs")
    write_paper(papers, "c", " that ")
    settled(papers, corpus)
    seen = []

    def look(done: int, *_: object) -> None:
        if done:
            seen.append(server.psql("SELECT count(*) FROM pairwright.pairs"))
            raise Cancelled

    with pytest.raises(Cancelled):
        loaded(corpus, server.url, look)
    assert seen == [before] == [server.psql("SELECT count(*) FROM pairwright.pairs")]
    assert loaded(corpus, server.url).changed >= 1
    assert int(server.psql("SELECT count(*) FROM pairwright.papers")) == len(rows(corpus, "papers"))


@pytest.mark.slow
@needs_postgres
def test_what_postgresql_refuses_is_a_sentence(corpus: Path, server: Server) -> None:
    server.psql("CREATE ROLE poor LOGIN PASSWORD 's3cret'; CREATE SCHEMA theirs; CREATE TABLE theirs.pairs (a int)")
    address = server.url.rpartition("@")[2]
    cases = {
        f"lab:s3cret@{address}": "password",
        f"poor:s3cret@{address}": "may not do this",
        f"poor:s3cret@{address.replace('/postgres', '/nothing')}": "no such database",
        "lab:s3cret@127.0.0.1:1/postgres": "cannot be reached",
    }
    for url, words in cases.items():
        with pytest.raises(UserError, match=words) as raised:
            loaded(corpus, f"postgresql://{url}")
        assert "s3cret" not in f"{raised.value} {raised.value.hint}"
        assert raised.value.hint
    with pytest.raises(UserError, match="tables of its own"):
        load_corpus(str(corpus), server.url, LoadOptions("theirs", 0, None)).work(Progress())
    assert server.psql("SELECT count(*) FROM theirs.pairs") == "0"
