"""What models suggest: one version after the other, each shown when it is complete, the first also while it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import Connection

from miner.records import Label, Suggestion
from storage.filters import PairFilter


class Wanted(NamedTuple):
    """A pair as a model is to judge it; `paper` is an MD5, `distant` None where there is no distant label."""

    id: int
    key: str
    paper: str
    premise: str
    hypothesis: str
    distant: Label | None


class Made(NamedTuple):
    """What a model says of the pair `of`: `probabilities` in `Label`'s order, calibrated; the rest as in `Suggestion`.

    `fold`: which of the models out of fold the doubt is by, None for the model itself.
    """

    of: Wanted
    probabilities: tuple[float, ...]
    doubt: float | None = None
    margin: float | None = None
    fold: int | None = None


@dataclass(frozen=True, slots=True)
class SuggestionRun:
    """One version of the suggestions; `state` is running, complete or replaced. `pairs`: how many it has now.

    `held_out`: the doubts are by models that had not seen the labels.
    """

    id: int
    model_id: int
    digest: str
    model: str
    temperature: float
    state: str
    device: str
    program: str
    started_at: datetime
    ended_at: datetime | None
    pairs: int
    held_out: bool


class MatrixCell(NamedTuple):
    """So many pairs have these labels; "" for none."""

    distant: str
    suggested: str
    gold: str
    pairs: int


@dataclass(frozen=True, slots=True)
class SuggestionSummary:
    """The shown suggestions in numbers: `suggested` + `missing` are the current pairs that are not bad.

    `confidence`: how many in each twentieth from 0 to 1; `doubted`: a doubt of at least a half, `waiting`: those of
    them that nobody has answered.
    """

    suggested: int
    missing: int
    labels: dict[Label, int]
    confidence: tuple[int, ...]
    doubted: int
    waiting: int


class GroupDoubt(NamedTuple):
    """The pairs of a phrase or a domain that have a doubt: how many, the mean doubt, 0 to 1, and its standard error.

    `answered` of them people settled themselves, `agreed` so as the distant label says.
    """

    group: str
    pairs: int
    doubt: float
    error: float
    answered: int
    agreed: int


class CalibrationPair(NamedTuple):
    """A pair people settled themselves (accepted suggestions do not count), with its shown suggestion."""

    key: str
    paper: str
    gold: Label
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What accepting the suggestions of a filter's open pairs would mean: how many, and their mean confidence.

    `differing`: they say other than the distant label.
    """

    count: int
    labels: dict[Label, int]
    confidence: float
    differing: int


class SuggestionStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def begin(
        self,
        model_id: int,
        temperature: float,
        *,
        device: str,
        program: str,
        at: datetime,
        held_out: bool = False,
        again: bool = False,
    ) -> int:
        """The run that suggestions of this model are to be put into.

        That is the complete one if it is of this model and temperature, so that only what is missing comes to it; else
        the one running, if it is; else a new one. `again`: always a new one. Other running ones are replaced.
        """
        raise NotImplementedError

    def missing(self, run: int, *, after: int = 0, limit: int = 2048) -> list[Wanted]:
        """The next pairs without a suggestion in the run, by id, from behind `after`: current ones that are not bad."""
        raise NotImplementedError

    def count_missing(self, run: int) -> int:
        """How many pairs have no suggestion in the run."""
        raise NotImplementedError

    def put(self, run: int, made: Sequence[Made]) -> int:
        """Keep suggestions, in place of the run's own for the same pairs; how many.

        Pairs that are gone, or changed since they were read, are left out. `UserError` when the run was replaced.
        """
        raise NotImplementedError

    def complete(self, run: int, at: datetime) -> None:
        """Show this run from now on; the one shown before is replaced. `UserError` when this one was replaced."""
        raise NotImplementedError

    def clear_replaced(self, limit: int = 20_000) -> int:
        """Delete at most `limit` suggestions of replaced runs; how many: to be called until it is 0."""
        raise NotImplementedError

    def shown(self) -> SuggestionRun | None:
        """The run whose suggestions are shown: the complete one, else the one running."""
        raise NotImplementedError

    def running(self) -> SuggestionRun | None:
        """The run that is not complete yet."""
        raise NotImplementedError

    def of(self, pair_ids: Sequence[int]) -> dict[int, Suggestion]:
        """The shown suggestions of pairs, by the pairs' ids."""
        raise NotImplementedError

    def summary(self) -> SuggestionSummary:
        raise NotImplementedError

    def matrix(self, filter: PairFilter) -> list[MatrixCell]:
        """How the filter's pairs are spread over distant label, suggestion and gold label, most first."""
        raise NotImplementedError

    def by_group(self, kind: Literal["phrase", "domain"]) -> list[GroupDoubt]:
        """The doubts by phrase or domain, the most doubtful first."""
        raise NotImplementedError

    def calibration_pairs(self) -> list[CalibrationPair]:
        """By paper and place. The probabilities are as stored, to a ten-thousandth: clip before taking logarithms."""
        raise NotImplementedError

    def answered_pairs(self) -> list[tuple[Wanted, Label]]:
        """Pairs people settled themselves, with their gold label, whether or not they have a suggestion."""
        raise NotImplementedError

    def new_answers(self, since: datetime) -> int:
        """How many pairs people have answered themselves since then."""
        raise NotImplementedError

    def outlook(self, filter: PairFilter) -> Outlook:
        raise NotImplementedError
