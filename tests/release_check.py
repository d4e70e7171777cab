"""Checks a released folder of the `full` preset from its files alone, by code that shares nothing with the program."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

Row = dict[str, Any]
_NEAR = 0.8
_RUN = 5  # characters


def read_splits(folder: Path) -> dict[str, list[Row]]:
    """The rows of each split."""
    return {
        name: [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
        for name in ("train", "dev", "test")
    }


def faults(folder: Path, *, votes: int, targets: dict[str, int]) -> list[str]:
    """What is not as it must be, in words; [] for a benchmark in the papers' shape.

    votes: of each pair of dev and test. targets: gold pairs of each class and domain, by split.
    """
    splits = read_splits(folder)
    return list(
        chain(
            _label_faults(splits, read_votes(folder), votes),
            _balance_faults(splits, targets),
            _paper_faults(splits),
            _sentence_faults(splits),
        )
    )


def read_votes(folder: Path) -> dict[str, tuple[list[str], list[str]]]:
    """By pair what annotators answered, and what adjudicators did."""
    first, *lines = json.loads((folder / "annotations.json").read_text(encoding="utf-8"))
    found = {}
    for line in lines:
        if "pair" not in line:
            continue
        by_role: dict[str, list[str]] = defaultdict(list)
        for who, label, way in line.get("answers", ()):
            if way == "answer":
                by_role[first["annotators"].get(who, "annotator")].append(label)
        found[line["pair"]] = by_role["annotator"], by_role["adjudicator"]
    return found


def _label_faults(
    splits: dict[str, list[Row]], given: dict[str, tuple[list[str], list[str]]], votes: int
) -> Iterator[str]:
    for split in ("dev", "test"):
        for row in splits[split]:
            annotators, adjudicators = given.get(row["pairID"], ([], []))
            if len(annotators) < votes:
                yield f"{split}: {row['pairID']} has {len(annotators)} votes"
            [(label, most), *_] = Counter(annotators).most_common() or [("", 0)]
            decided = label if most * 2 > len(annotators) else (adjudicators or [""])[-1]
            if decided != row["label"]:
                yield f"{split}: {row['pairID']} is {row['label']}, and people say {decided or 'nothing'}"


def _balance_faults(splits: dict[str, list[Row]], targets: dict[str, int]) -> Iterator[str]:
    for split, target in targets.items():
        sizes = Counter((row["domain"], row["label"]) for row in splits[split])
        for domain in {domain for domain, _ in sizes}:
            of_domain = {number for (name, _), number in sizes.items() if name == domain}
            if len(of_domain) > 1 or max(of_domain) > target:
                yield f"{split}: {domain} has {sorted(of_domain)} pairs of its classes, and the target is {target}"


def _paper_faults(splits: dict[str, list[Row]]) -> Iterator[str]:
    places: dict[str, set[str]] = defaultdict(set)
    for split, rows in splits.items():
        for row in rows:
            places[row["paper_md5"]].add(split)
    yield from (f"paper {md5} is in {sorted(where)}" for md5, where in places.items() if len(where) > 1)


def _sentence_faults(splits: dict[str, list[Row]]) -> Iterator[str]:
    train = {_normal(text) for row in splits["train"] for text in _sentences(row)}
    by_run: dict[str, set[str]] = defaultdict(set)
    for sentence in train:
        for run in _runs(sentence):
            by_run[run].add(sentence)
    for split in ("dev", "test"):
        for held_out in {_normal(text) for row in splits[split] for text in _sentences(row)}:
            if held_out in train:
                yield f"{split}: a sentence is in train, too: {held_out[:80]}"
                continue
            runs = _runs(held_out)
            shared = Counter(chain.from_iterable(by_run[run] for run in runs))
            for other, number in shared.items():
                if number / (len(runs) + len(_runs(other)) - number) >= _NEAR:
                    yield f"{split}: a sentence is nearly in train: {held_out[:80]}"


def _sentences(row: Row) -> Iterable[str]:
    return (row["sentence1"], row["sentence2"])


def _normal(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _runs(text: str) -> set[str]:
    return {text[place : place + _RUN] for place in range(max(1, len(text) - _RUN + 1))}
