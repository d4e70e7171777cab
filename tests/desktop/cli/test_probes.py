"""The command `probe`."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from miner.mining.sentence_analysis import model_package
from miner.records import Label
from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.desktop.jobs.lab.experiments.test_negatives import keep
from tests.kinds_factory import AT, TEXT, kinds_answers
from tests.miner.lab.probes import small_wordnet
from tests.storage.factories import mine, paper, pdf

KINDS = (
    ("reasoning", "Therefore"),
    ("entailment", "In other words"),
    ("neutral", ""),
    ("entailment", "Specifically"),
)


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "demo.pairwright"
    with Project.create(path) as project:
        with project.transaction() as stores:
            for name in "abcdefghij":
                stores.papers.save(paper(name, domain="ecology"), pdf(name))
        mine(project)
    return path


def test_too_few_directed_pairs_are_said(run: Run, project: Path) -> None:
    said = run("probe", "mesh")
    assert said.code == 1
    assert "directed pairs; the probe needs 30" in said.err


def test_the_mesh_is_written_by_split_and_group(run: Run, tmp_path: Path) -> None:
    rows = []
    for number in range(400):
        label, phrase = KINDS[number % 4]
        row = {"sentence1": f"The reef {number} grew.", "sentence2": f"the coast {number} was safe.", "label": label}
        rows.append(json.dumps(row | {"linking_phrase": phrase, "paper_id": f"paper {number % 50}"}))
    (tmp_path / "train.jsonl").write_text("\n".join(rows), encoding="utf-8")
    path = tmp_path / "b.pairwright"
    assert run("--project", str(path), "new").code == 0 or run("new", str(path)).code == 0
    assert run("--project", str(path), "import", str(tmp_path / "train.jsonl")).code == 0
    said = run("--project", str(path), "probe", "mesh", "--out", str(tmp_path / "mesh"), "--json")
    assert said.code == 0, said.err
    counts = said.data["counts"]
    assert all(len(set(by.values())) == 1 for by in counts.values())
    assert sum(counts["train"].values()) > 100
    found = [json.loads(line) for line in (tmp_path / "mesh" / "train.jsonl").read_text(encoding="utf-8").splitlines()]
    assert Counter(row["group"] for row in found) == counts["train"]
    assert {row["label"] for row in found} == {"holds", "does not hold"}
    directed = next(row["pair"] for row in found if row["group"] == "DirTrue")
    with Project.open(path) as project, project.transaction() as stores:
        taxonomy = stores.kinds.put_taxonomy(TEXT)
        unclear = {**kinds_answers(["causal"]), "direction": frozenset("u")}
        action = stores.actions.begin("anna", "Answer", AT)
        stores.kinds.answer(taxonomy, directed, "anna", unclear, AT, action=action)
    run("--project", str(path), "probe", "mesh", "--out", str(tmp_path / "mesh"))
    assert directed not in (tmp_path / "mesh" / "train.jsonl").read_text(encoding="utf-8")


TRIPLES = "".join(
    f"the reef {number},{hypothesis},a fish {number}\tthe reef {number},{premise},a fish {number}\t{holds}\tEN\n"
    for number in range(40)
    for premise, hypothesis, holds in (
        ("feeds", "is home to", True),
        ("is home to", "feeds", False),
        *((("shelters", "protects", True),) if number % 2 else (("shelters", "kills", False),)),
    )
)
TFIDF = "".join(
    f'[[system]]\nkind = "tfidf"\nname = "{name}"\ninput = "{input}"\n'
    for name, input in (("Words", "both"), ("Words, half", "hypothesis"))
)


def test_triples_are_a_data_set_whose_experiment_ends_in_a_sentence_on_direction(
    run: Run, project: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "levyholt"
    folder.mkdir()
    for part in ("train", "dev", "test"):
        text = TRIPLES.replace("fish", f"{part} fish")
        (folder / f"{part}.txt").write_text(text, encoding="utf-8")
    said = run("import", str(folder))
    assert "pairs of propositions, as LevyHolt and SherLIiC do" in said.err
    assert "triples = " in said.err
    template = run("experiment", "direction", "--template").out
    head = template[: template.index("[data.")]
    sets = '[data.Directional]\ntriples = "levyholt"\nprobe = "DirTrue-DirFalse"\ntrain = {}\ntest = {}\n'
    files = '[data.Files]\nfiles = { test = "levyholt/test.txt" }\ntest = {}\n'
    (tmp_path / "own.toml").write_text(f"{head}{sets}{files}{TFIDF}".replace("[1, 2, 3]", "[1]"))
    done = run("experiment", str(tmp_path / "own.toml"), "--out", str(tmp_path / "report"))
    assert done.code == 0, done.err
    shown = run("experiment", "--show", "1")
    sentence = shown.out.strip().splitlines()[-1]
    assert "of the direction of Words is" in sentence
    assert "80 test pairs of DirTrue-DirFalse, too few for more than a hint, 1 run" in sentence
    assert done.out.strip().endswith(sentence)
    report = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert sentence.split(" [")[0] in report
    assert report.count("](curves-") == len(list((tmp_path / "report").glob("curves-*.svg"))) == 1
    [found] = run("experiment", "--show", "1", "--json").data["direction"]
    assert (found["verdict"], found["areas"]["pairs"]) == (sentence, 80)
    (folder / "dev.txt").write_text("a,b,c\td,e,f\tTrue\tEN\na,b,c\tTrue\n", encoding="utf-8")
    assert "dev.txt: line 2 cannot be read: there are 2 columns" in run("experiment", str(tmp_path / "own.toml")).err


def test_a_probe_is_made_of_pairs_or_triples_and_of_nothing_else(run: Run, project: Path, tmp_path: Path) -> None:
    head = 'name = "a"\n[classes]\nholds = ["holds"]\nother = "others"\n' + TFIDF
    cases = {
        'probe = "Full"\nunion = ["b"]': "is made of the project's pairs or of triples, not of other sets",
        'probe = "Full"\neach = "domain"': "which a probe has not",
        'triples = "none"\ntest = {}': "no folder of triples",
        'probe = "Full"\nfiles = { test = "rows.csv" }\ntest = {}': "have no triples",
        'probe = "Full"\ntest = {}': "directed pairs; the probe needs 30",
    }
    (tmp_path / "rows.csv").write_text("sentence1,sentence2,label\na,b,neutral\n", encoding="utf-8")
    for text, problem in cases.items():
        (tmp_path / "own.toml").write_text(f"{head}[data.a]\n{text}\n[data.b]\ntest = {{}}\n", encoding="utf-8")
        assert problem in run("experiment", str(tmp_path / "own.toml")).err


def test_a_models_predictions_are_compared_where_the_sentences_are_exchanged(run: Run, tmp_path: Path) -> None:
    rows = [f"The reef {n} grew.,the coast {n} was safe.,{KINDS[n % 3][0]},test\n" for n in range(9)]
    (tmp_path / "all.csv").write_text(f"sentence1,sentence2,label,split\n{''.join(rows)}", encoding="utf-8")
    run("new", str(tmp_path / "b.pairwright"))
    run("import", str(tmp_path / "all.csv"))
    run("split", "set", "--as-imported")
    said = run("probe", "swap", "--model", "starter", "--device", "cpu")
    assert said.code == 0, said.err
    assert said.out.startswith("starter, premise and hypothesis exchanged\n")
    assert sum(int(line.split()[1]) for line in said.out.splitlines() if line.startswith(tuple(Label))) == 9


def test_options_of_other_probes_are_refused(run: Run, project: Path, tmp_path: Path) -> None:
    cases = {
        ("swap", "--domain", "law"): "The probe swap does not use --domain.",
        ("swap", "--out", "swap", "--seed", "2", "--where", "label=neutral"): "does not use --out, --seed and --where.",
        ("mesh", "--model", "3"): "The probe mesh does not use --model.",
        ("mesh", "--quota", "0", "--where", "label=neutral"): "The probe mesh does not use --quota.",
        ("negatives", "--device", "cpu"): "The probe negatives does not use --device.",
    }
    for asked, said in cases.items():
        refused = run("probe", *asked)
        assert (refused.code, said in refused.err) == (1, True), refused.err


@pytest.mark.skipif(model_package(None) is None, reason="no English model of spaCy is installed")
def test_negatives_are_counted_step_by_step_and_judged(run: Run, project: Path, tmp_path: Path) -> None:
    with Project.open(project) as opened:
        keep(opened)
    options = ("--predicates", "2", "--pairs", "2", "--quota", "0", "--wordnet", small_wordnet.write(tmp_path))
    said = run("probe", "negatives", *options, "--out", tmp_path / "out", "--jobs", "1")
    assert said.code == 0, said.err
    assert "starring pairs  80 " in said.out
    assert "sampled         80 " in said.out
    assert "ecology has 10 papers: too few" in said.err
    data = run("probe", "negatives", *options, "--json").data
    assert (data["funnel"]["bundles"], data["windows"]["ecology"]["papers"], data["parsed"]) == (40, 10, 0)
    judged = tmp_path / "out" / "felicity.tsv"
    head, *lines = judged.read_text(encoding="utf-8").splitlines()
    answers = ["no" if "rot" in line else "yes" for line in lines]
    judged.write_text("\n".join([head, *map("".join, zip(lines, answers, strict=True))]), encoding="utf-8")
    report = run("probe", "negatives", "--felicity", judged)
    assert "positives  40 of 40     100.0 %  91.2 to 100.0" in report.out
    assert "Fisher's exact test: p = 0.000" in report.out
    assert run("probe", "negatives", "--predicates", "1").code == 1
    missing = run("probe", "negatives", "--wordnet", tmp_path / "nowhere")
    assert missing.code == 1
    assert "apt install wordnet-base" in missing.err
