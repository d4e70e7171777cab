"""The readers of files of others, each with files that it reads, and how these are changed. Imported in workers.

A reader is called as the program calls it. It may raise `UserError`, and nothing else.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from miner.progress import Progress
from tests.sample_papers import SAMPLES
from tests.torture.mutators import (
    NUMBERS,
    TEXTS,
    Mutator,
    any_of,
    change_archive,
    change_bytes,
    change_encoding,
    change_json,
    change_pdf,
    change_tensors,
    change_tokens,
    change_xml,
    compress,
    nest,
)

ROOT = Path(__file__).resolve().parents[2]


class Seed(NamedTuple):
    """A file that can be read, and what its name ends with."""

    suffix: str
    content: bytes


class Reader(NamedTuple):
    """`read` gets the path of a file in an empty folder of its own."""

    seeds: Callable[[], Sequence[Seed]]
    mutate: Mutator
    read: Callable[[Path], object]


# Papers


def _pdfs() -> list[Seed]:
    from tests.hostile_files import hebrew_pdf, plain_pdf
    from tests.miner.parsing.pdf_factory import two_column_paper

    with tempfile.TemporaryDirectory() as folder:
        made = [plain_pdf(Path(folder)), hebrew_pdf(Path(folder))]
        found = [path.read_bytes() for path in (*made, SAMPLES / "coastal" / "wrack-lines.pdf")]
    return [Seed(".pdf", content) for content in (*found, two_column_paper())]


def _read_pdf(path: Path) -> None:
    from miner.parsing.embedded import parse_pdf, read_licence
    from miner.parsing.page_reading import PageReader
    from miner.parsing.pdf_pages import Asked, PageRequest

    content = path.read_bytes()
    ask = PageReader(None).answer
    sizes = ask(PageRequest("a", Asked.SIZES, content=content))
    for asked in (Asked.IMAGE, Asked.LETTERS, Asked.BOXES):
        ask(PageRequest("a", asked, 1 + len(content) % max(1, len(sizes)), 0.5))  # type: ignore[arg-type]
    read_licence(content)
    _splitter()(parse_pdf(content))


@cache
def _splitter() -> Callable[[Any], Any]:
    from miner.parsing.sentences import SentenceSplitter, SplitterParameters, split_paper

    splitter = SentenceSplitter(SplitterParameters.bundled())
    return lambda paper: split_paper(paper, splitter)


def _teis() -> list[Seed]:
    paths = (*sorted((ROOT / "tests" / "data" / "tei").iterdir()), SAMPLES / "reading" / "whispering.tei.xml")
    return [Seed(".tei.xml", path.read_bytes()) for path in paths]


def _read_tei(path: Path) -> None:
    from miner.parsing.file_parser import unzipped_xml
    from miner.parsing.tei import parse_tei

    _splitter()(parse_tei(unzipped_xml(path, path.read_bytes())))


def _articles() -> list[Seed]:
    from tests.article_xml import article_xml
    from tests.storage.factories import paper

    more = (
        '<fig id="f1"><label>1</label><caption><p>A <italic>boat</italic></p></caption></fig><disp-formula><tex-math>x'
        "</tex-math></disp-formula><table-wrap><table><tr><td>1</td></tr></table></table-wrap><list><list-item><p>One"
        '</p></list-item></list><sec sec-type="methods"><title>Methods</title><p>It is <xref rid="b1">[1]</xref> so. '
        "However, it is not.</p></sec>"
    )
    permissions = (
        b'<article-meta><pub-date><year>2019</year></pub-date><contrib-group><contrib contrib-type="author"><name>'
        b"<surname>Tide</surname><given-names>Ann</given-names></name></contrib></contrib-group><permissions><license "
        b'xlink:href="https://creativecommons.org/licenses/by/4.0/" xmlns:xlink="http://www.w3.org/1999/xlink"/>'
        b"</permissions><abstract><p>We cross. Therefore, we arrive.</p></abstract>"
    )
    whole = article_xml(paper("a"), doi="10.5555/a", more=more).replace(b"<article-meta>", permissions)
    return [Seed(".nxml", whole), Seed(".xml", b"<articles>" + whole * 2 + b"</articles>")]


def _read_jats(path: Path) -> None:
    from miner.parsing.archives import holds_papers, read_members
    from miner.parsing.file_parser import unzipped_xml
    from miner.parsing.jats import parse_jats

    if path.suffix == ".xml":
        holds_papers(path)
        sum(len(member.content) for member in read_members(path))
    _splitter()(parse_jats(unzipped_xml(path, path.read_bytes())))


def _read_archive(path: Path) -> None:
    from miner.parsing.archives import holds_papers, read_members

    holds_papers(path)
    for member in read_members(path):
        assert ("\n" not in member.name and not Path(member.name).is_absolute()) or member.name, member.name[:100]


def _paper_lines() -> list[Seed]:
    content = (SAMPLES / "ecology" / "late-mowing.jsonl").read_bytes()
    short = b'{"title": "A", "year": 2001, "doi": "10.5/x", "authors": ["A B"], "sections": [{"title": "One", '
    short += b'"paragraphs": ["It is so. However, it is not."]}]}\n'
    return [Seed(".jsonl", content), Seed(".jsonl", short * 3), Seed(".jsonl.gz", gzip.compress(short))]


def _read_lines(path: Path) -> None:
    from miner.parsing.file_parser import parse_json_lines
    from miner.parsing.json_lines import read_json_lines

    for _, paper in parse_json_lines(list(read_json_lines(path))).papers:
        _splitter()(paper)


# Tables


_ROWS = [
    {
        "id": str(number),
        "premise": f"It is {number}.",
        "hypothesis": f"It is not {number}.",
        "label": label,
        "split": "dev",
    }
    for number, label in enumerate(("entailment", "neutral", "contrasting", "reasoning") * 3)
]


def _csv(rows: Sequence[Any], delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _tables() -> list[Seed]:
    lines = "".join(json.dumps({**row, "probabilities": [0.1, 0.9], "year": 2001}) + "\n" for row in _ROWS).encode()
    return [
        Seed(".csv", _csv(_ROWS)),
        Seed(".tsv", _csv(_ROWS, "\t")),
        Seed(".jsonl", lines),
        Seed(".csv.gz", gzip.compress(_csv(_ROWS))),
    ]


def _read_table(path: Path) -> None:
    from miner.errors import UserError
    from miner.kinds.taxonomy import released_taxonomy
    from storage.exchange.kinds_files import read_kinds_file
    from storage.exchange.labelled_files import is_labelled_file, read_labelled_rows
    from storage.exchange.prediction_files import read_prediction_file

    for read in (
        lambda: is_labelled_file(path),
        lambda: sum(1 for _ in read_labelled_rows(path, domain="x", predictions=("id",))),
        lambda: sum(1 for _ in read_prediction_file(path, "label", ("entailment", "neutral"))),
        lambda: read_kinds_file(path, released_taxonomy()),
    ):
        try:
            read()
        except UserError:
            continue


def _parquets() -> list[Seed]:
    import datetime
    import decimal

    import pyarrow as pa
    import pyarrow.parquet as pq

    count = len(_ROWS)
    strange = {
        "year": pa.array([2001] * count),
        "at": pa.array([2**62] * count, pa.timestamp("us")),
        "day": pa.array([datetime.date(2001, 1, 1)] * count),
        "money": pa.array([decimal.Decimal("1.10")] * count),
        "raw": pa.array([b"\xff"] * count),
        "list": pa.array([[1, None]] * count),
        "record": pa.array([{"a": "x"}] * count),
        "word": pa.array(["x"] * count).dictionary_encode(),
        "map": pa.array([[("a", 1)]] * count, pa.map_(pa.string(), pa.int64())),
    }
    found = []
    for options in ({}, {"compression": "none", "use_dictionary": False}, {"compression": "gzip", "version": "1.0"}):
        for more in ({}, strange):
            made = io.BytesIO()
            pq.write_table(pa.Table.from_pylist(_ROWS).from_pydict({**_columns(), **more}), made, **options)
            found.append(Seed(".parquet", made.getvalue()))
    return found


def _columns() -> dict[str, list[str]]:
    return {name: [row[name] for row in _ROWS] for name in _ROWS[0]}


def _read_labelled(path: Path) -> None:
    from storage.exchange.labelled_files import is_labelled_file, read_labelled_rows

    is_labelled_file(path)
    for _ in read_labelled_rows(path, domain="x"):
        pass


# Answers and projects


@cache
def _owner() -> Any:
    from tests.answer_table_factory import table_project

    return table_project(Path(tempfile.mkdtemp(prefix="pairwright-torture-")) / "owner.pairwright")


@cache
def _answer_forms() -> tuple[Seed, ...]:
    from desktop.jobs.review.answer_files import send_assignments
    from storage.annotation.sent_assignments import AssignmentForm

    project, found = _owner(), []
    for form in AssignmentForm:
        folder = project.path.with_name(f"sent-{form.name}")
        folder.mkdir()
        send_assignments(project, 1, folder, form=form).work(Progress())
        files = [path for path in folder.iterdir() if path.suffix in (".csv", ".jsonl", ".json", ".pairwright")]
        found += [Seed(path.suffix, path.read_bytes()) for path in files]
    return tuple(dict.fromkeys(found))


def _answer_tables() -> list[Seed]:
    found = [seed for seed in _answer_forms() if seed.suffix != ".pairwright"]
    answered = []
    for seed in found:
        if seed.suffix == ".csv":
            rows = list(csv.DictReader(io.StringIO(seed.content.decode("utf-8-sig"), newline="")))
            answered.append(Seed(".csv", _csv([{**row, "label": "entailment"} for row in rows])))
        elif seed.suffix == ".json":
            answered.append(Seed(".json", _labelled(seed.content)))
    return [*found, *answered]


def _labelled(tasks: bytes) -> bytes:
    from tests.answer_table_factory import label_studio_json

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tasks.json"
        path.write_bytes(tasks)
        ids = [task["data"]["pairwright_id"] for task in json.loads(tasks)]
        return json.dumps(label_studio_json(path, dict.fromkeys(ids, "entailment"))).encode()


def _read_answers(path: Path) -> None:
    from desktop.jobs.review.merging import merge_answer_files

    merge_answer_files(_owner(), [path]).work(Progress())


def _answer_files() -> list[Seed]:
    return [seed for seed in _answer_forms() if seed.suffix == ".pairwright"]


@cache
def _project_content() -> bytes:
    from tests.torture.bit_rot import make_project

    with tempfile.TemporaryDirectory() as folder:
        return make_project(Path(folder))[0]


def _projects() -> list[Seed]:
    old = gzip.decompress((ROOT / "tests" / "data" / "projects" / "rules-1.pairwright.gz").read_bytes())
    return [Seed(".pairwright", _project_content())] * 2 + [Seed(".pairwright", old)]


def change_database(data: bytes, draw: random.Random) -> bytes:
    """Values of a project's rows, or of its schema, replaced by SQL, as a person with a tool for databases could."""
    if draw.random() < 0.15:
        return change_bytes(data, draw)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.pairwright"
        path.write_bytes(data)
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.execute("PRAGMA foreign_keys = OFF")
                for _ in range(draw.choice((1, 1, 2, 5))):
                    _change_rows(connection, draw)
        except (sqlite3.Error, UnicodeEncodeError):
            pass  # SQLite itself does not store it
        return path.read_bytes()


