"""A data set is rebuilt from its manifest and the same papers, byte for byte, or it is said why not."""

from __future__ import annotations

import csv
import json
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.jobs.descriptions.exchange import unmined_text
from desktop.jobs.exchange.export import export
from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.exchange.rebuild import rebuild
from desktop.jobs.exchange.releases import release
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.papers.sentences import split_again
from miner.errors import UserError
from miner.kinds.questionnaire import PairKinds
from miner.kinds.taxonomy import Direction
from miner.parsing.sentences import SentenceSplitter, SplitterParameters
from miner.progress import Progress
from miner.records import Answer
from miner.splits import PaperSplit
from miner.year_ranges import read_year_ranges
from storage.annotation.annotators import Role
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.imported_kinds import store_kinds
from storage.annotation.marks import MarkKind
from storage.dataset.export_options import ExportOptions, FileFormat, Preset, SplitOptions
from storage.exchange import rebuilding
from storage.exchange.annotations_file import read_annotations
from storage.exchange.manifest import load_manifest
from storage.exchange.pair_export import ExportReceipt
from storage.models.registry import ModelKind
from storage.models.suggestions import NewSuggestion
from storage.pairs import judgement
from storage.pairs.filters import CONDITIONS, ConditionKind, PairFilter, PassedOn, with_value
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from storage.settings import SENTENCES
from tests.sample_papers import SAMPLES
from tests.split_factory import split_papers

NOW = datetime(2026, 7, 1, tzinfo=UTC)
SHARES = (("train", 60.0), ("dev", 20.0), ("test", 20.0))
ROWS = "sentence1,sentence2,label\nOne is here.,It was seen.,0\nTwo are here.,They were not seen.,1\n"


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    for name in ("nlp/chunk-boundaries.pdf", "reading/whispering.tei.xml", "ecology/late-mowing.jsonl"):
        shutil.copy(SAMPLES / name, folder)
    (folder / "rows.csv").write_text(ROWS)
    return folder


