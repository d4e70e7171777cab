"""Learning abbreviations and sentence starters from a small corpus."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from miner.parsing.sentences import SentenceSplitter, SplitterParameters, learn_parameters
from miner.parsing.sentences.__main__ import main

# "zool." is an abbreviation here and nothing else is: it always has its stop, and lower case goes on after it.
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
PARAGRAPHS = [
    f"We found {n} beetles in zool. garden {i}. They were kept by the zool. keeper {n}. Then we counted {n} again. "
    f"Yesterday, as the zool. record says, {n} escaped. Later we saw {n} of them, and then we went home."
    for i, n in enumerate(NUMBERS * 3)
]
TEXT = "It is kept in the zool. Cabinet of Bern. Then it was lost."


def test_learning_finds_the_abbreviations_of_the_papers() -> None:
    learnt = learn_parameters(PARAGRAPHS)
    assert "zool" in learnt.abbreviations
    assert "garden" not in learnt.abbreviations
    assert "then" in learnt.starters
    assert len(SentenceSplitter.bundled().split(TEXT)) == 3
    assert len(SentenceSplitter(learnt).split(TEXT)) == 2


def test_learning_adds_to_what_is_bundled() -> None:
    bundled, learnt = SplitterParameters.bundled(), learn_parameters(PARAGRAPHS)
    assert bundled.abbreviations <= learnt.abbreviations
    assert bundled.starters <= learnt.starters
    assert learn_parameters([]).digest == bundled.digest


def test_the_same_papers_teach_the_same() -> None:
    assert learn_parameters(iter(PARAGRAPHS)).file_text() == learn_parameters(iter(PARAGRAPHS)).file_text()


def test_the_script_learns_from_free_papers_only_and_says_from_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"CC-BY-4.0": PARAGRAPHS, "CC-BY-NC-4.0": [p.replace("zool", "bot") for p in PARAGRAPHS], None: ["None."]}
    papers = [{"license": licence, "sections": [{"paragraphs": texts[licence]}]} for licence in texts]
    made = []
    for name, opened in (("papers.jsonl", open), ("papers.jsonl.gz", gzip.open)):
        source, output = tmp_path / name, tmp_path / "made.json"
        with opened(source, "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(paper) + "\n" for paper in papers)
        monkeypatch.setattr(sys, "argv", ["sentences", str(source), "-o", str(output)])
        main()
        made.append(SplitterParameters.from_data(json.loads(output.read_bytes())))
    assert "zool" in made[0].abbreviations
    assert "bot" not in made[0].abbreviations
    assert "papers.jsonl " in made[0].made_by
    assert made[0] == made[1]


def test_nltk_is_not_loaded_for_splitting() -> None:
    program = """
import sys
from miner.parsing.sentences import SentenceSplitter
SentenceSplitter.bundled().split("One. Two.")
print("nltk" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