def _change_rows(connection: sqlite3.Connection, draw: random.Random) -> None:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    filled = [one for one in tables if not one.startswith("sqlite_") and "_words" not in one]
    table = draw.choice(filled)
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    column = draw.choice(columns)
    match draw.randrange(12):
        case 0:
            connection.execute(f'DELETE FROM "{table}"')
        case 1:
            statement = draw.choice(
                (
                    f'ALTER TABLE "{table}" DROP COLUMN "{column}"',
                    f'ALTER TABLE "{table}" RENAME TO other',
                    "CREATE TABLE more (x)",
                    f'CREATE TRIGGER evil AFTER INSERT ON "{table}" BEGIN DELETE FROM pairs; END',
                    "PRAGMA user_version = 99",
                    "PRAGMA application_id = 1",
                    "DROP TABLE papers",
                )
            )
            connection.execute(statement)
        case _:
            rows = [row for (row,) in connection.execute(f'SELECT rowid FROM "{table}"')]
            stored = [row[0] for row in connection.execute(f'SELECT "{column}" FROM "{table}" LIMIT 20')]
            text = next((one for one in stored if isinstance(one, str) and one[:1] in "[{"), None)
            value: Any = draw.choice((None, *TEXTS, b"\xff\x00", 2**63 - 1, -1, 1e308, float("inf"), 0, "2026-99-99"))
            if text is not None and draw.random() < 0.6:
                value = change_json(text.encode(), draw).decode("utf-8", "replace")
            elif draw.random() < 0.3:
                value = draw.choice(NUMBERS)
            if rows:
                where = "" if draw.random() < 0.3 else f"WHERE rowid = {draw.choice(rows)}"
                connection.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ? {where}', (value,))


