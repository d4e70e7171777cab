"""The command `split`, and releases by the project's split."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from miner.records import Answer, Label
from storage.annotation.annotation_rounds import Targets
from storage.annotation.answers import NewAnswer
from storage.dataset.gold_rule import GoldRules
from storage.project import Project
from storage.settings import GOLD, GOLD_EVERYWHERE, TARGETS
from storage.stores import Stores
from tests.desktop.cli.conftest import Run
from tests.storage.annotation.round_factory import AT, C, N, R, add_pairs, answer
from tests.storage.factories import paper


@pytest.fixture(autouse=True)
def project(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "demo.pairwright"
    with Project.create(path) as project:
        add_pairs(project, {name: dict.fromkeys(Label, 6) for name in ("ecology", "nlp", "law")})
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def keys_of(stores: Stores, condition: str) -> list[str]:
    query = f"SELECT key FROM pairs JOIN papers ON papers.id = paper_id WHERE {condition} ORDER BY domain, key"
    return [key for (key,) in stores._connection.exec_driver_sql(query)]


BY_DOMAIN = ("--years", "ecology: train", "--years", "nlp: dev", "--years", "law: test")


@pytest.mark.parametrize("preset", ["scinli", "mismatched", "snli", "integers", "full"])
def test_distant_labels_of_train_are_written_where_they_are_asked_for(
    run: Run, project: Path, tmp_path: Path, preset: str
) -> None:
    run("split", "set", *BY_DOMAIN)
    with Project.open(project) as opened, opened.transaction() as stores:
        keys = keys_of(stores, "domain = 'ecology' AND distant_label = 'neutral'")
        stores.answers.append([NewAnswer(keys[0], "Ada", AT, R), NewAnswer(keys[1], "Ada", AT, Answer.UNCLEAR)])
    said = run("export", str(tmp_path / "out"), "--preset", preset, "--train-labels", "distant", "--only", "train")
    assert "24" in said.out
    rows = read(tmp_path / "out" / "train.jsonl")
    names = [row.get("label_text", row.get("label", row.get("gold_label"))) for row in rows]
    assert Counter(names) == dict.fromkeys(map(str, Label), 6)
    if preset == "integers":
        assert Counter(row["label"] for row in rows) == dict.fromkeys(range(4), 6)


def test_what_is_imported_again_of_snlis_form_has_the_labels_but_no_gold_where_nobody_answered(
    run: Run, project: Path, tmp_path: Path
) -> None:
    run("split", "set", *BY_DOMAIN)
    out = tmp_path / "out"
    assert run("export", str(out), "--preset", "snli", "--all-gold", "--distant-test").code == 0
    assert {row["gold_label"] for row in read(out / "test.jsonl")} == set(map(str, Label))
    again = tmp_path / "again.pairwright"
    Project.create(again).close()
    assert "without a label" not in run("--project", again, "import", str(out)).out
    with Project.open(again) as opened, opened.read_transaction() as stores:
        assert stores._connection.exec_driver_sql("SELECT count(*) FROM pairs WHERE source LIKE '%gold%'").scalar() == 0


def test_the_way_from_a_split_to_a_release(run: Run, project: Path, tmp_path: Path) -> None:
    assert "The papers are not split" in run("split").out
    refused = run("round", "new", "--annotator", "Ada", "--annotator", "Ben", "--annotator", "Cy")
    assert (refused.code, "not split yet" in refused.err) == (1, True)
    assert "nlp: train; law" not in run("split", "set", *BY_DOMAIN).out
    run("people", "add", "Ada", "Ben", "Cy")
    drawn = run("round", "new", "--dev", "1", "--test", "2", "--json").data
    assert {(one["split"], one["domain"]): one["drawn"] for one in drawn["strata"] if one["drawn"]} == {
        ("dev", "nlp"): 1,
        ("test", "law"): 2,
    }
    preview = run("round", "new", "--dev", "9", "--test", "9", "--domain", "nlp", "--preview").out
    assert "in nlp (test) has 0 of 9" in preview
    assert "you need about 2 more papers in test, or" not in preview  # no share can be told of a split without papers
    assert "you need about 2 more papers in test." in preview
    with Project.open(project) as opened, opened.transaction() as stores:
        for pair in stores.annotation_rounds.pairs(1):
            for who in ("Ada", "Ben", "Cy"):
                stores.answers.append([NewAnswer(pair.key, who, AT, Answer(str(pair.label)))])
    assert "Release" not in run("round").out
    assert "12 pairs with this distant label, whose gold label may be another one." in run("split").out
    out = tmp_path / "out"
    said = run("release", "1.0", "--out", str(out), "--preset", "full", "--name", "Reefs").out
    assert "no paper and no sentence is in two splits" in said
    rows = {split: read(out / f"{split}.jsonl") for split in ("train", "dev", "test")}
    assert {split: len(of) for split, of in rows.items()} == {"train": 24, "dev": 4, "test": 8}
    assert Counter(row["label"] for row in rows["test"]) == dict.fromkeys(map(str, Label), 2)
    assert {len(row["annotator_labels"]) for row in rows["dev"] + rows["test"]} == {3}
    assert {row["gold_label"] for row in rows["train"]} == {None}
    card = (out / "README.md").read_text(encoding="utf-8")
    assert ("only gold labels" in card, "# Reefs\n" in card, said.startswith("Release 1.0: ")) == (True, True, True)
    one = run("export", str(tmp_path / "one"), "--one-file", "--json").data
    assert [file["name"] for file in one["files"]] == ["pairs.jsonl"]
    only = run("export", str(tmp_path / "only"), "--only", "dev,test", "--json").data
    assert sorted(file["name"] for file in only["files"]) == ["dev.jsonl", "test.jsonl"]
    other = run("export", str(tmp_path / "other"), "--split", "80/10/10")
    assert (other.code, "split already" in other.err) == (1, True)
    assert "Release 1.0" not in run("round").out
    with Project.open(project) as opened, opened.transaction() as stores:
        stores.settings.put(TARGETS, Targets(1, 1))
    now = "Release 1.0 was made for 1 dev and 2 test gold labels of each class and domain; the targets are 1 and 1 now"
    assert now in run("round").out
    assert now in run("release", "1.1", "--out", str(tmp_path / "less")).out
    less = {split: read(tmp_path / "less" / f"{split}.jsonl") for split in ("train", "dev", "test")}
    assert {split: len(of) for split, of in less.items()} == {"train": 24, "dev": 4, "test": 4}
    refused = run("release", "1.0", "--again", str(tmp_path / "again"), "--preset", "snli", "--no-keep-released")
    assert "--preset and --keep-released would change nothing" in refused.err
    run("release", "1.0", "--again", str(tmp_path / "again"))
    assert (tmp_path / "again" / "test.jsonl").read_bytes() == (out / "test.jsonl").read_bytes()
    assert run("split", "--json").data["targets"] == {"dev": 1, "test": 1}
    assert sum(one["gold"] for one in run("split", "--json").data["pairs"]) == 12


def test_a_filter_of_labels_is_of_the_labels_that_are_written(run: Run, project: Path, tmp_path: Path) -> None:
    run("split", "set", *BY_DOMAIN)
    with Project.open(project) as opened, opened.transaction() as stores:
        keys = keys_of(stores, "domain = 'ecology' AND distant_label = 'neutral'")
        stores.answers.append([NewAnswer(key, "Ada", AT, Answer.ENTAILMENT) for key in keys[:2]])
    for labels, number in (("corrected", 8), ("distant", 6)):
        out = tmp_path / labels
        run("export", str(out), "--train-labels", labels, "--where", "label=entailment")
        assert Counter(row["label"] for row in read(out / "train.jsonl")) == {"entailment": number}


def test_a_card_counts_the_votes_of_its_own_pairs(run: Run, project: Path, tmp_path: Path) -> None:
    run("split", "set", "--years", "ecology: train", "--years", "nlp: dev", "--years", "law: dev")
    with Project.open(project) as opened, opened.transaction() as stores:
        keys = keys_of(stores, "domain <> 'ecology'")
        given = [(key, (Answer.NEUTRAL, Answer.REASONING)[n % 2]) for n, key in enumerate(keys)]
        stores.answers.append([NewAnswer(key, who, AT, one) for key, one in given for who in ("Ada", "Ben", "Cy")])
    half = len(keys) // 2
    for name, words, pairs in (("all", (), 2 * half), ("law", ("--where", "domain=law"), half)):
        run("export", str(tmp_path / name), "--card", "--all-gold", *words)
        card = (tmp_path / name / "README.md").read_text(encoding="utf-8")
        assert f"with {3 * pairs:,} votes on {pairs:,} pairs." in card
        assert f"| all | {pairs:,} |" in card
    run("export", str(tmp_path / "train"), "--card", "--only", "train")
    assert "votes on" not in (tmp_path / "train" / "README.md").read_text(encoding="utf-8")


def test_data_sets_of_others_are_released_as_they_came(run: Run, tmp_path: Path) -> None:
    """SciNLI's files say what is dev and test, and have no column for gold labels."""
    sizes = {"train": 12, "dev": 210, "test": 7}  # more than the targets, and not of the same size
    for name, number in sizes.items():
        rows = "".join(f"The {name} {n} is here.,It was seen {name} {n}.,{list(Label)[n % 4]}\n" for n in range(number))
        (tmp_path / f"{name}.csv").write_text(f"sentence1,sentence2,label\n{rows}", encoding="utf-8")
    run("--project", str(tmp_path / "other.pairwright"), "new", str(tmp_path / "other.pairwright"))
    other = ("--project", str(tmp_path / "other.pairwright"))
    assert run(*other, "import", *(str(tmp_path / f"{name}.csv") for name in sizes)).code == 0
    run(*other, "split", "set", "--as-imported")
    counts = run(*other, "split", "--json").data["pairs"]
    assert sum(one["gold"] for one in counts) == sizes["dev"] + sizes["test"]
    assert run(*other, "release", "1", "--out", str(tmp_path / "out")).code == 0
    assert {split: len(read(tmp_path / "out" / f"{split}.jsonl")) for split in sizes} == sizes
    with Project.open(tmp_path / "other.pairwright") as opened, opened.transaction() as stores:
        [once] = keys_of(stores, "pairs.split = 'test' AND distant_label = 'neutral'")[:1]
        stores.answers.append([NewAnswer(once, "Ada", AT, Answer.CONTRASTING)])
    run(*other, "export", str(tmp_path / "begun"))
    assert {split: len(read(tmp_path / "begun" / f"{split}.jsonl")) for split in sizes} == sizes
    gold = sizes["dev"] + sizes["test"]
    assert run(*other, "gold", "--json").data["gold"] == gold
    for command, counts in (("split", "pairs"), ("round", "classes")):
        assert sum(one["gold"] for one in run(*other, command, "--json").data[counts]) == gold
    answers = run(*other, "stats", "--json").data["answers"]
    assert (answers["settled"], answers["waiting"]) == (1, 0)
    measured = run(*other, "agree", "--json").data["overall"]["against_distant"]
    assert (measured["annotated"], measured["waiting"]) == (0, 1)  # the file's label is nobody's vote
    with Project.open(tmp_path / "other.pairwright") as opened, opened.transaction() as stores:
        keys = keys_of(stores, "pairs.split = 'dev' AND distant_label IN ('contrasting', 'neutral')")
        stores.answers.append(
            [NewAnswer(key, who, AT, Answer.CONTRASTING) for key in keys[:9] for who in ("Ada", "Ben", "Cy")]
        )
    run(*other, "export", str(tmp_path / "answered"))
    assert len(read(tmp_path / "answered" / "dev.jsonl")) == sizes["dev"]
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "Imported pairs without a paper are in the splits of their files" in card
    assert "Whoever has the imported files can make the same files again" in card
    assert "- Labels of train: those of the imported files, corrected where a person answered." in card
    for untrue in ("same paper", "no paper is in two", "linking phrases", "drawn at random from", "Creative Commons"):
        assert untrue not in card


