"""Mining settings: equal ones are the same bytes, and those that cannot work are refused."""

from dataclasses import replace
from typing import Any

import pytest

from miner import codec
from miner.errors import UserError
from miner.mining.linking_phrases import Phrase
from miner.mining.settings import Casing, MiningSettings, read_settings
from miner.records import Label, Strategy


def test_json_is_canonical_and_reads_back() -> None:
    settings = MiningSettings(
        casing=Casing.RESTORE,
        filters=frozenset(("math", "brackets")),
        neutral_strategies=(Strategy.BOTH_RANDOM,),
        neutral_ratio=1,
        seed=7,
    ).with_phrase(Phrase("Ergo", Label.REASONING))
    again = read_settings(codec.encode(settings))
    assert again == settings
    assert codec.encode(again) == codec.encode(settings)
    assert codec.encode(again) == codec.encode(settings) != codec.encode(MiningSettings())


def test_missing_values_get_their_defaults() -> None:
    assert read_settings('{"seed": 3}') == MiningSettings(seed=3)


def test_phrases_can_be_added_switched_relabelled_and_removed() -> None:
    settings = MiningSettings().switch("hence", True).with_phrase(Phrase("Yet", Label.CONTRASTING, extended=True))
    on = {phrase.text for phrase in settings.phrases if phrase.on}
    assert {"Hence", "Yet"} <= on
    assert len(settings.phrases) == len(MiningSettings().phrases)
    assert "However" not in {phrase.text for phrase in settings.without_phrase("However").phrases}
    with pytest.raises(UserError, match="no phrase “Ergo”"):
        settings.without_phrase("Ergo")


def test_white_space_in_phrases_is_a_space() -> None:
    settings = MiningSettings().with_phrase(Phrase(" line\nbreak\u2028 of\t\ttext ", Label.ENTAILMENT))
    assert settings.phrases[-1].text == "line break of text"
    written = codec.encode(settings).replace("line break", "line\\nbreak")
    assert "\\n" in written
    assert read_settings(written) == settings
    assert settings.without_phrase("line\nbreak of text") == MiningSettings()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"min_words": 0}, "word limits"),
        ({"min_words": 9, "max_words": 8}, "word limits"),
        ({"neutral_distance": 1}, "2 apart"),
        ({"neutral_ratio": -1.0}, "ratio"),
        ({"neutral_ratio": float("nan")}, "ratio"),
        ({"filters": frozenset(("sense",))}, "unknown filter 'sense'"),
        ({"neutral_strategies": (Strategy.LINKED,)}, "draw neutrals"),
        ({"neutral_strategies": (Strategy.BOTH_RANDOM, Strategy.BOTH_RANDOM)}, "twice"),
        ({"phrases": (Phrase("However", Label.CONTRASTING), Phrase("however,", Label.REASONING))}, "twice"),
        ({"phrases": (Phrase("Meanwhile", Label.NEUTRAL),)}, "neutral"),
        ({"phrases": (Phrase(" , ", Label.REASONING),)}, "start with a letter"),
        ({"phrases": (Phrase("(Thus", Label.REASONING),)}, "start with a letter"),
    ],
)
def test_settings_that_cannot_work_are_refused(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        replace(MiningSettings(), **wrong)
    assert caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        '{"sead": 1}',
        '{"casing": "upper"}',
        '{"implicit": "yes"}',
        '{"seed": null}',
        '{"phrases": ["However"]}',
        '{"phrases": [{"text": "Ergo", "label": "reasoning", "colour": 1}]}',
        '{"phrases": [{"text": "Ergo"}]}',
    ],
)
def test_text_that_is_no_settings_is_refused(text: str) -> None:
    with pytest.raises(UserError) as caught:
        read_settings(text)
    assert caught.value.hint
