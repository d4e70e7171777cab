"""What a modelled project consists of: papers, pairs, rounds, actions, and the events of its histories."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from miner.records import Label, Pair, Strategy

LABELS = tuple(label.value for label in Label)
STRATEGIES = tuple(Strategy)
Slot = tuple[str, ...]
"""What one value is of: ("answer", pair, who), ("mark", pair, who, kind), ("kinds", pair, who), ("text", pair, field),
("role", who), ("setting", key), ("list", name), ("round", uid), ("domain", paper) or ("year", paper)."""
HISTORY_SLOTS = ("answer", "mark", "kinds", "text")
DECIDED_SLOTS = ("role", "name", "setting", "list", "round")
PAPER_SLOTS = ("domain", "year")


class Event(NamedTuple):
    """An entry of a history. at: "" where only the project can say when. via: of an answer. is_new: not seen yet."""

    at: str
    value: Any
    action: int | None
    via: str = "answer"
    is_new: bool = True


class NewRow(NamedTuple):
    """A row that a history must get. via: of an answer; "" for others."""

    slot: Slot
    old: Any
    new: Any
    action: int | None
    via: str = ""


@dataclass(slots=True)
class Action:
    """changes: by slot the value before and after. removed: papers with their pairs, by MD5. undone: its turn."""

    id: int
    who: str
    state: str = "done"
    changes: dict[Slot, tuple[Any, Any]] = field(default_factory=dict)
    removed: dict[str, Removed] = field(default_factory=dict)
    undone: int = 0


@dataclass(frozen=True, slots=True)
class ModelPaper:
    """A paper, or the stand-in of a file of pairs (`is_file`). variant: what mining finds in it."""

    md5: str
    domain: str = "biology"
    year: int | None = 2019
    variant: int = 0
    is_file: bool = False


@dataclass(frozen=True, slots=True)
class ModelPair:
    """A pair as it was mined or imported. own_split, file_gold: as its file says."""

    pair: Pair
    paper: str
    is_current: bool = True
    is_imported: bool = False
    own_split: str | None = None
    file_gold: str | None = None

    @property
    def distant(self) -> str | None:
        return self.pair.distant_label and self.pair.distant_label.value


class Removed(NamedTuple):
    paper: ModelPaper
    pairs: tuple[ModelPair, ...]


@dataclass(slots=True)
class ModelRound:
    """An annotation round that asks for relations. sent: whether files of it were written."""

    number: int
    kind: str
    keys: tuple[str, ...]
    annotators: tuple[str, ...]
    created_at: str
    is_open: bool = True
    sent: bool = False


class Judged(NamedTuple):
    """What people make of a pair, in the columns of `pairs`."""

    status: str
    gold: str | None
    majority: str | None
    contested: bool
    flagged: bool
    noted: bool
    accepted: bool
    votes: int

    def label(self, distant: str | None) -> str | None:
        """The label in an export."""
        return {"settled": self.gold, "open": distant}.get(self.status)


def original_texts(pair: Pair) -> tuple[str, str]:
    return pair.premise, pair.hypothesis_original


def folded_texts(pair: Pair) -> tuple[str, str]:
    return pair.premise.casefold(), pair.hypothesis.casefold()
