"""The commands for several annotators: people, round, gold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from miner.kinds.taxonomy import released_taxonomy
from miner.records import Label
from storage.annotation.annotation_rounds import RoundPlan
from storage.annotation.annotators import Role
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import GOLD_EVERYWHERE
from tests.desktop.cli.conftest import Run
from tests.storage.annotation.kinds_round_factory import BEGUN, CAUSAL, TEMPORAL, UNCLEAR, answer_round
from tests.storage.annotation.round_factory import (
    C,
    E,
    R,
    add_pairs,
    add_people,
    answer,
    answer_as,
    hold_rules_everywhere,
)


@pytest.fixture(autouse=True)
def project(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "demo.pairwright"
    with Project.create(path) as project:
        add_pairs(project, {"ecology": dict.fromkeys(Label, 6), "nlp": dict.fromkeys(Label, 2)})
        hold_rules_everywhere(project)
    return path


def test_people_are_added_renamed_and_given_roles(run: Run) -> None:
    assert "pairwright people add" in run("people").out
    run("people", "add", "Ada", "Ben")
    assert "Added: Dee (role: adjudicator)" in run("people", "add", "Dee", "--role", "adjudicator").out
    assert "Ada is now called Ada L." in run("people", "rename", "Ada", "Ada L.").out
    assert "Ben now has the role reference" in run("people", "role", "ben", "reference").out
    assert run("people", "--json").data == [
        {"name": "Ada L.", "key": "Ada", "role": "annotator", "answers": 0, "kinds": 0},
        {"name": "Ben", "key": "Ben", "role": "reference", "answers": 0, "kinds": 0},
        {"name": "Dee", "key": "Dee", "role": "adjudicator", "answers": 0, "kinds": 0},
    ]


def test_people_are_added_all_or_none(run: Run) -> None:
    for wrong in ("E" * 90, "eve"):
        refused = run("people", "add", "Eve", wrong, "Fay")
        assert refused.code == 1
        assert "Nobody was added." in refused.err
        assert run("people", "--json").data == []
    assert "Added: Eve, Fay" in run("people", "add", "Eve", "Fay").out
    run("undo")
    assert [one["name"] for one in run("people", "--json").data] == ["Eve"]


def test_targets_stay_where_no_round_was_drawn_for_them(run: Run) -> None:
    before = run("round", "--json").data["targets_note"]
    assert run("round", "new", "--dev", "7", "--test", "7").code == 1  # nobody is there to ask
    assert run("round", "--json").data["targets_note"] == before
    assert run("undo").code == 1  # nothing to undo


def test_a_name_that_clashes_or_is_unknown_is_refused_with_a_sentence(run: Run) -> None:
    run("people", "add", "Ada", "Ben")
    for words, said in (
        (("add", "ada"), "Ada is in this project already"),
        (("rename", "Ben", "ADA"), "Ada is the name of another annotator"),
        (("role", "Eve", "expert"), "No annotator is called “Eve”. There are: Ada, Ben."),
    ):
        answer = run("people", *words)
        assert answer.code == 1
        assert said in answer.err.replace("\n", " ")


def test_ties_are_listed_and_decided_by_an_adjudicator(run: Run, project: Path) -> None:
    run("people", "add", "Ada", "Ben", "Cy")
    run("people", "add", "Dee", "--role", "adjudicator")
    assert "There are no ties" in run("ties").out
    with Project.open(project) as opened, opened.transaction() as stores:
        keys = sorted(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))[:3]
        for key in keys:
            answer(stores, key, C, R, E)
    assert [tie["key"] for tie in run("ties", "--json").data] == keys
    shown = run("ties").out
    assert "However" not in shown
    assert "3 ties." in shown
    for words, said in (
        ((f"{keys[0]}=maybe",), "is not a decision"),
        (("zz=neutral",), "No tie begins with “zz”"),
        ((f"{keys[0]}=neutral", "=neutral"), "No tie begins"),
        ((f"{keys[0]}=neutral", f"{keys[0][:31]}=neutral"), "decided twice"),
        ((f"{keys[0]}=neutral", "--as", "Ada"), "Ada is no adjudicator"),
    ):
        refused = run("ties", *words)
        assert (refused.code, said in refused.err.replace("\n", " ")) == (1, True), words
    assert len(run("ties", "--json").data) == 3
    assert "Dee decided 2 ties; 1 tie is left." in run("ties", f"{keys[0]}=Neutral", f"{keys[1]}=unclear").out
    assert run("gold", "--json").data["gold"] == 1
    assert run("undo").code == 0
    assert len(run("ties", "--json").data) == 3


def test_a_round_is_previewed_drawn_shown_and_closed(run: Run, project: Path) -> None:
    assert "With three, two can outvote one" in run("round").out
    assert "there is 1: Ada" in run_with_people(run, "Ada")
    run("people", "add", "Ben", "Cy")
    seen = run("round", "new", "--size", "3", "--preview").out
    assert "contrasting in nlp has 2 of 3" in seen
    assert "20 pairs for Ada, Ben and Cy. Nothing was drawn" in seen
    assert "All are answered" not in run("round").out
    drawn = run("round", "new", "--size", "3", "--json").data
    assert (drawn["round"], drawn["pairs"], drawn["votes"]) == (1, 20, 3)
    shown = run("round", "show", "1").out
    assert "Round 1, benchmark, open: 20 pairs" in shown
    assert "Ada" in shown
    with Project.open(project) as opened, opened.transaction() as stores:
        for assignment in stores.annotation_rounds.assignments(1):
            for pair in stores.annotation_rounds.pairs(1):
                answer_as(stores, assignment.annotator, pair.key, C)
    assert run("round").out.splitlines()[1].split()[-1] == "done"
    assert "Round 1, benchmark, done: 20 pairs" in run("round", "show", "1").out
    assert "closed. Its answers are kept" in run("round", "close", "1").out
    assert "Round 1, benchmark, closed: 20 pairs" in run("round", "show", "1").out
    assert run("round", "close", "1", "--reopen", "--json").data["open"] is True
    assert "There is no round 2" in run("round", "show", "2").err


def test_only_rounds_for_gold_labels_count_these_in_the_preview(run: Run) -> None:
    people = [word for name in ("Ada", "Ben", "Cy") for word in ("--annotator", name)]
    head = run("round", "new", "--size", "1", "--preview", *people).out.splitlines()[0]
    assert head.split() == ["domain", "class", "gold", "available", "wanted", "drawn"]
    head = run("round", "new", "--kind", "estimate", "--preview", "--annotator", "Eve").out.splitlines()[0]
    assert head.split() == ["domain", "class", "available", "wanted", "drawn"]


def test_people_who_are_new_by_a_round_are_named_and_go_with_it(run: Run) -> None:
    run("people", "add", "Ben")
    drawn = run("round", "new", "--size", "3", "--annotator", "Ben", "--annotator", "Bem").out
    assert "New in this project: Bem." in drawn
    assert "Undone: Draw a round" in run("undo").out
    assert [one["name"] for one in run("people", "--json").data] == ["Ben"]
    run("redo")
    assert [one["name"] for one in run("people", "--json").data] == ["Bem", "Ben"]


def test_one_undo_takes_back_a_round_with_the_targets_that_it_set(run: Run) -> None:
    before = run("round", "--json").data["targets"]
    people = [word for name in ("Ada", "Ben", "Cy") for word in ("--annotator", name)]
    drawn = run("round", "new", "--dev", "1", "--test", "2", *people).out
    assert "Drew round 1: " in drawn
    after = run("round", "--json").data["targets"]
    assert (after["dev"], after["test"]) == (1, 2)
    assert "Undone: Draw a round" in run("undo").out
    assert "There is no round 1" in run("round", "show", "1").err
    assert run("round", "--json").data["targets"] == before
    assert run("undo").code == 1
    run("redo")
    assert run("round", "--json").data["targets"] == after


def run_with_people(run: Run, name: str) -> str:
    run("people", "add", name)
    return run("round", "new", "--size", "3").err


def test_the_targets_are_kept_and_the_next_round_draws_what_is_missing(run: Run, project: Path) -> None:
    names = [word for name in ("Ada", "Ben", "Cy") for word in ("--annotator", name)]
    run("round", "new", "--dev", "1", "--test", "1", "--domain", "ecology", *names)
    with Project.open(project) as opened, opened.transaction() as stores:
        for pair in stores.annotation_rounds.pairs(1):
            for name in ("Ada", "Ben", "Cy"):
                answer_as(stores, name, pair.key, C)
    assert run("gold", "--rule", "agreeing", "--json").data["discarded"] == 6
    state = run("round", "--json").data
    assert state["targets"] == {"dev": 1, "test": 1, "domains": ["ecology"]}
    missing = {(one["domain"], one["class"]): one["missing"] for one in state["classes"]}
    assert missing["ecology", "contrasting"] == 0
    assert missing["ecology", "reasoning"] == 6  # 2 are missing, and of 2 none was kept
    assert "(6 are discarded)" in state["next"]  # by rules that hold until the papers are split
    assert "2 of 2" in run("round").out


def test_gold_says_what_the_rule_discards(run: Run, project: Path) -> None:
    run("gold", "--votes", "1")
    with Project.open(project) as opened, opened.transaction() as stores:
        for number, key in enumerate(sorted(pair.key for pair in stores.pairs.of_paper(stores.papers.md5s()[0]))):
            answer_as(stores, "Ada", key, C if number else R)
    said = run("gold").out
    assert "Rule: majority, with 1 vote for each pair." in said
    assert "The rule “agreeing” would discard" in said
    assert "gold label is not the distant label." in run("gold", "--rule", "agreeing").out
    assert run("gold", "--votes", "2", "--json").data["gold"] == 0
    assert "must be a whole number from 1 to 99" in run("gold", "--votes", "100").err


def test_a_pilot_has_feedback(run: Run, project: Path) -> None:
    with Project.open(project) as opened:
        add_people(opened, {"Ada": Role.ANNOTATOR, "Ray": Role.REFERENCE})
    run("round", "new", "--kind", "pilot", "--size", "1")
    assert "No reference annotator has answered" in run("round", "feedback", "1").err
    with Project.open(project) as opened, opened.transaction() as stores:
        for number, key in enumerate(stores.annotation_rounds.keys(1)):
            answer_as(stores, "Ray", key, C)
            answer_as(stores, "Ada", key, C if number else R)
    data = run("round", "feedback", "1", "--json").data
    assert data["ranking"] == [{"annotator": "Ada", "agreement": 0.875, "agreed": 7, "compared": 8}]
    assert [(one["reference"], one["answers"]["Ada"]) for one in data["questions"]] == [(C, R)] + [(C, C)] * 7
    assert data["questions"][0].keys() == {"key", "premise", "hypothesis", "reference", "answers"}
    assert "Ray: contrasting. Ada: reasoning." in run("round", "feedback", "1").out


def test_a_round_for_kinds_is_drawn_sent_and_listed(run: Run, tmp_path: Path) -> None:
    people = ("--annotator", "Ada", "--annotator", "Ben")
    seen = run("round", "new", "--asks", "kinds", "--pairs", "20", "--overlap", "12", *people, "--preview").out
    assert "28 pairs for Ada and Ben. Nothing was drawn" in seen
    assert "The classes cannot be drawn in equal numbers, because there are too few candidates: " in seen
    assert "contrasting in nlp has 2 of 3" in seen
    drawn = run("round", "new", "--asks", "kinds", "--pairs", "8", "--overlap", "4", *people)
    assert "round 1: 12 pairs for Ada and Ben, 8 each." in drawn.out
    assert "Round 1, kinds, open: 12 pairs" in run("round", "show", "1").out
    [listed] = run("round", "--json").data["rounds"]
    assert (listed["asks"], [one["pairs"] for one in listed["assignments"]]) == ("kinds", [8, 8])
    assert "8 pairs for Ben" in run("round", "send", "1", "--to", "Ben", "--out", str(tmp_path)).out
    assert "asks for kinds of reasoning" in run("agree", "--round", "1").err
    for words, said in (
        (("--asks", "kinds", "--size", "3"), "drawn by --pairs and --overlap"),
        (("--asks", "kinds", "--kind", "estimate"), "cannot be an estimate"),
        (("--pairs", "3"), "are for rounds that ask for kinds"),
        (("--asks", "kinds", "--pairs", "3", "--overlap", "4"), "is more than the 3 pairs of each annotator"),
        (("--asks", "kinds", "--taxonomy", str(tmp_path / "none.toml")), "There is no file"),
    ):
        assert said in " ".join(run("round", "new", *words).err.split())


def test_a_pilot_for_kinds_has_feedback_question_by_question(run: Run, project: Path) -> None:
    with Project.open(project) as opened:
        add_people(opened, {"Ada": Role.ANNOTATOR, "Ray": Role.REFERENCE})
    run("round", "new", "--asks", "kinds", "--kind", "pilot", "--pairs", "3")
    assert "No reference annotator has answered" in run("round", "feedback", "1").err
    with Project.open(project) as opened, opened.transaction() as stores:
        first, second, third = stores.annotation_rounds.keys(1)
        answer_round(stores, "Ray", {first: CAUSAL, second: CAUSAL, third: CAUSAL})
        answer_round(stores, "Ada", {first: TEMPORAL, second: UNCLEAR, third: BEGUN})
    data = run("round", "feedback", "1", "--json").data
    # of the first pair six answers can be compared, of the second the relation, and the third is not complete
    assert data["ranking"] == [{"annotator": "Ada", "agreement": 4 / 7, "agreed": 4, "compared": 7}]
    about, which = (released_taxonomy().questions[key] for key in ("reasoning", "direction"))
    assert [one["question"] for one in data["by_question"][:2]] == [about.text, which.text]
    asked = {one["question"]: one for one in data["pairs"][0]["questions"]}
    chosen = [option.text for option in about.options if option.category in ("temporal", "causal")]
    assert asked["reasoning"]["reference"] == chosen[1:]
    assert asked["reasoning"]["answers"] == {"Ada": chosen}
    assert list(asked["reasoning"]["definitions"]) == ["Temporal"]
    text = run("round", "feedback", "1").out
    assert f"Ray: {which.options[0].text}. Ada: {which.options[1].text}." in text
    assert "Temporal: " in text


def test_a_filter_takes_the_names_of_annotators(run: Run, project: Path, tmp_path: Path) -> None:
    run("people", "add", "anna", "Ben")
    run("people", "rename", "anna", "Anne")
    with Project.open(project) as opened, opened.transaction() as stores:
        [first, second, *_] = [pair.key for pair in stores.round_draws.draw(RoundPlan(size=1)).pairs]
        stores.settings.put(GOLD_EVERYWHERE, None)
        answer_as(stores, "anna", first, C)
        answer_as(stores, "Ben", second, R)
    for who in ("anne", "anna"):
        out = tmp_path / who
        run("export", str(out), "--where", f"annotator={who}", "--settled")
        assert len((out / "pairs.jsonl").read_text().splitlines()) == 1
    refused = run("export", str(tmp_path / "none"), "--where", "annotator=Cy")
    assert (refused.code, "No annotator is called “Cy”. There are: Anne, Ben." in refused.err.replace("\n", " ")) == (
        1,
        True,
    )


def test_the_gold_label_of_a_file_is_the_label_everywhere_and_discarded_by_the_rule(run: Run, tmp_path: Path) -> None:
    row = {"sentence1": "Sand moves.", "sentence2": "Water does not.", "gold_label": "neutral"}
    (tmp_path / "in.jsonl").write_text(json.dumps(row | {"distant_label": "contrasting"}) + "\n")
    run("import", str(tmp_path / "in.jsonl"))
    run("export", str(tmp_path / "out"), "--preset", "full", "--settled")
    [found] = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_text().splitlines()]
    assert (found["label"], found["gold_label"], found["distant_label"]) == ("neutral", "neutral", "contrasting")
    assert run("gold", "--rule", "agreeing", "--json").data["discarded"] == 1
    assert "1 discarded, because the gold label is not" in run("info").out
    assert "left out: discarded, because annotators agree on another label" in run(
        "export", str(tmp_path / "none")
    ).out.replace("\n", " ")
    run("undo")
    assert run("gold", "--json").data["discarded"] == 0
