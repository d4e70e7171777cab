"""A state machine over a project's jobs: what people, mining and files do to it, against a model in plain Python."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize

from miner.records import Answer, Strategy
from storage.annotation.annotation_rounds import RoundKind
from storage.annotation.marks import MarkKind
from storage.dataset.export_options import ExportOptions, Preset
from storage.settings import GOLD_EVERYWHERE
from tests import suggestion_factory
from tests.torture.project_answer_files import AnswerFileExchange
from tests.torture.project_data_sets import DataSetExchange
from tests.torture.project_papers import PapersAndMining
from tests.torture.project_people import PeopleAtWork
from tests.torture.project_state import ANSWER_GIVEN, DRAWN, MARK_GIVEN, PICKS, TEXTS, WHO, rule
from tests.torture.state_filters import (
    PEOPLE,
)

THEMES = {
    "lists": ("change_lists",),
    "papers": ("remove_papers", "add_paper", "edit_paper", "mine", "exchange_pairs", "answer", "mend"),
    "rounds": ("draw_round", "close_round", "answer", "mark", "set_role"),
    "files": ("exchange_answers", "exchange_answers", "draw_round", "answer"),
    "labels": ("set_role", "set_gold", "set_split", "answer", "answer_all", "mark", "remove_papers"),
    "suggestions": ("suggest", "accept", "mend", "answer_all", "draw_round"),
}
"""Rules that depend on each other, by what they are about."""


class ProjectMachine(PeopleAtWork, PapersAndMining, AnswerFileExchange, DataSetExchange):
    """All rules."""

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

    @rule(model=st.sampled_from(("first", "second")))
    def suggest(self, model: str) -> None:
        suggestion_factory.suggest(self.project, model=model)

    @rule(data=st.data(), who=WHO, theme=st.sampled_from(sorted(THEMES)), times=st.integers(2, 8))
    def do_related(self, data: st.DataObject, who: str, theme: str, times: int) -> None:
        """One person does and undoes things that depend on each other, which drawing from all rules seldom gives."""
        names = (*THEMES[theme], "undo", "undo", "redo")
        for _ in range(times):
            name = data.draw(st.sampled_from(names))
            given = {"who": who, "data": data}
            drawn = {of: given[of] if of in given else data.draw(values) for of, values in DRAWN[name].items()}
            getattr(self, name)(**drawn)
            self.check()

    @rule(
        who=WHO, picks=PICKS, answer=ANSWER_GIVEN, mark=MARK_GIVEN, text=st.sampled_from(TEXTS), what=st.integers(0, 3)
    )
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
