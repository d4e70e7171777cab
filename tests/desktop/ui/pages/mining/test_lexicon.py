"""The lexicon editor and its table model."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.jobs.mining.lexicon_figures import PhraseFigures
from desktop.jobs.mining.preview import Difference, SettingsEffect
from desktop.ui.pages.mining.lexicon import LexiconEditor
from desktop.ui.pages.mining.lexicon_model import LexiconColumn, LexiconModel
from desktop.ui.theme import Theme
from miner.mining.linking_phrases import LEXICON, Phrase, phrase_key
from miner.mining.phrase_precision import is_reliable, reading_of
from miner.records import Funnel, Label

DISPLAY, EDIT, CHECK = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.CheckStateRole
EFFECT = SettingsEffect(
    9, 9, 9, 1000, Funnel(), Funnel(), dict.fromkeys(Difference, 0), (), 0, {"the": 400, "however": 12}, 0
)


@pytest.fixture
def model(theme: Theme, qtmodeltester: ModelTester) -> LexiconModel:
    model = LexiconModel(theme)
    model.show_phrases(LEXICON)
    qtmodeltester.check(model)  # keeps checking whatever the test does to it
    return model


@pytest.fixture
def editor(theme: Theme, qtbot: QtBot) -> LexiconEditor:
    editor = LexiconEditor(theme)
    qtbot.addWidget(editor)
    editor.show_phrases(LEXICON)
    editor.resize(560, 500)
    editor.show()
    return editor


def cell(model: LexiconModel, row: int, column: LexiconColumn, role: int = DISPLAY) -> object:
    return model.index(row, column).data(role)


def test_a_phrase_is_shown_with_its_figures(model: LexiconModel) -> None:
    model.show_figures({"however": PhraseFigures(1204, 10, 9)})
    assert [cell(model, 0, column) for column in LexiconColumn] == [
        "However",
        "C  contrasting",
        "SciNLI",
        "1,204",
        "90 %",
        "16 of 20",
    ]
    assert "People agree with 9 of 10 pairs with a majority" in str(
        cell(model, 0, LexiconColumn.AGREEMENT, Qt.ItemDataRole.ToolTipRole)
    )
    assert [cell(model, 1, column) for column in (LexiconColumn.PAIRS, LexiconColumn.AGREEMENT)] == ["–", "–"]


def test_the_header_says_which_answers_do_not_count(model: LexiconModel) -> None:
    header = model.headerData(LexiconColumn.AGREEMENT, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "without ties and “unclear” (which the page Precision counts as wrong)" in str(header)


def test_a_phrase_says_how_many_of_its_pairs_were_right(model: LexiconModel) -> None:
    row = next(row for row, phrase in enumerate(LEXICON) if phrase.text == "More precisely")
    tip = cell(model, row, LexiconColumn.READ, Qt.ItemDataRole.ToolTipRole)
    reading = reading_of(LEXICON[row])
    assert reading is not None
    assert cell(model, row, LexiconColumn.READ) == f"{reading.right} of {reading.read}"
    assert str(tip).startswith(f"{reading.right} of {reading.read} pairs that were read by hand are entailment")
    assert model.setData(model.index(row, LexiconColumn.RELATION), "reasoning", EDIT)
    assert cell(model, row, LexiconColumn.READ) == "–", "nothing was read of another relation"


def test_the_most_reliable_phrases_of_the_extended_lexicon_come_first(editor: LexiconEditor) -> None:
    shown = [editor.phrases[editor.proxy.mapToSource(editor.proxy.index(row, 0)).row()] for row in range(len(LEXICON))]
    scinli = [phrase for phrase in LEXICON if not phrase.extended]
    assert shown[: len(scinli)] == scinli, "SciNLI's lexicon stays in its order"
    readings = [reading_of(phrase) for phrase in shown[len(scinli) :]]
    bounds = [reading.interval.low for reading in readings if reading is not None]
    assert len(bounds) == len(readings)
    assert bounds == sorted(bounds, reverse=True)
    editor.add_phrase("By comparison", "contrasting")
    last = editor.proxy.mapToSource(editor.proxy.index(len(LEXICON), 0)).row()
    assert editor.phrases[last].text == "By comparison"


def test_the_reliable_phrases_are_offered_with_what_they_would_add(editor: LexiconEditor) -> None:
    reliable = [phrase for phrase in LEXICON if phrase.extended and is_reliable(phrase)]
    assert reliable
    line = editor.reliable
    assert "would add" not in line.sentence.text(), "no sample was mined yet"
    editor.show_effect(replace(EFFECT, spare_pairs={phrase_key(reliable[0].text): 3}))
    assert f"would add 3 pairs of {reliable[0].label}" in line.sentence.text()
    line.button.click()
    assert [phrase for phrase in editor.phrases if phrase.extended and phrase.on] == [
        replace(phrase, on=True) for phrase in reliable
    ]
    assert not line.isVisible()
    editor.show_phrases(LEXICON)
    editor.set_editable(False)
    assert line.isVisible()
    assert not line.button.isVisible()
    editor.show_effect(replace(EFFECT, spare_pairs={}))
    assert not line.isVisible(), "they would add no pair"


def test_in_a_narrow_table_phrases_have_the_room_of_their_origin(editor: LexiconEditor) -> None:
    for width, is_hidden in ((400, True), (900, False)):
        editor.resize(width, 400)
        assert editor.table.isColumnHidden(LexiconColumn.ORIGIN) == is_hidden


def test_every_phrase_can_be_edited_in_place(model: LexiconModel, qtbot: QtBot) -> None:
    with qtbot.waitSignals([model.edited] * 3):
        assert model.setData(model.index(0, LexiconColumn.PHRASE), Qt.CheckState.Unchecked, CHECK)
        assert model.setData(model.index(0, LexiconColumn.PHRASE), "  But   still ", EDIT)
        assert model.setData(model.index(0, LexiconColumn.RELATION), "reasoning", EDIT)
    assert model.phrases[0] == Phrase("But still", Label.REASONING, on=False)
    assert model.origin(0) == "own"
    assert not model.setData(model.index(0, LexiconColumn.RELATION), "neutral", EDIT)
    assert not model.setData(model.index(0, LexiconColumn.PAIRS), "5", EDIT)


def test_a_read_only_lexicon_cannot_be_edited(model: LexiconModel) -> None:
    model.set_editable(False)
    assert not model.flags(model.index(0, LexiconColumn.PHRASE)) & Qt.ItemFlag.ItemIsEditable
    assert not model.setData(model.index(0, LexiconColumn.PHRASE), "But", EDIT)


def test_conflicts_are_found_at_once(model: LexiconModel) -> None:
    assert model.problem == ""
    row = model.add(Phrase("HOWEVER,", Label.REASONING))
    assert model.conflicts(row) == ["This phrase is already in the lexicon, as “However”."]
    assert "HOWEVER," in model.problem
    model.remove([row])
    assert model.problem == ""
    row = model.add(Phrase("Thus far", Label.CONTRASTING))
    assert model.conflicts(row)[0].startswith("It begins with “Thus”, a phrase for reasoning.")
    assert model.problem == ""
    model.add(Phrase("3 things", Label.CONTRASTING))
    assert "must start with a letter" in model.problem


def test_a_sample_shows_phrases_that_are_too_common_or_never_occur(model: LexiconModel) -> None:
    common, missing = model.add(Phrase("The", Label.REASONING)), model.add(Phrase("Ergo", Label.REASONING))
    model.show_effect(EFFECT)
    assert model.conflicts(common) == [
        "40 % of all sentences begin with this phrase: too many to link sentences each time."
    ]
    assert model.conflicts(missing) == ["No sentence of the sample begins with this phrase."]
    assert not any(model.conflicts(row) for row in range(len(LEXICON)))  # built-in phrases may be missing
    model.set_on([missing], on=False)
    assert model.conflicts(missing) == []


def test_phrases_are_added_and_deleted_from_the_keyboard(editor: LexiconEditor, qtbot: QtBot) -> None:
    editor.search.setText("nothing like it")
    qtbot.keyClicks(editor.new_phrase, "By  comparison")
    with qtbot.waitSignal(editor.changed):
        qtbot.keyClick(editor.new_phrase, Qt.Key.Key_Return)
    assert editor.phrases[-1] == Phrase("By comparison", Label.CONTRASTING)
    assert editor.search.text() == ""  # so that the new phrase is visible
    qtbot.keyClick(editor.table, Qt.Key.Key_Space)
    assert not editor.phrases[-1].on
    qtbot.keyClick(editor.table, Qt.Key.Key_Delete)
    assert editor.phrases == LEXICON


def test_the_search_finds_phrases_relations_and_origins(editor: LexiconEditor) -> None:
    for text, rows in (("in contrast", 1), ("entailment", 11), ("extended", 13), ("zebra", 0), ("", len(LEXICON))):
        editor.search.setText(text)
        assert editor.proxy.rowCount() == rows


def test_selected_phrases_are_turned_off_and_on_together(editor: LexiconEditor) -> None:
    editor.table.selectAll()
    assert editor.toggle.text() == "Turn off"
    editor.toggle.click()
    assert not any(phrase.on for phrase in editor.phrases)
    editor.table.selectAll()
    assert editor.toggle.text() == "Turn on"
    editor.toggle.click()
    assert editor.phrases == tuple(replace(phrase, on=True) for phrase in LEXICON)


def test_conflicts_are_shown_below_the_table(editor: LexiconEditor) -> None:
    editor.add_phrase("Thus far", "contrasting")
    assert "the longer phrase counts" in editor.conflict.text
    editor.add_phrase("however", "contrasting")
    assert editor.conflict.text == "“however”: This phrase is already in the lexicon, as “However”."
    editor.remove_selected()
    editor.set_editable(False)
    assert not any(
        button.isEnabled() for button in (editor.add_button, editor.remove, editor.toggle, editor.new_phrase)
    )
