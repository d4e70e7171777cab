"""Suggestions: every pair gets one, batch by batch; nothing is computed twice, lost, or shown half."""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop.jobs.models import model_process, registry, suggest_state, suggestions
from desktop.jobs.models.evaluation import evaluate
from desktop.jobs.models.evaluation_data import EvaluateOptions, LearnedPairs
from desktop.jobs.models.model_export import export_model
from desktop.jobs.models.model_options import SuggestOptions
from desktop.jobs.models.model_process import WARM_UP_PAIRS, require_finite
from desktop.jobs.models.suggestions import SuggestionResult, suggest
from desktop.jobs.models.training_exposure import LEARNED_BEFORE, exposure_in, read_exposure
from desktop.jobs.review import answers
from miner.classifier.checkpoints import LEARNED_PAIRS, WEIGHTS, Checkpoint
from miner.classifier.doubt import doubt
from miner.classifier.examples import LABELS, TrainingExample, write_examples
from miner.classifier.predictor import Pairs, Predictions, load_numpy_predictor
from miner.classifier.training import EXAMPLES, HELD_OUT
from miner.errors import UserError
from miner.mining.linking_phrases import Phrase
from miner.mining.phrase_precision import phrase_precision
from miner.progress import Cancelled, Progress
from miner.records import Answer, Suggestion
from storage.models.registry import ModelKind
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.model_factory import make_encoder, make_model
from tests.miner.classifier.factories import bert_classifier
from tests.storage.factories import add, mine

MANY = [f"paper {number}" for number in range(60)]


@pytest.fixture(scope="module", autouse=True)
def _release_model() -> Iterator[None]:
    """Keep the model's process from one test to the next, and end it after the last."""
    yield
    suggestions.release_model()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("models") / "tiny", temperature=1.5)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright", busy_timeout_s=0.2) as project:
        add(project, "abcdefgh")
        mine(project)
        yield project


@pytest.fixture
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FIRST_BATCH_SIZE", "_MIN_BATCH_SIZE", "_MAX_BATCH_SIZE"):
        monkeypatch.setattr(suggestions, name, 8)


def run(project: Project, model: Path | str, progress: Progress | None = None, **options: Any) -> SuggestionResult:
    return suggest(project, SuggestOptions(str(model), **options)).work(progress or Progress())


def suggestions_of(project: Project) -> dict[str, Suggestion]:
    with project.read_transaction() as stores:
        ids = dict(stores._connection.exec_driver_sql("SELECT id, key FROM pairs").all())  # type: ignore[arg-type]
        return {ids[id]: found for id, found in stores.suggestions.of_pairs(list(ids)).items()}


def state(project: Project) -> suggest_state.SuggestState:
    return suggest_state.load_suggest_state(project).work(Progress())


def answer_with_distant_labels(project: Project) -> int:
    """Answer every pair with its distant label; how many there are."""
    count = 0
    for label in LABELS:
        filter = PairFilter(distant=frozenset({label.value}))
        count += answers.answer_all(project, filter, "anna", Answer(label.value)).work(Progress()).count
    return count


def test_every_pair_gets_a_suggestion_with_its_doubt(project: Project, tiny: Path) -> None:
    before = state(project)
    assert (before.shown, before.missing) == (None, before.pairs)
    heard: list[tuple[int, int]] = []
    done = suggest(project, SuggestOptions(str(tiny)), lambda *so_far: heard.append(so_far)).work(Progress())
    after = state(project)
    assert (done.pairs, done.new, done.temperature) == (before.pairs, before.pairs, 1.5)
    assert heard[-1] == (before.pairs, before.pairs)
    assert after.shown is not None
    assert (after.shown.state, after.running, after.missing) == ("complete", False, 0)
    with project.read_transaction() as stores:
        by_label = [stores.pair_table.count(PairFilter(distant=frozenset({label.value}))) for label in LABELS]
    assert [sum(row) for row in after.noise] == pytest.approx(by_label, abs=0.1)
    for found in suggestions_of(project).values():
        assert sum(found.probabilities) == pytest.approx(1, abs=1e-3)
        assert found.confidence == max(found.probabilities)
        assert found.doubt is not None


def test_only_what_is_missing_is_computed(project: Project, tiny: Path) -> None:
    first = run(project, tiny)
    assert run(project, tiny).new == 0
    before = suggestions_of(project)
    add(project, "xyz")
    mine(project, "another run")
    more = run(project, tiny)
    assert (more.pairs, more.new) == (first.pairs + more.new, more.new)
    assert more.new == 3 * 4
    assert before.items() <= suggestions_of(project).items()
    assert run(project, tiny, rescore=True).new == more.pairs