def _read_project(path: Path) -> None:
    from desktop.jobs.papers.evidence import load_evidence
    from storage.dataset.options import ExportOptions, Preset
    from storage.exchange.pair_export import export_pairs
    from storage.pairs.filters import PairFilter
    from storage.project import Project
    from storage.verification import find_changed_rows

    with Project.open(path) as project:
        project.check()
        find_changed_rows(project)
        with project.read_transaction() as stores:
            keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))[:5]
        for key in keys:
            load_evidence(project, key).work(Progress())
        export_pairs(project, path.with_name("out"), ExportOptions(Preset.FULL), Progress(), overwrite=True)


def _read_other_project(path: Path) -> None:
    from storage.exchange.other_project import opened_project

    with opened_project(path, Progress()) as other:
        other.check(Progress(), frozenset())
        _ = other.taxonomies, other.staying()
        for md5 in other.papers:
            for _ in other.imported_pairs(md5):
                pass


# Settings, descriptions and models


@cache
def _exported() -> dict[str, bytes]:
    from storage.dataset.options import ExportOptions, Preset
    from storage.exchange.pair_export import export_pairs
    from storage.project import Project

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.pairwright"
        path.write_bytes(_project_content())
        with Project.open(path) as project:
            export_pairs(
                project, Path(folder) / "out", ExportOptions(Preset.SCINLI, card=True, name="Pairs"), Progress()
            )
        return {file.name: file.read_bytes() for file in (Path(folder) / "out").iterdir() if file.is_file()}


