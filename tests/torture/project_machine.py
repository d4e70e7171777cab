"""A state machine over a project's jobs: what people, mining and files do to it, against a model in plain Python."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant
from hypothesis.stateful import rule as hypothesis_rule

from desktop.jobs.exchange import project_split
from desktop.jobs.exchange.releases import release, write_again
from desktop.jobs.pairs import lists
from desktop.jobs.papers import edits
from desktop.jobs.review import answers, disagreements, kind_answers, mending, people
from desktop.jobs.review.annotation_rounds import close_round
from desktop.jobs.review.answer_files import send_assignments
from desktop.jobs.review.gold import set_gold
from desktop.jobs.review.merging import merge_answer_files
from miner.errors import UserError
from miner.kinds.questionnaire import Answers
from miner.kinds.taxonomy import released_text
from miner.progress import Job, Progress
from miner.records import Answer, Label, Pair, Strategy
from miner.splits import HELD_OUT, PaperSplit, shares_split
from miner.year_ranges import OTHER_DOMAINS, YearRange
from storage.annotation.annotation_rounds import RoundKind, RoundPair, RoundPlan
from storage.annotation.annotators import Role
from storage.annotation.kinds import answers_text, identify_taxonomy
from storage.annotation.marks import FLAG_VALUE, MarkKind, RejectReason
from storage.convert import utc_text
from storage.dataset.gold import GoldRule, GoldRules
from storage.dataset.options import ExportOptions, Preset, SplitOptions
from storage.exchange.pair_export import export_pairs
from storage.exchange.pair_import import import_pairs
from storage.integrity.history_chain import HISTORIES
from storage.pairs import status
from storage.pairs.filters import PairFilter, PairStatus, with_value
from storage.pairs.mended_texts import SentenceField
from storage.pairs.status import keys_scope
from storage.project import Project
from storage.schema import DATA_SET
from storage.settings import GOLD_EVERYWHERE
from storage.verification import find_changed_rows
from tests import suggestion_factory
from tests.storage.factories import as_many, mined, pair, paper, pdf, reasoned, some_pairs
from tests.torture.state_filters import (
    DOMAINS,
    FACET_FIELDS,
    LIST_NAMES,
    PEOPLE,
    TAGS,
    WHOLE_FIELDS,
    FilteredPair,
    conditions,
    means,
    read_pairs,
)
from tests.torture.state_model import Event, Model, ModelPair, ModelPaper, ModelRound, NewRow, Slot, is_exported

PAPERS = ("a", "b", "c", "d")
TEXTS = (None, "A mended sentence.", "Mended again!")
SPLITS = (
    None,
    shares_split(1, 1, 1),
    shares_split(1, 1, 1, seed=2),
    PaperSplit(rest="test"),
    PaperSplit(rest="test", keep_released=False),
    PaperSplit((YearRange(OTHER_DOMAINS, (("dev", 1.0),), 2019, None),), rest="train"),
)
KINDS: tuple[Answers, ...] = (reasoned("c", "f"), reasoned("ct", "b", "entailment"), reasoned("c"), {})
MARKS = (
    (MarkKind.FLAG, FLAG_VALUE),
    (MarkKind.NOTE, "Look again."),
    (MarkKind.BAD, RejectReason.NOT_PROSE.value),
    (MarkKind.TAG, ", ".join(TAGS)),
    (MarkKind.TAG, TAGS[1]),
)
ANSWERS = (*Answer, None)
STATUS_EVERY, ROWS_EVERY = 7, 29  # steps between the checks that read all rows
_people, _picks = st.sampled_from(PEOPLE), st.lists(st.integers(0, 40), min_size=1, max_size=3)
_answers, _marks = st.sampled_from(ANSWERS), st.sampled_from(MARKS)
_PAIRS = """
    SELECT pairs.key, md5, current, premise, hypothesis, mined_premise, mined_hypothesis, pairs.edited, distant_label,
        pairs.split, pairs.label, run IS NULL, status, gold, majority, contested, flagged, noted, accepted, votes
    FROM pairs JOIN papers ON papers.id = paper_id
"""
_SUGGESTED = """
    SELECT pairs.key, suggestions.label FROM suggestions JOIN pairs ON pairs.id = pair
    JOIN suggestion_runs ON suggestion_runs.id = suggestions.run WHERE state = 'complete'
"""
_ROUNDS = """
    SELECT annotation_rounds.uid, number, kind, is_open, sum(state <> 'open') > 0 FROM annotation_rounds
    JOIN assignments ON assignments.round = annotation_rounds.id GROUP BY 1
