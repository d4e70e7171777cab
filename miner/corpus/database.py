"""DuckDB over the files of a corpus, wherever they lie."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from miner.corpus.locations import AGAIN, Location
from miner.corpus.schema import TABLES
from miner.corpus.shards import ShardManifest
from miner.errors import UserError
from miner.installation import missing_extra

if TYPE_CHECKING:
    import duckdb

OFFLINE: dict[str, Any] = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
FETCHED = 20_000  # rows


def base_address(database: duckdb.DuckDBPyConnection, out: Location) -> str:
    """The corpus' address for DuckDB, whose file system is made known to it."""
    if out.is_local:
        return out.path
    from fsspec.implementations.arrow import ArrowFSWrapper

    class CorpusFiles(ArrowFSWrapper):  # type: ignore[misc]  # of a library without types
        protocol = ("pairwright",)

        @classmethod
        def _strip_protocol(cls, path: str) -> str:  # the library's cuts off the bucket
            return path.removeprefix("pairwright://")

    database.register_filesystem(CorpusFiles(out.system))
    return f"pairwright://{out.path}"


def listed_files(base: str, names: Iterable[str]) -> str:
    """Files as a list of SQL strings."""
    return ", ".join("'{}'".format(f"{base}/{name}".replace("'", "''")) for name in names)


@contextmanager
def opened_shards(out: Location, manifest: ShardManifest, *, memory_mb: int = 1_000) -> Iterator[Any]:
    """A DuckDB connection with a view of each table of a settled corpus, by the table's name.

    It spills to the system's temporary folder. `UserError` where files are damaged, or there is no room.
    """
    if error := missing_extra("corpus", "Reading a corpus by SQL"):
        raise error
    import duckdb

    with tempfile.TemporaryDirectory(prefix="pairwright-corpus-") as folder:
        limits = {"memory_limit": f"{memory_mb}MB", "temp_directory": folder}
        database = duckdb.connect(config={**OFFLINE, **limits})
        try:
            base = base_address(database, out)
            for table, schema in TABLES.items():
                if manifest.shards:
                    files = listed_files(base, (shard.path(table) for shard in manifest.shards))
                    database.execute(f"CREATE VIEW {table} AS FROM read_parquet([{files}])")
                else:
                    database.register("no_rows", schema.empty_table())
                    database.execute(f"CREATE TABLE {table} AS FROM no_rows")  # which cursors see, too
            yield database
        except duckdb.OutOfMemoryException as exc:
            what = f"There is not enough room to read {out.shown}: {first_line(exc)}"
            raise UserError(what, hint=f"Free some space in {folder}, or set TMPDIR to a larger disk.") from exc
        except (duckdb.IOException, duckdb.InvalidInputException) as exc:
            what = f"A shard of {out.shown} cannot be read: {first_line(exc)}"
            raise UserError(what, hint=f"Make it again: pairwright corpus settle {out.shown}") from exc
        except duckdb.Error as exc:
            if type(exc) is not duckdb.Error:  # else of the file system that was registered
                raise
            what = f"{out.shown} cannot be read: {str(exc).strip().splitlines()[-1]}"
            raise UserError(what, hint=f"Check the connection. {AGAIN}") from exc
        finally:
            database.close()


def first_line(exc: Exception) -> str:
    """The first line of an error by a library."""
    return str(exc).strip().partition("\n")[0]
