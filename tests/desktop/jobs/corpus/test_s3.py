"""A corpus in an object store has what one in a folder has; by a stand-in server, where it is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from desktop.jobs.corpus.load import LoadOptions, load_corpus
from desktop.jobs.corpus.overview import read_overview
from desktop.jobs.corpus.pull import pull_corpus
from miner.corpus.database import SharedFile, base_address
from miner.corpus.locations import Location
from miner.corpus.schema import TABLES
from miner.corpus.settle import settle
from miner.corpus.shards import read_manifest, read_shard
from miner.errors import UserError
from miner.installation import is_installed
from miner.progress import Progress
from storage.project import Project
from tests.corpus_factory import make_corpus, write_papers

needs_duckdb = pytest.mark.skipif(not is_installed("duckdb"), reason="duckdb, of the extra `corpus`, is not installed")


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    """A client of the server, whose address and credentials are in the environment."""
    moto = pytest.importorskip("moto.server", reason="moto[server], a stand-in for S3, is not installed")
    boto3 = pytest.importorskip("boto3")
    running = moto.ThreadedMotoServer(port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        values = {"ENDPOINT_URL": f"http://{host}:{port}", "ACCESS_KEY_ID": "me", "SECRET_ACCESS_KEY": "secret"}
        for name, value in {**values, "REGION": "us-east-1", "DEFAULT_REGION": "us-east-1"}.items():
            patch.setenv(f"AWS_{name}", value)
        yield boto3.resource("s3", endpoint_url=os.environ["AWS_ENDPOINT_URL"])
    running.stop()


def delete_bucket(server: Any, name: str) -> None:
    server.Bucket(name).objects.all().delete()
    server.Bucket(name).delete()


@needs_duckdb
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the server
def test_a_corpus_in_s3_is_the_same_as_in_a_folder(server: Any, tmp_path: Path) -> None:
    papers, local = tmp_path / "papers", tmp_path / "corpus"
    papers.mkdir()
    write_papers(papers)
    (papers / "a.jsonl").rename(papers / "100% of a#b.jsonl")
    for bucket in ("pmc", "lab"):
        server.create_bucket(Bucket=bucket)
    for path in papers.iterdir():
        server.Bucket("pmc").put_object(Key=f"some papers/{path.name}", Body=path.read_bytes())
    make_corpus(papers, local)
    make_corpus("s3://pmc/some papers", "s3://lab/my nli")
    found = {}
    for address in (str(local), "s3://lab/my nli"):
        place = Location.of(address)
        manifest = read_manifest(place)
        assert manifest is not None
        tables = {
            name: [row for shard in manifest.shards for row in read_shard(place, shard, name).to_pylist()]
            for name in TABLES
            if name != "files"  # whose paths differ
        }
        project, name = tmp_path / f"{len(found)}.pairwright", tmp_path / f"{len(found)}.duckdb"
        pull_corpus(address, project, ["domain=botany"], 3, 1).work(Progress())
        with Project.open(project, read_only=True) as opened, opened.read_transaction() as stores:
            pairs = [stores.pairs.of_paper(md5) for md5 in stores.papers.md5s()]
        loaded = load_corpus(address, str(name), LoadOptions(sentences=0, tokenizer=None)).work(Progress())
        figures = read_overview(address).work(Progress()).figures
        found[address] = (tables, pairs, loaded.rows, figures.counts, figures.size > 0)
    one, other = found.values()
    assert one == other

    def lose(*_: object) -> None:
        with suppress(server.meta.client.exceptions.NoSuchBucket):
            delete_bucket(server, "lab")

    with pytest.raises(UserError, match="There is no bucket s3://lab"):
        settle(Location.of("s3://lab/my nli"), lose)
    with pytest.raises(UserError, match="There is no bucket s3://pmcc"):
        make_corpus("s3://pmcc/some papers", str(tmp_path / "none"))


@pytest.mark.parametrize("address", ["s3:///pmc", "s3://key:secret@pmc/papers", "other://pmc/papers"])
def test_an_address_that_names_no_place_is_refused(address: str) -> None:
    with pytest.raises(UserError) as raised:
        Location.of(address)
    assert raised.value.hint
    assert "secret" not in str(raised.value)


@needs_duckdb
def test_threads_read_a_remote_file_at_places_of_their_own() -> None:
    import duckdb
    from pyarrow import fs

    file = SharedFile(pa.PythonFile(BytesIO(b"0123456789"), mode="r"))
    with ThreadPoolExecutor(1) as other:
        assert file.seek(7) == 7
        assert other.submit(file.read, 3).result() == b"012"
        assert file.read(2) == b"78"
        assert other.submit(file.read).result() == b"3456789"
    with duckdb.connect() as database:
        place = Location(fs.SubTreeFileSystem("/lab", fs.LocalFileSystem()), "nli", "s3://lab/nli")
        assert base_address(database, place) == base_address(database, place) == "pairwright://nli"