"""


def pairs_in(md5: str, variant: int) -> Sequence[Pair]:
    """What mining finds in a paper."""
    found = list(some_pairs(md5).pairs)
    match variant:
        case 1:
            return found[1:]
        case 2:
            return [
                pair(md5, one.premise, one.hypothesis_original, label=Label.ENTAILMENT, number=number)
                for number, one in enumerate(found)
                if one.strategy is Strategy.LINKED
            ]
        case 3:
            return [*found, pair(md5, f"{md5} has more.", "However, it is more.", label=Label.REASONING, number=7)]
        case _:
            return found


def work(job: Job[Any]) -> Any:
    return job.work(Progress())


_DRAWN: dict[str, dict[str, st.SearchStrategy[Any]]] = {}  # what each rule draws, by its name
THEMES = {
    "lists": ("change_lists",),
    "papers": ("remove_papers", "add_paper", "edit_paper", "mine", "exchange_pairs", "answer", "mend"),
    "rounds": ("draw_round", "close_round", "answer", "mark", "set_role"),
    "files": ("exchange_answers", "exchange_answers", "draw_round", "answer"),
    "labels": ("set_role", "set_gold", "set_split", "answer", "answer_all", "mark", "remove_papers"),
    "suggestions": ("suggest", "accept", "mend", "answer_all", "draw_round"),
}
"""Rules that depend on each other, by what they are about."""


def rule(**drawn: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A rule of the machine that counts how often it is applied."""

    def counted(apply: Callable[..., None]) -> Callable[..., None]:
        _DRAWN[apply.__name__] = drawn

        @wraps(apply)
        def count(self: ProjectMachine, **values: Any) -> None:
            ProjectMachine.counts[apply.__name__] += 1
            apply(self, **values)

        return hypothesis_rule(**drawn)(count)

    return counted


