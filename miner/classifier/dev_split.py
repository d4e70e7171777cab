"""Chooses dev pairs: examples that are not learned, but select the best epoch and calibrate the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from miner.classifier.examples import LabelSource, TrainingExample, missing_classes
from miner.classifier.folds import draw_held_out, group_of, has_few_papers
from miner.classifier.held_out import MIN_MEASURED_EXAMPLES
from miner.classifier.recipe import Recipe
from miner.errors import UserError
from miner.libraries import np

MIN_TRAINING_EXAMPLES = 10
"""Least number of examples to train on."""
GIVEN_SOURCES = (LabelSource.DISTANT, LabelSource.ANSWER)
"""Sources that are not a model. Labels of another model would only measure how similar the two are."""
_MIN_ANSWERS = 100  # to use answers alone as dev pairs
_MAX_DEV_PAIRS = 2_000
_MAX_DEV_SHARE = 0.9  # of the pairs that can become dev pairs
_MAX_DRAWS = 5  # until the remaining examples have all classes


def choose_dev_pairs(examples: Sequence[TrainingExample], recipe: Recipe) -> list[TrainingExample]:
    """The examples, some of them with `dev` set. No paper has both dev pairs and others: some pairs are left out.

    If the data has a dev split, that is used. Otherwise papers are drawn: by people's answers if there are enough, else
    by distant labels too; at most 2,000 dev pairs, and only from papers that the start model has not learned. With few
    papers (an imported file counts as one) pairs are drawn instead. There are no dev pairs with fewer than 40
    candidates, or if every draw leaves a class without examples to learn.
    """
    if any(example.dev_split for example in examples):
        return [replace(example, dev=example.dev_split) for example in examples]
    candidates, pool, by_pair = _find_candidates(examples)
    groups = [group_of(example, by_pair) for example in pool]
    if recipe.dev_share <= 0 or len(pool) < MIN_MEASURED_EXAMPLES or len(set(groups)) < 2:
        return list(examples)
    share = min(recipe.dev_share * len(candidates) / len(pool), _MAX_DEV_PAIRS / len(pool), _MAX_DEV_SHARE)
    pool_keys = {example.key for example in pool}
    labels = np.array([example.label for example in pool])
    for seed in range(_MAX_DRAWS):  # not the recipe's seed: all seeds share dev pairs
        drawn = draw_held_out(groups, labels, share, seed)
        dev_groups = {group for group, is_dev in zip(groups, drawn, strict=True) if is_dev}
        marked = [replace(example, dev=group_of(example, by_pair) in dev_groups) for example in examples]
        split = [example for example in marked if not example.dev or example.key in pool_keys]
        if missing_classes(split) == missing_classes(examples):
            return split
    return list(examples)


def _find_candidates(
    examples: Sequence[TrainingExample],
) -> tuple[list[TrainingExample], list[TrainingExample], bool]:
    """Candidates for dev pairs, those of them from unlearned papers, and whether pairs are drawn instead of papers."""
    candidates = [example for example in examples if example.source is LabelSource.ANSWER]
    by_pair = has_few_papers(candidates)
    pool = select_unlearned_papers(candidates, examples, by_pair)
    if len(pool) < _MIN_ANSWERS:
        candidates = [example for example in examples if example.source in GIVEN_SOURCES]
        by_pair = has_few_papers(candidates)
        pool = select_unlearned_papers(candidates, examples, by_pair)
    return candidates, pool, by_pair


def select_unlearned_papers(
    candidates: Sequence[TrainingExample], examples: Sequence[TrainingExample], by_pair: bool
) -> list[TrainingExample]:
    """The candidates from papers that the start model has not learned; only these can measure the new model."""
    learned = {group_of(example, by_pair) for example in examples if example.known}
    return [example for example in candidates if group_of(example, by_pair) not in learned]


def require_learnable(examples: Sequence[TrainingExample]) -> None:
    """`UserError` where there are too few examples to learn from, or a class has none."""
    learned = sum(not example.dev for example in examples)
    if learned < MIN_TRAINING_EXAMPLES:
        hint = (
            f"Answer at least {MIN_TRAINING_EXAMPLES} pairs, some of each relation, or train on the distant labels too."
        )
        raise UserError(f"There are only {learned} labels to learn from.", hint=hint)
    if missing := missing_classes(examples):
        names = ", ".join(missing)
        hint = "Answer some such pairs, or train on the distant labels too."
        raise UserError(f"No example is labelled {names}: the model would never suggest it.", hint=hint)
