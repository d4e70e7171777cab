"""The command `kinds`."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest

from miner.kinds.taxonomy import RELATION
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.storage.factories import mine, paper, pdf

TEXT = files("miner.kinds").joinpath("taxonomy.toml").read_text(encoding="utf-8")


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "demo.pairwright"
    with Project.create(path) as project:
        with project.transaction() as stores:
            for name in "abcd":
                stores.papers.save(paper(name, domain="ecology"), pdf(name))
        mine(project)
    return path


def _answer(path: Path) -> None:
    """Two annotators answer 8 pairs; the second does not see every cause."""
    with Project.open(path) as project, project.transaction() as stores:
        taxonomy = stores.kinds.put_taxonomy(TEXT)
        keys = sorted(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))[:8]
        for number, key in enumerate(keys):
            for who, sees in (("anna", number % 2 == 0), ("ben", number % 4 == 0)):
                answers = {RELATION: frozenset({"reasoning"}), "outside": frozenset("e"), "way": frozenset("r")}
                answers |= {"reasoning": frozenset("c" if sees else ""), "connectives": frozenset()}
                action = stores.actions.begin(who, "Answer", datetime.now(UTC))
                answers |= {"direction": frozenset("f")}
                stores.kinds.answer(taxonomy, key, who, answers, datetime.now(UTC), action=action)


def test_without_answers_it_says_what_to_do(run: Run, project: Path) -> None:
    said = run("kinds")
    assert said.code == 1
    assert "Nobody has answered" in said.err


def test_counts_and_agreement_of_the_projects_answers(run: Run, project: Path) -> None:
    _answer(project)
    said = run("kinds").out
    assert said.startswith("TaxiNLI: 8 pairs")
    assert "Average κ 0.467." in said
    data = run("kinds", "--json").data
    causal = data["categories"].index("causal")
    assert sum(data["counts"][causal]) == 4
    [found] = [one for one in data["agreement"]["categories"] if one["category"] == "causal"]
    assert (found["pairs"], found["kappa"]["value"]) == (8, pytest.approx(0.4666, abs=0.001))


def test_a_file_with_predictions_is_explained(run: Run, tmp_path: Path) -> None:
    rows = ["prem\thyp\tlabel\tnegation_logic\tlexical_linguistic\tour model"]
    for number in range(120):
        negated, lexical = number % 3 == 0, number % 5 == 0
        right = number % 8 > 0 if not negated else number % 2 == 0
        truth = ("neutral", "entailment", "contradiction")[number % 2]
        rows.append(
            f"Ice melts{' well' * (number % 7)}.\tIt does{' so' * (number % 4)}.\t{truth}\t{negated:d}\t{lexical:d}\t"
            f"{truth if right else 'contradiction'}"
        )
    rows.append("Ice.\tIt melts.\tcontradiction\t0\t0\tcontradiction")
    path = tmp_path / "kinds.tsv"
    path.write_text("\n".join(rows), encoding="utf-8")
    said = run("kinds", str(path)).out
    assert "our model: right on" in said
    data = run("kinds", str(path), "--json").data
    [model] = data["models"]
    factors = {one["name"]: one["coefficient"] for one in model["factors"]["factors"]}
    assert factors["negation"] < -1
    assert abs(factors["lexical"]) < 1


def test_a_taxonomy_that_cannot_be_used_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text("name = 'x'", encoding="utf-8")
    (tmp_path / "a.tsv").write_text("prem\thyp\tlabel\nA.\tB.\tneutral\n", encoding="utf-8")
    said = run("kinds", str(tmp_path / "a.tsv"), "--taxonomy", str(tmp_path / "t.toml"))
    assert said.code == 1
    assert "cannot be used" in said.err
