"""A bibliography beside added papers, and the command `references`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop.cli.main import main

BIBTEX = """
@article{a, title = {Wide piers and narrow ships in winter}, journal = {Harbours}, year = 2020, doi = {10.1234/a}}
@article{b, title = {Broken}
"""


def test_references_beside_papers_fill_what_is_empty_and_take_conflicts_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    section = {"title": "Piers", "paragraphs": ["The pier is long. However, it is narrow."]}
    paper = {"title": "Wide piers and narrow ships in winter", "year": 2019, "sections": [section]}
    (tmp_path / "papers.jsonl").write_text(json.dumps(paper))
    (tmp_path / "library.bib").write_text(BIBTEX)
    assert main(["new", "demo.pairwright"]) == 0
    assert main(["add", "."]) == 0
    added = capsys.readouterr().out
    assert (
        "library.bib has 1 reference; 1 paper matched: 1 by title.\n2 values taken, 1 conflict left as it is." in added
    )
    assert "pairwright undo" in added
    assert main(["references", "library.bib", "--preview"]) == 0
    shown = capsys.readouterr()
    assert "1 conflict would stay" in shown.out
    assert "year “2019”, but “2020” in the reference." in shown.err
    assert "library.bib, line 3" in shown.err
    assert main(["references", "library.bib", "--prefer-references", "--domain", "ports", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["set"] == 1
    assert main(["papers", "--json"]) == 0
    [found] = json.loads(capsys.readouterr().out)
    assert (found["year"], found["journal"], found["domain"]) == (2020, "Harbours", "ports")
    assert main(["references", "none.bib"]) == 1
    assert "none.bib does not exist" in capsys.readouterr().err
