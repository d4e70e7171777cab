"""Keeps model suggestions away from pairs of dev and test papers, whose labels only people may decide."""

from __future__ import annotations

from dataclasses import replace

from desktop.translation import tr
from miner.errors import UserError
from miner.splits import HELD_OUT
from storage.pairs.filters import PairFilter
from storage.settings import SPLIT
from storage.stores import Stores

_OTHERS = frozenset({"train", ""})  # "": of no split


def held_out_error() -> UserError:
    """The error that says that suggestions are not used for dev and test pairs."""
    return UserError(
        tr("Labels of dev and test papers must come from annotators, without a model."),
        hint=tr("Answer these pairs yourself, or choose pairs of train papers."),
    )


def without_held_out(stores: Stores, filter: PairFilter) -> PairFilter:
    """The filter's pairs without those of dev and test papers, where the papers are split.

    `UserError` if the filter asks only for dev or test pairs.
    """
    if stores.settings.get(SPLIT) is None:
        return filter
    splits = (filter.splits or _OTHERS) - frozenset(HELD_OUT)
    if not splits:
        raise held_out_error()
    return replace(filter, splits=splits)
