"""Readers of what describes: experiments, taxonomies, models, bibliographies and settings."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

from tests.torture.hostile_seed import JSON, NESTED_JSON, ROOT, TEXT, TOML, Reader, Seed
from tests.torture.mutators import any_of, change_bytes, change_json, change_tensors, change_tokens, nest


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
    from desktop.jobs.review.taxonomies import read_taxonomy_text
    from miner.kinds.taxonomy import parse_taxonomy

    parse_taxonomy(read_taxonomy_text(path))


_MODEL_FILES = ("config.json", "pairwright.json", "tokenizer.json", "tokenizer_config.json", "head.safetensors")


def _models() -> list[Seed]:
    starter = ROOT / "miner" / "classifier" / "starter"
    return [Seed(f"-{name}", (starter / name).read_bytes()) for name in _MODEL_FILES]


def change_model(data: bytes, draw: random.Random) -> bytes:
    """A file of a model's folder, by what it is."""
    if data[:1] == b"{":
        return any_of(change_json, change_json, change_tokens, change_bytes, NESTED_JSON)(data, draw)
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


DESCRIPTION_READERS = {
    "experiments": Reader(_experiments, TOML, _read_experiment),
    "taxonomies": Reader(_taxonomies, TOML, _read_taxonomy),
    "models": Reader(_models, change_model, _read_model),
    "references": Reader(_bibliographies, any_of(TEXT, JSON, TEXT, nest(b"{", b"}"), again=0.2), _read_bibliography),
    "settings": Reader(_settings, any_of(TOML, JSON, again=0.1), _read_settings),
}
