"""The pairs to embed: the project's pairs with answers about kinds, or the pairs of a file with columns for kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.lab.layers.embedding import EmbeddedPairs
from desktop.jobs.review.taxonomies import choose_taxonomy
from desktop.text import count
from desktop.translation import tr
from miner.errors import UserError
from miner.kinds.majority import majority_kinds
from miner.kinds.taxonomy import released_taxonomy
from miner.lab.layers.embedding import MAX_CATEGORIES, MIN_PAIRS
from miner.lab.layers.layer_embedding import GroupedBy, PairGroup
from miner.libraries import NDArray, np
from miner.progress import Progress
from storage.exchange.labelled_rows import BadRow
from storage.exchange.labelled_texts import read_labelled_texts
from storage.project import Project

_MAX_LABELS = 20  # of a file, which may have any
_MAX_LABEL = 100  # characters


class EmbeddingPair(NamedTuple):
    """A pair with its kinds. relation: the label that annotators give; "" in a file."""

    key: str
    premise: str
    hypothesis: str
    label: str
    relation: str
    categories: tuple[str, ...]


class EmbeddingInput(NamedTuple):
    """The input of an embedding. texts: premise and hypothesis of each pair.

    digest: of everything that the results depend on, except model and seed.
    """

    pairs: EmbeddedPairs
    texts: tuple[tuple[str, str], ...]
    digest: str


def read_project_pairs(project: Project, taxonomy: str = "") -> list[EmbeddingPair]:
    """The pairs for which somebody has answered all questions, by key, with the gold label, else the distant label.

    taxonomy: whose questions, see `choose_taxonomy`.
    """
    with project.read_transaction() as stores:
        _, digests, _ = choose_taxonomy(stores, taxonomy)
        answers = {key: found for key, by in stores.kinds.all(digests).items() if (found := majority_kinds(by))}
        known = stores.kinds.pairs(answers)
    return [
        EmbeddingPair(
            key,
            pair.premise,
            pair.hypothesis,
            pair.gold or pair.distant or answers[key].relation,
            answers[key].relation,
            tuple(answers[key].categories),
        )
        for key, pair in sorted(known.items())
    ]


def read_file_pairs(path: Path, progress: Progress) -> list[EmbeddingPair]:
    """The pairs of a file with a column for each category; their keys are "row" and the line's number."""
    found: list[EmbeddingPair] = []
    for line, row in read_labelled_texts(path):
        if not isinstance(row, BadRow):
            progress.tick(len(found), None, tr("reading {name}", name=path.name))
            kinds = tuple(row.kinds.split())
            found.append(EmbeddingPair(f"row {line}", row.premise, row.hypothesis, row.label, "", kinds))
    if not any(pair.categories for pair in found):
        hint = tr(
            "A category's column has its name: lexical, syntactic, factivity …, or lexical_linguistic as in TaxiNLI."
        )
        raise UserError(tr("{path} has no pair with a kind of reasoning.", path=path), hint=hint)
    return found


def chosen_pairs(found: Sequence[EmbeddingPair], most: int, seed: int) -> EmbeddingInput:
    """At most `most` of these pairs, drawn by the seed; pairs with more than two categories are left out.

    `UserError` with fewer than 30 pairs.
    """
    placed = [pair for pair in found if len(pair.categories) <= MAX_CATEGORIES]
    if len(placed) < MIN_PAIRS:
        what = tr(
            "The layers of a model say something from {min_pairs} pairs on, and there are {placed}",
            min_pairs=MIN_PAIRS,
            placed=len(placed),
        )
        left_out = len(found) - len(placed)
        more = tr(" ({pairs} with more than two kinds left out)", pairs=count(left_out, "pair")) if left_out else ""
        raise UserError(
            f"{what}{more}.", hint=tr("Answer more pairs on the page Kinds, or name a file: kinds FILE --layers")
        )
    drawn = sorted(placed, key=lambda pair: _rank(pair.key, seed))[:most]
    pairs = sorted(drawn, key=lambda pair: pair.key)
    groups, members = _groups(pairs)
    digest = blake2b(digest_size=16)
    for pair in pairs:
        for text in (*pair[:5], *sorted(pair.categories)):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        digest.update(b"\n")
    embedded = EmbeddedPairs(tuple(pair.key for pair in pairs), groups, members, len(found) - len(placed), len(placed))
    return EmbeddingInput(embedded, tuple((pair.premise, pair.hypothesis) for pair in pairs), digest.hexdigest())


def _groups(pairs: Sequence[EmbeddingPair]) -> tuple[tuple[PairGroup, ...], NDArray[np.bool_]]:
    """The groups that have pairs, and a mask over the pairs for each group."""

    known = released_taxonomy().categories
    ticked = {name for pair in pairs for name in pair.categories}
    order = [*(name for name in known if name in ticked), *sorted(ticked.difference(known))]
    groups = [PairGroup(GroupedBy.CATEGORY, name) for name in order]
    groups += [PairGroup(GroupedBy.LABEL, name) for name in _names(pair.label for pair in pairs)]
    groups += [PairGroup(GroupedBy.RELATION, name) for name in _names(pair.relation for pair in pairs)]
    members = [[_has(pair, group) for pair in pairs] for group in groups]
    return tuple(groups), np.array(members, np.bool_).reshape(len(groups), len(pairs))


def _names(values: Iterable[str]) -> list[str]:
    """The labels that most pairs have, by name."""
    counts = Counter(value for value in values if 0 < len(value) <= _MAX_LABEL)
    return sorted(name for name, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:_MAX_LABELS])


def _has(pair: EmbeddingPair, group: PairGroup) -> bool:
    match group.kind:
        case GroupedBy.CATEGORY:
            return group.name in pair.categories
        case GroupedBy.LABEL:
            return group.name == pair.label
        case GroupedBy.RELATION:
            return group.name == pair.relation


def _rank(key: str, seed: int) -> bytes:
    return blake2b(f"{seed}\0{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
