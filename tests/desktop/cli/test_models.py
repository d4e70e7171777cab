"""suggest, disagreements and train, as people type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from transformers import AutoModel

from desktop.cli import models
from desktop.cli.commands import build_parser
from desktop.cli.interrupts import Interrupts
from desktop.cli.output import as_json_text
from desktop.jobs.exchange.export import load_split_export
from desktop.jobs.models.training_data import read_training_data
from miner.progress import Progress
from miner.records import Answer, Label
from storage.dataset.export_options import ExportOptions
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.desktop.model_factory import WIDTH, make_model
from tests.storage.factories import add, mine
from tests.storage.models.suggestion_factory import answer, current
from tests.suggestion_factory import probabilities_for, suggest


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with Project.create(tmp_path / "demo.pairwright") as project:
        add(project, [f"paper {number}" for number in range(12)])
        mine(project)
    return tmp_path / "demo.pairwright"


def test_from_pairs_to_doubts_to_a_better_model(project: Path, tiny: Path, run: Run) -> None:
    assert "There are no suggestions yet" in run("disagreements").out
    suggested = run("suggest", "--model", tiny, "--json").data
    assert (suggested["new"], suggested["pairs"]) == (49, 49)
    again = run("suggest", "--model", tiny)
    assert "49 pairs with a suggestion by tiny, 0 of them new." in again.out
    listed = run("disagreements", "--json").data
    assert (listed["pairs"], listed["doubted"], listed["answered"]) == ([], 0, 0)  # it knows nothing
    doubts = run("disagreements", "--limit", "3", "--label", "neutral", "--all", "--json").data
    assert [pair["label"] for pair in doubts["pairs"]] == ["neutral"] * 3
    assert doubts["pairs"][0]["why"]
    assert "premise" in run("disagreements", "--all").out
    words = ("train", "--start", tiny, "--recipe", "quick", "--epochs", "1", "--name", "mine", "--seeds", "1,2")
    trained = run(*words, "--json").data
    assert [run["name"] for run in trained] == ["mine, seed 1", "mine, seed 2"]
    assert [run["metrics"]["held_out"]["n"] for run in trained] == [49, 49]  # else none of them could be doubted
    listed = run("train", "--list")
    assert "mine, seed 2" in listed.out
    assert "measured on" in listed.out
    assert "49 by folds" in listed.out
    assert run("train", "--list", "--json").data[0]["settings"]["recipe"]["seed"] == 2
    assert run("train", "--delete", "1").code == 0
    assert [run["id"] for run in run("train", "--list", "--json").data] == [2]


def test_suggestions_are_accepted_when_it_is_said_so(project: Path, tiny: Path, run: Run) -> None:
    assert run("accept", "--at-least", "0", "--json").data["count"] == 0
    run("suggest", "--model", tiny)
    seen = run("accept", "--at-least", "0", "--where", "label=neutral", "--json").data
    assert (seen["done"], sum(seen["labels"].values())) == (None, seen["count"])
    assert "add --yes" in run("accept", "--at-least", "0").out
    words = ("accept", "--at-least", "0", "--where", "label=neutral", "--yes", "--json")
    assert "No annotator is set" in run(*words).err
    assert run(*words, "--annotator", "ada").data["count"] == seen["count"] > 0
    assert run(*words).data["count"] == 0  # they are answered now
    assert run("undo", "--json").data["count"] == seen["count"]
    assert run(*words).data["count"] == seen["count"]


def test_a_class_is_said_not_to_be_listed_only_where_it_is_not(project: Path, run: Run) -> None:
    empty = run("disagreements", "--json").data
    with Project.open(project) as opened:
        suggest(opened, lambda _: probabilities_for(Label.REASONING))
        with opened.read_transaction() as stores:
            pairs = [pair for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
        keys = {label: [pair.key for pair in pairs if pair.distant_label is label] for label in Label}
        for key in keys[Label.NEUTRAL][:10]:
            answer(opened, key, Answer.NEUTRAL)
    sentence = "Labels neutral are not listed: of 10 doubted ones that people answered, only 0 were wrong."
    plain = run("disagreements").out
    assert sentence in plain
    assert empty.keys() == run("disagreements", "--json").data.keys()
    assert "no suggestion" not in plain
    assert "neutral " not in plain.split("\n\n")[1]
    for words in (("--label", "neutral"), ("--all",), ("--all", "--label", "neutral"), ("--label", "entailment")):
        assert "not listed" not in run("disagreements", *words).out, words
    doubted = run("disagreements", "--all", "--json").data["doubted"]
    assert doubted == len(pairs) - len(keys[Label.REASONING]) - 10
    assert f"doubts the distant label of {doubted} pairs that nobody has answered." in run("disagreements", "--all").out
    with Project.open(project) as opened, opened.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM suggestions WHERE pair = (SELECT min(pair) FROM suggestions)")
    assert "1 pair has no suggestion. To make them: pairwright suggest" in run("disagreements").out


@pytest.mark.parametrize("words", [("--at-least", "0"), ("--at-most-wrong", "40"), ("--at-least", "90", "--yes")])
def test_without_suggestions_accepting_says_how_to_make_some(project: Path, run: Run, words: tuple[str, ...]) -> None:
    with Project.open(project) as opened, opened.read_transaction() as stores:
        keys = [pair.key for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
    with Project.open(project) as opened:
        for key in keys[:9]:
            answer(opened, key, Answer.NEUTRAL)
    said = run("accept", *words)
    assert (said.code, said.out) == (0, "There are no suggestions yet. To make some: pairwright suggest\n")
    data = run("accept", *words, "--json").data
    assert (data["count"], data["done"]) == (0, None)


def test_at_most_so_many_wrong_is_promised_by_answers_alone(project: Path, tiny: Path, run: Run) -> None:
    run("suggest", "--model", tiny)
    words = ("accept", "--at-most-wrong", "40", "--where", "label=neutral", "--yes")
    nothing = run(*words, "--annotator", "ada")
    assert "it takes 5 answers or more" in nothing.out
    assert "there are 0." in nothing.out
    with Project.open(project) as opened:
        for key, one in list(current(opened).items())[:30]:
            answer(opened, key, Answer(one.label.value))
    promised = run(*words, "--annotator", "ada", "--json").data
    assert promised["at_least"] is not None
    assert promised["count"] > 0
    assert "are like the answered ones" in run("accept", "--at-most-wrong", "40").out
    assert run("accept", "--at-most-wrong", "1", "--json").data["at_least"] is None


def test_an_exported_model_is_a_folder_for_other_programs_and_for_this_one(project: Path, tiny: Path, run: Run) -> None:
    exported = run("train", "--run", tiny, "--export", "out/model", "--json").data
    assert exported["folder"] == "out/model"
    encoder, info = AutoModel.from_pretrained("out/model", output_loading_info=True)
    assert encoder.config.hidden_size == WIDTH
    assert not info["missing_keys"]
    assert not info["unexpected_keys"]
    assert "natural-language-inference" in Path("out/model/README.md").read_text(encoding="utf-8")
    assert run("suggest", "--model", "out/model", "--json").data["pairs"] == 49
    assert "has files already" in run("train", "--run", tiny, "--export", "out/model").err
    assert "--run needs --export" in run("train", "--run", tiny).err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["suggest", "--model", "nowhere"], "no model at nowhere"),
        (["suggest", "--labels", "a,b"], "once each"),
        (["train", "--start", "nowhere"], "no model at nowhere"),
        (["train", "--start", "{tiny}", "--no-distant"], "only 0 labels"),
        (["train", "--start", "{tiny}", "--folds", "1"], "one fold is too few"),
        (["train", "--resume", "7"], "no training run 7"),
        (["train", "--delete", "7"], "no training run 7"),
        (["train", "--seeds", "x"], "whole number"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(project: Path, tiny: Path, run: Run, words: list[str], message: str) -> None:
    said = run(*(word.format(tiny=tiny) for word in words))
    assert said.code == 1
    assert message in said.err
    assert "Traceback" not in said.err


def test_a_long_list_is_the_same_json_a_row_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    data = {"doubted": 3, "labels": {"neutral": 3}, "pairs": [{"key": key, "answers": {}} for key in "ab\n"]}
    short = as_json_text(data)
    monkeypatch.setattr("desktop.cli.output._LONG_LIST_LENGTH", 2)
    assert json.loads(as_json_text(data)) == json.loads(short) == data
    assert len(as_json_text(data).splitlines()) == len(short.splitlines()) - 3 * 3


def test_what_is_learned_from_is_narrowed_as_it_is_typed(project: Path, run: Run) -> None:
    refused = run("train", "--where", "distant=neutral", "--split", "none")
    assert (refused.code, "No example is labelled contrasting, reasoning, entailment" in refused.err) == (1, True)
    assert "Did you mean domain" in run("train", "--where", "domian=biology").err
    run("export", "out", "--split", "60/20/20")
    assert "--split-seed needs --split" in run("train", "--split-seed", "2").err
    kept = run("train", "--where", "distant=neutral")  # as it was exported last
    assert "No example is labelled" in kept.err or "labels to learn from" in kept.err


def test_what_an_export_in_splits_holds_out_stays_so_whatever_is_exported_later(project: Path, run: Run) -> None:
    run("export", "out", "--split", "60/20/20", "--where", "domain=biology")
    run("export", "all")
    run("export", "nothing", "--split", "10/45/45", "--where", "year=1900")
    with Project.open(project) as opened:
        kept = load_split_export(opened).work(Progress())
    scope = PairFilter(domains=frozenset({"biology"}))
    assert kept == ExportOptions(shares=(("train", 60), ("dev", 20), ("test", 20)), scope=scope)


def test_what_is_learned_from_does_not_change_what_the_test_split_is(project: Path, run: Run) -> None:
    with Project.open(project) as there:
        with there.transaction() as stores:
            domains = "UPDATE papers SET domain = iif(id % 2, 'nlp', 'biology')"
            stores._connection.exec_driver_sql(domains)
        run("export", "out", "--split", "40/30/30")
        test = {json.loads(line)["id"] for line in Path("out", "test.jsonl").read_text().splitlines()}
        options = build_parser().parse_args(["train", "--where", "domain=nlp", "--split", "40/30/30", "--quiet"])
        options.interrupts = Interrupts()
        [chosen] = models._train_options(there, options)
        found, kept = read_training_data(there, chosen, Progress())
    assert kept.test
    assert not test & {one.key for one in found}


def test_a_domain_or_phrase_that_no_pair_has_is_refused_and_one_of_imported_pairs_is_known(
    project: Path, run: Run
) -> None:
    row = {"sentence1": "It is dry.", "sentence2": "It rained long.", "label": "neutral", "Domain": "weather"}
    Path("set.jsonl").write_text(json.dumps(row))
    run("import", "set.jsonl")
    assert run("disagreements", "--domain", "weather").code == 0
    assert run("export", "out", "--where", "domain=weather").code == 0
    written = Path("out", "pairs.jsonl").read_bytes()
    for words in (("export", "out"), ("train",), ("accept", "--at-least", "90")):
        assert "Did you mean “weather”?" in run(*words, "--where", "domain=wether").err
    assert "Did you mean “However”?" in run("export", "out", "--where", "phrase=Howevr").err
    assert Path("out", "pairs.jsonl").read_bytes() == written
