"""A WordNet of a few verbs of our own, in WordNet's file format."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

LICENCE = "  1 Written for tests.  \n"
SYNSETS: dict[str, tuple[list[str], list[str]]] = {  # by name: the verbs of a synset, and the narrower synsets
    "break": (["degrade", "break_down"], ["rot", "dissolve"]),
    "rot": (["rot", "decay"], ["moulder"]),
    "moulder": (["moulder"], []),
    "dissolve": (["dissolve"], []),
    "humiliate": (["degrade", "put_down"], []),
    "study": (["study"], ["examine"]),
    "examine": (["examine", "scrutinize"], []),
}


def write(folder: Path) -> Path:
    """Write index.verb and data.verb into the folder, and return it."""
    names = list(SYNSETS)
    offsets = {name: 100 * (number + 1) for number, name in enumerate(names)}
    data, senses = [], defaultdict(list)
    for name, (verbs, below) in SYNSETS.items():
        words = " ".join(f"{verb} 0" for verb in verbs)
        pointers = "".join(f"~ {offsets[other]:08} v 0000 " for other in below) + "+ 00000001 n 0101 "
        data.append(f"{offsets[name]:08} 30 v {len(verbs):02x} {words} {len(below) + 1:03} {pointers}| a gloss ~ 1 v\n")
        for verb in verbs:
            senses[verb].append(offsets[name])
    index = [
        f"{verb} v {len(found)} 1 ~ {len(found)} 0 {' '.join(f'{one:08}' for one in found)}  \n"
        for verb, found in sorted(senses.items())
    ]
    (folder / "data.verb").write_text(LICENCE + "".join(data))
    (folder / "index.verb").write_text(LICENCE + "".join(index))
    return folder
