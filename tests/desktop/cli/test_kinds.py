"""The command `kinds`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest
from scipy.stats import beta

from miner.kinds.taxonomy import RELATION
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.annotation.marks import MarkKind
from storage.pairs import judgement
from storage.pairs.filters import NOT_BAD, PairFilter
from storage.pairs.judgement import keys_scope
from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.kinds_factory import AT, answer_kinds, kinds_answers
from tests.storage.factories import mine, paper, pdf, remove

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
    assert "no answers about kinds of reasoning" in said.err


def test_counts_and_agreement_of_the_projects_answers(run: Run, project: Path) -> None:
    _answer(project)
    said = run("kinds").out
    assert said.startswith("TaxiNLI: 8 pairs")
    assert "Average κ 0.467 of 1 category." in said
    assert "Direction announced by linking phrases, and given by annotators:" in said
    assert "Annotators give the direction that the linking phrase announces in " in said
    data = run("kinds", "--json").data
    assert sum(phrase["said"]["forward"] for phrase in data["directions"]["phrases"]) == 8
    causal = data["categories"].index("causal")
    assert sum(data["counts"][causal]) == 4
    [found] = [one for one in data["agreement"]["categories"] if one["category"] == "causal"]
    assert (found["pairs"], found["kappa"]["value"]) == (8, pytest.approx(0.4666, abs=0.001))


def test_pairs_that_are_bad_or_gone_are_in_no_number(run: Run, project: Path) -> None:
    _answer(project)
    with Project.open(project) as opened, opened.transaction() as stores:
        rows = stores.pair_table.rows(stores.pair_table.ids(PairFilter(kinds_differ=frozenset({"causal"}))))
        first, last = rows[0], rows[-1]
        bad = stores.actions.begin("anna", "Bad", AT)
        stores.marks.put(keys_scope([first.key]), "anna", MarkKind.BAD, "not_prose", AT, action=bad)
        judgement.refresh(stores._connection, [first.key])
        remove(stores, last.paper)
        left = stores.pair_table.count(PairFilter(kinds_differ=frozenset({"causal"}), statuses=NOT_BAD))
    [found] = [one for one in run("kinds", "--json").data["agreement"]["categories"] if one["category"] == "causal"]
    assert (found["differing"], left < len(rows)) == (left, True)


def test_answers_by_another_taxonomy_are_counted_by_it(run: Run, project: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(TEXT.replace("causal", "chain").replace('name = "TaxiNLI"', 'name = "Own"'), encoding="utf-8")
    with Project.open(project) as opened, opened.transaction() as stores:
        taxonomy = stores.kinds.put_taxonomy(own.read_text(encoding="utf-8"))
        action = stores.actions.begin("cy", "Answer", AT)
        for key in sorted(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))[:2]:
            stores.kinds.answer(taxonomy, key, "cy", kinds_answers(["causal"]), AT, action=action)
    said = run("kinds").out
    assert said.startswith("Own: 2 pairs")
    _answer(project)  # of 8 pairs, by TaxiNLI's
    said = run("kinds")
    assert said.out.startswith("TaxiNLI: 8 pairs")
    assert "2 pairs with answers by Own" in said.err
    assert run("kinds", "--taxonomy", str(own)).out.startswith("Own: 2 pairs")
    assert run("kinds", "--taxonomy", "own").out.startswith("Own: 2 pairs")
    assert run("kinds", "--taxonomy", "TaxiNLI").out.startswith("TaxiNLI: ")
    assert "--taxonomy Own" in said.err or "--taxonomy TaxiNLI" in said.err
    missing = run("kinds", "--taxonomy", "none such")
    assert (missing.code, "There is no file none such" in missing.err) == (1, True)
    too_few = run("kinds", "--layers", "--model", "starter", "--taxonomy", "own")
    assert "there are 2" in too_few.err  # not those of both taxonomies
    assert "--by and --seed need --layers." in run("kinds", "--by", "label", "--seed", "2").err
    with Project.open(project) as opened, opened.transaction() as stores:  # a changed copy under the same name
        taxonomy = stores.kinds.put_taxonomy(TEXT.replace("causal", "cause"))
        action = stores.actions.begin("cy", "Answer", AT)
        stores.kinds.answer(taxonomy, key, "cy", kinds_answers(["causal"]), AT, action=action)
    assert "Several taxonomies are called TaxiNLI." in run("kinds", "--taxonomy", "TaxiNLI").err


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
    assert "our model: accuracy" in said
    data = run("kinds", str(path), "--json").data
    [model] = data["models"]
    factors = {one["name"]: one["coefficient"] for one in model["factors"]["factors"]}
    assert factors["negation"] < -1
    assert abs(factors["lexical"]) < 1


JUDGED = """
name = "judged"
seeds = [1]
[data.project]
labels = "gold or distant"
test = { split = "any" }
[[system]]
kind = "predictions"
[[table]]
columns = "kind"
of = "accuracy"
"""


def test_models_are_scored_and_compared_on_the_pairs_of_each_category(run: Run, tmp_path: Path) -> None:
    Project.create(tmp_path / "demo.pairwright").close()
    rows = ["sentence1,sentence2,label,prediction"]
    for n in range(40):
        wrong = n in (0, 4, 8, 12, 16, 1)  # 5 of the 20 that need a cause, 1 of the others
        said = "neutral" if wrong else "reasoning"
        rows.append(f"Kelp {n:02} grows{' tall' * (n % 7)}.,Reef {n:02} grows{' well' * (n % 5)}.,reasoning,{said}")
    (tmp_path / "pairs.csv").write_text("\n".join(rows), encoding="utf-8")
    assert run("import", "pairs.csv").code == 0
    with Project.open(tmp_path / "demo.pairwright") as project:
        with project.read_transaction() as stores:
            numbers = {key: int(pair.premise[5:7]) for key, pair in stores.kinds.pairs(_keys(project)).items()}
        answer_kinds(project, {"anna": ["causal" if numbers[key] % 2 == 0 else "" for key in sorted(numbers)]})
    (tmp_path / "judged.toml").write_text(JUDGED, encoding="utf-8")
    assert run("experiment", "judged.toml").code == 0

    said = run("kinds", "--model", "column:prediction", "--model", "experiment:1", "--json")
    assert "Only one person has answered all questions about 40 pairs" in run("kinds").out
    first, second = said.data["models"]
    assert (first["model"], second["model"]) == ("prediction 1", "prediction 2")
    for model in (first, second):
        causal = next(one for one in model["scores"] if one["category"] == "causal")
        assert (model["right"], model["pairs"], causal["right"], causal["pairs"]) == (34, 40, 15, 20)
        assert causal["share"] == 0.75
        assert list(causal["interval"].values()) == pytest.approx(beta.ppf((0.025, 0.975), 15.5, 5.5))
    assert first["factors"] == second["factors"]
    factor = next(one for one in first["factors"]["factors"] if one["name"] == "causal")
    assert factor["coefficient"] < -1
    assert "lexical" in first["factors"]["left_out"]
    assert "Lexical" in run("kinds", "--model", "column:prediction").out

    assert "There is no experiment 7" in run("kinds", "--model", "experiment:7").err
    assert "No column nobody has a prediction" in run("kinds", "--model", "column:nobody").err
    assert "Leave out --model" in run("kinds", "pairs.csv", "--model", "starter").err


def _keys(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return sorted(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))


def test_imported_kinds_that_the_taxonomy_does_not_have_are_named(run: Run, project: Path, tmp_path: Path) -> None:
    row = {"sentence1": "A b.", "sentence2": "C d.", "label": "neutral", "annotator_kinds": ["neutral - method topic"]}
    (tmp_path / "own.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    run("import", str(tmp_path / "own.jsonl"))
    said = run("kinds")
    assert said.out.startswith("TaxiNLI: 1 pair")
    assert "Not counted, as TaxiNLI does not have them: method." in said.err


def test_a_file_that_would_not_be_written_is_refused(run: Run) -> None:
    assert "--out needs --layers" in run("kinds", "--out", "kinds.svg").err


def test_a_taxonomy_that_cannot_be_used_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text("name = 'x'", encoding="utf-8")
    (tmp_path / "a.tsv").write_text("prem\thyp\tlabel\nA.\tB.\tneutral\n", encoding="utf-8")
    said = run("kinds", str(tmp_path / "a.tsv"), "--taxonomy", str(tmp_path / "t.toml"))
    assert said.code == 1
    assert "cannot be used" in said.err


def test_layers_of_a_model_as_a_table_and_a_picture(run: Run, tmp_path: Path) -> None:
    rows = ["prem\thyp\tlabel\tlexical_linguistic\tcausal_reasoning"]
    rows += [f"Kelp {n} grows.\tIt {n} grows.\tneutral\t{n % 2}\t{n % 3}" for n in range(40)]
    (tmp_path / "kinds.tsv").write_text("\n".join(rows), encoding="utf-8")
    words = ["kinds", "kinds.tsv", "--layers", "--model", "starter", "--device", "cpu"]
    said = run(*words, "--out", "layers.svg")
    assert said.out.startswith("starter: 40 pairs, 4 layers\n")
    assert "category  pairs  chance  0" in said.out
    assert "Wrote 40 pairs to layers.svg." in said.err
    assert (tmp_path / "layers.svg").read_text(encoding="utf-8").count("<path") >= 5
    assert "--layers needs one model." in run("kinds", "--layers").err


def test_an_export_of_the_preset_taxinli_has_the_same_counts(run: Run, project: Path, tmp_path: Path) -> None:
    _answer(project)
    assert run("export", str(tmp_path / "out"), "--preset", "taxinli", "--where", "kinds_answered=yes").code == 0
    file = run("kinds", str(tmp_path / "out" / "pairs.jsonl"), "--json").data
    ours = run("kinds", "--json").data
    same = ("pairs", "classes", "class_pairs", "categories", "counts", "without", "correlations")
    assert {name: file[name] for name in same} == {name: ours[name] for name in same}
    with Project.open(project) as opened, opened.transaction() as stores:
        first = sorted(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))[0]
        votes = zip(("anna", "ben"), (Answer.NEUTRAL, Answer.ENTAILMENT), strict=True)
        stores.answers.append([NewAnswer(first, who, datetime.now(UTC), answer) for who, answer in votes])
    assert "Exports leave out some of these pairs: 1 whose votes have no majority or are unclear." in run("kinds").err
    assert [one["kinds"] for one in run("people", "--json").data] == [8, 8]