@pytest.mark.usefixtures("_small_batches")
def test_cancelled_it_keeps_what_is_there_and_goes_on(project: Project, tiny: Path) -> None:
    progress = Progress()
    cancel_at_second = suggest(project, SuggestOptions(str(tiny)), lambda done, _: done > 8 and progress.cancel())
    with pytest.raises(Cancelled):
        cancel_at_second.work(progress)
    kept = suggestions_of(project)
    assert 8 < len(kept) < state(project).pairs
    assert state(project).running
    done = run(project, tiny)
    assert done.new == done.pairs - len(kept)
    assert kept.items() <= suggestions_of(project).items()


@pytest.mark.usefixtures("_small_batches")
def test_however_it_came_about_the_same_pairs_get_the_same_suggestions(
    project: Project, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted, and with papers that came later, against all at once in batches of another size."""
    progress = Progress()
    with pytest.raises(Cancelled):
        suggest(project, SuggestOptions(str(tiny)), lambda done, _: done > 8 and progress.cancel()).work(progress)
    run(project, tiny)
    add(project, "xyz")
    mine(project, "another run")
    run(project, tiny)
    for name in ("_FIRST_BATCH_SIZE", "_MIN_BATCH_SIZE", "_MAX_BATCH_SIZE"):
        monkeypatch.setattr(suggestions, name, 1_000)
    with Project.create(tmp_path / "at once.pairwright") as other:
        add(other, "abcdefghxyz")
        mine(other)
        run(other, tiny)
        assert suggestions_of(other) == suggestions_of(project)


@pytest.mark.usefixtures("_small_batches")
def test_what_torch_numpy_and_earlier_versions_computed_is_never_mixed(
    project: Project, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = Progress()
    with pytest.raises(Cancelled):
        suggest(project, SuggestOptions(str(tiny)), lambda done, _: done > 8 and progress.cancel()).work(progress)
    with monkeypatch.context() as without_torch:
        without_torch.setattr(model_process, "load_predictor", load_numpy_predictor)
        suggestions.release_model()
        anew = run(project, tiny)
        assert anew.new == anew.pairs
        assert anew.notes[0].startswith("All pairs were scored again on cpu fp32 numpy: their suggestions were by cpu ")
        assert run(project, tiny).new == 0
        suggestions.release_model()
    assert run(project, tiny).new == 0  # nothing is missing
    add(project, "x")
    mine(project, "another run")
    anew = run(project, tiny)
    assert (anew.new, "by cpu fp32 numpy, which gives" in anew.notes[0]) == (anew.pairs, True)
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE suggestion_runs SET device = 'auto'")
    assert run(project, tiny).notes == ()
    add(project, "y")
    mine(project, "a third run")
    anew = run(project, tiny)
    assert (anew.new, "by an earlier version" in anew.notes[0]) == (anew.pairs, True)


def test_pairs_that_the_temperature_is_fitted_on_are_scored_once(
    tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: list[tuple[str, str]] = []
    predict = suggestions._process.predict

    def counting(model: Checkpoint, device: str, pieces: Iterable[Pairs], look: Callable[[], None]) -> Any:
        return predict(model, device, (piece for piece in pieces if scored.extend(piece) is None), look)

    monkeypatch.setattr(suggestions._process, "predict", counting)
    with Project.create(tmp_path / "many.pairwright") as project:
        add(project, MANY)
        mine(project)
        answered = answer_with_distant_labels(project)
        done = run(project, tiny)
        assert (done.calibrated_on, done.new) == (answered, done.pairs)
        assert len([pair for pair in scored if pair not in WARM_UP_PAIRS]) == done.pairs
        first = suggestions_of(project)
        run(project, tiny, rescore=True)
        assert suggestions_of(project) == first


@pytest.mark.usefixtures("_small_batches")
def test_another_models_suggestions_stay_until_all_new_ones_are_there(
    project: Project, tiny: Path, tmp_path: Path
) -> None:
    run(project, tiny)
    before = suggestions_of(project)
    other = make_model(tmp_path / "other", seed=7, name="other")
    seen: list[bool] = []
    done = suggest(project, SuggestOptions(str(other)), lambda *_: seen.append(suggestions_of(project) == before))
    assert done.work(Progress()).model == "other"
    assert len(seen) > 2
    assert all(seen)
    assert {found.model for found in suggestions_of(project).values()} == {"other"}


def test_the_temperature_is_fitted_on_answers(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Project.create(tmp_path / "many.pairwright") as project:
        add(project, MANY)
        mine(project)
        first = run(project, tiny)
        assert (first.calibrated_on, first.ece) == (0, None)
        assert state(project).calibration is None
        answered = answer_with_distant_labels(project)
        fitted = run(project, tiny)
        assert (fitted.calibrated_on, fitted.new) == (answered, 0)  # known suggestions are scaled, not computed
        assert fitted.temperature > first.temperature  # it knows nothing
        assert fitted.ece is not None
        assert max(one.confidence for one in suggestions_of(project).values()) < 0.5
        known = state(project)
        assert known.calibration is not None
        assert known.calibration.n == answered
        assert known.retrain
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "torch", None)
            assert not state(project).retrain
        assert run(project, tiny).temperature == fitted.temperature
        anew = run(project, tiny, rescore=True)
        assert anew.temperature == pytest.approx(fitted.temperature, rel=0.05)


def test_labels_a_model_has_learned_are_doubted_by_its_folds_alone(project: Project, tmp_path: Path) -> None:
    folder = registry.models_folder(project) / "1-own"
    folder.mkdir(parents=True)
    make_model(folder / "checkpoint")
    with project.read_transaction() as stores:
        known = list(stores.training_runs.examples(distant=True, answers=True))
        phrases = dict(stores._connection.exec_driver_sql("SELECT key, coalesce(phrase, '') FROM pairs").all())
    examples = [
        TrainingExample(one.key, one.paper, one.premise, one.hypothesis, LABELS.index(one.label), dev=number > 8)
        for number, one in enumerate(known)
    ]
    write_examples(folder / EXAMPLES, examples)
    rows = [{"key": one.key, "fold": 3, "values": [0.1, 0.2, 0.3, 0.4]} for one in examples[:4]]
    (folder / HELD_OUT).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    run(project, "1-own")
    found = suggestions_of(project)
    for one in examples[:4]:
        assert found[one.key].probabilities == (0.1, 0.2, 0.3, 0.4)
        shares, number = np.array([[0.1, 0.2, 0.3, 0.4]]), np.array([one.label])
        prior = phrase_precision(Phrase(phrases[one.key], LABELS[one.label]))
        expected = doubt(shares, number, np.array([prior]))
        assert found[one.key].doubt == pytest.approx(float(expected[0]), abs=1e-4)
    assert all(found[one.key].doubt is None for one in examples[4:9])
    assert all(found[one.key].doubt is not None for one in examples[9:])
    assert [choice.kind for choice in state(project).choices] == [ModelKind.STARTER, ModelKind.PROJECT]
    elsewhere = folder.rename(tmp_path / "elsewhere")
    run(project, elsewhere / "checkpoint")
    assert sum(one.doubt is None for one in suggestions_of(project).values()) == 5


def test_an_exported_model_knows_what_it_has_learned(project: Project, tmp_path: Path) -> None:
    folder = registry.models_folder(project) / "1-own"
    folder.mkdir(parents=True)
    make_model(folder / "checkpoint")
    with project.read_transaction() as stores:
        known = list(stores.training_runs.examples(distant=True, answers=True))
    examples = [
        TrainingExample(one.key, one.paper, one.premise, one.hypothesis, LABELS.index(one.label), dev=number > 8)
        for number, one in enumerate(known)
    ]
    write_examples(folder / EXAMPLES, examples)
    rows = [{"key": one.key, "fold": 3, "values": [0.1, 0.2, 0.3, 0.4]} for one in examples[:4]]
    (folder / HELD_OUT).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (folder / LEARNED_BEFORE).write_text("before\n")
    exported, twice = tmp_path / "exported", tmp_path / "twice"
    export_model(project, "1-own", exported).work(Progress())
    export_model(project, str(exported), twice).work(Progress())
    first = examples[0]
    for path in (exported, twice):
        found = exposure_in(path)
        assert found == read_exposure(folder)
        assert found.fold_prediction(first.key, first.premise, first.hypothesis) is not None
    written = (exported / LEARNED_PAIRS).read_text()
    assert not [one for one in examples if one.premise in written]
    run(project, "1-own")
    by_run = suggestions_of(project)
    with Project.create(tmp_path / "other.pairwright") as other:  # in which the model is known by its folder alone
        add(other, "abcdefgh")
        mine(other)
        run(other, exported)
        assert {key: one.doubt for key, one in suggestions_of(other).items()} == {
            key: one.doubt for key, one in by_run.items()
        }
    for reference in ("1-own", str(exported)):
        options = EvaluateOptions(models=(reference,), distant=True, learned_pairs=LearnedPairs.LEAVE)
        [row] = evaluate(project, options).work(Progress()).rows
        assert [judged.left_out for judged in row.results] == [9]
    folds = ('"a", "fold": 1, "probabilities": [1.0]', '"a", "fold": 1, "probabilities": [NaN, 0, 0, 0]')
    folds += ('"a", "fold": -1, "probabilities": [1, 0, 0, 0]', '"\\ud800"')
    for damaged in ("{", '{"pairs": [{"texts": 1}]}', *(f'{{"pairs": [{{"key": {one}}}]}}' for one in folds)):
        (exported / LEARNED_PAIRS).write_text(damaged)
        with pytest.raises(UserError, match="cannot be read"):
            exposure_in(exported)


def test_no_fold_can_judge_what_the_start_model_had_learned(tmp_path: Path) -> None:
    examples = [TrainingExample(key, "p", "a", "b", 0) for key in "xy"]
    write_examples(tmp_path / EXAMPLES, examples)
    rows = [{"key": key, "fold": 0, "values": [1, 0, 0, 0]} for key in "xy"]
    (tmp_path / HELD_OUT).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "learned_before.txt").write_text("y\nz\n")
    exposure = read_exposure(tmp_path)
    assert exposure.learned == {"x", "y", "z"}
    assert exposure.fold_prediction("x", "a", "b") is not None
    assert exposure.fold_prediction("x", "a", "changed") is None
    assert exposure.fold_prediction("y", "a", "b") is None


@pytest.mark.usefixtures("_small_batches")
def test_a_process_that_dies_is_a_sentence_and_what_was_kept_stays(project: Project, tiny: Path) -> None:
    def kill(done: int, total: int) -> None:
        for child in multiprocessing.active_children():
            child.kill()

    suggestions.release_model()
    with pytest.raises(UserError, match=r"ended by itself\. Suggestions made so far are kept\."):
        suggest(project, SuggestOptions(str(tiny)), kill).work(Progress())
    kept = len(suggestions_of(project))
    assert kept >= 8
    done = run(project, tiny)
    assert done.new == done.pairs - kept


def test_probabilities_that_are_not_finite_are_refused() -> None:
    found = Predictions(np.array([[0.7, 0.1, 0.1, 0.1], [np.nan] * 4], np.float32), "processor")
    with pytest.raises(UserError, match="The model tiny gives no numbers for some pairs"):
        require_finite(found, "tiny")


def test_a_project_without_pairs_is_told_so(tmp_path: Path, tiny: Path) -> None:
    with Project.create(tmp_path / "empty.pairwright") as project, pytest.raises(UserError, match="no pairs to make"):
        run(project, tiny)


def test_a_model_that_cannot_be_used_is_told_so(project: Project, tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no model at nowhere"):
        run(project, "nowhere")
    with pytest.raises(UserError, match="knows no relations yet"):
        run(project, make_encoder(tmp_path / "encoder"))
    broken = make_model(tmp_path / "broken")
    (broken / "tokenizer.json").write_text("{}")
    with pytest.raises(UserError, match=r"tokenizer .* cannot be read"):
        run(project, broken)
    (broken / WEIGHTS).write_bytes((tiny / WEIGHTS).read_bytes()[:-50])
    with pytest.raises(UserError, match="is cut off"):
        run(project, broken)
    assert state(project).shown is None
    assert run(project, tiny).new  # the refusals are not kept


def test_the_order_of_a_foreign_models_classes_is_asked_for_once(project: Project, tmp_path: Path) -> None:
    folder = bert_classifier(tmp_path / "foreign", None)
    with pytest.raises(UserError, match="does not say which of its classes"):
        run(project, folder)
    order = tuple(reversed(LABELS))
    first = run(project, folder, labels=order)
    assert first.new == first.pairs
    assert run(project, folder).new == 0  # the same model, by the same order
    assert registry.find_model(project, str(folder))[0].labels == order
    bert_classifier(folder, None, hidden_size=16)  # another model, in the same place
    with pytest.raises(UserError, match="does not say which of its classes"):
        registry.find_model(project, str(folder))


@pytest.mark.spawn
def test_without_torch_it_says_how_to_install_it(
    project: Project, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in that fails as a missing library does, in the process that would need it."""
    suggestions.release_model()
    (tmp_path / "without" / "torch").mkdir(parents=True)
    (tmp_path / "without" / "torch" / "__init__.py").write_text("raise ModuleNotFoundError('gone', name='torch')")
    monkeypatch.syspath_prepend(tmp_path / "without")
    with pytest.raises(UserError, match="needs torch, which is not installed") as refused:
        run(project, tiny)
    assert "pip install" in refused.value.hint


def test_the_window_and_the_commands_never_load_torch() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from desktop.cli import models; "
        "from desktop.jobs.models import model_process, suggest_state, suggestions, training; "
        "from desktop.jobs.review import disagreements, rounds; "
        "print([name for name in ('torch', 'transformers', 'tokenizers', 'safetensors') if name in sys.modules])"
    )
    root = Path(__file__).parents[4]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "[]"