def test_distant_labels_do_not_become_gold_on_the_way_through_a_file(run: Run, project: Path, tmp_path: Path) -> None:
    run("split", "set", *BY_DOMAIN)
    run("export", str(tmp_path / "out"), "--distant-test", "--preset", "full")
    other = ("--project", str(tmp_path / "other.pairwright"))
    run("new", str(tmp_path / "other.pairwright"))
    assert run(*other, "import", str(tmp_path / "out")).code == 0
    run(*other, "split", "set", "--as-imported")
    assert sum(one["gold"] for one in run(*other, "split", "--json").data["pairs"]) == 0
    said = run(*other, "export", str(tmp_path / "again"), "--json").data
    assert {file["name"]: file["rows"] for file in said["files"]}["test.jsonl"] == 0
    assert said["left_out"]["not_settled"] > 0


def test_a_change_that_moves_answered_papers_asks_first(run: Run, project: Path) -> None:
    run("split", "set", *BY_DOMAIN)
    with Project.open(project) as opened, opened.transaction() as stores:
        [key] = [
            key
            for (key,) in stores._connection.exec_driver_sql(
                "SELECT key FROM pairs JOIN papers ON papers.id = paper_id WHERE domain = 'law' LIMIT 1"
            )
        ]
        answer(stores, key, C, C, C)
    asked = run("split", "set", "--shares", "100/0/0")
    assert asked.code == 1
    assert "1 paper with 1 answered pair would leave" in asked.out
    assert "law: test" in run("split").out
    assert run("split", "set", "--shares", "100/0/0", "--yes").code == 0
    assert {one["split"] for one in run("split", "--json").data["papers"]} == {"train"}
    run("undo")
    assert {one["split"] for one in run("split", "--json").data["papers"]} == {"train", "dev", "test"}
    assert run("split", "clear", "--yes").code == 0
    assert "The papers are not split" in run("split").out


