"""`experiment`, as people type it."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.run import run_experiment
from miner.lab.experiments.experiment_file import parse_experiment, to_data
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation.answers import NewAnswer
from storage.lab.experiments import ExperimentState, StoredCell
from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.desktop.jobs.lab.experiments.test_run import SURFACE, write_rows
from tests.desktop.map_factory import enter_mapped_experiment, write_synthetic_map


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a project of imported pairs, before the experiment and after it."""
    folder = tmp_path_factory.mktemp("templates")
    files = [write_rows(folder / f"{split}.csv", n, 30) for n, split in enumerate(("train", "test"))]
    with Project.create(folder / "imported.pairwright") as project:
        import_data_sets(project, files, "").work(Progress())
    with Project.open(shutil.copy(folder / "imported.pairwright", folder / "computed.pairwright")) as project:
        run_experiment(project, parse_experiment(SURFACE), folder, "cpu", text=SURFACE).work(Progress())
    return folder


@pytest.fixture
def project(templates: Path, tmp_path: Path) -> Path:
    (tmp_path / "surface.toml").write_text(SURFACE, encoding="utf-8")
    return Path(shutil.copy(templates / "imported.pairwright", tmp_path / "demo.pairwright"))


@pytest.fixture
def computed(templates: Path, tmp_path: Path) -> Path:
    """The project with experiment 1."""
    return Path(shutil.copy(templates / "computed.pairwright", tmp_path / "demo.pairwright"))


def test_an_experiment_is_run_shown_reported_and_forgotten(project: Path, run: Run) -> None:
    done = run("experiment", "surface.toml", "--out", "report", "--json").data
    said = run("experiment", "--show", "1", "--out", "report")
    assert "The report is in report; start with report.md." in said.err
    assert (done["cells"], done["finished"], done["computed"]) == (3, 3, 3)
    assert done["tables"][0]["rows"] == ["TF-IDF", "length", "Naive Bayes"]
    assert Path("report/report.md").read_text(encoding="utf-8").startswith("# surface\n")
    listed = run("experiment", "--list")
    assert "3 of 3" in listed.out
    assert "How well do baselines and encoders do?" in listed.out
    assert "How well do chat models do?\n" in listed.out
    shown = run("experiment", "--show", "1", "--table", "domain", "--format", "latex")
    assert r"\toprule" in shown.out
    assert "no experiment 7" not in shown.out
    assert "No table's title" in run("experiment", "--show", "1", "--table", "xyz").err
    assert run("experiment", "--forget", "1").code == 0
    assert "no experiment 1" in run("experiment", "--show", "1").err
    assert "1 removed experiment was deleted" in run("experiment", "--delete-forgotten").out


def test_the_list_says_all_that_keeps_experiments_from_being_run(project: Path, run: Run) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    with Project.open(project) as opened, opened.transaction() as stores:
        id = stores.experiments.start("surface", to_data(parse_experiment(SURFACE)), "pairwright", at)
        part = stores.test_parts.enter(())
        problems = ("No part to learn from.", "", "No part to learn from.")
        stores.experiments.set_cells(
            id,
            [
                StoredCell(f"cell {system}", f"run {system}", "", system, "all", "all", 1, part, problem)
                for system, problem in enumerate(problems)
            ],
        )
        stores.experiments.note_failure(id, "run 1", "There is no model.")
        stores.experiments.end(id, ExperimentState.FAILED, at, "There is no model.")
    lines = [line for line in run("experiment", "--list").out.splitlines() if line.startswith("1: ")]
    assert lines == ["1: No part to learn from.", "1: There is no model."]
    [listed] = run("experiment", "--list", "--json").data["experiments"]
    assert listed["problems"] == ["No part to learn from.", "There is no model."]


def test_errors_are_counted_and_drawn_for_a_person_to_read(computed: Path, run: Run) -> None:
    shown = run("experiment", "--show", "1", "--errors", "--system", "length")
    assert shown.out.startswith("length, trained on all: ")
    assert "of 120 predictions are wrong" in shown.out
    assert "No error has been tagged yet" in shown.out
    best = run("experiment", "--show", "1", "--errors", "--json").data
    assert not best["system"].startswith("length")
    assert best["wrong"] == sum(kind["number"] for kind in best["confusions"])
    refused = run("experiment", "--show", "1", "--read-errors", "9", "--system", "length").err
    assert "Name the annotator: --reader NAME" in refused
    drawn = run("experiment", "--show", "1", "--read-errors", "9", "--system", "length", "--reader", "mk", "--evenly")
    assert "length, trained on all: 9 errors of" in drawn.out
    with Project.open(computed) as opened, opened.read_transaction() as stores:
        round = stores.queues.current("mk")
    assert round is not None
    assert len(round.keys) == 9
    assert "No system's title" in run("experiment", "--show", "1", "--errors", "--system", "xyz").err
    assert "No experiment is named." in run("experiment", "--errors").err


