"""The command line, as people and scripts meet it."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name

import pytest

from desktop.__main__ import starts_window
from desktop.cli.argument_types import Parser
from desktop.cli.commands import COMMANDS, build_parser
from miner.installation import RELEASES, how_installed, program_version
from miner.mining.settings import MiningSettings
from miner.parsing.files import find_files
from storage.project import Project
from tests.desktop.cli.conftest import Run, python_command
from tests.mining_stopper import mine_and_stop
from tests.paper_importer import import_files
from tests.sample_papers import SAMPLES

ROOT = Path(__file__).parents[3]


OTHERS_FIRST = """
import sys

sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in repr(finder)]
sys.path[:0] = {folders!r}
from desktop.__main__ import main

sys.exit(main())
"""


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    assert run("new", "demo.pairwright").code == 0
    return tmp_path / "demo.pairwright"


@pytest.fixture(scope="module")
def imported_samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("samples") / "demo.pairwright"
    with Project.create(path) as project:
        import_files(project, find_files([SAMPLES]).files, None)
    return path


@pytest.fixture
def samples(imported_samples: Path, run: Run, tmp_path: Path) -> Path:
    """A project of the sample papers, not mined yet."""
    return Path(shutil.copy(imported_samples, tmp_path))


def paper(title: str, *paragraphs: str) -> str:
    return json.dumps({"title": title, "year": 2020, "sections": [{"title": "Body", "paragraphs": paragraphs}]})


@pytest.mark.parametrize(("name", "words"), [("miner", ("doctor",)), ("storage", ("--version",)), ("storage", ())])
def test_another_package_of_our_name_is_named(name: str, words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    program = OTHERS_FIRST.format(folders=[str(tmp_path), str(ROOT)])
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert str(tmp_path / name) in done.stderr
    assert "Traceback" not in done.stderr


def test_the_samples_become_a_data_set(run: Run, project: Path, tmp_path: Path) -> None:
    added = run("add", SAMPLES, "--json").data
    assert (added["new"], added["failed"]) == (8, [])
    assert run("add", SAMPLES, "--json").data["known"] == 8

    mined = run("mine", "--json").data
    for strategy, candidates in mined["candidates"].items():
        dropped = sum(row["pairs"] for row in mined["dropped"] if row["strategy"] == strategy)
        assert candidates == mined["kept"].get(strategy, 0) + dropped
    assert mined["kept"]["linked"] > 50
    neutral = [mined["kept"][name] for name in ("both_random", "first_random", "second_random")]
    assert max(neutral) - min(neutral) <= 3

    seen = run("stats", "--json").data
    assert (seen["papers"], seen["pairs"], seen["unmined"]) == (8, sum(mined["kept"].values()), 0)

    receipt = run("export", "out", "--json").data
    rows = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_text().splitlines()]
    assert receipt["rows"] == len(rows) == seen["pairs"]
    assert {tuple(row) for row in rows} == {("id", "sentence1", "sentence2", "label")}
    assert {row["label"] for row in rows} == {"contrasting", "reasoning", "entailment", "neutral"}
    content = (tmp_path / "out" / "pairs.jsonl").read_bytes()
    assert receipt["files"][0]["sha256"] == hashlib.sha256(content).hexdigest()


def test_full_export_names_the_source_of_every_pair(run: Run, project: Path, tmp_path: Path) -> None:
    run("add", SAMPLES / "coastal", "--domain", "coastal engineering")
    run("mine")
    assert run("export", "out", "--preset", "full").code == 0
    rows = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_text().splitlines()]
    pdfs = {hashlib.sha256(path.read_bytes()).hexdigest() for path in SAMPLES.glob("coastal/*.pdf")}
    assert {row["paper_sha256"] for row in rows} == pdfs
    for row in rows:
        assert row["domain"] == "coastal engineering"
        assert row["parser"] == "embedded"
        assert row["mining_run"]
        assert row["page"] >= 1
        if row["strategy"] == "linked":
            assert row["sentence2_original"].lower().startswith(row["linking_phrase"].lower())
            assert not row["sentence2"].lower().startswith(row["linking_phrase"].lower())


def test_exports_do_not_depend_on_import_order_or_processes(run: Run, tmp_path: Path) -> None:
    folders = ["ecology", "nlp", "reading"]
    bytes_of = []
    for name, order, jobs in (("a", folders, "1"), ("b", folders[::-1], "2")):
        run("new", f"{name}.pairwright")
        for folder in order:
            run("--project", f"{name}.pairwright", "add", SAMPLES / folder, "--jobs", jobs, "--domain", folder)
        run("--project", f"{name}.pairwright", "mine", "--jobs", jobs)
        options = ("--preset", "full", "--split", "50/25/25", "--balance")
        assert run("--project", f"{name}.pairwright", "export", name, *options).code == 0
        bytes_of.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert bytes_of[0] == bytes_of[1]
    assert bytes_of[0]["train.jsonl"]


def test_duplicates_across_papers_are_kept_once_and_counted(run: Run, project: Path, tmp_path: Path) -> None:
    shared = "Waves carry sand along the shore. However, the groynes of the harbour keep most of it."
    own = "The survey was made in two summers. Therefore, the storms of winter are not in the data."
    lines = [paper("one", shared, own), paper("two", shared), paper("three", shared.replace("However,", "HOWEVER ,"))]
    (tmp_path / "papers.jsonl").write_text("\n".join(lines))
    run("add", "papers.jsonl")
    assert run("mine", "--no-filter", "duplicate", "--json").data["kept"]["linked"] == 4
    mined = run("mine", "--filter", "duplicate", "--json").data
    assert mined["kept"]["linked"] == 2
    assert [
        row["pairs"] for row in mined["dropped"] if (row["strategy"], row["reason"]) == ("linked", "duplicate")
    ] == [2]


def test_mining_settings_become_the_projects(run: Run, samples: Path) -> None:
    every = run("mine", "--json").data["kept"]["linked"]
    without = run("mine", "--off", "However", "--seed", "7", "--json").data["kept"]["linked"]
    assert without < every
    settings = run("info", "--json").data["settings"]
    assert settings["seed"] == 7
    assert run("mine", "--json").data["kept"]["linked"] == without
    assert run("mine", "--defaults", "--json").data["kept"]["linked"] == every
    more = run("mine", "--phrase", "Up\n there=contrasting", "--no-filter", "all", "--json").data
    assert more["kept"]["linked"] >= every
    assert {"label": "contrasting", "text": "Up there"}.items() <= next(
        phrase for phrase in run("info", "--json").data["settings"]["phrases"] if phrase["text"] == "Up there"
    ).items()


def test_info_says_what_an_unfinished_run_has_still_to_mine(
    run: Run, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = run("mine", "--json").data["run"]
    assert "to be mined" not in run("info").out
    with Project.open(samples) as project:
        mine_and_stop(project, MiningSettings().switch("However", on=False), 3, monkeypatch)
    said = run("info").out
    assert "(unfinished)" in said
    assert f"5 of 8 papers are to be mined; the pairs there are of the earlier run {earlier}." in said
    assert run("info", "--json").data["unmined"] == 5


def test_mining_and_export_name_the_rarest_class_and_what_adds_to_it(run: Run, project: Path, tmp_path: Path) -> None:
    Path("one.jsonl").write_text(
        paper(
            "Moss",
            "Moss grows on stones. Namely, it grows on those in the shade.",
            "Snails eat moss at night. However, it was green in spring.",
            "Rain is rare here. Therefore, the moss was dry in summer.",
        )
    )
    run("add", "one.jsonl")
    mined = run("mine")
    assert "Entailment is the rarest linked class: 0 of the project's" in mined.out
    assert "in the one paper they would add 1 pair to the 0 there." in mined.out
    assert "To use them too: pairwright mine --more entailment" in mined.out
    assert "Of them, “More precisely”, “Namely”" in mined.out
    assert "reliable and would add 1 pair: " in mined.out
    assert "To use all phrases that are reliable, of any class: pairwright mine --reliable" in mined.out
    reliable = run("mine", "--reliable", "--json").data
    assert (reliable["kept"]["linked"], reliable["rarest"]["reliable"]) == (3, [])
    more = run("mine", "--more", "entailment", "--json").data
    assert (more["rarest"]["label"], more["rarest"]["phrases_off"][0]) == ("contrasting", "Nevertheless")
    assert (more["kept"]["linked"], more["rarest"]["pairs"]) == (3, 1)
    run("add", SAMPLES / "ecology" / "late-mowing.jsonl", SAMPLES / "reading" / "whispering.tei.xml")
    run("mine")
    exported = run("export", "out", "--balance", "--json").data
    assert exported["balance"]["kept"] == exported["rows"]
    said = run("export", "out", "--balance").out
    assert f"Balanced classes: {exported['rows']} of {exported['balance']['pairs']} pairs" in said
    assert "To keep more, " in said
    assert "Balanced classes" not in run("export", "out").out


def test_settings_shown_by_info_can_be_given_back(run: Run, samples: Path, tmp_path: Path) -> None:
    options = ("--extended", "--casing", "restore", "--no-crossing", "--implicit", "--drop-phrase", "Thus")
    mined = run("mine", *options, "--no-filter", "no_verb", "--json").data
    assert mined["kept"]["implicit"] > 0
    info = run("info", "--json").out
    (tmp_path / "settings.json").write_text(info)
    settings = json.loads(info)["settings"]
    assert (settings["casing"], settings["crosses_paragraph"], settings["implicit"]) == ("restore", False, True)
    assert "Thus" not in [phrase["text"] for phrase in settings["phrases"]]
    assert all(phrase["on"] for phrase in settings["phrases"])
    assert "no_verb" not in settings["filters"]
    run("mine", "--defaults")
    assert run("mine", "--settings", "settings.json", "--json").data["run"] == mined["run"]
    run("export", "out", "--preset", "full")
    rows = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_text().splitlines()]
    assert {row["strategy"] for row in rows} == {"linked", "both_random", "first_random", "second_random"}
    assert all(row["sentence2"][0].isupper() or not row["sentence2"][0].isalpha() for row in rows)


def test_what_is_told_of_papers_later_holds(run: Run, samples: Path, tmp_path: Path) -> None:
    said = run("add", SAMPLES, "--domain", "sundry", "--year", "1999").out
    notes = ["The domain of 8 known papers is now sundry.", "The year of 8 known papers is now 1999."]
    assert said.splitlines()[-3:] == [*notes, "To take this change back: pairwright undo"]
    run("undo")
    assert "sundry" not in run("stats", "--json").data["domains"]
    again = run("add", SAMPLES, "--domain", "all sorts", "--year", "1999", "--json").data
    assert (again["known"], again["new"]) == (8, 0)
    assert run("stats", "--json").data["domains"] == {"all sorts": 8}
    run("mine")
    run("export", "out", "--preset", "full")
    rows = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_text().splitlines()]
    assert {(row["domain"], row["year"]) for row in rows} == {("all sorts", 1999)}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["stats"], "There is no project in this folder"),
        (["--project", "none.pairwright", "stats"], "There is no none.pairwright"),
        (["new", "demo.db"], "name ends in .pairwright"),
        (["frobnicate"], "There is no command frobnicate"),
        (["add"], "required: PATH"),
        (["export", "out", "--split", "80/20"], "three shares"),
        (["export", "out", "--split", "inf/1/1"], "three shares"),
        (["mine", "--jobs", "0"], "must be a whole number from 1"),
        (["add", "x.pdf", "--year", "99999999999999999999"], "of four digits"),
    ],
)
def test_a_wrong_command_exits_1_with_a_sentence(run: Run, words: list[str], message: str) -> None:
    ran = run(*words)
    assert ran.code == 1
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert message in run(*words, "--json").data["error"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mine", "--off", "Frankly"], "no phrase “Frankly”"),
        (["mine", "--phrase", "Frankly"], "not a phrase with a relation"),
        (["mine", "--no-filter", "sense"], "Unknown filter sense"),
        (["mine", "--filter", "sense"], "Unknown filter sense"),
        (["mine", "--drop-phrase", "Frankly"], "no phrase “Frankly”"),
        (["mine", "--settings", "broken.json"], "broken.json cannot be read"),
        (["mine", "--settings", "odd.json"], "cannot be read"),
        (["mine"], "no papers yet"),
        (["learn"], "no papers yet"),
        (["add", "empty"], "no papers in empty"),
        (["add", "nowhere"], "does not exist"),
        (["export", "out", "--without", "beauty"], "Unknown flag"),
        (["import", "nowhere.csv"], "nowhere.csv"),
        (["new", "demo.pairwright"], "exists already"),
    ],
)
def test_what_the_project_cannot_do_exits_1_with_a_sentence(
    run: Run, project: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "odd.json").write_text('{"min_words": "many"}')
    ran = run(*words)
    assert ran.code == 1
    assert message in ran.err
    assert "Traceback" not in ran.err
    ran = run(*words, "--json")
    assert ran.code == 1
    assert message in ran.err
    if words[0] not in ("add", "import"):  # these answer for each file in their result
        assert message in ran.data["error"]


def test_several_projects_in_a_folder_must_be_told_apart(run: Run, project: Path) -> None:
    run("new", "other.pairwright")
    assert "demo.pairwright, other.pairwright" in run("stats").err
    assert run("stats", "--project", "other.pairwright").code == 0


def test_labelled_pairs_come_in_and_go_out(run: Run, project: Path, tmp_path: Path) -> None:
    rows = [
        "id,sentence1,sentence2,label",
        "a,One thing is so.,another is not.,contrasting",
        "b,Only one side.,,neutral",
    ]
    (tmp_path / "dev.csv").write_text("\n".join(rows))
    ran = run("import", "dev.csv", "--domain", "nlp")
    assert ran.code == 0
    assert "line 3" in ran.out + ran.err
    assert run("export", "out", "--preset", "full", "--json").data["rows"] == 1


def test_an_export_says_what_it_replaces_and_spares_what_was_edited(run: Run, project: Path, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("sentence1,sentence2,label\nOne thing is so.,another is not.,contrasting\n")
    run("import", "pairs.csv")
    assert "Split: 1 pair by shared sentences" in run("export", "out", "--split", "80/10/10").out
    again = run("export", "out")
    assert "removed: dev.jsonl, test.jsonl, train.jsonl" in again.out
    (tmp_path / "out" / "pairs.jsonl").write_text("edited")
    refused = run("export", "out")
    assert refused.code == 1
    assert "pairs.jsonl in out was changed after it was exported" in refused.err
    assert "--overwrite" in refused.err
    assert run("export", "out", "--overwrite", "--json").data["replaced"] == ["pairs.jsonl", "receipt.json"]
    assert "edited" not in (tmp_path / "out" / "pairs.jsonl").read_text()


def test_every_command_has_help_with_examples_that_parse(run: Run) -> None:
    parser = build_parser()
    help_text = run("--help").out
    [commands] = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for name in commands:
        assert re.search(rf"^    {name}\b", help_text, re.MULTILINE)
        examples = re.findall(r"^  pairwright (.*)$", run(name, "--help").out, re.MULTILINE)
        assert examples, name
        for example in examples:
            words = re.findall(r'"[^"]*"|\S+', example)
            assert parser.parse_args([word.strip('"') for word in words]).runs


def test_no_two_options_of_a_command_are_read_as_one() -> None:
    def parsers(parser: Parser) -> Iterator[Parser]:
        parser._complete()
        yield parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for one in action.choices.values():
                    yield from parsers(one)

    found = list(parsers(build_parser()))
    assert len(found) > len(COMMANDS)
    for parser in found:
        names = [action.dest for action in parser._actions]
        assert len(names) == len(set(names)), parser.prog


def test_every_command_names_the_function_that_runs_it(run: Run) -> None:
    for command in COMMANDS:
        assert callable(resolve_name(f"desktop.cli.{command.runs}"))


def test_the_readmes_table_has_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [table] = re.findall(r"^\| command \| does \|\n((?:\|.*\n)+)", readme, re.MULTILINE)
    named = [re.findall(r"`(?:pairwright )?([\w-]+)", line.split(" | ")[0]) for line in table.splitlines()]
    assert {command.name for command in COMMANDS} <= {name for line in named for name in line}


def test_the_readmes_commands_parse() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = [line.split() for line in re.findall(r"^pairwright\b([^#\n]*)", readme, re.MULTILINE)]
    commands = [arguments for arguments in found if not starts_window(arguments)]
    assert len(commands) >= 5
    assert len(found) - len(commands) == 2
    parser = build_parser()
    for arguments in commands:
        assert parser.parse_args(arguments).runs


def test_the_window_takes_a_project_by_its_suffix_or_any_file_by_its_full_path(tmp_path: Path) -> None:
    (tmp_path / "copy").touch()
    assert starts_window([str(tmp_path / "copy")])  # a desktop knows by its content that it is a project
    assert starts_window(["psy.pairwright", "--sample"])
    assert starts_window(["--language", "pt_BR", "psy.pairwright"])
    assert not starts_window(["copy"])
    assert not starts_window([str(tmp_path)])
    assert not starts_window([str(tmp_path / "copy"), "stats"])


def test_start_up_brings_in_nothing_heavy() -> None:
    code = (
        "import sys; from desktop.cli.main import main; main([]); "
        "print([name for name in ('torch', 'PySide6', 'spacy', 'nltk', 'sqlalchemy', 'lxml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "[]"


def test_other_commands_do_without_what_those_of_models_need(tmp_path: Path) -> None:
    code = f"import sys; from desktop.cli.main import main; main(['new', {str(tmp_path / 'a.pairwright')!r}]); "
    code += f"main(['--project', {str(tmp_path / 'a.pairwright')!r}, 'info']); "
    code += "print([name for name in sys.modules if name.startswith('miner.classifier') or 'classifier_' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "[]"


def test_nothing_but_the_answer_is_said(tmp_path: Path) -> None:
    for words in (("new", tmp_path / "p.pairwright"), ("--project", tmp_path / "p.pairwright", "info")):
        done = subprocess.run(python_command(*words), capture_output=True, text=True, cwd=ROOT)
        assert (done.returncode, done.stderr) == (0, "")


def test_doctor_finds_the_installation_sound(run: Run, project: Path) -> None:
    ran = run("doctor", "--grobid", "http://127.0.0.1:9", "--json")
    found = {check["name"]: check["sound"] for check in ran.data}
    assert ran.code == 0
    assert (found["SQLite"], found["project"], found["GROBID"]) == (True, True, None)
    assert found["module names"] is found["window"] is found["training"] is True
    findings = {check["name"]: check["finding"] for check in ran.data}
    assert findings["pairwright"] == f"{program_version()}, installed {how_installed()}"
    assert findings["releases"] == RELEASES


@pytest.mark.slow  # tests/storage/test_kills.py has two processes that add
def test_two_adds_at_once_both_complete_and_double_nothing(run: Run, project: Path, tmp_path: Path) -> None:
    words = ("--project", project, "add", SAMPLES, "--jobs", "1")
    both = [subprocess.Popen(python_command(*words), cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        _, errors = process.communicate(timeout=200)
        assert process.returncode == 0, errors
    assert run("stats", "--json").data["papers"] == 8


def test_ctrl_c_keeps_what_is_finished(run: Run, project: Path, tmp_path: Path) -> None:
    text = "Waves carry sand {0} along the shore. However, the groynes of harbour {0} keep most of it."
    with (tmp_path / "many.jsonl").open("w") as file:
        for number in range(5_000):
            print(paper(f"paper {number}", *(text.format(f"{number} {n}") for n in range(20))), file=file)
    process = subprocess.Popen(
        python_command("--project", project, "add", tmp_path / "many.jsonl", "--jobs", "1"),
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (done := run("stats", "--json").data["papers"]):
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "What was finished is kept" in errors
    assert done <= run("stats", "--json").data["papers"] < 5_000
