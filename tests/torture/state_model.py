"""A project in plain Python: what must hold after everything that people and mining have done to it, in order.

Histories are read from the project, but only after each new row was foretold; all else follows from them by the words
of the documentation, without SQL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from miner.records import Pair, Strategy
from miner.splits import HELD_OUT, PaperSplit, PaperSplitter
from storage.annotation.annotators import Role
from storage.dataset.gold_rule import GoldRule, GoldRules
from tests.torture.state_records import (
    DECIDED_SLOTS,
    HISTORY_SLOTS,
    PAPER_SLOTS,
    Action,
    Event,
    Judged,
    ModelPair,
    ModelPaper,
    ModelRound,
    NewRow,
    Removed,
    Slot,
    folded_texts,
    original_texts,
)


class Model:
    """All that is known of the project."""

    def __init__(self) -> None:
        self.papers: dict[str, ModelPaper] = {}
        self.pairs: dict[str, ModelPair] = {}
        self.events: dict[Slot, list[Event]] = {}
        self.slots: dict[tuple[str, str], list[Slot]] = {}  # of histories, by kind and pair
        self.actions: dict[int, Action] = {}
        self.reversals: list[tuple[int, str, int]] = []  # id, who, of what
        self.decided: dict[Slot, Any] = {}  # roles, settings, lists, and whether rounds are open; absent for none
        self.rounds: dict[str, ModelRound] = {}
        self.released: dict[str, str] = {}  # the split of papers, of the latest release
        self.ledger: dict[tuple[str, str], dict[tuple[datetime, str], int]] = {}  # by assignment and pair
        self.foretold: list[NewRow] = []
        self._turn = 0
        self._pending = 0

    # What holds now

    def value(self, slot: Slot) -> Any:
        """The present value; None for none."""
        kind = slot[0]
        if kind in HISTORY_SLOTS:
            events = self.events.get(slot)
            return events[-1].value if events else None
        if kind in PAPER_SLOTS:
            paper = self.papers.get(slot[1])
            return paper and getattr(paper, kind)
        return self.decided.get(slot)

    def via(self, slot: Slot) -> str:
        events = self.events.get(slot)
        return events[-1].via if events else "answer"

    @property
    def gold_rules(self) -> GoldRules:
        return self.decided.get(("setting", "gold")) or GoldRules()

    @property
    def split(self) -> PaperSplit | None:
        return self.decided.get(("setting", "split"))

    def role(self, who: str) -> Role:
        found: Role = self.decided.get(("role", who), Role.ANNOTATOR)
        return found

    def touched(self, key: str) -> bool:
        """Whether the pair has a history."""
        return any((kind, key) in self.slots for kind in HISTORY_SLOTS)

    def of_pair(self, kind: str, key: str) -> dict[Slot, Any]:
        """The present values about a pair."""
        found = {slot: self.events[slot][-1].value for slot in self.slots.get((kind, key), ())}
        return {slot: value for slot, value in found.items() if value is not None}

    def text_of(self, key: str, name: str) -> str:
        """The sentence that holds."""
        mined: str = getattr(self.pairs[key].pair, name)
        return self.value(("text", key, name)) or mined

    def pilot_keys(self) -> set[str]:
        return {key for one in self.rounds.values() if one.kind == "pilot" for key in one.keys}

    def split_of(self, pair: ModelPair) -> str | None:
        """The split of a pair: that of its paper, or of its file for one without a paper."""
        split, paper = self.split, self.papers[pair.paper]
        if paper.is_file:
            return pair.own_split
        if split is None:
            return None
        if split.keep_released and paper.md5 in self.released:
            return self.released[paper.md5]
        return _splitter(split).split_of(paper.md5, paper.domain, paper.year, "")

    def is_held_out(self, pair: ModelPair) -> bool:
        return self.split is not None and self.split_of(pair) in HELD_OUT

    def judge(self, key: str) -> Judged:
        """What people make of a pair, by the words of `storage.pairs.judgement`."""
        pair = self.pairs[key]
        marks = self.of_pair("mark", key)
        kinds = {slot[3] for slot in marks}
        everywhere = bool(self.decided.get(("setting", "gold everywhere")))
        rules_decide = self.is_held_out(pair) or everywhere
        needed = self.gold_rules.votes if rules_decide else 1
        answers = {} if key in self.pilot_keys() else self.of_pair("answer", key)
        given = [(self.role(slot[2]), self.via(slot), answer, slot) for slot, answer in answers.items()]
        votes = [answer for role, via, answer, _ in given if role is Role.ANNOTATOR and via == "answer"]
        accepted = [answer for role, via, answer, _ in given if role is Role.ANNOTATOR and via == "accepted"]
        is_accepted = bool(accepted) and not votes and not self.is_held_out(pair)
        counted = accepted if is_accepted else votes
        majority: str | None = None
        if counted and (is_accepted or len(counted) >= needed):
            answer, most = Counter(counted).most_common(1)[0]
            majority = answer if most * 2 > len(counted) else self._adjudicated(given)
            majority = None if majority == "unclear" else majority
        elif counted or (pair.file_gold is not None and pair.distant is not None and pair.file_gold != pair.distant):
            majority = pair.file_gold
            if majority is None and counted and pair.pair.strategy is Strategy.IMPORTED and self.is_held_out(pair):
                majority = pair.distant if pair.own_split == self.split_of(pair) else None
        only_agreeing = self.gold_rules.rule is GoldRule.AGREEING and rules_decide
        differs = majority is not None and pair.distant is not None and majority != pair.distant
        is_discarded = only_agreeing and differs
        status = "settled"
        if "bad" in kinds:
            status = "bad"
        elif majority is None:
            status = "unsettled" if counted else "open"
        elif is_discarded:
            status = "discarded"
        return Judged(
            status,
            None if is_discarded else majority,
            majority,
            len(set(counted)) > 1,
            "flag" in kinds,
            "note" in kinds,
            is_accepted,
            0 if is_accepted else len(counted),
        )

    def _adjudicated(self, given: Iterable[tuple[Role, str, str, Slot]]) -> str | None:
        """The adjudicators' latest answer."""
        decisions = [
            (self.events[slot][-1].at, answer)
            for role, via, answer, slot in given
            if role is Role.ADJUDICATOR and via == "answer"
        ]
        return max(decisions)[1] if decisions else None

    # Actions

    def act(self, who: str, changes: Iterable[tuple[Slot, Any]], *, via: str = "answer") -> Action | None:
        """What a person does at once; None if it changes nothing. An answer that is given again is a change."""
        action = self.open(who)
        for slot, new in changes:
            self._change(action, slot, new, via)
        return action if self.close(action) else None

    def decide(self, changes: Mapping[Slot, Any]) -> None:
        """A decision about the project, which is nobody's own; what is as it was is no change."""
        action = Action(self._next_id(), "")
        for slot, new in changes.items():
            if self.value(slot) != new:
                action.changes[slot] = (self.value(slot), new)
                self._set(slot, new)
        if action.changes:
            self._begin(action)

    def open(self, who: str) -> Action:
        """An action whose changes are added before it is closed."""
        self._pending = self._next_id()
        return Action(self._pending, who)

    def close(self, action: Action) -> bool:
        """Whether the action has changed anything; if not, all is as before it."""
        self._pending = 0
        entered = any(by == action.id for ledger in self.ledger.values() for by in ledger.values())
        if action.changes or action.removed or entered:
            self._begin(action)
            return True
        return False

    def add_event(self, action: Action, slot: Slot, new: Any, via: str = "answer", at: str = "") -> None:
        """A change of a history as part of an action, also where nothing changes."""
        before = (self.value(slot), self.via(slot))
        first = action.changes.get(slot)
        action.changes[slot] = (first[0] if first else before, (new, via))
        self._foretell(slot, new, action.id, via, at)

    def _change(self, action: Action, slot: Slot, new: Any, via: str) -> None:
        old, kind = self.value(slot), slot[0]
        if kind in ("answer", "kinds"):
            if kind == "kinds" or old is not None or new is not None:
                self.add_event(action, slot, new, via)
        elif old != new:
            if kind in HISTORY_SLOTS:
                self.add_event(action, slot, new)
            else:
                action.changes[slot] = (old, new)
                self._set(slot, new)

    def _foretell(self, slot: Slot, new: Any, action: int, via: str, at: str = "") -> None:
        """Foretell a row of a history, which holds from now on."""
        old = self.value(slot)
        self.foretold.append(NewRow(slot, old, new, action, via if slot[0] == "answer" else ""))
        self.add(slot, Event(at, new, action, via))

    def add(self, slot: Slot, event: Event) -> None:
        if slot not in self.events:
            self.events[slot] = []
            self.slots.setdefault((slot[0], slot[1]), []).append(slot)
        self.events[slot].append(event)

    def _begin(self, action: Action) -> None:
        for one in self.actions.values():
            if one.state == "undone" and one.who in (action.who, ""):
                one.state = "dropped"
        self.actions[action.id] = action

    def _next_id(self) -> int:
        return max([*self.actions, *(id for id, _, _ in self.reversals)], default=0) + 1

    def last_done(self, who: str) -> Action | None:
        """What undo would undo."""
        own = [one for one in self.actions.values() if one.who in (who, "") and one.state == "done"]
        return max(own, key=lambda one: one.id, default=None)

    def last_undone(self, who: str) -> Action | None:
        """What redo would redo."""
        own = [one for one in self.actions.values() if one.who in (who, "") and one.state == "undone"]
        return max(own, key=lambda one: one.undone, default=None)

    def reverse(self, who: str, *, undo: bool) -> Action | None:
        """Undo, or redo; the action, None if there is none."""
        action = self.last_done(who) if undo else self.last_undone(who)
        if action is None:
            return None
        reversal = self._next_id()
        self.reversals.append((reversal, who, action.id))
        for slot, (before, after) in action.changes.items():
            expected, wanted = (after, before) if undo else (before, after)
            if slot[0] in PAPER_SLOTS:
                if slot[1] in self.papers and self.value(slot) == expected:
                    self._set(slot, wanted)
            elif slot[0] == "text":
                if self.value(slot) == expected[0]:
                    self._foretell(slot, wanted[0], reversal, "answer")
            elif slot[0] in HISTORY_SLOTS:
                self._foretell(slot, wanted[0], reversal, wanted[1])
        self._reverse_papers(action, undo=undo)
        self._reverse_decisions(action, undo=undo)
        self._turn += 1
        action.state, action.undone = ("undone", self._turn) if undo else ("done", action.undone)
        return action

    def _reverse_decisions(self, action: Action, *, undo: bool) -> None:
        """All of them or none."""
        wanted = {}
        for slot, (before, after) in action.changes.items():
            if slot[0] in DECIDED_SLOTS:
                expected, new = (after, before) if undo else (before, after)
                present = self.value(slot)
                is_list = slot[0] == "list"
                if (present is None) != (expected is None) if is_list else present != expected:
                    return
                if slot[0] == "round" and new is None and self._is_waited_for(self.rounds[slot[1]]):
                    return
                wanted[slot] = new
        for slot, new in wanted.items():
            if slot[0] == "list" and new is None:  # what is taken away now is what comes back
                action.changes[slot] = (self.value(slot), None)
            self._set(slot, new)

    def _is_waited_for(self, round: ModelRound) -> bool:
        """Whether the round was sent, or answered since it was drawn."""
        slots = (("answer", key, who) for key in round.keys for who in round.annotators)
        events = [self.events[slot][-1] for slot in slots if slot in self.events]
        return round.sent or any(one.value is not None and one.at >= round.created_at for one in events)

    def _set(self, slot: Slot, value: Any) -> None:
        if slot[0] in PAPER_SLOTS:
            self.papers[slot[1]] = replace(self.papers[slot[1]], **{slot[0]: value})
        elif slot[0] == "round":
            self._set_round(slot, value)
        elif value is None:
            self.decided.pop(slot, None)
        else:
            self.decided[slot] = value

    def _set_round(self, slot: Slot, value: Any) -> None:
        """A round that comes back has a number of its own."""
        if value is None:
            self.decided[("gone round", slot[1])] = self.rounds.pop(slot[1])
            del self.decided[slot]
            return
        if slot[1] not in self.rounds:
            number = max((one.number for one in self.rounds.values()), default=0) + 1
            self.rounds[slot[1]] = replace(self.decided.pop(("gone round", slot[1])), number=number)
        self.rounds[slot[1]].is_open = value
        self.decided[slot] = value

    # Papers and mining

    def remove_paper(self, action: Action, md5: str) -> None:
        pairs = tuple(one for one in self.pairs.values() if one.paper == md5)
        action.removed[md5] = Removed(self.papers.pop(md5), pairs)
        for one in pairs:
            del self.pairs[one.pair.key]

    def _reverse_papers(self, action: Action, *, undo: bool) -> None:
        for md5, (paper, pairs) in sorted(action.removed.items()):
            if undo and md5 not in self.papers:
                self.papers[md5] = paper
                self.pairs |= {one.pair.key: one for one in pairs if one.pair.key not in self.pairs}
            elif not undo and md5 in self.papers:
                self.remove_paper(action, md5)

    def mine(self, md5: str, variant: int, find: Callable[[str, int], Sequence[Pair]]) -> None:
        """Replace a paper's pairs by what mining finds in it; pairs with a history stay, but are no longer current."""
        self.papers[md5] = replace(self.papers[md5], variant=variant)
        found = {pair.key: pair for pair in self.without_duplicates(md5, find(md5, variant))}
        for key, one in list(self.pairs.items()):
            if one.paper == md5 and key not in found:
                if self.touched(key):
                    self.pairs[key] = replace(one, is_current=False)
                else:
                    del self.pairs[key]
        for key, pair in found.items():
            known = self.pairs.get(key)
            if known is None:
                self.pairs[key] = ModelPair(pair, md5)
            else:
                self.pairs[key] = replace(known, pair=pair, paper=md5, is_current=True, is_imported=False)

    def without_duplicates(self, md5: str, pairs: Sequence[Pair]) -> list[Pair]:
        """Without the pairs of earlier papers, and of imported files."""
        current = [one for one in self.pairs.values() if one.is_current]
        seen = {original_texts(one.pair) for one in current if not one.is_imported and one.paper < md5}
        imported = {folded_texts(one.pair): one.pair.key for one in current if one.is_imported}
        found = []
        for pair in pairs:
            other = imported.get(folded_texts(pair))
            if original_texts(pair) not in seen and other in (None, pair.key):
                found.append(pair)
                seen.add(original_texts(pair))
        return found

    # Answer files

    def merge_answers(
        self, action: Action, uid: str, key: str, who: str, given: Sequence[tuple[datetime, str | None]]
    ) -> None:
        """Merge the answers to one pair: the latest by its time holds, wherever it was given."""
        slot = ("answer", key, who)
        ledger = self.ledger.setdefault((uid, key), {})
        there = {(at, answer or "", "answer") for at, answer in given}
        known = {(at, one.value or "", one.via) for at, one in self._held(slot)}
        known |= {(at, answer, "answer") for (at, answer), by in ledger.items() if self._holds(by)}
        in_ledger = {identity for identity, by in ledger.items() if self._holds(by)}
        ledger |= {(at, answer): action.id for at, answer, _ in there if (at, answer) not in in_ledger}
        at, answer, via = max(known | there)
        present = self.value(slot) or ""
        if answer != present or (answer and via != self.via(slot)):
            self.add_event(action, slot, answer or None, via, at.isoformat())

    def merge_mark(self, action: Action, slot: Slot, given: Sequence[tuple[datetime, str | None]]) -> None:
        known = {(at, one.value or "") for at, one in self._held(slot)}
        latest = max(known | {(at, value or "") for at, value in given})
        if latest not in known:
            self.add_event(action, slot, latest[1] or None, at=latest[0].isoformat())

    def _held(self, slot: Slot) -> Iterable[tuple[datetime, Event]]:
        """What was not undone, with its time: what somebody did here came after what was there then."""
        last: datetime | None = None
        for one in self.events.get(slot, ()):
            if not self._holds(one.action):
                continue
            at = datetime.fromisoformat(one.at)
            by = self.actions.get(one.action or 0)
            if last is not None and at <= last and by is not None and by.who:
                at = last + timedelta(microseconds=1)
            last = max(at, last or at)
            yield at, one

    def _holds(self, action: int | None) -> bool:
        """What was undone, and what undid it, no longer counts."""
        return action in (None, self._pending) or (action in self.actions and self.actions[action].state == "done")


_splitter = lru_cache(maxsize=100)(PaperSplitter)
