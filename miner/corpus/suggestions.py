"""A model's suggestions for the pairs of a corpus: a file for each shard, under suggestions/MODEL/.

    suggestions/MODEL/model.json                 what judges: a digest, so that no two models share a folder
    suggestions/MODEL/PREFIX-CONTENT.parquet     a row for each pair of the shard, in its order

CONTENT is that of the shard, so what is judged stays judged until the shard changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from miner import codec
from miner.corpus.locations import Location
from miner.corpus.shards import ROW_GROUP, Shard, ShardManifest
from miner.errors import UserError
from miner.libraries import pa, pq

SUGGESTIONS = pa.schema(
    [
        ("md5", pa.string()),
        ("ordinal", pa.int32()),
        ("key", pa.string()),
        ("label", pa.string()),
        *((name, pa.int32()) for name in ("contrasting", "reasoning", "entailment", "neutral")),
        ("doubt", pa.int32()),
        ("margin", pa.int32()),
    ]
)
"""Probabilities, doubt and margin in ten-thousandths, as in projects; doubt and margin are null without a label."""


@dataclass(frozen=True, slots=True)
class JudgingModel:
    """The model that made the suggestions of a folder. run: of the corpus, as its manifest has it."""

    name: str
    digest: str
    temperature: float
    arithmetic: str
    program: str
    run: str


def model_folder(name: str, digest: str) -> str:
    """The folder of a model's suggestions in a corpus."""
    plain = "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "-" for char in name)
    return f"suggestions/{plain.strip('.-') or 'model'}-{digest[:8]}"


def claim_folder(folder: Location, model: JudgingModel, *, again: bool = False) -> bool:
    """Make the folder this model's, and return whether its contents count. again: they do not count.

    Suggestions by another arithmetic, program or temperature differ slightly, and are replaced.
    """
    note = folder.child("model.json")
    try:
        stored = codec.decode(JudgingModel, note.read())
    except FileNotFoundError:
        stored = None
    except ValueError as exc:
        raise UserError(f"{note.shown} cannot be read.", hint="Delete this folder, then suggest again.") from exc
    if stored == model and not again:
        return True
    for file in folder.files():
        folder.child(file.path).delete()
    note.write(codec.encode(model, indent=1).encode())
    return False


def suggestions_file(shard: Shard) -> str:
    """The name of the file of a shard's suggestions."""
    return f"{shard.prefix}-{shard.content}.parquet"


def judged_shards(folder: Location, manifest: ShardManifest) -> Mapping[str, int]:
    """The numbers of rows of the judged shards, by prefix; files of shards that no longer exist are deleted."""
    wanted = {suggestions_file(shard): shard for shard in manifest.shards}
    found = {}
    for file in folder.files():
        if shard := wanted.get(file.path):
            found[shard.prefix] = shard.sizes["pairs"].rows
        elif file.path != "model.json":
            folder.child(file.path).delete()
    return found


def write_suggestions(folder: Location, shard: Shard, rows: Iterable[Mapping[str, object]]) -> None:
    """Write the suggestions of a shard, completely or not at all."""
    table = pa.Table.from_pylist(list(rows), schema=SUGGESTIONS)
    with folder.child(suggestions_file(shard)).writing() as stream:
        pq.write_table(table, stream, compression="zstd", store_schema=False, row_group_size=ROW_GROUP)


def read_suggestions(folder: Location, manifest: ShardManifest) -> Iterator[pa.Table]:
    """The suggestions, shard by shard."""
    for shard in manifest.shards:
        with folder.child(suggestions_file(shard)).opened() as stream:
            yield pq.read_table(stream)
