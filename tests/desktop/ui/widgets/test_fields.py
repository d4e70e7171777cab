"""Fields of forms: a choice of one value or of all."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop.ui.widgets.fields import ChoiceBox

CHOICES = [("no domain", ""), ("ecology", "ecology")]


def choice_box(qtbot: QtBot) -> ChoiceBox:
    box = ChoiceBox("Domain", "All domains")
    qtbot.addWidget(box)
    box.offer(CHOICES)
    return box


def test_all_is_chosen_first_and_the_empty_value_is_another_choice(qtbot: QtBot) -> None:
    box = choice_box(qtbot)
    assert (box.value, box.currentText()) == (None, "All domains")
    box.choose("")
    assert (box.value, box.currentText()) == ("", "no domain")
    box.choose(None)
    assert box.value is None


def test_what_is_chosen_stays_so_while_it_is_offered_and_nothing_is_emitted(qtbot: QtBot) -> None:
    box = choice_box(qtbot)
    box.choose("ecology")
    with qtbot.assertNotEmitted(box.currentIndexChanged):
        box.offer([("astronomy", "astronomy"), *CHOICES])
        assert box.value == "ecology"
        box.offer(CHOICES[:1])
    assert box.value is None