def _manifests() -> list[Seed]:
    found = _exported()
    return [Seed("-manifest.json", found["manifest.json"])] + [
        Seed(f"-{name}", content) for name, content in found.items() if name.startswith("annotations")
    ]


def _read_manifest(path: Path) -> None:
    from storage.exchange.annotations_file import annotated_by_paper, read_annotations
    from storage.exchange.manifest import load_manifest

    if "annotations" in path.name:
        annotated_by_paper(read_annotations(path))
        return
    manifest = load_manifest(path)
    _ = manifest.export_options, manifest.splitter


def _experiments() -> list[Seed]:
    from miner.lab.experiments.experiment_file import ready_names, ready_text

    return [Seed(".toml", ready_text(name).encode()) for name in ready_names()]


def _read_experiment(path: Path) -> None:
    from desktop.jobs.lab.experiments.files import read_experiment_file
    from miner.lab.experiments.experiment_file import parse_experiment, to_data

    to_data(parse_experiment(read_experiment_file(path)))


def _taxonomies() -> list[Seed]:
    from miner.kinds.taxonomy import released_text

    return [Seed(".toml", released_text().encode())]


def _read_taxonomy(path: Path) -> None:
    from desktop.jobs.kinds.report import read_taxonomy_text
    from miner.kinds.taxonomy import parse_taxonomy

    parse_taxonomy(read_taxonomy_text(path))


