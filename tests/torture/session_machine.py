"""A state machine over Review: keys are pressed on the real page, and what it shows is compared with a plain model."""

from __future__ import annotations

import gc
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.jobs.open_project import open_project
from desktop.jobs.review import answers
from desktop.jobs.review.rounds import RoundOptions, current_round
from desktop.settings import Paths
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.services.problems import Problems
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.marks import FLAG_VALUE, RejectReason
from storage.annotation.rounds import RoundOrder
from tests.desktop.ui.conftest import is_idle
from tests.torture.project_machine import ProjectMachine
from tests.torture.state_model import Model
from tests.torture.state_records import Slot

WHO = "mk"
SIZE = 7  # pairs of the queue
_MAX_WAIT_S = 60.0
_KEYS = {
    Answer.CONTRASTING: Qt.Key.Key_1,
    Answer.REASONING: Qt.Key.Key_2,
    Answer.ENTAILMENT: Qt.Key.Key_3,
    Answer.NEUTRAL: Qt.Key.Key_4,
    Answer.UNCLEAR: Qt.Key.Key_5,
}
_answers = st.sampled_from(Answer)


class ShownQueue:
    """The queue as the annotator knows it: pairs in order, which of them wait, and the place of the one shown."""

    def __init__(self, keys: list[str]) -> None:
        self.keys, self.waiting, self.place = keys, set(keys), 0
        self.skipped: list[str] = []

    @property
    def current(self) -> str | None:
        return self.keys[self.place] if self.place < len(self.keys) else None

    def advance(self) -> None:
        """Go to the next pair that waits, after the last one to the first; behind the last one if none does."""
        order = [*range(self.place + 1, len(self.keys)), *range(min(self.place, len(self.keys)))]
        self.place = next((place for place in order if self.keys[place] in self.waiting), len(self.keys))

    def skip(self) -> None:
        key = self.current
        if key is not None and self.waiting - {key}:
            self.keys.remove(key)
            self.keys.append(key)
            self.waiting.add(key)
            self.skipped = [one for one in self.skipped if one != key] + [key]
            if self.current not in self.waiting:
                self.advance()

    def go_to(self, key: str) -> None:
        self.place = self.keys.index(key)


