"""Answers about kinds of reasoning in a project, from the categories that they are to come to."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from importlib.resources import files

from miner.kinds.distant_direction import distant_direction
from miner.kinds.questionnaire import Answers, next_question
from miner.kinds.taxonomy import RELATION, Direction, released_taxonomy
from storage.pairs.filters import PairFilter
from storage.project import Project

TEXT = files("miner.kinds").joinpath("taxonomy.toml").read_text(encoding="utf-8")
AT = datetime(2026, 7, 1, tzinfo=UTC)
_KNOWLEDGE, _FORM = {"world", "taxonomic"}, {"lexical", "syntactic", "factivity"}


def kinds_answers(
    categories: Collection[str], relation: str = "reasoning", direction: Direction = Direction.FORWARD
) -> Answers:
    """Complete answers that come to these categories; of a neutral pair, with its subject among them."""
    wanted = set(categories)
    way = frozenset({*("l" if wanted & _FORM else ""), *("r" if wanted - _FORM or not wanted else "")})
    chosen = {"outside": frozenset("o" if wanted & _KNOWLEDGE else "e"), "way": way}
    answers: dict[str, frozenset[str]] = {RELATION: frozenset({relation})}
    taxonomy = released_taxonomy()
    while (key := next_question(taxonomy, answers)) is not None:
        options = taxonomy.questions[key].options
        ticked = frozenset(option.key for option in options if option.category in wanted)
        default = frozenset() if taxonomy.questions[key].multiple else frozenset("n")
        directed = frozenset(option.key for option in options if option.direction is direction)
        answers[key] = chosen.get(key) or ticked or directed or default
    return answers


def answer_kinds(
    project: Project,
    categories: Mapping[str, Sequence[str]],
    relations: Sequence[str] = (),
    directions: Sequence[Direction] = (),
) -> list[str]:
    """Answers of each annotator about the first pairs by key: the categories of each with spaces between them.

    relations, directions: of each pair, the same for all; by default reasoning, and forward. What comes back: the keys
    of all pairs, sorted.
    """
    with project.transaction() as stores:
        taxonomy = stores.kinds.put_taxonomy(TEXT)
        keys = sorted(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))
        for who, given in categories.items():
            action = stores.actions.begin(who, "Answer", AT)
            for number, text in enumerate(given):
                relation = relations[number] if relations else "reasoning"
                direction = directions[number] if directions else Direction.FORWARD
                answers = kinds_answers(text.split(), relation, direction)
                stores.kinds.answer(taxonomy, keys[number], who, answers, AT, action=action)
    return keys


def annotate_kinds(project: Project, errors: Mapping[str, float], pairs: int = 120) -> None:
    """Answers of annotators who see each category of a pair, or one that it has not, wrongly with these probabilities.

    Every pair has its distant label, mostly the direction of its phrase, and each category of the taxonomy but those of
    neutral pairs as often as the next.
    """
    taxonomy, draw = released_taxonomy(), random.Random(1)
    with project.read_transaction() as stores:
        keys = sorted(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))[:pairs]
        known = stores.kinds.pairs(keys)
    truth = [{one for one in taxonomy.reasoning if draw.random() < 0.15} for _ in keys]
    said = {
        who: [" ".join(one for one in taxonomy.reasoning if (one in had) != (draw.random() < error)) for had in truth]
        for who, error in errors.items()
    }
    clear = [distant_direction(known[key].distant, known[key].phrase) or Direction.NEITHER for key in keys]
    directions = [one if draw.random() < 0.8 else draw.choice(list(Direction)) for one in clear]
    answer_kinds(project, said, [known[key].distant or "reasoning" for key in keys], directions)
