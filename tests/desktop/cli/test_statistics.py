"""The command stats with a table of the papers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.desktop.cli.conftest import Run


@pytest.fixture
def project(run: Run, tmp_path: Path) -> None:
    assert run("new", "demo.pairwright").code == 0
    for domain in ("botany", "law"):
        file = tmp_path / f"train_{domain}.csv"
        file.write_text(f"sentence1,sentence2,label\nThe {domain} grows.,it rains.,neutral\n", encoding="utf-8")
        assert run("import", file.name, "--domain", domain).code == 0


@pytest.mark.usefixtures("project")
def test_tables_are_text_json_markdown_and_latex(run: Run) -> None:
    text = run("stats", "--table", "2", "--sample", "0").out
    assert "Overall" in text
    assert "101,412" in text
    data = run("stats", "--table", "2", "--sample", "0", "--json").data
    assert {(part["domain"], part["split"]) for part in data["parts"]} >= {(None, None), ("law", "train")}
    [law] = [part for part in data["parts"] if (part["domain"], part["split"], part["label"]) == ("law", None, None)]
    assert law["premise_words"] == {"mean": 4.0, "standard_error": 0.0}
    assert run("stats", "--table", "12", "--json").data["classes"]["overall"]["annotated"] == 0
    assert run("stats", "--table", "12", "--format", "markdown").out.startswith("### Gold against distant labels\n")
    assert "\\toprule" in run("stats", "--table", "3", "--sample", "0", "--format", "latex").out
    assert run("stats", "--table", "3", "--sample", "0", "--format", "tsv").out.startswith("Data set\tTrain")


@pytest.mark.usefixtures("project")
def test_tables_are_of_a_domain_or_of_a_filter(run: Run) -> None:
    for words in (["--domain", "law"], ["--where", "domain=law"]):
        assert run("stats", "--table", "2", "--sample", "0", "--json", *words).data["pairs"] == 1
    wrong = run("stats", "--table", "2", "--domain", "lav")
    assert (wrong.code, "Did you mean “law”?" in wrong.err) == (1, True)
    for field in ("list", "outside_list"):
        wrong = run("stats", "--table", "2", "--where", f"{field}=nolist")
        assert (wrong.code, "no list called “nolist”" in wrong.err) == (1, True)
    twice = run("stats", "--table", "2", "--domain", "law", "--where", "domain=botany")
    assert (twice.code, "given twice" in twice.err) == (1, True)
    assert run("stats", "--table", "2", "--where", "label=reasoning").code == 1
    assert "--table 2" in run("stats", "--domain", "law").err


@pytest.mark.usefixtures("project")
def test_similarity_is_measured_between_domains(run: Run) -> None:
    similarity = run("stats", "--table", "13", "--json", "--jobs", "1").data["similarity"]
    assert similarity["domains"] == ["botany", "law"]
    assert 0 < similarity["cosines"][0][1] < 1