def test_a_reader_is_an_annotator_of_the_project(computed: Path, run: Run) -> None:
    run("people", "add", "Margaret", "Ben")
    read = ("experiment", "--show", "1", "--read-errors", "4", "--system", "length", "--reader")
    refused = run(*read, "Margret")
    assert "Margaret" in refused.err
    assert "To add somebody: pairwright people add NAME" in refused.err
    assert {one["name"] for one in run("people", "--json").data} == {"Margaret", "Ben"}
    assert "Open the project and go to Review: digits tag why" in run(*read, "Margaret").out
    blind = run(*read, "Ben", "--blind").out
    assert "Open the project as Ben (Settings > Annotator) and go to Review: " in blind
    assert "Enter shows the label and the prediction, then digits tag why a pair is an error" in blind
    assert "Before that, digits answer the pair." in blind


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--show", "1", "--system", "Hyp"), "experiment --show does not use --system."),
        (("--show", "1", "--blind", "--evenly", "--seed", "4"), "does not use --seed, --evenly and --blind."),
        (("--show", "1", "--errors", "--read-errors", "4"), "--show --read-errors does not use --errors."),
        (("--show", "1", "--errors", "--out", "zz"), "experiment --show --errors does not use --out."),
        (("--list", "--out", "zz"), "experiment --list does not use --out."),
        (("--list", "--errors"), "experiment --list does not use --errors."),
        (("surface.toml", "--estimate", "--out", "zz"), "experiment --estimate does not use --out."),
        (("surface.toml", "--system", "Hyp"), "Running an experiment does not use --system."),
        (("surface.toml", "--show", "1"), "experiment --show does not use surface.toml."),
        (("baselines", "--forget", "1"), "experiment --forget does not use baselines."),
        (("baselines", "--delete-forgotten"), "experiment --delete-forgotten does not use baselines."),
        (
            ("surface.toml", "--template"),
            "surface.toml names a file: --template prints the file of a ready experiment.",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_options_without_effect_are_refused(computed: Path, run: Run, words: tuple[str, ...], said: str) -> None:
    refused = run("experiment", *words)
    assert (refused.code, said in refused.err) == (1, True)
    assert not Path("zz").exists()
    assert run("experiment", "--show", "1").code == 0


def test_the_pairs_behind_a_number_are_exported_by_the_cells_that_show_names(computed: Path, run: Run) -> None:
    [main, _] = run("experiment", "--show", "1", "--json").data["tables"]
    accuracy = main["values"][1][main["columns"].index("accuracy")]
    wrong = round(accuracy["pairs"] * (100 - accuracy["mean"]) / 100)
    misread = ("--where", f"cell={accuracy['cells'][0]}", "--where", "misread=yes")
    assert 0 < wrong < accuracy["pairs"]
    written = []
    for number, predicted in enumerate(("", "contrasting,reasoning", "entailment,neutral")):
        where = ("--where", f"predicted={predicted}") if predicted else ("--where", "words=..1000")
        exported = run("export", f"out{number}", *misread, *where)
        written.append(int(exported.out.split()[0]) if exported.code == 0 else 0)
    assert written[0] == wrong == written[1] + written[2]


def test_human_performance_is_measured_from_the_command_line(project: Path, run: Run) -> None:
    run("people", "add", "Ada", "Ben", "--role", "expert")
    run("people", "add", "Dee", "--role", "layperson")
    rows = ["sentence1,sentence2,gold_label,prediction"]
    rows += [f"Kelp {label} {n}.,Reef {label} {n}.,{label},neutral" for label in Label for n in range(5)]
    Path("gold_test.csv").write_text("\n".join(rows), encoding="utf-8")
    assert "20 predictions of prediction" in run("import", "gold_test.csv").out
    with Project.open(project) as opened, opened.transaction() as stores:
        pairs = list(stores.labelled_pairs.answered())
        for name, of in (("Ada", 20), ("Ben", 10), ("Dee", 20)):
            said = [Answer.NEUTRAL if name == "Dee" else Answer(pair.label.value) for pair in pairs]
            answers = [NewAnswer(pair.key, name, datetime.now(UTC), one) for pair, one in zip(pairs, said, strict=True)]
            stores.answers.append(answers[:of])
    asked = run("experiment", "human", "--template").out.replace(
        'kind = "model"\nname = "Starter as it is"\nmodel = "starter"', 'kind = "predictions"'
    )
    Path("human.toml").write_text(asked, encoding="utf-8")
    done = run("experiment", "human.toml", "--json").data
    assert (done["cells"], done["finished"]) == (4, 4)
    table = done["tables"][0]
    accuracy = table["columns"].index("accuracy")
    values = {row: cells[accuracy] for row, cells in zip(table["rows"], table["values"], strict=True)}
    assert {row: (value["mean"], value["runs"], value["pairs"]) for row, value in values.items()} == {
        "Experts": (100, 2, 10),
        "Laypeople": (25, 1, 20),
        "prediction": (25, 1, 20),
    }


def test_a_data_map_is_summed_up_and_written_for_a_paper(computed: Path, run: Run) -> None:
    with Project.open(computed) as opened:
        id = enter_mapped_experiment(opened)
        keys = write_synthetic_map(opened)
    shown = run("experiment", "--map", str(id), "--out", "figures/map.svg")
    assert f"Data map of all: Encoder, 5 epochs, {len(keys):,} pairs" in shown.out
    assert Path("figures/map.svg").read_text(encoding="utf-8").startswith("<svg")
    data = run("experiment", "--map", str(id), "--out", "map.jsonl", "--json").data
    assert [row["class"] for row in data["classes"]][-1] == "all"
    assert len(Path("map.jsonl").read_text(encoding="utf-8").splitlines()) == len(keys)
    assert "maps no pairs" in run("experiment", "--map", "1").err
    assert "cannot be written as map.pdf" in run("experiment", "--map", str(id), "--out", "map.pdf").err


def test_a_ready_experiment_is_printed_as_a_file_to_edit(project: Path, run: Run) -> None:
    template = run("experiment", "artefacts", "--template")
    assert '[[system]]\nkind = "lexical"' in template.out
    assert "Did you mean artefacts" in run("experiment", "artefact", "--template").err
    assert "No experiment is named." in run("experiment").err
    assert "nothing.toml cannot be read: No such file or directory." in run("experiment", "nothing.toml").err
    Path("bad.toml").write_bytes(b"\xff")
    assert "bad.toml cannot be read: it is not UTF-8 text." in run("experiment", "bad.toml").err
