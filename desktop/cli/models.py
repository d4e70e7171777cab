"""Commands for the local model: suggest, disagreements, accept, train."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.cli.execution import (
    CommandResult,
    Options,
    acting_annotator,
    full_text,
    open_project,
    problem_lines,
    run_job,
    undo_hint,
    with_known_names,
)
from desktop.cli.options.declared import read_options, with_changes
from desktop.cli.output import table
from desktop.jobs.corpus.suggest import suggest_corpus
from desktop.jobs.descriptions.doubts import doubts_text
from desktop.jobs.descriptions.models import calibration_text
from desktop.jobs.descriptions.result_text import ResultText
from desktop.jobs.descriptions.safe_accept import safe_accept_text
from desktop.jobs.exchange.export import load_split_export
from desktop.jobs.models.doubt_record import DOUBTED, load_doubt_record
from desktop.jobs.models.model_export import export_model, require_empty
from desktop.jobs.models.model_options import SuggestOptions, TrainOptions
from desktop.jobs.models.registry import find_model
from desktop.jobs.models.safe_accept import find_safe_confidence
from desktop.jobs.models.suggest_state import SuggestState, count_without_suggestion, load_suggest_state
from desktop.jobs.models.suggestions import release_model
from desktop.jobs.models.suggestions import suggest as suggest_job
from desktop.jobs.models.training import TrainedModel, resume
from desktop.jobs.models.training import train as train_job
from desktop.jobs.models.training_runs import delete_run, load_runs
from desktop.jobs.pairs.filter_text import read_filter
from desktop.jobs.results import describe
from desktop.jobs.review.annotator import annotator
from desktop.jobs.review.disagreements import (
    AcceptPreview,
    DoubtedPair,
    accept_all,
    count_doubted,
    load_current_run,
    map_queue,
    preview_accept,
)
from desktop.text import count, points, shortened
from miner.classifier.libraries import missing_library
from miner.classifier.recipe import DEFAULT_FOLDS, FROM_STARTER, PRESETS, QUICK, Recipe
from miner.errors import UserError
from miner.records import Label
from storage.dataset.export_options import ExportOptions
from storage.models.training_runs import TrainingRun
from storage.pairs.filters import PairFilter
from storage.project import Project

_MAX_SENTENCE_LENGTH = 60  # characters, in a table
_NO_SUGGESTIONS = "There are no suggestions yet. To make some: pairwright suggest"


def suggest(options: Options) -> CommandResult:
    chosen = read_options(SuggestOptions, options)
    if options.corpus:
        judged = run_job(suggest_corpus(options.corpus, chosen), options)
        return CommandResult(full_text(describe(judged)), dataclasses.asdict(judged))
    with open_project(options) as project:
        try:
            done = run_job(suggest_job(project, chosen), options)
        finally:
            release_model()
        state = run_job(load_suggest_state(project), options)
        doubted = run_job(count_doubted(project), options)
    noise = {distant: dict(zip(Label, row, strict=True)) for distant, row in zip(Label, state.noise, strict=False)}
    labels = state.summary.labels if state.summary else {}
    data = {**_record_data(done), "doubted": doubted, "labels": labels, "noise": noise}
    text = describe(done)
    return CommandResult(_suggest_text(text, state, doubted), data, notes=problem_lines(text.problems))


def disagreements(options: Options) -> CommandResult:
    filter = PairFilter(
        distant=frozenset(_filter_values(options.label)),
        phrases=frozenset(_filter_values(options.phrase)),
        domains=frozenset(_filter_values(options.domain)),
        doubt=None if options.all else DOUBTED.doubt,
    )
    with open_project(options, for_reading=True) as project:
        filter = with_known_names(project, filter, options)
        who = run_job(annotator(project), options)
        shown = run_job(load_current_run(project), options)
        unseen = run_job(count_without_suggestion(project), options)
        if shown is None:
            figures = {"answered": 0, "wrong": 0, "listed": [], "without_suggestion": unseen}
            return CommandResult(_NO_SUGGESTIONS, {"doubted": 0, "model": None, **figures, "pairs": []})
        counted = replace(filter, distant=frozenset(Label)) if options.all and not options.label else filter
        waiting = run_job(count_doubted(project, counted), options)
        record = run_job(load_doubt_record(project), options)
        if options.json:
            rows = run_job(map_queue(project, filter, who, options.limit, _doubt_data), options)
            figures = {"answered": record.answered, "wrong": record.wrong, "listed": sorted(record.listed)}
            figures["without_suggestion"] = unseen
            data = {"doubted": waiting, "model": shown.model, **figures, "pairs": rows}
            return CommandResult("", data)
        lines = run_job(map_queue(project, filter, who, options.limit, _doubt_row), options)
    head = ("doubt", "distant label", "suggestion", "phrase", "premise", "hypothesis")
    text = table(head, lines)
    doubts = f"The model {shown.model} doubts the distant label of {count(waiting, 'pair')} that nobody has answered."
    title = f"{doubts} {doubts_text(record, filter)}".rstrip() + _unseen_text(unseen)
    return CommandResult(f"{title}\n\n{text}".rstrip(), {})


def accept(options: Options) -> CommandResult:
    filter, at_least = read_filter(options.where), options.at_least
    with open_project(options) as project:
        filter = with_known_names(project, filter, options)
        promise = ""
        if options.at_most_wrong is not None:
            safe = run_job(find_safe_confidence(project, options.at_most_wrong), options)
            promise = f"{safe_accept_text(safe)}\n"
            if safe.found is None:
                data = {"count": 0, "labels": {}, "expected_wrong": 0.0, "at_least": None, "done": None}
                if not safe.has_suggestions:
                    return CommandResult(_NO_SUGGESTIONS, data)
                return CommandResult(f"{promise}To accept by the model's own confidence: --at-least", data)
            at_least = safe.found.percent
        seen = run_job(preview_accept(project, filter, at_least), options)
        data = {"count": seen.count, "labels": seen.by_label, "expected_wrong": seen.expected_wrong}
        unseen = run_job(count_without_suggestion(project), options)
        data |= {"at_least": at_least, "without_suggestion": unseen}
        if not seen.has_suggestions:
            return CommandResult(_NO_SUGGESTIONS, data | {"done": None})
        if not seen.count:
            text = f"{promise}No unanswered pair has a suggestion with a confidence of {at_least} % or more."
            return CommandResult(text, data | {"done": None})
        if not options.yes:
            text = f"{promise}{_accept_text(seen, at_least)}{_unseen_text(unseen)}\nTo accept them, add --yes."
            return CommandResult(text, data | {"done": None})
        who = acting_annotator(project, options)
        done = run_job(accept_all(project, filter, who, at_least, expected=seen.count), options)
    accepted = f"Accepted {count(done.count, 'suggestion')}. {undo_hint(options)}"
    text = f"{promise}{_accept_text(seen, at_least)}\n{accepted}"
    return CommandResult(text, data | {"done": done.title, "count": done.count})


def _unseen_text(pairs: int) -> str:
    if not pairs:
        return ""
    return f"\n{count(pairs, 'pair has', 'pairs have')} no suggestion. To make them: pairwright suggest"


def _accept_text(seen: AcceptPreview, at_least: int) -> str:
    labels = ", ".join(f"{label} {number:,}" for label, number in seen.by_label.items() if number)
    wrong = f"By the model's own confidence, about {round(seen.expected_wrong):,} of them are wrong"
    lines = [f"{count(seen.count, 'suggestion')} with a confidence of {at_least} % or more: {labels}."]
    lines.append(f"{wrong}; {seen.differing:,} differ from the distant label.")
    if seen.learned:
        lines.append(
            f"The model was trained on {seen.learned:,} of these labels, so its confidence in them says little."
        )
    return "\n".join(lines)


def train(options: Options) -> CommandResult:
    with open_project(options, for_reading=options.list) as project:
        if options.list:
            return _list_runs(run_job(load_runs(project), options))
        if options.delete:
            number = _run_number(project, options.delete, options)
            run_job(delete_run(project, number), options)
            return CommandResult(f"Deleted training run {number}.", {"deleted": number})
        if options.run:
            return _export_run(project, options)
        if options.export:
            require_empty(options.export)  # before hours of training
        if options.resume:
            done = [run_job(resume(project, _run_number(project, options.resume, options)), options)]
        else:
            if problem := missing_library("Training"):  # before a model is fetched to start from
                raise problem
            done = [run_job(train_job(project, chosen), options) for chosen in _train_options(project, options)]
        if options.export:
            for one in done:
                run_job(export_model(project, one.model, _export_folder(options.export, one, done)), options)
    texts = [describe(one) for one in done]
    notes = problem_lines(dict.fromkeys(problem for text in texts for problem in text.problems))
    return CommandResult("\n\n".join(map(_trained_text, done, texts)), [_record_data(one) for one in done], notes=notes)


def _export_run(project: Project, options: Options) -> CommandResult:
    """Export the model of a finished run."""
    if not options.export:
        raise UserError("--run needs --export.", hint="For example: --run 3 --export out/model")
    exported = run_job(export_model(project, options.run, options.export), options)
    text = f"The model {exported.name} is in {exported.folder}: AutoModel.from_pretrained loads it."
    return CommandResult(text, _record_data(exported))


def _export_folder(folder: Path, trained: TrainedModel, all: Sequence[TrainedModel]) -> Path:
    """The folder itself, or a folder of its own for each of several runs."""
    return folder if len(all) == 1 else folder / trained.model


def _run_number(project: Project, text: str, options: Options) -> int:
    """The number of the training run with this number or folder."""
    found = run_job(load_runs(project), options)
    if named := next((run.id for run in found if text in (str(run.id), run.folder)), None):
        return named
    raise UserError(f"There is no training run {text}.", hint="See: pairwright train --list")


def _filter_values(value: str | None) -> tuple[str, ...]:
    return () if value is None else (value,)


def _train_options(project: Project, options: Options) -> list[TrainOptions]:
    """The options of the training runs: one, or one for each seed."""
    recipe = _recipe(project, options)
    filter = with_known_names(project, read_filter(options.where), options)
    split_export = _split_export(project, options)
    chosen = read_options(TrainOptions, options, recipe=recipe, filter=filter, split_export=split_export)
    if len(options.seeds) < 2:
        return [replace(chosen, recipe=replace(recipe, seed=options.seeds[0]))] if options.seeds else [chosen]
    name = options.name or recipe.name
    return [replace(chosen, recipe=replace(recipe, seed=n), name=f"{name}, seed {n}") for n in options.seeds]


def _split_export(project: Project, options: Options) -> ExportOptions | None:
    """The export whose train split is learned: the one that the options describe, else the last export with splits."""
    last = run_job(load_split_export(project), options)
    if options.split is None:
        if options.split_seed is not None:
            hint = "For example: --split 80/10/10 --split-seed 3"
            raise UserError("--split-seed needs --split.", hint=hint)
        return last
    if not options.split:
        return None
    requested = ExportOptions(shares=options.split, seed=1 if options.split_seed is None else options.split_seed)
    if last and (last.shares, last.seed) == (requested.shares, requested.seed):  # also limited as that one was
        return last
    return requested


def _recipe(project: Project, options: Options) -> Recipe:
    """The recipe that the options name, else the default for the start model, with the changes of the options."""
    if options.recipe:
        recipe = PRESETS[options.recipe]
    else:
        start, _ = find_model(project, options.start, options.labels)
        recipe = FROM_STARTER if start.card else QUICK
    if options.folds is None and options.distant:
        recipe = replace(recipe, folds=DEFAULT_FOLDS)
    return with_changes(recipe, options)


def _suggest_text(text: ResultText, state: SuggestState, doubted: int) -> str:
    lines = [text.sentence]
    if state.summary:
        lines.append(
            "Suggested labels: " + ", ".join(f"{label} {n:,}" for label, n in state.summary.labels.items()) + "."
        )
    lines += text.notes
    lines += [calibration_text(state.calibration)] if state.calibration else []
    if doubted:
        lines.append(f"The model doubts {count(doubted, 'distant label')}. To list them: pairwright disagreements")
    if state.retrain:
        new = count(state.new_answers, "new answer")
        lines.append(f"There are {new} since the model was trained. To train a better one: pairwright train")
    return "\n".join(lines)


def _trained_text(done: TrainedModel, text: ResultText) -> str:
    lines = [text.sentence, *text.notes]
    lines += [f"To resume it: pairwright train --resume {done.run}"] if done.stopped else []
    return "\n".join([*lines, f"To suggest labels with it: pairwright suggest --model {done.model}"])


def _list_runs(found: list[TrainingRun]) -> CommandResult:
    if not found:
        return CommandResult("There is no training run yet. To train a model: pairwright train", [])
    rows = [
        (
            run.id,
            run.name,
            run.state.value,
            run.learned,
            _score(run, "macro_f1"),
            _score(run, "ece"),
            _measured_on(run),
            run.started_at.astimezone().strftime("%Y-%m-%d %H:%M"),
            run.problem or run.folder,
        )
        for run in found
    ]
    head = ("run", "name", "state", "examples", "macro F1", "ECE", "measured on", "started", "model")
    return CommandResult(table(head, rows), [_record_data(run) for run in found])


def _score(run: TrainingRun, name: str) -> str:
    """A score measured by folds, else on dev pairs; "" if there is none."""
    scores = run.metrics.get("held_out") or run.metrics.get("dev") or {}
    return "" if scores.get(name) is None else points(scores[name])


def _measured_on(run: TrainingRun) -> str:
    """The pairs that `_score` is of, since scores of different pairs cannot be compared; "" if there are none."""
    if by_folds := run.metrics.get("held_out"):
        return f"{by_folds['n']:,} by folds"
    return f"{dev['n']:,} dev" if (dev := run.metrics.get("dev")) else ""


def _doubt_row(doubted: DoubtedPair) -> tuple[str, ...]:
    pair, suggestion = doubted.item.pair, doubted.suggestion
    says = f"{suggestion.label} {100 * suggestion.confidence:.0f} %"
    sentences = (shortened(pair.premise, _MAX_SENTENCE_LENGTH), shortened(pair.hypothesis, _MAX_SENTENCE_LENGTH))
    return (f"{100 * (suggestion.doubt or 0):.0f} %", str(doubted.distant), says, pair.phrase or "", *sentences)


def _doubt_data(doubted: DoubtedPair) -> dict[str, Any]:
    pair, suggestion = doubted.item.pair, doubted.suggestion
    return {
        "key": pair.key,
        "paper": doubted.item.md5,
        "premise": pair.premise,
        "hypothesis": pair.hypothesis,
        "phrase": pair.phrase,
        "label": doubted.distant,
        "doubt": suggestion.doubt,
        "suggested": suggestion.label,
        "probabilities": dict(zip(Label, suggestion.probabilities, strict=True)),
        "answers": dict(doubted.answers),
        "why": doubted.why,
    }


def _record_data(record: Any) -> dict[str, Any]:
    """A record as data for JSON, without what only the window needs."""
    values = {
        field.name: getattr(record, field.name) for field in dataclasses.fields(record) if field.name != "changes"
    }
    return {name: _simple(value) for name, value in values.items()}


def _simple(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return value.isoformat() if hasattr(value, "isoformat") else value