class SessionMachine(RuleBasedStateMachine):
    """steps, counts: how many of all machines so far."""

    steps: ClassVar[int] = 0
    counts: ClassVar[Counter[str]] = Counter()
    application: ClassVar[QApplication]
    theme: ClassVar[Theme]

    @classmethod
    def prepare(cls, folder: Path) -> None:
        """Make the application, and the project that every machine begins with a copy of."""
        application = QApplication.instance() or QApplication([])
        assert isinstance(application, QApplication)
        QApplication.setStyle("Fusion")
        cls.application, cls.theme = application, Theme(application)
        cls.theme.apply("light", 1.0, reduced_motion=True)
        ProjectMachine.make_template(folder)

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=ProjectMachine.template.parent))
        path = self.folder / "project.pairwright"
        shutil.copyfile(ProjectMachine.template, path)
        self.problems = Problems(self.folder / "pairwright.log")
        self.runner = JobRunner()
        store = SettingsStore(Paths.below(self.folder / "data"))
        store.change(theme="light", reduced_motion=True)
        self.context = ProjectContext(
            open_project(path).work(Progress()),
            runner=self.runner,
            problems=self.problems,
            actions=ActionRegistry(self.theme),
            settings_store=store,
            theme=self.theme,
            annotator=WHO,
        )
        self.model = Model()
        self.page = ReviewPage(self.context)
        self.page.resize(1100, 760)
        self.page.show()
        self.page.activateWindow()
        assert QTest.qWaitForWindowActive(self.page)
        self.page.activate()
        self._wait()

    @initialize(seed=st.integers(1, 5))
    def begin(self, seed: int) -> None:
        self.page.start_round(RoundOptions(RoundOrder.RANDOM, size=SIZE, seed=seed))
        self._wait()
        self.queue = ShownQueue(list(self.page.session.queue.keys))
        assert len(self.queue.keys) == SIZE

    def teardown(self) -> None:
        self._wait()
        if hasattr(self, "queue"):
            self._check_kept()
        self.page.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.context.back_up_on_close = False
        self.context.close()
        self.runner.shut_down(5)
        problems = list(self.problems.all)
        shutil.rmtree(self.folder, ignore_errors=True)
        gc.collect()  # here, and not in the thread of a job
        assert problems == []

    # What the annotator does

    @rule(answer=_answers)
    def answer(self, answer: Answer) -> None:
        self._press(_KEYS[answer])
        self._answered(answer)

    @rule(first=_answers, second=_answers)
    def answer_twice_at_once(self, first: Answer, second: Answer) -> None:
        """The second key belongs to the pair that was on the screen, and so to none."""
        self._press(_KEYS[first], wait=False)
        self._press(_KEYS[second])
        self._answered(first)

    def _answered(self, answer: Answer) -> None:
        if (key := self.queue.current) is not None:
            self.model.act(WHO, [(("answer", key, WHO), answer.value)])
            self.queue.waiting.discard(key)
            self.queue.advance()

    @rule()
    def skip(self) -> None:
        if self.queue.current is not None:  # else it would press a button of the summary
            self._press(Qt.Key.Key_Space)
            self.queue.skip()

    @rule(forth=st.booleans(), times=st.integers(1, 3))
    def move(self, forth: bool, times: int) -> None:
        for _ in range(times):
            self._press(Qt.Key.Key_Right if forth else Qt.Key.Key_Left)
            place = self.queue.place + (1 if forth else -1)
            if self.queue.current is not None and 0 <= place < len(self.queue.keys):
                self.queue.place = place

    @rule()
    def flag(self) -> None:
        self._press(Qt.Key.Key_F)
        if (key := self.queue.current) is not None:
            slot = ("mark", key, WHO, "flag")
            self.model.act(WHO, [(slot, None if self.model.value(slot) else FLAG_VALUE)])

    @rule(text=st.sampled_from(("Look again.", "Unsure.", "")))
    def note(self, text: str) -> None:
        if (key := self.queue.current) is not None:
            self.page.session.save_note(key, text)
            self._wait()
            self.model.act(WHO, [(("mark", key, WHO, "note"), text or None)])

    @rule(reason=st.sampled_from((RejectReason.NOT_PROSE.value, None)))
    def reject(self, reason: str | None) -> None:
        """None takes the mark back; a pair that is bad again leaves the queue."""
        if (key := self.queue.current) is None:
            return
        self.page.session.reject(key, reason)
        self._wait()
        self.model.act(WHO, [(("mark", key, WHO, "bad"), reason)])
        if reason is not None:
            self.queue.waiting.discard(key)
            self.queue.advance()
        elif self._is_to_answer(key):
            self.queue.waiting.add(key)

    @rule(undo=st.booleans())
    def undo_or_redo(self, undo: bool) -> None:
        if undo:
            self._press(Qt.Key.Key_Backspace)
        else:
            self.page.session.redo()
            self._wait()
        action = self.model.reverse(WHO, undo=undo)
        keys = {slot[1] for slot in action.changes} if action else set()
        if len(keys) == 1:
            [key] = keys
            if key in self.queue.keys:
                self.queue.go_to(key)
                self._refresh(key)

    @rule(pick=st.integers(0, SIZE - 1), answer=st.sampled_from((*Answer, None)))
    def answer_elsewhere(self, pick: int, answer: Answer | None) -> None:
        """The same person answers on another page."""
        key = self.queue.keys[pick % len(self.queue.keys)]
        before = self.queue.current
        done = answers.answer(self.context.project, [key], WHO, answer).work(Progress())
        self.context.events.changed.emit(done.changes)
        self._wait()
        self.model.act(WHO, [(("answer", key, WHO), answer and answer.value)])
        self._refresh(key)
        assert self.queue.current == before

    def _refresh(self, key: str) -> None:
        if self._is_to_answer(key):
            self.queue.waiting.add(key)
        else:
            self.queue.waiting.discard(key)

    def _is_to_answer(self, key: str) -> bool:
        return self.model.value(("answer", key, WHO)) is None and self.model.value(("mark", key, WHO, "bad")) is None

    # What is shown

    @invariant()
    def check(self) -> None:
        if not hasattr(self, "queue"):
            return
        SessionMachine.steps += 1
        session, key = self.page.session, self.queue.current
        item = session.item
        assert session.queue.keys == self.queue.keys
        places = {one: place for place, one in enumerate(self.queue.keys)}
        found, expected = places.get(item.pair.key if item else ""), places.get(key or "")
        assert found == expected, f"pair {found} is shown, not {expected}; {self.page.notice.text}"
        waiting = {places[one] for one in self.queue.keys if session.queue.is_waiting(one)}
        assert waiting == {places[one] for one in self.queue.waiting}
        if item is not None and key is not None:
            mine = self.model.value(("answer", key, WHO))
            assert (item.mine and item.mine.value) == mine
            assert item.flagged == (self.model.value(("mark", key, WHO, "flag")) is not None)
            assert item.note == self.model.value(("mark", key, WHO, "note"))
            assert item.bad == self.model.value(("mark", key, WHO, "bad"))
            checked = [one.value for one, button in self.page.answer_bar.buttons.items() if button.isChecked()]
            assert checked == ([mine] if mine else [])
        with self.context.project.read_transaction() as stores:
            for one in self.queue.keys:
                slot: Slot = ("answer", one, WHO)
                stored = stores.answers.of_pair(one).get(WHO)
                assert (stored and stored.value) == self.model.value(slot)

    def _check_kept(self) -> None:
        """After a restart the same pairs wait, the skipped ones last."""
        progress = current_round(self.context.project, WHO).work(Progress())
        assert progress is not None
        to_answer = {key for key in self.queue.keys if self._is_to_answer(key)}
        assert set(progress.waiting) == to_answer, "other pairs wait after a restart"
        assert list(progress.skipped) == [key for key in self.queue.skipped if key in to_answer]

    # Helpers

    def _press(self, key: Qt.Key, *, wait: bool = True) -> None:
        SessionMachine.counts[key.name.removeprefix("Key_")] += 1
        focus = QApplication.focusWidget()
        QTest.keyClick(focus if focus is not None and focus.window() is self.page.window() else self.page, key)
        if wait:
            self._wait()

    def _wait(self) -> None:
        """Return when nothing is read or saved any more."""
        _wait_until(lambda: is_idle(self.page, self.context))


def _wait_until(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + _MAX_WAIT_S
    while not condition():
        assert time.monotonic() < end, "the page is still busy"
        QTest.qWait(1)
