"""Answer files of a modelled project: sent, filled, copied and merged, in any order."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import strategies as st

from desktop.jobs.review.answer_files import send_assignments
from desktop.jobs.review.merging import merge_answer_files
from storage.dataset.export_options import ExportOptions, Preset
from storage.pairs.judgement import keys_scope
from storage.project import Project
from tests.torture.project_state import ANSWER_GIVEN, MARK_GIVEN, STORED_PAIRS, ProjectState, rule, work
from tests.torture.state_records import Slot


class AnswerFileExchange(ProjectState):
    """Rules of answer files."""

    @rule(data=st.data(), what=st.sampled_from(("send", "fill", "fill", "merge", "merge", "both ways")))
    def exchange_answers(self, data: st.DataObject, what: str) -> None:
        ProjectState.counts[what] += 1
        match what:
            case "send":
                self._send(data)
            case "fill":
                self._fill(data)
            case "merge":
                self._merge(data)
            case _:
                self._merge_both_ways(data)

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
                    answer = data.draw(ANSWER_GIVEN)
                    if stores.answers.give(keys_scope([key]), who, answer, at, action=action):
                        self.given[path].append((("answer", key, who), at, answer and answer.value))
                else:
                    kind, value = data.draw(MARK_GIVEN)
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
                    pairs = raw.execute(f"{STORED_PAIRS} ORDER BY pairs.key").fetchall()
                exported = self._export(project, ExportOptions(Preset.FULL))
                found.append((present, pairs, exported))
            copy.unlink()
        assert found[0] == found[1] == found[2]