def test_shares_that_do_not_add_up_are_told_of(run: Run) -> None:
    assert "The shares add up to 80, not to 100" in run("split", "set", "--shares", "60/10/10").out
    assert "add up" not in run("split", "set", "--shares", "0.6/0.2/0.2").out


def test_a_suggestion_says_what_dev_and_test_want(run: Run) -> None:
    found = run("split", "suggest", "--dev", "1", "--test", "2").out
    assert "To split the papers in this way: pairwright split set" in found
    assert "To reach them" in found  # one paper a domain is too few


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "Say in which one way"),
        (("--shares", "70/10"), "is not a list of shares"),
        (("--shares", "1/1/1", "--from-gold"), "Say in which one way"),
        (("--years", "train -2018, test 2018-"), "overlap"),
        (("--from-gold",), "No paper has a gold label"),
        (("--test-where", "domain=physics"), "physics"),
    ],
)
def test_what_cannot_be_meant_is_said(run: Run, options: tuple[str, ...], said: str) -> None:
    refused = run("split", "set", *options)
    assert refused.code == 1
    assert said in refused.err.replace("\n", " ")


def test_filters_choose_papers_once_and_for_all(run: Run) -> None:
    said = run("split", "set", "--test-where", "domain=law", "--dev-where", "domain=nlp").out
    assert "2 papers by name, all others train" in said
    papers = run("split", "--json").data["papers"]
    assert {(one["domain"], one["split"]) for one in papers} == {("law", "test"), ("nlp", "dev"), ("ecology", "train")}


