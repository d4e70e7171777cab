"""The file of settings may hold anything, and so may one of mining settings."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from desktop.cli.settings_file import settings_from_file
from desktop.settings import Paths, Settings, load
from miner.errors import UserError


@pytest.mark.parametrize(
    "content",
    [b"a = " + b"[" * 5_000, b"a." * 100_000 + b"b = 1", b"\xff\xfe", b"theme = ", b"\0"],
    ids=["deep", "a long key", "no UTF-8", "no value", "a zero"],
)
def test_a_settings_file_that_cannot_be_read_leaves_the_defaults(tmp_path: Path, content: bytes) -> None:
    paths = Paths.below(tmp_path)
    paths.settings.parent.mkdir(parents=True, exist_ok=True)
    paths.settings.write_bytes(content)
    settings, note = load(paths)
    assert settings == Settings()
    assert note is not None
    assert "the default settings are in use" in note


@pytest.mark.parametrize("content", ["[" * 100_000, '{"min_words": "x"}', "9" * 5_000, '"\\ud800"'])
def test_mining_settings_that_cannot_be_read_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(content)
    with pytest.raises(UserError):
        settings_from_file(path)


def test_a_phrase_of_thousands_of_words_is_looked_at_in_no_time(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    phrases = [{"text": "Thus " * 20_000, "label": "reasoning"}, {"text": "Thus", "label": "contrasting"}]
    path.write_text(json.dumps({"phrases": phrases}))
    begin = time.process_time()
    assert len(settings_from_file(path).phrases) == 2
    assert time.process_time() - begin < 5
