"""Hostile files found by coverage: atheris changes them further whenever they reach code that none reached before.

`python -m tests.torture.guided READER FOLDER --seconds 60 --seed 7` in a Python that has atheris 3. The project does
not require it, since it has wheels for Linux alone. Defects are kept in the folder, one file for each place that they
come from; the last line printed is how many files were read.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["miner", "storage"]):
    from tests.torture.hostile import Defect, by_place, try_file
    from tests.torture.hostile_readers import READERS, seeds_of
    from tests.torture.hostile_seed import Seed

_LIBRARIES = ["miner", "storage", "desktop", "tomllib", "json", "zipfile", "tarfile", "rispy", "bibtexparser", "nltk"]
_MAX_BYTES = 1_000_000  # a project has half of them


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reader", choices=list(READERS))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    reader = options.reader
    with atheris.instrument_imports(include=_LIBRARIES):
        seeds = seeds_of(reader)
        for seed in seeds:  # imports what it is read by
            try_file(reader, seed)
    suffixes = list(dict.fromkeys(seed.suffix for seed in seeds))
    corpus = options.folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):  # the first byte says what the file is
        (corpus / f"seed-{number}").write_bytes(bytes([suffixes.index(seed.suffix)]) + seed.content)
    known: set[str] = set()
    count = 0

    def read(data: bytes) -> None:
        nonlocal count
        count += 1
        if not data:
            return
        file = Seed(suffixes[data[0] % len(suffixes)], data[1:])
        what = try_file(reader, file)
        if what in ("read", "refused"):
            return
        [place] = by_place([Defect(reader, count, what, file)])
        if place not in known:
            known.add(place)
            path = options.folder / f"defect-{len(known)}{file.suffix}"
            path.write_bytes(file.content)
            path.with_name(f"{path.name}.txt").write_text(f"{place}\n{what}", encoding="utf-8", errors="replace")

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        draw = random.Random(seed)
        if len(data) < 2 or draw.random() < 0.4:
            return bytes(atheris.Mutate(data, max_size))
        return (data[:1] + READERS[reader].mutate(data[1:], draw))[:max_size]

    arguments = [f"-max_total_time={options.seconds}", f"-seed={options.seed}", f"-max_len={_MAX_BYTES}"]
    arguments += ["-rss_limit_mb=2048", "-timeout=60", f"-artifact_prefix={options.folder}/", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *arguments, str(corpus)], read, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
