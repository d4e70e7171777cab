"""What the annotators of a pair say together about its kinds of reasoning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from miner.kinds.questionnaire import PairKinds
from miner.kinds.taxonomy import Direction

UNCLEAR = "unclear"


class MajorityKinds(NamedTuple):
    """The kinds of a pair by the majority. relation: given by most annotators; if several are, the first by name.

    categories: as in `majority_kinds`. direction: given by more than half of the annotators who give any; None if there
    is no such direction.
    """

    relation: str
    categories: frozenset[str]
    direction: Direction | None


def majority_kinds(answers: Mapping[str, PairKinds]) -> MajorityKinds | None:
    """The categories that at least half of the annotators tick, in complete answers with a clear relation.

    None without such an answer. answers: by annotator.
    """
    given = [one for one in answers.values() if one.complete and one.relation not in (None, UNCLEAR)]
    if not given:
        return None
    ticks = Counter(category for one in given for category in one.categories)
    relations = Counter(str(one.relation) for one in given)
    relation = min(relations, key=lambda name: (-relations[name], name))
    categories = frozenset(name for name, number in ticks.items() if 2 * number >= len(given))
    directions = Counter(one.direction for one in given if one.direction is not None)
    direction = next((one for one, number in directions.items() if 2 * number > directions.total()), None)
    return MajorityKinds(relation, categories, direction)
