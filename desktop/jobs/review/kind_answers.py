"""Jobs about answers on kinds of reasoning: load pairs with an annotator's answers, save answers, count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime

from desktop.jobs.review.answers import ActionResult
from desktop.jobs.transactions import read_job, write_job
from desktop.translation import tr
from miner.kinds.questionnaire import Answers, kinds
from miner.kinds.taxonomy import Direction, released_text
from storage.annotation.kinds import StoredTaxonomy
from storage.annotation.rounds import ReviewItem
from storage.changes import Changes
from storage.stores import Stores


@dataclass(frozen=True, slots=True)
class KindsItem(ReviewItem):
    """A pair with this annotator's answers about its kinds, including incomplete ones; {} without answers."""

    kinds: Answers = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KindsCounts:
    """An annotator's answers in numbers. complete: how many pairs are answered; bad: how many are marked as bad.

    relations, categories, directions: how many complete pairs have each; categories by their keys.
    """

    complete: int
    bad: int
    relations: Mapping[str, int]
    categories: Mapping[str, int]
    directions: Mapping[Direction, int]


@read_job("Reading pairs")
def load_kinds_items(stores: Stores, keys: Sequence[str], annotator: str, taxonomy: StoredTaxonomy) -> list[KindsItem]:
    """The pairs with these keys, in this order; removed ones are left out."""
    given = stores.kinds.of_pairs(keys, taxonomy.digest)
    items = stores.rounds.items(keys, annotator)
    return [_with_kinds(item, given[item.pair.key].get(annotator, {})) for item in items]


@write_job("Saving answers about kinds")
def save_kinds(
    stores: Stores,
    annotator: str,
    key: str,
    answers: Answers,
    taxonomy: StoredTaxonomy,
    title: str = tr("Answer about kinds"),
) -> ActionResult:
    """Store all answers of the annotator about a pair as one action; {} withdraws them. They are then on disk.

    taxonomy: the taxonomy of the questions, TaxiNLI's or a stored one. A removed pair is left out: see
    `ActionResult.count`.
    """
    if not stores.pairs.present([key]):
        return ActionResult(title, 0, Changes(), ())
    if not stores.kinds.has_taxonomy(taxonomy.digest):
        stores.kinds.put_taxonomy(released_text())
    at = datetime.now(UTC)
    action = stores.actions.begin(annotator, title, at)
    stores.kinds.answer(taxonomy, key, annotator, answers, at, action=action)
    return ActionResult(title, 1, Changes(annotated_keys=frozenset((key,))), (key,))


@read_job("Counting answers")
def count_kinds(stores: Stores, keys: Sequence[str], annotator: str, taxonomy: StoredTaxonomy) -> KindsCounts:
    """The annotator's answers to these pairs in numbers."""
    items = load_kinds_items.within(stores, keys, annotator, taxonomy)
    usable = [kinds(taxonomy.taxonomy, item.kinds) for item in items if item.status != "bad"]
    complete = [one for one in usable if one.complete]
    return KindsCounts(
        len(complete),
        sum(item.status == "bad" for item in items),
        Counter(one.relation for one in complete if one.relation is not None),
        Counter(category for one in complete for category in one.categories),
        Counter(one.direction for one in complete if one.direction is not None),
    )


def _with_kinds(item: ReviewItem, answers: Answers) -> KindsItem:
    return KindsItem(**{one.name: getattr(item, one.name) for one in fields(item)}, kinds=answers)