class ProjectMachine(RuleBasedStateMachine):
    """steps, counts: how many of all machines so far."""

    steps: ClassVar[int] = 0
    counts: ClassVar[Counter[str]] = Counter()
    template: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=self.template.parent))
        path = self.folder / "project.pairwright"
        shutil.copyfile(self.template, path)
        self.project = Project.open(path)
        self.raw = sqlite3.connect(path, isolation_level=None)
        self.model = Model()
        self.histories: dict[str, list[tuple[Any, ...]]] = {table: [] for table in HISTORIES}
        self.files: list[tuple[Path, str, str, tuple[str, ...]]] = []  # path, round, annotator, pairs
        self.given: dict[Path, list[tuple[Slot, datetime, str | None]]] = {}
        self.releases: dict[str, dict[str, bytes]] = {}
        self.number = 0  # of files, releases and mining runs
        self.run = "run"
        for md5 in sorted(paper(name).md5 for name in PAPERS):
            self.model.papers[md5] = ModelPaper(md5)
            self.model.mine(md5, 0, pairs_in)

    def teardown(self) -> None:
        self.raw.close()
        self.project.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @classmethod
    def make_template(cls, folder: Path) -> None:
        """Make the project that every machine begins with a copy of."""
        cls.template = folder / "template.pairwright"
        with Project.create(cls.template) as project:
            for name in PAPERS:
                with project.transaction() as stores:
                    stores.papers.save(paper(name), pdf(name))
            _mine(project, "run", dict.fromkeys((paper(name).md5 for name in PAPERS), 0), 100)
            for name in PEOPLE[:-1]:  # nobody registers the last one, who only answers
                work(people.add_person(project, name))

    # What people do to pairs

    @initialize(everywhere=st.integers(0, 3), suggested=st.booleans(), drawn=st.integers(0, 2))
    def begin(self, everywhere: int, suggested: bool, drawn: int) -> None:
        """everywhere: 3 for a project of an earlier version."""
        if suggested:
            suggestion_factory.suggest(self.project)
        for kind in (RoundKind.PILOT, RoundKind.BENCHMARK)[:drawn]:
            self.draw_round(kind=kind, picks=[1, 7, 12, 14], annotators=list(PEOPLE[:2]))
        if everywhere == 3:
            with self.project.transaction() as stores:
                stores.settings.put(GOLD_EVERYWHERE, True)
            self.model.decided["setting", "gold everywhere"] = True

    @rule(who=_people, picks=_picks, answer=_answers)
    def answer(self, who: str, picks: list[int], answer: Answer | None) -> None:
        keys = self._keys(picks)
        work(answers.answer(self.project, keys, who, answer))
        self.model.act(who, [(("answer", key, who), answer and answer.value) for key in self._present(keys)])

    @rule(who=_people, asked=conditions(), answer=_answers)
    def answer_all(self, who: str, asked: dict[str, Any], answer: Answer | None) -> None:
        filter = PairFilter(**asked)
        keys = self._meant(filter)
        work(answers.answer_all(self.project, filter, who, answer, expected=len(keys)))
        self.model.act(who, [(("answer", key, who), answer and answer.value) for key in keys])

    @rule(who=_people, picks=_picks, mark=_marks, is_set=st.booleans())
    def mark(self, who: str, picks: list[int], mark: tuple[MarkKind, str], is_set: bool) -> None:
        keys, (kind, value) = self._keys(picks), mark
        given = value if is_set else None
        work(answers.mark(self.project, keys, who, kind, given))
        self.model.act(who, [(("mark", key, who, kind.value), given) for key in self._present(keys)])

    @rule(who=_people, asked=conditions(), mark=_marks, is_set=st.booleans())
    def mark_all(self, who: str, asked: dict[str, Any], mark: tuple[MarkKind, str], is_set: bool) -> None:
        filter, (kind, value) = PairFilter(**asked), mark
        keys = self._meant(filter)
        given = value if is_set else None
        work(answers.mark_all(self.project, filter, who, kind, given, expected=len(keys)))
        self.model.act(who, [(("mark", key, who, kind.value), given) for key in keys])

    @rule(who=_people, picks=_picks, premise=st.sampled_from(TEXTS), hypothesis=st.sampled_from((*TEXTS, "=")))
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

    @rule(who=_people, picks=_picks, given=st.sampled_from(KINDS))
    def answer_kinds(self, who: str, picks: list[int], given: Any) -> None:
        key = self._keys(picks)[0]
        work(kind_answers.save_kinds(self.project, who, key, given, identify_taxonomy(released_text())))
        if key in self.model.pairs:
            self.model.act(who, [(("kinds", key, who), answers_text(given) if given else None)])

    @rule(who=_people, asked=conditions())
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

    @rule(who=_people)
    def undo(self, who: str) -> None:
        result = work(answers.undo(self.project, who))
        assert (result is None) == (self.model.reverse(who, undo=True) is None)

    @rule(who=_people, times=st.integers(1, 2))
    def undo_more(self, who: str, times: int) -> None:
        for _ in range(times):
            self.undo(who=who)
            self.check()

    @rule(who=_people)
    def redo(self, who: str) -> None:
        result = work(answers.redo(self.project, who))
        assert (result is None) == (self.model.reverse(who, undo=False) is None)

    @rule(data=st.data(), who=_people, theme=st.sampled_from(sorted(THEMES)), times=st.integers(2, 8))
    def do_related(self, data: st.DataObject, who: str, theme: str, times: int) -> None:
        """One person does and undoes things that depend on each other, which drawing from all rules seldom gives."""
        names = (*THEMES[theme], "undo", "undo", "redo")
        for _ in range(times):
            name = data.draw(st.sampled_from(names))
            given = {"who": who, "data": data}
            drawn = {of: given[of] if of in given else data.draw(values) for of, values in _DRAWN[name].items()}
            getattr(self, name)(**drawn)
            self.check()

    # Decisions

    @rule(who=_people, role=st.sampled_from(Role))
    def set_role(self, who: str, role: Role) -> None:
        work(people.set_role(self.project, who, role))
        self.model.decided.setdefault(("role", who), Role.ANNOTATOR)
        self.model.decide({("role", who): role})

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
            st.tuples(st.sampled_from(("put", "delete", "delete", "rename")), st.sampled_from(LIST_NAMES), _picks),
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
        picks=_picks,
        annotators=st.lists(_people, min_size=1, max_size=2, unique=True),
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
            uid = sorted(self.model.rounds)[pick % len(self.model.rounds)]
            work(close_round(self.project, self.model.rounds[uid].number, is_open=is_open))
            self.model.decide({("round", uid): is_open})

    # Papers

    @rule(variants=st.lists(st.integers(0, 3), min_size=4, max_size=4), anew=st.booleans(), limit=st.integers(1, 6))
    def mine(self, variants: list[int], anew: bool, limit: int) -> None:
        """Mine what is pending, or everything anew; at most so many papers."""
        if anew:
            self.number += 1
            self.run = f"run {self.number}"
        md5s = sorted(paper(name).md5 for name in PAPERS)
        found = dict(zip(md5s, variants, strict=True))
        if not anew:  # the same run finds the same pairs
            found = {md5: one.variant for md5, one in self.model.papers.items() if not one.is_file}
        newly, is_done = _mine(self.project, self.run, found, limit)
        for md5 in newly:
            self.model.mine(md5, found[md5], pairs_in)
        if is_done:
            self._check_mined()

    def _check_mined(self) -> None:
        """What is mined depends on the papers alone, whatever came before."""
        fresh = Model()
        fresh.pairs = {key: one for key, one in self.model.pairs.items() if one.is_imported}
        for md5, one in sorted(self.model.papers.items()):
            if not one.is_file:
                fresh.papers[md5] = one
                fresh.mine(md5, one.variant, pairs_in)
        assert {key for key, one in fresh.pairs.items() if one.is_current} == {
            key for key, one in self.model.pairs.items() if one.is_current
        }

    @rule(who=_people, picks=st.lists(st.integers(0, 9), min_size=1, max_size=2))
    def remove_papers(self, who: str, picks: list[int]) -> None:
        known = sorted(self.model.papers)
        if not known:
            return
        md5s = sorted({known[pick % len(known)] for pick in picks})
        with self.project.read_transaction() as stores:
            ids = stores.paper_table.ids_of(md5s)
        work(edits.remove(self.project, ids, who))
        action = self.model.open(who)
        for md5 in md5s:
            self.model.remove_paper(action, md5)
        self.model.close(action)

    @rule(name=st.sampled_from(PAPERS))
    def add_paper(self, name: str) -> None:
        new = paper(name)
        with self.project.transaction() as stores:
            stores.papers.save(new, pdf(name))
        self.model.papers.setdefault(new.md5, ModelPaper(new.md5))

    @rule(
        who=_people, name=st.sampled_from(PAPERS), domain=st.sampled_from(DOMAINS), year=st.sampled_from((None, 2018))
    )
    def edit_paper(self, who: str, name: str, domain: str, year: int | None) -> None:
        md5 = paper(name).md5
        if md5 not in self.model.papers:
            return
        with self.project.read_transaction() as stores:
            ids = stores.paper_table.ids_of([md5])
        work(edits.edit(self.project, ids, who, {"domain": domain, "year": year}))
        self.model.act(who, [(("domain", md5), domain), (("year", md5), year)])

    # Looking at it

    @rule(asked=conditions(), field=st.sampled_from(FACET_FIELDS))
    def look(self, asked: dict[str, Any], field: str) -> None:
        """The table, its counts and facets are those of the model's pairs."""
        filter = PairFilter(**asked)
        pairs = self._read()
        meant = sorted(key for key, one in pairs.items() if means(filter, one))
        without = with_value(filter, field, None)
        rest = [one for one in pairs.values() if means(without, one)]
        with self.project.read_transaction() as stores:
            ids = stores.pair_table.ids(filter)
            assert sorted(stores.pair_table.keys(ids)) == meant
            assert stores.pair_table.count(filter) == len(meant)
            counts = {one.value: one.pairs for one in stores.pair_table.facet_counts(filter, field)}
        if field == "statuses":
            assert counts.pop(PairStatus.GONE, 0) == sum(not one.pair.is_current for one in pairs.values())
        for value, count in counts.items():
            assert count, f"{field} {value} is counted without a pair"
            if value is not None:
                narrowed = (
                    (value, value) if field == "years" else value if isinstance(value, bool) else frozenset([value])
                )
                assert count == sum(means(with_value(without, field, narrowed), one) for one in rest), (field, value)
        if field in WHOLE_FIELDS:
            assert sum(counts.values()) == len(rest), field

    @rule(asked=conditions(), preset=st.sampled_from((Preset.FULL, Preset.SCINLI, Preset.SNLI)))
    def export(self, asked: dict[str, Any], preset: Preset) -> None:
        """An export has the pairs that the table shows, as people left them."""
        filter = PairFilter(**asked)
        pairs = self._read()
        expected = {
            key: (one.label, *(self.model.text_of(key, name) for name in ("premise", "hypothesis")))
            for key, one in pairs.items()
            if means(filter, one) and is_exported(self.model, key, one.judged)
        }
        rows = self._export(self.project, ExportOptions(preset, strategies=frozenset(Strategy), scope=filter))
        found = [json.loads(line) for line in rows["pairs.jsonl"].splitlines()]
        key = "id" if preset is Preset.SCINLI else "pairID"
        assert sorted(row[key] for row in found) == sorted(expected)
        for row in found:
            label, premise, hypothesis = expected[row[key]]
            assert (row["sentence1"], row["sentence2"]) == (premise, hypothesis)
            assert preset is Preset.SNLI or row["label"] == label

    @rule(who=_people, picks=_picks, answer=_answers, mark=_marks, text=st.sampled_from(TEXTS), what=st.integers(0, 3))
    def do_undo_redo(
        self, who: str, picks: list[int], answer: Answer | None, mark: tuple[MarkKind, str], text: str | None, what: int
    ) -> None:
        """Undo after do leaves an export as it was before, and redo gives it back."""
        options = ExportOptions(Preset.SNLI, strategies=frozenset(Strategy))  # a mended pair loses its suggestion
        before, actions = self._export(self.project, options), len(self.model.actions)
        match what:
            case 0:
                self.answer(who=who, picks=picks, answer=answer)
            case 1:
                self.mark(who=who, picks=picks, mark=mark, is_set=bool(text))
            case 2:
                self.mend(who=who, picks=picks, premise=text, hypothesis="=")
            case _:
                self.remove_papers(who=who, picks=picks)
        self.check()
        after = self._export(self.project, options)
        if len(self.model.actions) == actions:
            assert after == before
            return
        for expected, reverse in ((before, self.undo), (after, self.redo), (before, self.undo)):
            reverse(who=who)
            self.check()
            assert self._export(self.project, options) == expected

    # Files

    @rule(data=st.data(), what=st.sampled_from(("send", "fill", "fill", "merge", "merge", "both ways")))
    def exchange_answers(self, data: st.DataObject, what: str) -> None:
        ProjectMachine.counts[what] += 1
        match what:
            case "send":
                self._send(data)
            case "fill":
                self._fill(data)
            case "merge":
                self._merge(data)
            case _:
                self._merge_both_ways(data)

    @rule(data=st.data(), what=st.sampled_from(("import", "import", "release", "release again")))
    def exchange_pairs(self, data: st.DataObject, what: str) -> None:
        ProjectMachine.counts[what] += 1
        match what:
            case "import":
                self._import(data)
            case "release":
                self._release()
            case _:
                self._release_again(data)

    @rule(model=st.sampled_from(("first", "second")))
    def suggest(self, model: str) -> None:
        suggestion_factory.suggest(self.project, model=model)

    def _send(self, data: st.DataObject) -> None:
        open_rounds = sorted(uid for uid in self.model.rounds)
        if not open_rounds:
            return
        uid = data.draw(st.sampled_from(open_rounds))
        round = self.model.rounds[uid]
        left = tuple(key for key in round.keys if key in self.model.pairs and self.model.judge(key).status != "bad")
        self.number += 1
        job = send_assignments(self.project, round.number, self.folder / f"sent {self.number}")
        if not left:
            self._refuses(job)
            return
        for file in work(job):
            self.files.append((file.path, file.assignment.uid, file.assignment.annotator, left))
            self.given[file.path] = []
        round.sent = True

    def _fill(self, data: st.DataObject) -> None:
        """Somebody answers in a file, or in a copy of it."""
        if not self.files:
            return
        path, uid, who, keys = data.draw(st.sampled_from(self.files))
        if data.draw(st.booleans()):
            self.number += 1
            path, source = self.folder / f"copy {self.number}.pairwright", path
            shutil.copyfile(source, path)
            self.files.append((path, uid, who, keys))
            self.given[path] = list(self.given[source])
        last = max((at for _, at, _ in self.given[path]), default=datetime.now(UTC) - timedelta(minutes=5))
        with Project.open(path) as file, file.transaction() as stores:
            for number, key in enumerate(data.draw(st.lists(st.sampled_from(keys), min_size=1, max_size=3))):
                at = last + timedelta(seconds=data.draw(st.integers(1, 100)) + number)
                last = at
                action = stores.actions.begin(who, "Answer", at)
                if data.draw(st.integers(0, 3)):
                    answer = data.draw(_answers)
                    if stores.answers.give(keys_scope([key]), who, answer, at, action=action):
                        self.given[path].append((("answer", key, who), at, answer and answer.value))
                else:
                    kind, value = data.draw(_marks)
                    given = value if data.draw(st.booleans()) else None
                    if stores.marks.put(keys_scope([key]), who, kind, given, at, action=action):
                        self.given[path].append((("mark", key, who, kind.value), at, given))

    def _merge(self, data: st.DataObject) -> None:
        """Merge files, twice: the second time nothing changes."""
        if not self.files:
            return
        paths = data.draw(st.lists(st.sampled_from(sorted(self.given)), min_size=1, max_size=2, unique=True))
        self._merge_into_model(paths)
        result = work(merge_answer_files(self.project, paths))
        assert not any(hasattr(one, "reason") for one in result.files), result
        self.check()
        before = self._everything(self.raw)
        work(merge_answer_files(self.project, paths))
        assert self._everything(self.raw) == before

    def _merge_into_model(self, paths: Sequence[Path]) -> None:
        action = self.model.open("")
        known = {path: (uid, who) for path, uid, who, _ in self.files}
        for path in paths:
            uid, who = known[path]
            by_slot: dict[Slot, list[tuple[datetime, str | None]]] = {}
            for slot, at, value in self.given[path]:
                by_slot.setdefault(slot, []).append((at, value))
            for slot, given in by_slot.items():
                if slot[0] == "answer":
                    self.model.merge_answers(action, uid, slot[1], who, given)
            for slot, given in by_slot.items():
                if slot[0] == "mark":
                    self.model.merge_mark(action, slot, given)
        self.model.close(action)

    def _merge_both_ways(self, data: st.DataObject) -> None:
        """Merging one file and then another one gives the same as the other way round."""
        if len(self.given) < 2:
            return
        paths = data.draw(st.lists(st.sampled_from(sorted(self.given)), min_size=2, max_size=3, unique=True))
        found = []
        for number, ordered in enumerate((paths, paths[::-1], [*paths, *paths])):
            copy = self.folder / f"way {number}.pairwright"
            with closing(sqlite3.connect(copy)) as target:
                self.raw.backup(target)
            with Project.open(copy) as project:
                for path in ordered:
                    work(merge_answer_files(project, [path]))
                with closing(sqlite3.connect(copy)) as raw:
                    present = raw.execute(
                        "SELECT pair_key, annotator, answer, via FROM answers ORDER BY 1, 2"
                    ).fetchall()
                    pairs = raw.execute(f"{_PAIRS} ORDER BY pairs.key").fetchall()
                exported = self._export(project, ExportOptions(Preset.FULL))
                found.append((present, pairs, exported))
            copy.unlink()
        assert found[0] == found[1] == found[2]

    def _import(self, data: st.DataObject) -> None:
        """A labelled file adds each pair that the project does not have, once."""
        self.number += 1
        label, words = st.sampled_from([one.value for one in Label]), st.sampled_from(("one", "two", "three", "four"))
        rows = []
        for _ in range(data.draw(st.integers(1, 3))):
            word = data.draw(words)
            row: dict[str, Any] = {
                "sentence1": f"File {word}.",
                "sentence2": f"It is {word}.",
                "label": data.draw(label),
            }
            match data.draw(st.integers(0, 3)):
                case 0:
                    row["gold_label"] = data.draw(label)
                case 1:
                    row["annotator_labels"] = data.draw(st.lists(label, min_size=1, max_size=3))
            split = data.draw(st.sampled_from(("train", "dev", "test")))
            rows.append(row | {"split": split})
        path = self.folder / f"file {self.number}.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        known = set()
        for key, one in self.model.pairs.items():
            if one.is_current:
                known.add((one.pair.premise, one.pair.hypothesis))
                known.add((self.model.text_of(key, "premise"), self.model.text_of(key, "hypothesis")))
        new = {}
        for row in rows:
            texts = (row["sentence1"], row["sentence2"])
            if texts not in known:
                known.add(texts)
                new[texts] = row
        result = import_pairs(self.project, path, domain="biology", progress=Progress(), at=datetime.now(UTC))
        assert result.new == len(new), (result.new, sorted(new))
        self._adopt(new)

    def _adopt(self, new: dict[tuple[str, str], dict[str, Any]]) -> None:
        """Take over the keys of imported pairs; what they say must be what the file says."""
        for md5, domain, year in self.raw.execute("SELECT md5, domain, year FROM papers WHERE kind = ?", (DATA_SET,)):
            self.model.papers.setdefault(md5, ModelPaper(md5, domain, year, is_file=True))
        query = """
            SELECT pairs.key, md5, coalesce(mined_premise, premise), coalesce(mined_hypothesis, hypothesis),
                distant_label, own_split, source ->> '$.gold_label'
            FROM pairs JOIN papers ON papers.id = paper_id WHERE run IS NULL
        """
        stored = {row[0]: row for row in self.raw.execute(query)}
        with self.project.read_transaction() as stores:
            for key, md5, premise, hypothesis, distant, own_split, gold in stored.values():
                if key in self.model.pairs:
                    held = {None: 0, "train": 1, "dev": 2, "test": 3}
                    known = self.model.pairs[key]
                    assert held[own_split] >= held[known.own_split]
                    self.model.pairs[key] = ModelPair(known.pair, known.paper, known.is_current, True, own_split, gold)
                    continue
                row = new.pop((premise, hypothesis))
                assert distant == row["label"]
                assert "annotator_labels" in row or gold in (None, row.get("gold_label"))
                touched = self.model.touched(key)
                self.model.pairs[key] = ModelPair(stores.pairs.get(key), md5, True, True, own_split, gold)
                for number, answer in enumerate(row.get("annotator_labels", ()), 1):
                    if not any((kind, key) in self.model.slots for kind in ("answer",)) or not touched:
                        slot = ("answer", key, f"imported {number:02d}")
                        self.model.foretold.append(NewRow(slot, None, answer, None, "answer"))
                        self.model.add(slot, Event("", answer, None))
                        touched = False
        assert not new

    def _release(self) -> None:
        if len(self.releases) > 2 or not self.model.pairs:
            return
        self.number += 1
        name, folder = f"r{self.number}", self.folder / f"release {self.number}"
        split = SplitOptions(gold=False) if self.model.split else None
        options = ExportOptions(Preset.FULL, split=split)
        try:
            work(release(self.project, name, folder, options))
        except UserError as exc:
            if "No pair" not in str(exc):
                raise
            return
        self.releases[name] = {file.name: file.read_bytes() for file in folder.iterdir()}
        if split:
            stored = {md5: one for md5, one in self.model.papers.items() if not one.is_file}
            for md5 in stored:
                one = ModelPair(pairs_in(md5, 0)[0], md5)
                if (of := self.model.split_of(one)) is not None:
                    self.model.released[md5] = of

    def _release_again(self, data: st.DataObject) -> None:
        if self.releases:
            name = data.draw(st.sampled_from(sorted(self.releases)))
            self.number += 1
            folder = self.folder / f"again {self.number}"
            work(write_again(self.project, name, folder))
            assert {file.name: file.read_bytes() for file in folder.iterdir()} == self.releases[name]

    # What must hold after each step

    @invariant()
    def check(self) -> None:
        ProjectMachine.steps += 1
        self._check_histories()
        self._check_actions()
        self._check_pairs()
        self._check_decisions()
        if self.steps % STATUS_EVERY == 0:
            with self.project.read_transaction() as stores:
                assert status.find_changed(stores._connection) == []
        if self.steps % ROWS_EVERY == 0:
            assert find_changed_rows(self.project) == []

    def _check_histories(self) -> None:
        """Histories have only grown, by the rows that were foretold."""
        added = []
        for table, known in self.histories.items():
            rows = self.raw.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()
            assert rows[: len(known)] == known, f"{table} is not append-only"
            self.histories[table] = rows
            added += [_new_row(table, row) for row in rows[len(known) :] if table in _SLOT_KINDS]
        expected, self.model.foretold = self.model.foretold, []
        found = [row for _, row in added]
        foretold, there = Counter(map(_comparable, expected)), Counter(map(_comparable, found))
        assert foretold == there, f"missing: {[*(foretold - there)]}, not foretold: {[*(there - foretold)]}"
        for at, row in added:
            events = self.model.events[row.slot]
            place = next(place for place, one in enumerate(events) if one.is_new)
            foretold_at = events[place].at
            assert not foretold_at or datetime.fromisoformat(foretold_at) == datetime.fromisoformat(at), row
            events[place] = events[place]._replace(at=at, is_new=False)

    def _check_actions(self) -> None:
        expected: list[tuple[int, str, str, int | None]] = [
            (id, one.who, one.state, None) for id, one in self.model.actions.items()
        ]
        expected += [(id, who, "reversal", of) for id, who, of in self.model.reversals]
        found = self.raw.execute("SELECT id, annotator, state, reverses FROM actions ORDER BY id").fetchall()
        assert found == sorted(expected), (found, sorted(expected))

    def _check_pairs(self) -> None:
        found = {row[0]: row[1:] for row in self.raw.execute(_PAIRS)}
        assert found.keys() == self.model.pairs.keys()
        for key, one in self.model.pairs.items():
            texts = [self.model.text_of(key, name) for name in ("premise", "hypothesis")]
            mined = [one.pair.premise, one.pair.hypothesis]
            judged = self.model.judge(key)
            expected = (
                *(one.paper, one.is_current, *texts),
                *(None if now == then else then for now, then in zip(texts, mined, strict=True)),
                *(texts != mined, one.distant, self.model.split_of(one), judged.label(one.distant), one.is_imported),
                *judged,
            )
            assert found[key] == expected, (key, found[key], expected)

    def _check_decisions(self) -> None:
        decided = self.model.decided
        roles = dict(self.raw.execute("SELECT key, role FROM annotators"))
        assert all(self.model.role(who) == role for who, role in roles.items())
        stored: dict[str, set[str]] = {}
        for name, key in self.raw.execute("SELECT name, pair_key FROM pair_lists LEFT JOIN listed_pairs ON list = id"):
            stored.setdefault(name, set()).add(key)
        assert stored == {slot[1]: set(keys) for slot, keys in decided.items() if slot[0] == "list"}
        rounds = sorted((uid, one.number, one.kind, one.is_open, one.sent) for uid, one in self.model.rounds.items())
        assert sorted(self.raw.execute(_ROUNDS)) == rounds

    # Helpers

    def _keys(self, picks: list[int]) -> list[str]:
        """Pairs of the project, or ones that it had."""
        known = sorted({*self.model.pairs, *(slot[1] for slot in self.model.events)})
        return sorted({known[pick % len(known)] for pick in picks}) if known else ["0" * 32]

    def _present(self, keys: Sequence[str]) -> list[str]:
        return [key for key in keys if key in self.model.pairs]

    def _read(self) -> dict[str, FilteredPair]:
        labels = list(Label)
        suggested = {key: labels[number].value for key, number in self.raw.execute(_SUGGESTED)}
        return read_pairs(self.model, suggested)

    def _meant(self, filter: PairFilter) -> list[str]:
        return [key for key, one in self._read().items() if means(filter, one)]

    def _refuses(self, job: Job[Any]) -> None:
        refused = False
        try:
            work(job)
        except UserError:
            refused = True
        assert refused

    def _export(self, project: Project, options: ExportOptions) -> dict[str, bytes]:
        out = Path(tempfile.mkdtemp(dir=self.folder))
        export_pairs(project, out, options, Progress())
        found = {file.name: file.read_bytes() for file in out.iterdir() if file.name != "receipt.json"}
        shutil.rmtree(out)
        return found

    def _everything(self, raw: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
        """All that merging could change."""
        tables = (*HISTORIES, "actions", "merged_answers", "assignments", "pairs")
        return {table: raw.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables}


_SLOT_KINDS = {"label_events": "answer", "mark_events": "mark", "text_events": "text", "kind_events": "kinds"}


def _new_row(table: str, row: tuple[Any, ...]) -> tuple[str, NewRow]:
    """When a row of a history was added, and what it says."""
    match table:
        case "label_events":
            _, key, who, at, _, old, new, action, via = row
            return at, NewRow(("answer", key, who), old, new, action, via)
        case "mark_events":
            _, key, who, at, kind, old, new, action = row
            return at, NewRow(("mark", key, who, kind), old, new, action)
        case "text_events":
            _, key, _, at, field, _, new, action = row
            return at, NewRow(("text", key, field), None, new, action)
        case _:
            _, key, who, at, _, old, new, *_, action = row
            return at, NewRow(("kinds", key, who), old, new, action)


def _comparable(row: NewRow) -> tuple[str, ...]:
    """What is compared of a row; `old` of a sentence is the text that was shown."""
    old = None if row.slot[0] == "text" else row.old
    return (*row.slot, str(old), str(row.new), str(row.action), row.via)


def _mine(project: Project, id: str, variants: dict[str, int], limit: int) -> tuple[list[str], bool]:
    """Mine the next papers of a run; the MD5s of those that were, and whether none is left."""
    with project.transaction() as stores:
        run = stores.mining_runs.start(id, "{}", program="1", language_model="")
        pending = stores.mining_runs.next_papers(run, limit=limit)
    for one in pending:
        with project.transaction(bulk=True) as stores:
            assert stores.pairs.replace_for(one, mined(pairs_in(one.md5, variants[one.md5])), as_many) is not None
    with project.transaction() as stores:
        is_done = stores.mining_runs.finish(run)
    return [one.md5 for one in pending], is_done
