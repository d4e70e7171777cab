"""What people do to the pairs of a modelled project, and what they decide about it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from desktop.jobs.exchange import project_split
from desktop.jobs.pairs import lists
from desktop.jobs.review import answers, disagreements, kind_answers, mending, people
from desktop.jobs.review.annotation_rounds import close_round
from desktop.jobs.review.gold import set_gold
from miner.kinds.taxonomy import released_text
from miner.records import Answer
from miner.splits import HELD_OUT, PaperSplit
from storage.annotation.annotation_rounds import RoundKind, RoundPair, RoundPlan
from storage.annotation.annotators import Role
from storage.annotation.kinds import answers_text, identify_taxonomy
from storage.annotation.marks import MarkKind
from storage.convert import utc_text
from storage.dataset.gold_rule import GoldRule, GoldRules
from storage.pairs.filters import PairFilter, PairStatus, with_value
from storage.pairs.mended_texts import SentenceField
from tests.torture.project_state import (
    ANSWER_GIVEN,
    KINDS,
    MARK_GIVEN,
    PICKS,
    SPLITS,
    TEXTS,
    WHO,
    ProjectState,
    rule,
    work,
)
from tests.torture.state_filters import (
    LIST_NAMES,
    conditions,
    means,
)
from tests.torture.state_records import ModelRound


class PeopleAtWork(ProjectState):
    """Rules of answers, marks, corrections, undo, roles, gold, splits, lists and rounds."""

    @rule(who=WHO, picks=PICKS, answer=ANSWER_GIVEN)
    def answer(self, who: str, picks: list[int], answer: Answer | None) -> None:
        keys = self._keys(picks)
        work(answers.answer(self.project, keys, who, answer))
        self.model.act(who, [(("answer", key, who), answer and answer.value) for key in self._present(keys)])

    @rule(who=WHO, asked=conditions(), answer=ANSWER_GIVEN)
    def answer_all(self, who: str, asked: dict[str, Any], answer: Answer | None) -> None:
        filter = PairFilter(**asked)
        keys = self._meant(filter)
        work(answers.answer_all(self.project, filter, who, answer, expected=len(keys)))
        self.model.act(who, [(("answer", key, who), answer and answer.value) for key in keys])

    @rule(who=WHO, picks=PICKS, mark=MARK_GIVEN, is_set=st.booleans())
    def mark(self, who: str, picks: list[int], mark: tuple[MarkKind, str], is_set: bool) -> None:
        keys, (kind, value) = self._keys(picks), mark
        given = value if is_set else None
        work(answers.mark(self.project, keys, who, kind, given))
        self.model.act(who, [(("mark", key, who, kind.value), given) for key in self._present(keys)])

    @rule(who=WHO, asked=conditions(), mark=MARK_GIVEN, is_set=st.booleans())
    def mark_all(self, who: str, asked: dict[str, Any], mark: tuple[MarkKind, str], is_set: bool) -> None:
        filter, (kind, value) = PairFilter(**asked), mark
        keys = self._meant(filter)
        given = value if is_set else None
        work(answers.mark_all(self.project, filter, who, kind, given, expected=len(keys)))
        self.model.act(who, [(("mark", key, who, kind.value), given) for key in keys])

    @rule(who=WHO, picks=PICKS, premise=st.sampled_from(TEXTS), hypothesis=st.sampled_from((*TEXTS, "=")))
    def mend(self, who: str, picks: list[int], premise: str | None, hypothesis: str | None) -> None:
        """hypothesis: "=" for only the premise."""
        key = self._keys(picks)[0]
        texts = {SentenceField.PREMISE: premise}
        texts |= {SentenceField.HYPOTHESIS: hypothesis} if hypothesis != "=" else {}
        if key not in self.model.pairs:
            self._refuses(mending.mend(self.project, key, who, texts))
            return
        work(mending.mend(self.project, key, who, texts))
        self.model.act(who, [(("text", key, field.value), text) for field, text in texts.items()])

    @rule(who=WHO, picks=PICKS, given=st.sampled_from(KINDS))
    def answer_kinds(self, who: str, picks: list[int], given: Any) -> None:
        key = self._keys(picks)[0]
        work(kind_answers.save_kinds(self.project, who, key, given, identify_taxonomy(released_text())))
        if key in self.model.pairs:
            self.model.act(who, [(("kinds", key, who), answers_text(given) if given else None)])

    @rule(who=WHO, asked=conditions())
    def accept(self, who: str, asked: dict[str, Any]) -> None:
        filter = PairFilter(**asked)
        job = disagreements.accept_all(self.project, filter, who, 0) if self._may_accept(filter) else None
        if job is None:
            return
        wanted = with_value(filter, "statuses", frozenset({PairStatus.OPEN}))
        pairs = self._read()
        split = self.model.split is not None
        found = {
            key: one.suggested
            for key, one in pairs.items()
            if means(wanted, one) and one.suggested and not (split and one.split in HELD_OUT) and who not in one.by
        }
        work(job)
        self.model.act(who, [(("answer", key, who), label) for key, label in found.items()], via="accepted")

    def _may_accept(self, filter: PairFilter) -> bool:
        only_held_out = self.model.split is not None and bool(filter.splits) and not filter.splits - {*HELD_OUT}
        return not only_held_out and (not filter.statuses or PairStatus.OPEN in filter.statuses)

    @rule(who=WHO)
    def undo(self, who: str) -> None:
        result = work(answers.undo(self.project, who))
        assert (result is None) == (self.model.reverse(who, undo=True) is None)

    @rule(who=WHO, times=st.integers(1, 2))
    def undo_more(self, who: str, times: int) -> None:
        for _ in range(times):
            self.undo(who=who)
            self.check()

    @rule(who=WHO)
    def redo(self, who: str) -> None:
        result = work(answers.redo(self.project, who))
        assert (result is None) == (self.model.reverse(who, undo=False) is None)

    # Decisions

    @rule(who=WHO, role=st.sampled_from(Role))
    def set_role(self, who: str, role: Role) -> None:
        work(people.set_role(self.project, who, role))
        self.model.decided.setdefault(("role", who), Role.ANNOTATOR)
        self.model.decide({("role", who): role})

    @rule(who=WHO, more=st.sampled_from(("", " the first", " the second")))
    def rename(self, who: str, more: str) -> None:
        work(people.rename_person(self.project, who, f"{who}{more}"))
        self.model.decided.setdefault(("name", who), who)
        self.model.decide({("name", who): f"{who}{more}"})

    @rule(rule=st.sampled_from(GoldRule), votes=st.integers(1, 3))
    def set_gold(self, rule: GoldRule, votes: int) -> None:
        rules = GoldRules(rule, votes)
        work(set_gold(self.project, rules))
        self.model.decide({("setting", "gold"): rules})

    @rule(split=st.sampled_from(SPLITS))
    def set_split(self, split: PaperSplit | None) -> None:
        work(project_split.set_split(self.project, split, confirmed=True))
        self.model.decide({("setting", "split"): split, ("setting", "gold everywhere"): None})

    @rule(
        changes=st.lists(
            st.tuples(st.sampled_from(("put", "delete", "delete", "rename")), st.sampled_from(LIST_NAMES), PICKS),
            min_size=1,
            max_size=4,
        )
    )
    def change_lists(self, changes: list[tuple[str, str, list[int]]]) -> None:
        for what, name, picks in changes:
            self._change_list(what, name, self._keys(picks))

    def _change_list(self, what: str, name: str, keys: list[str]) -> None:
        slot, other = ("list", name), ("list", LIST_NAMES[name == LIST_NAMES[0]])
        decided = self.model.decided
        if what == "put":
            work(lists.put_list(self.project, name, keys))
            decided[slot] = frozenset(keys)
        elif what == "delete":
            if slot not in decided:
                self._refuses(lists.delete_list(self.project, name))
                return
            work(lists.delete_list(self.project, name))
            self.model.decide({slot: None})
        elif slot not in decided or other in decided:
            self._refuses(lists.rename_list(self.project, name, other[1]))
        else:
            work(lists.rename_list(self.project, name, other[1]))
            decided[other] = decided.pop(slot)

    @rule(
        kind=st.sampled_from((RoundKind.PILOT, RoundKind.BENCHMARK)),
        picks=PICKS,
        annotators=st.lists(WHO, min_size=1, max_size=2, unique=True),
    )
    def draw_round(self, kind: RoundKind, picks: list[int], annotators: list[str]) -> None:
        if len(self.model.rounds) > 3:
            return
        keys = tuple(self._keys(picks))
        at = datetime.now(UTC)
        with self.project.transaction() as stores, stores.actions.deciding("Draw a round", at):
            round = stores.annotation_rounds.add(
                RoundPlan(kind), [RoundPair(key, "biology", None) for key in keys], annotators, at
            )
        number = max((one.number for one in self.model.rounds.values()), default=0) + 1
        self.model.rounds[round.uid] = ModelRound(number, kind.value, keys, tuple(annotators), utc_text(at))
        self.model.decide({("round", round.uid): True})

    @rule(pick=st.integers(0, 5), is_open=st.booleans())
    def close_round(self, pick: int, is_open: bool) -> None:
        if self.model.rounds:
            uid = list(self.model.rounds)[pick % len(self.model.rounds)]
            work(close_round(self.project, self.model.rounds[uid].number, is_open=is_open))
            self.model.decide({("round", uid): is_open})