def answer_in(project: Path, domain: str, *answers: Label) -> str:
    """Answer the first pair of a domain; its key."""
    with Project.open(project) as opened, opened.transaction() as stores:
        query = "SELECT key FROM pairs JOIN papers ON papers.id = paper_id WHERE domain = ? ORDER BY key LIMIT 1"
        key = str(stores._connection.exec_driver_sql(query, (domain,)).scalar_one())
        answer(stores, key, *answers)
    return key


def status_of(project: Path, key: str) -> tuple[str, str, str | None, int]:
    """Split, status, gold label and votes of a pair."""
    with Project.open(project) as opened, opened.read_transaction() as stores:
        query = "SELECT split, status, gold, votes FROM pairs WHERE key = ?"
        return tuple(stores._connection.exec_driver_sql(query, (key,)).one())  # type: ignore[return-value]


def test_papers_without_a_year_are_listed_under_a_split_by_years(run: Run) -> None:
    run("papers", "edit", "--of-domain", "law", "--year", "")
    said = run("split", "set", "--years", "train -2018, test 2019-").out
    assert "In no split: 1 paper, 1 of them without a year: “On law” (no year)." in said
    assert "To put them into train: the same with --rest train" in said
    rest = run("split", "set", "--years", "train -2018, test 2019-", "--rest", "train")
    assert "In no split" not in rest.out
    assert {"split": "train", "domain": "law", "papers": 1} in run("split", "--json").data["papers"]


