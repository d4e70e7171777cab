"""Fields of options in a form: read back as they were shown, but for what was changed in the form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from PySide6.QtWidgets import QCheckBox, QLineEdit
from pytestqt.qtbot import QtBot

from desktop.ui.widgets.bound_fields import BoundFields
from desktop.ui.widgets.fields import ComboBox, DecimalBox, NumberBox, SeedBox
from miner.options import declared


class Shade(StrEnum):
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Paint:
    shade: Shade = declared(Shade.LIGHT)
    litres: int = declared(5, least=1, most=20)
    seconds: int = declared(60, unit=60, least=0, most=3600)
    seed: int = declared(0, least=0, most=2**32 - 1)
    gloss: float = declared(0.5, least=0, most=1)
    matte: bool = False
    name: str = ""
    rooms: frozenset[str] = frozenset()


def test_a_form_returns_what_it_shows(qtbot: QtBot) -> None:
    fields = BoundFields(Paint)
    shade = ComboBox()
    for one in Shade:
        shade.addItem(one.value, one)
    litres, minutes, seed = NumberBox(), NumberBox(), SeedBox()
    gloss, matte, name = DecimalBox(), QCheckBox(), QLineEdit()
    rooms = {"hall": QCheckBox(), "attic": QCheckBox()}
    for widget in (shade, litres, minutes, seed, gloss, matte, name, *rooms.values()):
        qtbot.addWidget(widget)
    fields.bind("shade", shade)
    fields.bind("litres", litres)
    fields.bind("seconds", minutes)
    fields.bind("seed", seed)
    fields.bind("gloss", gloss)
    fields.bind("matte", matte)
    fields.bind("name", name)
    fields.bind_members("rooms", rooms, frozenset)
    assert fields.names == set(Paint.__dataclass_fields__)

    assert (litres.minimum(), litres.maximum(), litres.value()) == (1, 20, 5)
    assert (minutes.maximum(), minutes.value()) == (60, 1)

    shown = Paint(Shade.DARK, 7, 120, 9, 0.25, True, "sea", frozenset({"attic"}))
    fields.show(shown)
    assert (minutes.value(), rooms["hall"].isChecked(), rooms["attic"].isChecked()) == (2, False, True)
    assert Paint(**fields.values) == shown
    assert isinstance(fields.values["shade"], Shade)

    odd = Paint(litres=50, seconds=90, gloss=0.123456, rooms=frozenset({"cellar"}))
    fields.show(odd)
    assert Paint(**fields.values) == odd  # although no control can show these
    seed.setValue(2**32 - 1)
    rooms["hall"].setChecked(True)
    assert Paint(**fields.values) == replace(odd, seed=2**32 - 1, rooms=frozenset({"hall"}))