_MODEL_FILES = ("config.json", "pairwright.json", "tokenizer.json", "tokenizer_config.json", "head.safetensors")


def _models() -> list[Seed]:
    starter = ROOT / "miner" / "classifier" / "starter"
    return [Seed(f"-{name}", (starter / name).read_bytes()) for name in _MODEL_FILES]


def change_model(data: bytes, draw: random.Random) -> bytes:
    """A file of a model's folder, by what it is."""
    if data[:1] == b"{":
        return any_of(change_json, change_json, change_tokens, change_bytes, _NESTED_JSON)(data, draw)
    return any_of(change_tensors, change_bytes)(data, draw)


def _read_model(path: Path) -> None:
    from miner.classifier.checkpoints import inspect_checkpoint, works_with_numpy
    from miner.classifier.numpy_model import load_numpy_model
    from miner.classifier.vocabulary import load_token_counter

    starter, folder = ROOT / "miner" / "classifier" / "starter", path.with_name("model")
    folder.mkdir()
    changed = path.name.partition("-")[2]
    for file in starter.iterdir():
        if file.name != changed:
            (folder / file.name).symlink_to(file)
    shutil.copyfile(path, folder / changed)
    checkpoint = inspect_checkpoint(folder)
    if changed == "tokenizer.json":
        load_token_counter(folder / changed)(["It is so."])
    if works_with_numpy(checkpoint):
        load_numpy_model(checkpoint).logits([("It is.", "It is not.")], 1)


_BIBLIOGRAPHY = r"""@article{tide2019, title = {On {B}oats and \"{O}resund}, author = "Tide, Ann and Strand, Bo",
  year = 2019, doi = {10.5555/boats}, journal = jrn # " of boats", keywords={a,b},
  file = {:papers/boats.pdf:PDF;C\:\\x\\y.pdf:PDF}}
@string{jrn = "Journal"} @comment{x} @inproceedings{b, title={\'{E}t\'e $x^2$}, crossref={tide2019}}
"""
_RIS = """TY  - JOUR
TI  - On boats
AU  - Tide, Ann
PY  - 2019/03/02
DO  - 10.5555/boats
L1  - internal-pdf://1/a.pdf
ER  -
"""
_CSL = [{"id": "a", "type": "article-journal", "title": "On boats", "author": [{"family": "Tide", "given": "Ann"}],
         "issued": {"date-parts": [[2019, 3, 2]]}, "DOI": "10.5555/boats"}]  # fmt: skip


def _bibliographies() -> list[Seed]:
    return [Seed(".bib", _BIBLIOGRAPHY.encode()), Seed(".ris", _RIS.encode()), Seed(".json", json.dumps(_CSL).encode())]


def _read_bibliography(path: Path) -> None:
    from miner.references.reading import read_references

    read_references(path)


def _settings() -> list[Seed]:
    from dataclasses import asdict

    import tomli_w

    from desktop.settings import Settings
    from miner import codec
    from miner.mining.settings import MiningSettings

    values = {name: value for name, value in asdict(Settings(recent=("/a", "b"))).items() if value is not None}
    mining = codec.encode(MiningSettings())
    return [Seed("-settings.toml", tomli_w.dumps(values).encode()), Seed("-mining.json", mining.encode())]


def _read_settings(path: Path) -> None:
    from desktop.cli.settings_file import settings_from_file
    from desktop.settings import Paths, load

    if path.name.endswith(".json"):
        settings_from_file(path)
        return
    paths = Paths.below(path.parent / "config")
    paths.settings.parent.mkdir(parents=True)
    shutil.copyfile(path, paths.settings)
    load(paths)


def _triples() -> list[Seed]:
    return [
        Seed(".txt", b"ferry,cross,sound\tferry,pass,sound\tTrue\nferry,pass,sound\tferry,cross,sound\tFalse\n" * 3)
    ]


