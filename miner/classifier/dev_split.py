"""Dev pairs: the examples that choose the best epoch and calibrate a model instead of being learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from miner.classifier.examples import LabelSource, TrainingExample, missing_classes
from miner.classifier.folds import are_of_few_papers, draw_held_out, group_of
from miner.classifier.held_out import LEAST_TO_MEASURE
from miner.classifier.recipe import Recipe
from miner.errors import UserError

LEAST_TO_LEARN = 10
"""Examples; fewer tell nothing of four classes."""
GIVEN = (LabelSource.DISTANT, LabelSource.ANSWER)
"""Sources that are no model's: to measure a model by labels of another one measures their likeness."""
_ENOUGH_ANSWERS = 100  # to choose and calibrate by answers alone
_MOST_DEV = 2_000
_MOST_SHARE = 0.9  # of the pairs that can be held out
_DRAWS = 5  # until the other papers have examples of all classes


def choose_dev(examples: Sequence[TrainingExample], recipe: Recipe) -> list[TrainingExample]:
    """The examples with `dev` set for some. No paper has dev and other pairs: what would is left out.

    The data's own dev pairs are all there are, where it has any. Otherwise people's answers are drawn where there are
    enough, else distant labels too; at most 2,000, and only of papers of which the model to start from has learned
    nothing. Where all come from a few papers (an imported file is one), pairs are drawn instead. None are drawn of
    fewer than 40, or where every draw leaves a class without examples to learn.
    """
    if any(example.dev_split for example in examples):
        return [replace(example, dev=example.dev_split) for example in examples]
    candidates = [example for example in examples if example.source is LabelSource.ANSWER]
    by_pair = are_of_few_papers(candidates)
    pool = of_unlearned_papers(candidates, examples, by_pair)
    if len(pool) < _ENOUGH_ANSWERS:
        candidates = [example for example in examples if example.source in GIVEN]
        by_pair = are_of_few_papers(candidates)
        pool = of_unlearned_papers(candidates, examples, by_pair)
    groups = [group_of(example, by_pair) for example in pool]
    if recipe.dev_share <= 0 or len(pool) < LEAST_TO_MEASURE or len(set(groups)) < 2:
        return list(examples)
    share = min(recipe.dev_share * len(candidates) / len(pool), _MOST_DEV / len(pool), _MOST_SHARE)
    pool_keys = {example.key for example in pool}
    labels = np.array([example.label for example in pool])
    for seed in range(_DRAWS):  # not the recipe's seed: models of different seeds are compared on the same pairs
        drawn = draw_held_out(groups, labels, share, seed)
        dev_groups = {group for group, is_dev in zip(groups, drawn, strict=True) if is_dev}
        found = []
        for example in examples:
            is_dev = group_of(example, by_pair) in dev_groups
            if not is_dev or example.key in pool_keys:
                found.append(replace(example, dev=is_dev))
        if missing_classes(found) == missing_classes(examples):
            return found
    return list(examples)


def of_unlearned_papers(
    some: Sequence[TrainingExample], examples: Sequence[TrainingExample], by_pair: bool
) -> list[TrainingExample]:
    """Those of papers of which the model to start from has learned none of `examples`: only they measure this one."""
    learned = {group_of(example, by_pair) for example in examples if example.known}
    return [example for example in some if group_of(example, by_pair) not in learned]


def require_learnable(examples: Sequence[TrainingExample]) -> None:
    """`UserError` where the examples are too few, or of too few classes, to learn from."""
    learned = sum(not example.dev for example in examples)
    if learned < LEAST_TO_LEARN:
        hint = f"Answer at least {LEAST_TO_LEARN} pairs, some of each relation, or train on the distant labels too."
        raise UserError(f"There are only {learned} labels to learn from.", hint=hint)
    if missing := missing_classes(examples):
        names = ", ".join(missing)
        hint = "Answer some such pairs, or train on the distant labels too."
        raise UserError(f"No example is labelled {names}: the model would never suggest it.", hint=hint)
