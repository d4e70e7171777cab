"""The results of merging answer files and answer tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from miner.kinds.questionnaire import PairKinds
from storage.annotation.merging import MergeConflict
from storage.changes import Changes
from storage.exchange.answer_tables.checking import RefusedRow

CLOCK_TOLERANCE = timedelta(days=1)
"""How far the clock of an annotator's computer may be ahead before that is said."""


@dataclass(frozen=True, slots=True)
class MergedFile:
    """The result of merging one answer file: pairs = `new` + `known` + `bad` + `unanswered`.

    name: the annotator's name in this project. called: their name in the file, if it differs. new: answers that the
    project did not know; `agreeing` of them equal an answer given elsewhere. known: answers that were merged before.
    bad: pairs without an answer that were marked as bad. marks: flags, notes and bad pairs that changed. gone: pairs
    that the project no longer has; their answers are kept until it has the pairs again. ahead: answers with a future
    time, because of a wrong clock. in_train: answers for a gold label to pairs that are train pairs now, where a single
    answer corrects a label. conflicts: pairs that were answered differently in two places, with their hypotheses by
    pair.

    For an answer table, the result for one assignment; as tables may come in parts, `unanswered` counts pairs of the
    assignment that have no answer now.
    """

    path: Path
    round: int
    name: str
    called: str
    pairs: int
    new: int
    known: int
    agreeing: int
    bad: int
    unanswered: int
    marks: int
    gone: int
    ahead: int
    conflicts: tuple[MergeConflict, ...]
    hypotheses: Mapping[str, str]
    in_train: int = 0


class RefusedAnswerFile(NamedTuple):
    """An answer file that was refused as a whole, and the reason."""

    path: Path
    reason: str
    hint: str


class RefusedRows(NamedTuple):
    """Rows of an answer table that were not merged, although others were: how many, and the first of them."""

    path: Path
    number: int
    first: tuple[RefusedRow, ...]


@dataclass(frozen=True, slots=True)
class MergeResult:
    """What was merged as one action. title: of the action; "" if nothing was new."""

    files: tuple[MergedFile | RefusedAnswerFile, ...]
    title: str
    changes: Changes
    rows: tuple[RefusedRows, ...] = ()

    @property
    def merged(self) -> tuple[MergedFile, ...]:
        """The merged files, including files with nothing new."""
        return tuple(file for file in self.files if isinstance(file, MergedFile))

    @property
    def refused(self) -> tuple[RefusedAnswerFile, ...]:
        """The files that were refused."""
        return tuple(file for file in self.files if isinstance(file, RefusedAnswerFile))

    def conflict_keys(self, *, of_kinds: bool) -> tuple[str, ...]:
        """The pairs with conflicts about their relation, or about kinds; in order of the files, each once."""
        found = [conflict for file in self.merged for conflict in file.conflicts]
        wanted = [one for one in found if isinstance(one.here.answer, PairKinds) is of_kinds]
        return tuple(dict.fromkeys(conflict.pair_key for conflict in wanted))