def test_a_domain_that_is_renamed_after_the_split_takes_its_papers_along(run: Run, project: Path) -> None:
    run("split", "set", *BY_DOMAIN)
    key = answer_in(project, "law", C)
    assert status_of(project, key) == ("test", "unsettled", None, 1)
    assert "split" not in run("papers", "edit", "--of-domain", "law", "--title", "On laws").out
    said = run("papers", "edit", "--of-domain", "law", "--domain", "ecology").out
    assert "1 paper changed its split. Moved: 1 paper from test to train (1 answered pair)." in said
    assert status_of(project, key) == ("train", "settled", "contrasting", 1)
    run("undo")
    assert status_of(project, key) == ("test", "unsettled", None, 1)
    edited = run("papers", "edit", "--of-domain", "law", "--domain", "jurisprudence", "--json").data
    assert [(one["old"], one["new"], one["answered"]) for one in edited["moved"]] == [("test", None, 1)]
    assert "In no split: 1 paper" in run("split").out


def test_an_imported_file_takes_no_paper_out_of_test(run: Run, project: Path, tmp_path: Path) -> None:
    run("split", "set", *BY_DOMAIN)
    key = answer_in(project, "law", C, C, C)
    row = {"premise": "One says so.", "hypothesis": "another denies it.", "label": "contrasting"}
    md5s = {"law": paper("law").md5, "ecology": paper("ecology").md5}
    rows = [
        {**row, "premise": f"{name} says so.", "split": split, "paper_md5": md5s[name], "domain": name}
        for name, split in (("law", "train"), ("ecology", "dev"))
    ]
    file = tmp_path / "set.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    imported = run("import", str(file))
    assert "1 pair is in another split than this file says" in imported.out + imported.err
    papers = {(one["domain"], one["split"]) for one in run("split", "--json").data["papers"]}
    assert papers == {("law", "test"), ("ecology", "dev"), ("nlp", "dev")}
    assert status_of(project, key) == ("test", "settled", "contrasting", 3)


def test_domains_with_too_few_papers_are_named_in_a_suggestion(run: Run) -> None:
    said = run("split", "suggest", "--dev", "1", "--test", "2").out
    assert "law: only 1 paper, too few to have one in each of train, dev and test; it is a train paper." in said


def test_rules_of_an_earlier_version_and_what_waits_for_them_are_said(run: Run, project: Path) -> None:
    with Project.open(project) as opened, opened.transaction() as stores:
        stores.settings.put(GOLD, GoldRules(votes=3))
        stores.settings.put(GOLD_EVERYWHERE, True)
    gold, single = answer_in(project, "law", N, N, N), answer_in(project, "nlp", R)
    said = run("split").out
    assert "1 answered pair has too few" in said
    assert "pairwright split set --from-gold" in said
    run("people", "add", "Ada", "Ben", "Cy")
    assert "1 answered pair has too few" in run("round").out
    assert run("split", "--json").data["older_rules"] == {"waiting": 1, "discarded": 0, "papers": 1}
    assert run("split", "set", "--from-gold").code == 0
    assert status_of(project, gold)[0] in ("dev", "test")
    assert status_of(project, single) == ("train", "settled", "reasoning", 1)
    assert run("split", "--json").data["older_rules"] is None
