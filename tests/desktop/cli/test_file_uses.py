"""Files that were given to a command which cannot take them: what they are, and which command takes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop.cli.file_uses import FileUse, find_use, sort_paths
from tests.sample_papers import SAMPLES

_PAPER = {"title": "Sand", "sections": [{"title": "", "paragraphs": ["It rained."]}]}


@pytest.mark.parametrize(
    ("name", "content", "use"),
    [
        ("library.bib", "@article{a, title={Sand}}", FileUse.BIBLIOGRAPHY),
        ("pairs.csv", "sentence1,sentence2,label\nA.,B.,reasoning\n", FileUse.DATA_SET),
        ("pairs.jsonl", json.dumps({"premise": "A.", "hypothesis": "B.", "label": "neutral"}), FileUse.DATA_SET),
        ("papers.jsonl", json.dumps(_PAPER), FileUse.PAPER),
        (
            "round-1-Ada.csv",
            "pairwright_id,premise,hypothesis,label\npw-kgcbglxldsfmblqk,A.,B.,\n",
            FileUse.ANSWER_TABLE,
        ),
        ("round-1-Ada.answers.pairwright", "", FileUse.ANSWERS),
        ("other.pairwright", "", FileUse.PROJECT),
        ("manifest.json", '{"files": [], "kind": "pairwright manifest"}', FileUse.MANIFEST),
        ("travel.toml", 'question = "?"', FileUse.EXPERIMENT),
        ("notes.txt", "Some text.", None),
        ("broken.jsonl", "{", None),
    ],
)
def test_what_a_file_is_follows_from_its_name_and_content(
    name: str, content: str, use: FileUse | None, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert find_use(path) is use


def test_a_misplaced_file_is_set_apart_with_the_command_that_takes_it(tmp_path: Path) -> None:
    model, pdf = tmp_path / "my model", next(SAMPLES.glob("*/*.pdf"))
    model.mkdir()
    for name in ("config.json", "model.safetensors"):
        (model / name).touch()
    url = Path("https://arxiv.org/pdf/1")
    taken, misplaced = sort_paths([pdf, model, model / "config.json", url], set(FileUse) - {FileUse.PAPER})
    assert taken == [pdf]
    assert [one.hint for one in misplaced] == [
        f'To have it suggest labels: pairwright suggest --model "{model}"',
        f'To have it suggest labels: pairwright suggest --model "{model}"',
        "Download it, then: pairwright add FILE",
    ]
    assert misplaced[0].reason == f"{model} is a model."
    assert sort_paths([pdf, tmp_path / "missing.pdf"], {FileUse.PAPER})[0] == [tmp_path / "missing.pdf"]