@pytest.fixture(scope="module")
def folder(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of a project in which people have done everything that an export may depend on."""
    place = tmp_path_factory.mktemp("export")
    with Project.create(place / "p.pairwright") as project:
        import_papers(project, [papers], ImportOptions(workers=1)).work(Progress())
        import_data_sets(project, [papers / "rows.csv"], "numbers", tuple_of_labels()).work(Progress())
        with project.transaction() as stores:
            md5 = stores.papers.md5s()[0]
            stores.paper_edits.edit(
                stores.actions.begin("anna", "x", NOW),
                [md5],
                {"title": "Another “title”", "licence": "CC-BY-4.0", "language": ""},
            )
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        work_of_people(project)
        first = ExportOptions(Preset.FULL, shares=SHARES, seed=3)
        release(project, "1.0", place / "first", first).work(Progress())
        options = ExportOptions(Preset.FULL, shares=SHARES, seed=5, card=True, name="Everything", format=FileFormat.CSV)
        export(project, place / "out", options).work(Progress())
    return place / "out"


def tuple_of_labels() -> Any:
    from miner.records import Label

    return tuple(Label)


def work_of_people(project: Project) -> None:
    with project.transaction() as stores:
        stores._connection.exec_driver_sql(
            "INSERT INTO annotators (key, name, role) VALUES ('zoe', 'Zoë', ?)", (Role.EXPERT.value,)
        )
        keys = [
            row[0] for row in stores._connection.exec_driver_sql("SELECT key FROM pairs WHERE current ORDER BY key")
        ]
        answers = [NewAnswer(key, who, NOW, Answer.ENTAILMENT) for key in keys[:9] for who in ("anna", "ben", "zoe")]
        answers.append(NewAnswer(keys[9], "anna", NOW, Answer.NEUTRAL, AnswerSource.ACCEPTED))
        answers += [
            NewAnswer(keys[10], who, NOW, said) for who, said in (("anna", Answer.NEUTRAL), ("ben", Answer.UNCLEAR))
        ]
        answers.append(NewAnswer(keys[0], "ben", NOW, None))
        stores.answers.append(answers)
        action = stores.actions.begin("anna", "x", NOW)
        stores.marks.put(judgement.keys_scope(keys[11:12]), "anna", MarkKind.BAD, "other", NOW, action=action)
        stores.texts.mend(keys[12], "anna", {SentenceField.PREMISE: "Mended by a person, ün."}, NOW, action=action)
        said = PairKinds("entailment", frozenset({"lexical"}), Direction.BOTH, complete=True)
        other = PairKinds("neutral", frozenset(), None, complete=True)
        people = (("anna", said), ("cleo", other), ("zoe", other))
        kinds = [(key, who, given) for key in keys[:6] for who, given in people]
        store_kinds(stores._connection, kinds, NOW.isoformat())
    with project.transaction() as stores:
        model = stores.models.enter("d1", "small", ModelKind.FOLDER, "/models/small", {}, None)
        run = stores.suggestions.begin(model, 0.7921, arithmetic="cpu fp32", program="1", at=NOW)
        wanted = stores.suggestions.missing(run)
        stores.suggestions.put(
            run, [NewSuggestion(one, (0.7, 0.1, 0.1, 0.1), n / 20) for n, one in enumerate(wanted[:20])]
        )
        stores.suggestions.complete(run, NOW)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def test_the_same_papers_give_the_same_bytes(folder: Path, papers: Path, tmp_path: Path) -> None:
    renamed = tmp_path / "renamed"
    shutil.copytree(papers, renamed / "below")
    (renamed / "below" / "chunk-boundaries.pdf").rename(renamed / "a.pdf")
    shutil.copy(SAMPLES / "coastal" / "wrack-lines.pdf", renamed / "of-no-interest.pdf")
    rebuild(folder / "manifest.json", renamed, tmp_path / "again", workers=1).work(Progress())
    assert contents(tmp_path / "again") == contents(folder)
    assert (
        b"Mended by a person"
        in contents(folder)["train.csv"] + contents(folder)["dev.csv"] + contents(folder)["test.csv"]
    )


def test_papers_are_in_the_split_that_people_and_releases_gave_them(papers: Path, tmp_path: Path) -> None:
    """By domains that a person entered, which no file says; the second release leaves the papers of the first alone."""
    options = ExportOptions(Preset.FULL, card=True, split=SplitOptions(gold=False))
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [papers], ImportOptions(workers=1)).work(Progress())
        import_data_sets(project, [papers / "rows.csv"], "numbers", tuple_of_labels()).work(Progress())
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        for name, lines in (("1", ["law: test", "dev"]), ("2", ["law: train", "train"])):
            with project.transaction() as stores:
                edited = stores.actions.begin("anna", "x", NOW)
                stores.paper_edits.edit(edited, stores.papers.md5s()[:1], {"domain": "law"})
                split_papers(stores, PaperSplit(read_year_ranges(lines)))
            release(project, name, tmp_path / name, options).work(Progress())
    assert (tmp_path / "2" / "test.jsonl").read_bytes() == (tmp_path / "1" / "test.jsonl").read_bytes() != b""
    rebuild(tmp_path / "2" / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress())
    assert contents(tmp_path / "again") == contents(tmp_path / "2")


@pytest.mark.parametrize("mines_first", [True, False])
def test_pairs_of_papers_and_of_a_data_set_stay_with_those_that_came_first(tmp_path: Path, mines_first: bool) -> None:
    papers, rows = tmp_path / "papers", tmp_path / "papers" / "rows.csv"
    papers.mkdir()
    shutil.copy(SAMPLES / "nlp/chunk-boundaries.pdf", papers)
    options = ExportOptions(Preset.FULL, card=True)
    with Project.create(tmp_path / "first.pairwright") as project:
        import_papers(project, [papers], ImportOptions(workers=1)).work(Progress())
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        with project.read_transaction() as stores:
            texts = stores._connection.exec_driver_sql(
                "SELECT premise, hypothesis FROM pairs ORDER BY key LIMIT 3"
            ).all()
    with rows.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("sentence1", "sentence2", "label"), *((*text, "neutral") for text in texts)])
        file.write("One is here.,It was seen.,neutral\n")
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [papers / "chunk-boundaries.pdf"], ImportOptions(workers=1)).work(Progress())
        steps = [
            mine(project, workers=1, model=NO_MODEL),
            import_data_sets(project, [rows], "numbers", tuple_of_labels()),
        ]
        for step in steps if mines_first else reversed(steps):
            step.work(Progress())  # type: ignore[attr-defined]
        export(project, tmp_path / "out", options).work(Progress())
    rebuild(tmp_path / "out" / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress())
    assert contents(tmp_path / "again") == contents(tmp_path / "out")


def test_the_card_says_how_papers_were_read_and_how_alike_domains_are(folder: Path) -> None:
    card = (folder / "README.md").read_text()
    statistics = card[card.index("## Statistics") : card.index("## How the papers were read")]
    assert "complete premises" in statistics
    cosines = [line.strip("| ").split(" | ") for line in statistics.splitlines() if line.startswith("| numbers")][-1]
    assert 0 < float(cosines[1]) < 1 == float(cosines[2])
    readings = card[card.index("## How the papers were read") : card.index("## How the pairs were made")]
    read = [line.strip("| ").split(" | ") for line in readings.splitlines() if line.startswith("| ")][2:]
    assert {line[0].split()[0]: line[1] for line in read} == {"embedded": "1", "grobid": "1", "structured": "1"}
    for _, _, sentences, linked, kept, dropped in read:
        assert int(sentences) > int(linked) == int(kept.split()[0]) + int(dropped.split()[0])


@pytest.mark.parametrize(
    ("preset", "scope"),
    [
        (Preset.SCINLI, PairFilter(doubt=(50, None))),
        (Preset.SCINLI, PairFilter(annotators=frozenset({"anna"}))),
        (Preset.TAXINLI, PairFilter(kinds_differ=frozenset({"lexical"}), direction=frozenset({"both"}))),
    ],
)
def test_the_pairs_of_a_filter_are_found_again(
    folder: Path, papers: Path, tmp_path: Path, preset: Preset, scope: PairFilter
) -> None:
    options = ExportOptions(preset, scope=scope, card=True)
    with Project.open(folder.parent / "p.pairwright") as project:
        receipt = export(project, tmp_path / "out", options).work(Progress())
    assert receipt.rows > 0
    rebuild(tmp_path / "out" / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress())
    assert contents(tmp_path / "again") == contents(tmp_path / "out")
    assert not any(b"anna" in content for content in contents(tmp_path / "out").values())


def test_pairs_without_notes_cannot_be_found_again_and_it_is_said(folder: Path, papers: Path, tmp_path: Path) -> None:
    with Project.open(folder.parent / "p.pairwright") as project:
        export(project, tmp_path / "out", ExportOptions(scope=PairFilter(noted=False), card=True)).work(Progress())
    with pytest.raises(UserError, match="chosen by what is not passed on: noted"):
        rebuild(tmp_path / "out" / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress())


@pytest.mark.parametrize("field", CONDITIONS)
def test_what_cannot_be_found_again_of_a_filter_is_said_before_the_work(folder: Path, field: str) -> None:
    condition = CONDITIONS[field]
    value: Any = {
        ConditionKind.TEXT: "premise",
        ConditionKind.ONE_OF: frozenset((*condition.values, "something")[:1]),
        ConditionKind.RANGE: (1, 2),
        ConditionKind.YES_NO: True,
    }[condition.kind]
    options = ExportOptions(scope=with_value(PairFilter(), field, value))
    manifest = replace(load_manifest(folder / "manifest.json"), options=options.to_data())
    if condition.passed_on is PassedOn.NO:
        with pytest.raises(UserError, match=f"not passed on: {condition.typed}"):
            rebuilding.check_origin(manifest, "")
    else:
        rebuilding.check_origin(manifest, "")


def test_pairs_outside_of_lists_are_found_again_if_none_of_them_is_in_one(
    folder: Path, papers: Path, tmp_path: Path
) -> None:
    with Project.open(folder.parent / "p.pairwright") as project:
        for field in ("lists", "outside_lists"):
            scope = PairFilter(**{field: frozenset({"" if field == "lists" else "hard"})})
            export(project, tmp_path / field, ExportOptions(scope=scope, card=True)).work(Progress())
            out = tmp_path / f"{field} again"
            rebuild(tmp_path / field / "manifest.json", papers, out, workers=1).work(Progress())
            assert contents(out) == contents(tmp_path / field)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("chunk-boundaries.pdf", "A paper is missing or changed: “"),
        ("whispering.tei.xml", "A paper is missing or changed: “"),
        ("late-mowing.jsonl", "A paper is missing or changed: “"),
        ("rows.csv", "An imported data set is missing or changed"),
    ],
)
@pytest.mark.parametrize("is_changed", [False, True])
def test_what_is_missing_or_changed_is_named_and_nothing_is_written(
    folder: Path, papers: Path, tmp_path: Path, name: str, said: str, is_changed: bool
) -> None:
    shutil.copytree(papers, tmp_path / "papers")
    path = tmp_path / "papers" / name
    if is_changed:
        path.write_bytes(path.read_bytes().replace(b"the", b"teh") + b"\n")
    else:
        path.unlink()
    with pytest.raises(UserError, match=said):
        rebuild(folder / "manifest.json", tmp_path / "papers", tmp_path / "again", workers=1).work(Progress())
    assert not (tmp_path / "again").exists()


def test_a_paper_that_another_parser_read_is_not_said_to_be_missing(folder: Path, papers: Path, tmp_path: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    [paper] = [one for one in manifest["papers"] if one["kind"] == "pdf"]
    paper["digest"] = "0" * len(paper["digest"])
    shutil.copytree(folder, tmp_path / "changed")
    (tmp_path / "changed" / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(UserError, match="A paper is read differently here: “"):
        rebuild(tmp_path / "changed" / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress())
    assert not (tmp_path / "again").exists()


def test_papers_split_with_other_parameters_are_mined_again_only_if_their_sentences_change(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    shutil.copy(SAMPLES / "ecology" / "late-mowing.jsonl", papers)
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [papers], ImportOptions(workers=1)).work(Progress())
        mine(project, workers=1, model=NO_MODEL).work(Progress())

        def release_after_learning(abbreviation: str) -> ExportReceipt:
            learnt = SplitterParameters(frozenset({abbreviation}))
            with project.transaction() as stores:
                stores.settings.put(SENTENCES, learnt)
                md5s = stores.papers.md5s()
            split_again(project, md5s, SentenceSplitter(learnt))
            options = ExportOptions(Preset.FULL, card=True)
            return release(project, abbreviation, tmp_path / abbreviation, options).work(Progress())

        same, changed = release_after_learning("qrb"), release_after_learning("year")
    assert same.unmined == 0
    assert rebuild(tmp_path / "qrb" / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress()).rows
    assert unmined_text(changed.unmined, has_manifest=True) == (
        "1 paper has to be mined, because papers were added or changed since the last mining, or mining was stopped: "
        "pairs may be missing or out of date, and the files cannot be rebuilt from manifest.json."
    )
    file = tmp_path / "year" / "manifest.json"
    with pytest.raises(
        UserError, match=r"split with other parameters after .* before they were mined again"
    ) as refused:
        rebuild(file, papers, tmp_path / "never", workers=1).work(Progress())
    assert "mine and export again" in refused.value.hint
    manifest = json.loads(file.read_text())
    manifest["mining"]["language_model"] = "en 1.0"
    file.write_text(json.dumps(manifest))
    with pytest.raises(UserError, match=r"with other versions: language model en 1\.0 \(here .*\)\. Nothing"):
        rebuild(file, papers, tmp_path / "never", workers=1).work(Progress())


def test_papers_that_were_edited_and_split_again_are_found_again(tmp_path: Path) -> None:
    """Also from a project, and from a manifest, whose digest an earlier version made of text and metadata as one."""
    papers, learnt, earlier = tmp_path / "papers", SplitterParameters(frozenset({"qrb"})), "0" * 32
    papers.mkdir()
    shutil.copy(SAMPLES / "ecology" / "late-mowing.jsonl", papers)
    options = ExportOptions(Preset.FULL, card=True)
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [papers], ImportOptions(workers=1)).work(Progress())
        with project.transaction() as stores:
            [md5] = stores.papers.md5s()
            stores.paper_edits.edit(stores.actions.begin("anna", "x", NOW), [md5], {"title": "Mine", "year": 1999})
            stores.settings.put(SENTENCES, learnt)
        split_again(project, [md5], SentenceSplitter(learnt))
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        export(project, tmp_path / "new", options).work(Progress())
        with project.transaction() as stores:
            stores._connection.exec_driver_sql("UPDATE papers SET digest = ?", (earlier,))
        export(project, tmp_path / "old project", options).work(Progress())
    assert contents(tmp_path / "old project") == contents(tmp_path / "new")
    manifest = json.loads((tmp_path / "new" / "manifest.json").read_text())
    manifest["papers"][0] |= {"digest": earlier}
    del manifest["papers"][0]["language"]
    shutil.copytree(tmp_path / "new", tmp_path / "old manifest")
    (tmp_path / "old manifest" / "manifest.json").write_text(json.dumps(manifest))
    for name in ("new", "old manifest"):
        rebuild(tmp_path / name / "manifest.json", papers, tmp_path / f"{name} again", workers=1).work(Progress())
        assert contents(tmp_path / f"{name} again") == contents(tmp_path / "new")


def test_a_folder_with_files_is_not_written_to(folder: Path, papers: Path, tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match=r"is not empty: it has mine\.txt"):
        rebuild(folder / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress())


def test_an_interrupted_rebuild_is_gone_on_with_unless_its_files_were_changed(
    folder: Path, papers: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again"
    again.mkdir()
    for name in ("README.md", "annotations.json", "manifest.json"):  # what had its name when it was interrupted
        shutil.copy(folder / name, again)
    rebuild(folder / "manifest.json", papers, again, workers=1).work(Progress())
    assert contents(again) == contents(folder)
    for name in ("README.md", "receipt.json"):  # one that the manifest names, and one that it does not
        before = (again / name).read_bytes()
        (again / name).write_bytes(before + b" ")
        with pytest.raises(UserError, match=f"is not empty: it has {name}"):
            rebuild(folder / "manifest.json", papers, again, workers=1).work(Progress())
        assert (again / name).read_bytes() == before + b" "
        (again / name).write_bytes(before)


def test_people_are_numbers_in_what_is_passed_on(folder: Path) -> None:
    text = (folder / "annotations.json").read_text()
    assert not any(name in text for name in ("anna", "ben", "cleo", "zoe", "Zoë"))
    assert '"annotator 004":"expert"' in text


def _changed(manifest: dict[str, Any], **changes: Any) -> str:
    return json.dumps(manifest | changes)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not a manifest of Pairwright"),
        ("[]", "is not a manifest of Pairwright"),
        ("[" * 100_000, "is not a manifest of Pairwright"),
        ({"version": 99}, "newer version of Pairwright"),
        ({"version": "1"}, "newer version of Pairwright"),
        ({"papers": [{"md5": "../x"}]}, "is damaged"),
        ({"papers": 3}, "is damaged"),
        ({"options": {"preset": "full"}, "surprise": 1}, "is damaged"),
        ({"files": [{"name": "../../x", "rows": 1, "size": 1, "sha256": "0" * 64}]}, "is damaged"),
        ({"rules": "0"}, "made with other versions: rules 0"),
        ({"sentences": {}}, "is damaged"),
        ({"data_sets": [{"sha256": "0" * 64, "numbers": ["maybe"]}]}, "is damaged"),
        ({"program": "\ud800"}, "is damaged"),
    ],
)
def test_a_manifest_of_anybody_is_checked(
    folder: Path, papers: Path, tmp_path: Path, content: str | dict[str, Any], said: str
) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    file = tmp_path / "manifest.json"
    file.write_text(content if isinstance(content, str) else json.dumps(manifest | content))
    with pytest.raises(UserError, match=said):
        rebuild(file, papers, tmp_path / "again", workers=1).work(Progress())
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize(
    "lines",
    [
        ['{"annotators": {"annotator 001": "king"}}'],
        ['{"annotators": {"annotator 001": "expert"}}'] * 2,
        ['{"model": {"digest": "d1"}}'],
        ['{"pair": "a", "suggestion": [9, 1, null, 1, 1, 1, 1]}'],
        ['{"pair": "a", "suggestion": [1, 2]}'],
        ['{"pair": "a", "suggestion": [1, null, 1, 1, 1, 1, 1]}'],
        ['{"model": {"digest": "a", "name": "starter", "temperature": "nan"}}'],
        ['{"pair": "a", "split": "elsewhere"}'],
        ['{"paper": "a", "split": "dev"}', '{"paper": "a", "split": "test"}'],
        ['{"pair": "\\ud800"}'],
    ],
)
def test_annotations_of_anybody_are_checked(tmp_path: Path, lines: list[str]) -> None:
    file = tmp_path / "annotations.json"
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    with pytest.raises(UserError, match=f"is damaged, entry {len(lines)}"):
        read_annotations(file)


def test_changed_annotations_are_refused(folder: Path, papers: Path, tmp_path: Path) -> None:
    for name in ("manifest.json", "annotations.json"):
        shutil.copy(folder / name, tmp_path)
    file = tmp_path / "annotations.json"
    for content, said in (
        (file.read_text() + '{"pair": 1}\n', "is damaged"),
        (file.read_text() + "{}\n", "was changed"),
    ):
        file.write_text(content)
        with pytest.raises(UserError, match=said):
            rebuild(tmp_path / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress())
        shutil.copy(folder / "annotations.json", tmp_path)
