"""Made-up pairs whose classes differ in nothing but what is planted."""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from miner.audit.drawn_pairs import AuditPair
from miner.audit.report import Measure
from miner.audit.surface import SurfaceCounts
from miner.audit.traits import find_traits
from miner.mining.pair_values import word_overlap
from miner.records import HypothesisTrait, Label

_TEXT = """
    lake ice moss sand stone river delta coast tide wave wind storm frost snow rain soil root leaf bark seed spore
    fungus bird fish crab shell reef bank shore cliff dune marsh field grain crop yield herd flock nest wing feather
    scale bone blood heart lung brain nerve cell gene strain virus host vector dose drug trial cohort sample survey
"""
_WORDS = tuple(_TEXT.split())
_PAIRS_PER_PAPER = 8


@dataclass(frozen=True)
class Artefacts:
    """What is planted in which class. Each share is of the class's pairs."""

    capital: tuple[Label, float] | None = None
    word: tuple[Label, str, float] | None = None
    phrase: tuple[Label, float] | None = None
    longer: Label | None = None
    unlike: bool = False  # neutral pairs share no words


def planted_pairs(per_class: int, artefacts: Artefacts | None = None, *, seed: int = 1) -> list[AuditPair]:
    """As many pairs of each class, in papers of all classes."""
    plant, draw, pairs = artefacts or Artefacts(), random.Random(seed), []
    for index in range(per_class):
        for number, label in enumerate(Label):
            premise = draw.choices(_WORDS, k=draw.randint(8, 20))
            hypothesis = draw.choices(_WORDS, k=draw.randint(8, 20))
            if label != Label.NEUTRAL or not plant.unlike:
                hypothesis[3:7] = premise[2:6]
            if plant.longer == label:
                hypothesis += draw.choices(_WORDS, k=12)
            if plant.word and plant.word[0] == label and draw.random() < plant.word[2]:
                hypothesis[2] = plant.word[1]
            if plant.phrase and plant.phrase[0] == label and draw.random() < plant.phrase[1]:
                hypothesis[:0] = ["thus"]
            text = f"{' '.join(hypothesis)}."
            is_capital = draw.random() < (plant.capital[1] if plant.capital and plant.capital[0] == label else 0.01)
            text = text.capitalize() if is_capital else text
            paper = f"paper {(4 * index + number) // _PAIRS_PER_PAPER}"
            premise_text = f"{' '.join(premise)}.".capitalize()
            strategy = "both_random" if label == Label.NEUTRAL else "linked"
            pairs.append(AuditPair(premise_text, text, label, strategy, word_overlap(premise_text, text), paper))
    return pairs


def counts_of(pairs: Sequence[AuditPair]) -> SurfaceCounts:
    """The counts that storage would make of these pairs."""
    counts = SurfaceCounts(traits={trait: Counter() for trait in HypothesisTrait})
    counts.histograms = {one: {} for one in (Measure.PREMISE_WORDS, Measure.HYPOTHESIS_WORDS, Measure.OVERLAP)}
    for pair in pairs:
        kind = (pair.label, pair.strategy)
        counts.pairs[kind] += 1
        for trait in find_traits(pair.hypothesis):
            counts.traits[trait][pair.label] += 1
        values = (len(pair.premise.split()), len(pair.hypothesis.split()), pair.overlap)
        for histogram, value in zip(counts.histograms.values(), values, strict=True):
            histogram.setdefault(kind, Counter())[value] += 1
    return counts


def write_csv(path: Path, pairs: Sequence[AuditPair]) -> Path:
    """The pairs as a file of SciNLI's shape."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "sentence1", "sentence2", "label"))
        writer.writerows((f"p{n}", pair.premise, pair.hypothesis, pair.label) for n, pair in enumerate(pairs))
    return path
