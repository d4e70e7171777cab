"""The window's texts in another language: none is forgotten, and the catalogue has them all."""

from __future__ import annotations

import ast
import json
import os
import runpy
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from lxml import etree
from PySide6.QtCore import QCoreApplication, QLocale

from desktop import translation
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.language import use_language
from miner.classifier.recipe import PRESETS
from miner.lab.experiments.experiment_file import ready_names, ready_text
from storage.pairs.tags import USUAL_TAGS
from tests.desktop.ui.made_up_language import CATALOGUE, make_translation

ROOT = Path(__file__).parents[3]


@pytest.fixture
def _english_after() -> object:
    yield
    translation.use(None)


def catalogue_texts(catalogue: Path) -> list[tuple[str, str]]:
    return [(one.findtext("source"), one.findtext("comment") or "") for one in etree.parse(catalogue).iter("message")]


def test_the_catalogue_holds_every_text(tmp_path: Path) -> None:
    make = runpy.run_path(str(ROOT / "packaging/translations/make.py"))
    make["gather"](tmp_path / "now.ts", "en")
    texts = catalogue_texts(tmp_path / "now.ts")
    assert texts == catalogue_texts(CATALOGUE), "run: python packaging/translations/make.py"

    marked = set()
    for source in (ROOT / "desktop").rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="tr"), args=[ast.Constant(value=str(text))]):
                    marked.add(text)
    assert marked <= {text for text, _ in texts}, "lupdate overlooks a tr inside of an f-string"
    assert len(marked) > 3000


def test_no_page_has_a_text_that_cannot_be_translated(project_path: Path, tmp_path: Path) -> None:
    (tmp_path / "language").mkdir()
    run = subprocess.run(
        [sys.executable, "-m", "tests.desktop.ui.made_up_language", project_path, tmp_path / "language"],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    with closing(sqlite3.connect(project_path)) as connection:
        of_papers = [
            text for (text,) in connection.execute("SELECT text FROM sentences UNION SELECT title FROM papers")
        ]
    columns = "id, sentence1, sentence2, label"
    data = [
        *of_papers,
        *USUAL_TAGS,
        *(recipe.name for recipe in PRESETS.values()),
        *map(ready_text, ready_names()),
        columns,
        str(tmp_path),
    ]

    def is_data(text: str) -> bool:
        return any(text in one or one in text or one in text.lower() for one in data)

    english = {text: place for text, place in json.loads(run.stdout).items() if not is_data(text)}
    assert english == {}


@pytest.mark.usefixtures("_english_after")
def test_a_translation_gives_texts_and_plurals(tmp_path: Path, qapp: QCoreApplication) -> None:
    make_translation(tmp_path)
    assert not use_language(qapp, QLocale("en_GB"), tmp_path)
    assert not use_language(qapp, QLocale("fr"), tmp_path), "there is none"
    assert tr("Add papers") == "Add papers"
    assert use_language(qapp, QLocale("eo"), tmp_path)
    assert tr("Add papers") == "⟦Add papers⟧"
    assert (count(1, "paper"), count(2, "paper")) == ("1 ⟦paper⟧", "2 ⟦papers⟧")
    assert count(2, "no such noun") == "2 no such nouns"


@pytest.mark.usefixtures("_english_after")
@pytest.mark.parametrize("wrong", ["{nobody} papers", "{papers", "{papers:d} {}"])
def test_a_wrong_translation_is_not_used(wrong: str) -> None:
    translation.use(lambda text, plural, number: wrong)
    assert tr("{papers} papers", papers="two") == "two papers"
