"""Estimates how long an experiment will take on this computer."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from desktop.jobs.lab.experiments.data import ExperimentData, read_data
from desktop.jobs.lab.experiments.given_answers import read_given
from desktop.jobs.lab.experiments.planning import cell_problems, kept_texts, plan_cells
from desktop.jobs.lab.experiments.sources import find_sources
from desktop.text import count, duration, listed
from desktop.translation import tr
from miner.classifier.checkpoints import Checkpoint
from miner.lab.experiments.estimate import Measurement, ModelShape, RunSize, RunWork, TimeEstimate, estimate, run_work
from miner.lab.experiments.experiment import Experiment, Subset
from miner.lab.experiments.plan import ExperimentCell, Plan, SystemRun
from miner.lab.experiments.system_kinds import FrequencySystem, GraphSystem, PeopleSystem, PredictionsSystem
from miner.libraries import np
from miner.mining.identity import text_hash
from miner.progress import Job, Progress
from storage.project import Project

_GIVEN = (PeopleSystem, PredictionsSystem, GraphSystem, FrequencySystem)
"""Systems whose answers are only looked up."""
_PROCESSOR, _OTHER = "processor", "accelerator"
_PROBE_SIZE, _PROBE_ROUNDS = 512, 60
_PROBE_SECONDS = 0.0014  # of one round on the computer of `DEFAULT_RATES`


def estimate_experiment(
    project: Project, experiment: Experiment, folder: Path, device: str = "auto"
) -> Job[TimeEstimate]:
    """How long `run_experiment` will take with these arguments; nothing is written. `UserError` in the same cases.

    Runs whose results the project has are not counted. Cells that cannot be computed are named.
    """

    def work(progress: Progress) -> TimeEstimate:
        data = read_data(project, experiment, folder, progress, may_parse=False)
        sources = find_sources(project, data.experiment, folder, progress)
        given = read_given(project, data, folder, progress)
        planned = plan_cells(project, data, sources.digests, given)
        return estimate_missing(project, data, planned, sources.models, sources.hindrances, device)

    return Job(tr("Estimating the time of {name}", name=experiment.name), work)


def estimate_missing(
    project: Project,
    data: ExperimentData,
    planned: Plan,
    models: Mapping[int, Checkpoint],
    problems: Mapping[int, str],
    device: str = "auto",
) -> TimeEstimate:
    """How long the cells of a plan will take whose results the project does not have.

    models, problems: by the system's index; a system with neither takes its model from the hub.
    """
    experiment = data.experiment
    with project.read_transaction() as stores:
        finished = stores.cell_predictions.finished(cell.key for cell in planned.cells)
        runs = stores.cell_predictions.measured_runs()
    missing: dict[str, list[ExperimentCell]] = {run.key: [] for run in planned.runs}
    hindered = cell_problems(project, data, planned, models, problems, device)
    left_out = []
    for cell in planned.cells:
        if cell.key in finished:
            continue
        if cell.key in hindered:
            left_out.append(hindered[cell.key])
        elif not isinstance(experiment.systems[cell.run.system], _GIVEN):
            missing[cell.run.key].append(cell)
    wanted = {run.mapping for run in planned.runs if missing[run.key]}
    works = []
    for run in planned.runs:
        cells, model = missing[run.key], models.get(run.system)
        kept = kept_texts(project, data, run, cells, model, device)
        work = work_of(data, run, cells, model, kept)
        if run.key in wanted or (cells and not (kept and not work.amount)):
            works.append(work)
    number = sum(map(len, missing.values()))
    measurements = [Measurement(RunWork(one.kind, one.work), one.seconds, _device_kind(one.device)) for one in runs]
    wanted_device = {"auto": measurements[0].device if measurements else "", "cpu": _PROCESSOR}.get(device, _OTHER)
    found = estimate(works, number, measurements, slowness=measure_slowness(), device=wanted_device)
    return replace(found, left_out=len(left_out), problems=tuple(dict.fromkeys(left_out)))


def work_of(
    data: ExperimentData,
    run: SystemRun,
    cells: Sequence[ExperimentCell],
    model: Checkpoint | None,
    kept: Collection[bytes] = (),
) -> RunWork:
    """The work of a run for these cells. cells: none for a run that only records training dynamics.

    kept: hashes of texts that need not be predicted again.
    """
    experiment = data.experiment
    system = experiment.systems[run.system]
    one = experiment.data[run.train] if run.train else None
    parts = data.parts[one.of or run.train] if one is not None else {}
    train, dev = parts.get("train", ()), parts.get("dev", ())
    share = 1.0
    if one is not None and one.subset is not None:
        share = 1 - one.share if one.subset is Subset.WITHOUT_HARD else one.share
    tests = [data.parts[cell.test]["test"] for cell in cells]
    if kept:
        tests = [[pair for pair in pairs if text_hash(pair.premise, pair.hypothesis) not in kept] for pairs in tests]
    read = [pair.words for pairs in (train, dev, *tests) for pair in pairs]
    mapping = experiment.cartography.epochs if experiment.cartography and not cells else 0
    size = RunSize(
        train=round(share * len(train)),
        dev=len(dev),
        tested=sum(map(len, tests)),
        needed=sum(len(data.parts[name].get("train", ())) for name in system.needed_sets),
        words=sum(read) / max(1, len(read)),
        classes=len(experiment.classes),
        mapping_epochs=mapping,
    )
    return run_work(system, size, None if model is None else model_shape(model))


def estimate_text(found: TimeEstimate) -> str:
    """The estimate in words, such as "12 cells to compute: about 2 h 10 min on this computer, …".

    Lines about cells that cannot be computed follow.
    """
    return "\n".join([_time_text(found), *_left_out(found)])


def _left_out(found: TimeEstimate) -> Iterator[str]:
    """Lines about the cells that cannot be computed."""
    if found.left_out:
        yield tr("{cells} cannot be computed:", cells=count(found.left_out, "cell"))
        yield from (f"  {problem}" for problem in found.problems)


def _time_text(found: TimeEstimate) -> str:
    if not found.cells:
        return tr("Nothing can be computed now.") if found.left_out else tr("There is nothing to compute.")
    cells = count(found.cells, "cell")
    if not found.runs:
        return tr("{cells} to compute, from predictions that are there already.", cells=cells)
    unknown = tr(" How long {list} will take is not known.", list=listed(list(found.unknown))) if found.unknown else ""
    if len(found.unknown) and not found.seconds:
        return tr("{cells} to compute.{unknown}", cells=cells, unknown=unknown)
    how = (
        tr("by the speed of earlier runs")
        if found.measured > 0.5
        else tr("a rough guess until a run has been measured here")
    )
    return tr(
        "{cells} to compute: about {seconds} on this computer, {how}.{unknown}",
        cells=cells,
        seconds=duration(found.seconds),
        how=how,
        unknown=unknown,
    )


def measure_slowness() -> float:
    """The time of a short computation, relative to the computer of `DEFAULT_RATES`: 2.0 is twice as slow."""
    matrix = np.random.default_rng(1).random((_PROBE_SIZE, _PROBE_SIZE), np.float32)
    matrix @ matrix
    times = []
    for _ in range(_PROBE_ROUNDS):
        started = time.perf_counter()
        matrix @ matrix
        times.append(time.perf_counter() - started)
    return min(20.0, max(0.1, sum(times) / len(times) / _PROBE_SECONDS))


def _device_kind(name: str) -> str:
    return _PROCESSOR if name.startswith(_PROCESSOR) else _OTHER


def model_shape(model: Checkpoint) -> ModelShape:
    """The model's layers and width from its configuration; those of a small encoder where it does not state them."""
    try:
        config = json.loads((model.path / "config.json").read_text(encoding="utf-8"))
        layers = next(config[name] for name in ("num_hidden_layers", "n_layers", "n_layer") if name in config)
        width = next(config[name] for name in ("hidden_size", "dim", "d_model", "n_embd") if name in config)
        return ModelShape(min(200, max(1, int(layers))), min(20_000, max(1, int(width))))
    except (OSError, ValueError, TypeError, StopIteration):
        return ModelShape()
