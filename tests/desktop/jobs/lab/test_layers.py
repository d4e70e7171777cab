"""Pairs at every layer of a model: which are placed, what is kept, what a stop or a damaged file does."""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop.jobs.array_files import texts_array, write_arrays
from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.layers.embedding import KindsEmbedding
from desktop.jobs.lab.layers.groups_shown import MAX_COLORS, colored_pairs
from desktop.jobs.lab.layers.jobs import EmbeddingOptions, compute_embedding, load_embedding, save_embedding
from miner.errors import UserError
from miner.lab.layers.layer_embedding import GroupedBy, PairGroup
from miner.progress import Cancelled, Progress, Tick
from storage.project import Project
from tests.desktop.jobs.lab.experiments.test_run import write_rows
from tests.kinds_factory import answer_kinds
from tests.miner.classifier import factories

ANSWERED = ["causal", "lexical", "causal world", "", "causal world lexical"] * 7  # 28 of them have at most two


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(factories.bert(tmp_path_factory.mktemp("model") / "bert"))


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a project with 48 pairs."""
    path = tmp_path_factory.mktemp("pairs") / "demo.pairwright"
    with Project.create(path) as project:
        import_data_sets(project, [write_rows(path.with_name("train.csv"), 1, 12)], "").work(Progress())
    return path.read_bytes()


@pytest.fixture
def project(pairs: bytes, tmp_path: Path) -> Iterator[Project]:
    path = tmp_path / "demo.pairwright"
    path.write_bytes(pairs)
    with Project.open(path) as project:
        yield project


def _compute(project: Project | None, options: EmbeddingOptions) -> tuple[KindsEmbedding, set[str]]:
    """The embedding, and what the job said it was doing."""
    notes: set[str] = set()
    found = compute_embedding(project, options).work(Progress(lambda tick: notes.add(tick.note)))
    return found, notes


def test_pairs_with_up_to_two_categories_are_placed_and_kept(
    project: Project, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = EmbeddingOptions(model, device="cpu")
    with pytest.raises(UserError, match="from 30 pairs on, and there are 0"):
        _compute(project, options)
    keys = answer_kinds(project, {"anna": ANSWERED})
    with pytest.raises(UserError, match=r"there are 28 \(7 pairs with more than two kinds left out\)"):
        _compute(project, options)
    answer_kinds(project, {"anna": [*ANSWERED, *["world"] * 5]}, ["reasoning"] * 20 + ["contrasting"] * 20)
    before = load_embedding(project, options).work(Progress())
    assert (before.embedding, before.pairs, before.problem) == (None, 33, "")
    assert before.seconds > 0

    found, notes = _compute(project, options)
    assert "placing the pairs by layer 2 of 2" in notes
    assert (found.model, found.layer_count, len(found.pairs)) == ("bert", 3, 33)
    assert (found.pairs.left_out, found.pairs.of) == (7, 33)
    placed = [key for key, text in zip(keys, [*ANSWERED, *["world"] * 5], strict=False) if len(text.split()) < 3]
    assert found.pairs.keys == tuple(placed)
    groups = [group for group in found.pairs.groups if group.kind is not GroupedBy.LABEL]
    assert groups == [
        PairGroup(GroupedBy.CATEGORY, "lexical"),
        PairGroup(GroupedBy.CATEGORY, "causal"),
        PairGroup(GroupedBy.CATEGORY, "world"),
        PairGroup(GroupedBy.RELATION, "contrasting"),
        PairGroup(GroupedBy.RELATION, "reasoning"),
    ]
    causal = found.separations(2)[1]
    assert causal.pairs == 14
    assert causal.chance == pytest.approx(13 / 32)
    assert set(found.pairs.names(GroupedBy.CATEGORY)) == {"causal", "lexical", "causal + world", "", "world"}

    again, notes = _compute(project, options)
    assert notes == {"reading pairs"}
    assert (again.layers.points == found.layers.points).all()
    assert again.separations(1) == found.separations(1)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "torch", None)
        without_torch, _ = _compute(project, options)
        assert without_torch.separations(1) == found.separations(1)
        kept = load_embedding(project, options).work(Progress())
        assert (kept.is_current, kept.problem) == (True, "")
        assert kept.embedding is not None
        answer_kinds(project, {"anna": ["lexical"]})
        old = load_embedding(project, options).work(Progress())
        assert old.problem.startswith("Embedding pairs needs torch, which is not installed.")
        with pytest.raises(UserError, match="Embedding pairs needs torch"):
            _compute(project, options)
    kept = load_embedding(project, options).work(Progress())
    assert (kept.is_current, kept.problem) == (False, "")
    assert kept.embedding is not None  # it stays on the screen


def _write_kinds_file(path: Path, rows: int) -> Path:
    lines = ["prem\thyp\tlabel\tlexical_linguistic\tcausal_reasoning"]
    lines += [
        f"Kelp {n} grows.\tIt {n} grows.\t{'neutral' if n % 2 else 'entailment'}\t{n % 2}\t0" for n in range(rows)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_file_needs_no_project_and_its_pairs_are_drawn_by_the_seed(model: str, tmp_path: Path) -> None:
    file = _write_kinds_file(tmp_path / "kinds.tsv", 60)
    found, _ = _compute(None, EmbeddingOptions(model, file, pairs=40, device="cpu"))
    other, _ = _compute(None, EmbeddingOptions(model, file, pairs=40, seed=2, device="cpu"))
    assert (len(found.pairs), found.pairs.of) == (40, 60)
    assert found.pairs.keys != other.pairs.keys
    (tmp_path / "plain.tsv").write_text("prem\thyp\tlabel\na\tb\tneutral\n", encoding="utf-8")
    with pytest.raises(UserError, match="no pair with a kind of reasoning"):
        _compute(None, EmbeddingOptions(model, tmp_path / "plain.tsv"))
    files = {}
    for name in ("layers.svg", "layers.tsv"):
        for folder in ("one", "two"):
            assert save_embedding(found, tmp_path / folder / name).work(Progress()) == 40
        files[name] = (tmp_path / "one" / name).read_text(encoding="utf-8")
        assert files[name] == (tmp_path / "two" / name).read_text(encoding="utf-8")
    assert len(files["layers.tsv"].splitlines()) == 1 + 3 * 40
    assert "word embeddings</text>" in files["layers.svg"]
    with pytest.raises(UserError, match=r"Name it with .svg or .tsv|cannot be written"):
        save_embedding(found, tmp_path / "layers.pdf").work(Progress())
    colored = colored_pairs(found.pairs, GroupedBy.CATEGORY)
    assert [group.text for group in colored.groups] == ["lexical", "none"]
    assert len(colored.groups) <= MAX_COLORS + 1


def test_a_damaged_kept_file_is_computed_again(project: Project, model: str) -> None:
    answer_kinds(project, {"anna": ["causal", "lexical"] * 20})
    options = EmbeddingOptions(model, device="cpu")
    found, _ = _compute(project, options)
    [path] = (project.path.parent / "demo.models" / "embeddings").iterdir()
    whole = path.read_bytes()
    arrays = dict(np.load(path))
    damaged = [
        whole[: len(whole) // 2],
        b"",
        {**arrays, "points": arrays["points"] * np.nan},
        {**arrays, "purity": arrays["purity"] + 2},
        {**arrays, "keys": arrays["keys"][1:]},
        {**arrays, "groups": texts_array("colour:x" for _ in arrays["groups"])},
        {**arrays, "points": arrays["points"].astype(object)},
    ]
    for content in damaged:
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            write_arrays(path, content)
        kept = load_embedding(project, options).work(Progress())
        assert kept.embedding is None
        assert kept.pairs == 40
    again, _ = _compute(project, options)
    assert (again.layers.points == found.layers.points).all()
    assert path.read_bytes()[: len(whole) // 2] != b""
    assert load_embedding(project, options).work(Progress()).is_current


@pytest.mark.parametrize("ends", ["cancelled", "killed"])
def test_stopped_it_keeps_nothing_and_leaves_nothing(
    ends: str, project: Project, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_kinds(project, {"anna": ["causal", "lexical"] * 20})
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))

    def hear(tick: Tick) -> None:
        if "placing" in tick.note and ends == "cancelled":
            progress.cancel()
        elif "placing" in tick.note:
            for child in multiprocessing.active_children():
                child.kill()

    progress = Progress(hear)
    expected = Cancelled if ends == "cancelled" else UserError
    with pytest.raises(expected, match=None if ends == "cancelled" else "Placing the pairs"):
        compute_embedding(project, EmbeddingOptions(model, device="cpu")).work(progress)
    assert not (project.path.parent / "demo.models" / "embeddings").exists()
    assert list((tmp_path / "temporary").glob("pairwright-layers-*")) == []