def _read_triples(path: Path) -> None:
    from miner.lab.probes.triples import read_triples_folder

    folder = path.with_name("triples")
    folder.mkdir()
    shutil.copyfile(path, folder / "train.txt")
    read_triples_folder(folder)


def _maps() -> list[Seed]:
    from desktop.jobs.array_files import texts_array, write_arrays
    from miner.libraries import np

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map"
        write_arrays(
            path,
            {
                "probabilities": np.full((2, 3), 0.5, np.float32),
                "correct": np.zeros((2, 3), np.bool_),
                "keys": texts_array(("a", "b", "c")),
                "classes": np.zeros(3, np.int64),
            },
        )
        return [Seed(".map", path.read_bytes())]


def _read_map(path: Path) -> None:
    from desktop.jobs.lab.experiments.map_files import is_map

    is_map(path)


_NESTED_JSON = any_of(nest(b"[", b"]"), nest(b'{"a":', b"}"), again=0.0)
_NESTED_TOML = any_of(nest(b"[", b"]"), nest(b"{a=", b"}"), nest(b"a.", b""), nest(b"[[", b"]]\n"), again=0.0)
_NESTED_XML = any_of(nest(b"<div>", b"</div>"), nest(b"<p>", b"</p>"), nest(b"<!--", b"-->"), again=0.0)
_JSON = any_of(change_json, change_json, change_json, change_tokens, change_bytes, change_encoding, _NESTED_JSON)
_TOML = any_of(change_tokens, change_tokens, change_bytes, change_encoding, _NESTED_TOML)
_XML = any_of(change_xml, change_xml, change_xml, change_tokens, change_bytes, change_encoding, _NESTED_XML, compress)
_TEXT = any_of(change_tokens, change_tokens, change_bytes, change_encoding, compress)

READERS = {
    "PDF": Reader(_pdfs, any_of(change_pdf, change_pdf, change_pdf, change_bytes, again=0.2), _read_pdf),
    "TEI": Reader(_teis, _XML, _read_tei),
    "JATS": Reader(_articles, _XML, _read_jats),
    "archives": Reader(_articles, any_of(change_archive, again=0.0), _read_archive),
    "JSON lines": Reader(_paper_lines, any_of(_JSON, compress, again=0.1), _read_lines),
    "tables": Reader(_tables, any_of(_TEXT, _TEXT, change_json, _NESTED_JSON, again=0.1), _read_table),
    "Parquet": Reader(_parquets, any_of(change_bytes, again=0.3), _read_labelled),
    "answer tables": Reader(_answer_tables, any_of(_TEXT, _JSON, _JSON, again=0.1), _read_answers),
    "answer files": Reader(_answer_files, change_database, _read_answers),
    "manifests": Reader(_manifests, _JSON, _read_manifest),
    "experiments": Reader(_experiments, _TOML, _read_experiment),
    "taxonomies": Reader(_taxonomies, _TOML, _read_taxonomy),
    "models": Reader(_models, change_model, _read_model),
    "projects": Reader(_projects, change_database, _read_project),
    "projects to add": Reader(_projects, change_database, _read_other_project),
    "references": Reader(_bibliographies, any_of(_TEXT, _JSON, _TEXT, nest(b"{", b"}"), again=0.2), _read_bibliography),
    "settings": Reader(_settings, any_of(_TOML, _JSON, again=0.1), _read_settings),
    "triples": Reader(_triples, _TEXT, _read_triples),
    "data maps": Reader(_maps, any_of(change_bytes, change_archive, again=0.1), _read_map),
}


@cache
def seeds_of(name: str) -> tuple[Seed, ...]:
    return tuple(READERS[name].seeds())


def hostile_file(name: str, draw: random.Random) -> Seed:
    """A changed file for a reader."""
    seed = draw.choice(seeds_of(name))
    return Seed(seed.suffix, READERS[name].mutate(seed.content, draw))
