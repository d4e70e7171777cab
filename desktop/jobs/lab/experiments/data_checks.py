"""Whether the sets of an experiment have the pairs that its systems and tables need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from desktop.jobs.lab.experiments.drawing import SetParts
from desktop.jobs.lab.experiments.kinds_data import asks_for_kinds
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.experiments.experiment import ANY_SPLIT, Experiment, LabelChoice

_MESH_HINT = tr("A probe is divided by paper: add papers, until each part has directed, restating and neutral pairs.")
_TRIPLES_HINT = tr("Its folder needs a file for each part, with pairs of these groups.")


class EmptyPart(UserError):
    """Raised where a part of a set has no pairs, because the project has no splits yet or the filter leaves no pair."""


def require_pairs(
    experiment: Experiment, parts: Mapping[str, SetParts], unlabelled: Mapping[tuple[str, str], LabelChoice]
) -> None:
    """Raise `UserError` for a required part without pairs.

    unlabelled: parts with pairs that lack the label they are to have, which is that; by the names of set and part.
    """
    if asks_for_kinds(experiment) and not any(pair.kinds for one in parts.values() for pair in one.get("test", ())):
        hint = tr("Answer the questions of the page Kinds first, or name a file with a column for each kind.")
        raise UserError(tr("No test pair has kinds of reasoning."), hint=hint)
    for name, one in parts.items():
        for part, pairs in one.items():
            if pairs or part == "dev":
                continue
            which = tr("{part} part of the set {name}", part=part, name=name)
            if choice := unlabelled.get((name, part)):
                hint = tr('Review pairs first, or write labels = "gold or distant".')
                raise UserError(
                    tr("No pair of the {which} has a {choice} label.", which=which, choice=choice), hint=hint
                )
            what = tr("The {which} has no pairs.", which=which)
            if experiment.data[name].mesh_subset is not None:
                raise UserError(what, hint=_MESH_HINT if not experiment.data[name].triples else _TRIPLES_HINT)
            wanted = experiment.data[name]
            if (source := getattr(wanted, part)) is not None and source.split == ANY_SPLIT and wanted.where:
                raise UserError(
                    what, hint=tr("No pair matches its `where`: change that, or add pairs, such as more papers.")
                )
            hint = tr(
                "Split the papers first, or import a data set with splits: pairwright split set --shares 70/10/20"
            )
            raise EmptyPart(what, hint=hint)
    if not any("test" in one for one in parts.values()):
        raise UserError(tr("No set has a test part."), hint=tr("Add for example: test = {}"))
    for system in experiment.systems:
        for name in system.needed_sets:
            if "train" not in parts.get(name, {}):
                raise UserError(
                    tr("{title} needs the train part of the set {name}.", title=system.title, name=name),
                    hint=tr("Add: train = {}"),
                )
    if any(system.LEARNS for system in experiment.systems) and not any("train" in one for one in parts.values()):
        raise UserError(
            tr("There is nothing to learn from: no set has a train part."), hint=tr("Add for example: train = {}")
        )
    for name, one in parts.items():
        there = Counter(experiment.class_of(pair.label) for pair in one.get("train", ()))
        missing = [label for number, label in enumerate(experiment.classes) if not there[number]]
        if "train" in one and missing and name not in experiment.intermediate_sets:
            hint = tr("Train on distant labels too, or name fewer classes.")
            raise UserError(
                tr("The train part of the set {name} has no {missing} pairs.", name=name, missing=missing[0]), hint=hint
            )


def empty_classes(experiment: Experiment, parts: Mapping[str, SetParts]) -> list[str]:
    """Sentences on classes of which a test part has no pair, although its macro F1 counts them."""
    notes = []
    for name, one in parts.items():
        if "test" in one:
            there = {experiment.class_of(pair.label) for pair in one["test"]}
            missing = [label for number, label in enumerate(experiment.classes) if number not in there]
            if missing:
                notes.append(
                    tr(
                        "The test part of the set {name} has no {missing} pairs: an F1 of 0 there counts in its "
                        "macro F1.",
                        name=name,
                        missing=tr(" and no ").join(missing),
                    )
                )
    return notes
