"""The command that evaluates models, and its report in Markdown, with scores in percent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

from desktop.cli.execution import CommandResult, Options, open_project, run_job
from desktop.cli.output import as_json_text
from desktop.jobs.models.evaluation import Evaluation
from desktop.jobs.models.evaluation import evaluate as evaluate_job
from desktop.jobs.models.evaluation_data import EvaluateOptions, LearnedPairs
from desktop.text import count, listed, points
from miner.classifier.evaluation import ResultComparison, ResultRow
from miner.classifier.metrics import ScoreSummary
from miner.errors import UserError
from miner.paths import PROJECT_SUFFIX
from miner.records import Label
from storage.exchange.listed_files import write_listed

_MINUS = "−"


def evaluate(options: Options) -> CommandResult:
    if options.data and options.distant:
        raise UserError("--distant is for the project's pairs, not for files.", hint="Leave out --data or --distant.")
    evaluate_options = EvaluateOptions(
        models=tuple(options.model) or EvaluateOptions().models,
        files=tuple(options.data),
        distant=options.distant,
        labels=options.labels,
        device=options.device,
        learned_pairs=LearnedPairs(options.learned),
        max_pairs=options.most,
        numbers=options.label_numbers,
    )
    alone = options.data and options.project is None and len(list(Path().glob(f"*{PROJECT_SUFFIX}"))) != 1
    with ExitStack() as stack:
        project = None if alone else stack.enter_context(open_project(options, for_reading=True))
        found = run_job(evaluate_job(project, evaluate_options), options)
    text, data, remarks = markdown(found), found.to_data(), notes(found)
    if options.out:
        texts = {"evaluation.md": text, "evaluation.json": as_json_text(data)}
        write_listed(options.out, "evaluation", {name: f"{one}\n" for name, one in texts.items()})
        remarks.append(f"Wrote evaluation.md and evaluation.json to {options.out}.")
    return CommandResult(text, data, notes=tuple(remarks))


def markdown(evaluation: Evaluation) -> str:
    """The report: all tables that are not empty."""
    rows = evaluation.rows
    parts = [
        _opening(evaluation),
        _main(rows),
        *_left_out(evaluation),
        *_section("By class: precision, recall, F1", _by_class(rows)),
        *_section("By domain: macro F1 (pairs)", _by_part(rows, lambda row: row.by_domain())),
        *_section("Neutral pairs by strategy: accuracy (pairs)", _by_part(rows, lambda row: row.by_strategy())),
        *_section("Confusion matrix (rows: labels, columns: predictions)", "\n\n".join(map(_confusion, rows))),
        *_section(f"Differences in macro F1 from {_name(rows[0])}", _differences(evaluation.comparisons)),
        *(
            part
            for name, curve in evaluation.curves.items()
            for part in _section(
                f"Learning curve of {name}",
                _table(("examples", "macro F1"), [(f"{point.examples:,}", _mean(point.macro_f1)) for point in curve]),
            )
        ),
    ]
    return "\n\n".join(part for part in parts if part)


def notes(evaluation: Evaluation) -> list[str]:
    """Notes to the tables: bad rows, and what scores leave out."""
    bad = evaluation.data.bad
    lines = [f"{path}, line {row.line:,}: {row.reason}" for path, row in evaluation.data.bad_rows]
    lines += [count(bad - len(lines), "more bad row")] if bad > len(lines) else []
    lines += dict.fromkeys(note for row in evaluation.rows for result in row.results for note in result.notes)
    absent = {label for row in evaluation.rows for result in row.results for label in result.scores.absent}
    if absent:
        names = listed([label.value for label in Label if label in absent])
        lines.append(f"Macro F1 leaves out {names} where no pair has this label and none was predicted to have it.")
    return lines


def _opening(evaluation: Evaluation) -> str:
    data = evaluation.data
    classes = ", ".join(f"{name} {number:,}" for name, number in data.classes.items())
    drawn = f" of {data.total:,}" if data.total > len(data.items) else ""
    return f"On {data.name}: {count(len(data.items), 'pair')}{drawn} ({classes})."


def _main(rows: Sequence[ResultRow]) -> str:
    head = (
        "model",
        "learned from",
        "seeds",
        "pairs",
        "macro F1",
        "accuracy",
        *Label,
        "calibration error",
        "after calibration",
    )
    cells = []
    for row in rows:
        low, high = row.results[0].interval
        alone = len(row.results) == 1
        cells.append(
            (
                _name(row),
                f"{row.subject.examples:,}" if row.subject.examples else "",
                str(len(row.results)),
                f"{row.pairs:,.0f}",
                f"{_mean(row.summary.macro_f1)} [{points(low)}, {points(high)}]"
                if alone
                else _mean(row.summary.macro_f1),
                _mean(row.summary.accuracy),
                *(_mean(row.summary.per_class[label]["f1"]) for label in Label),
                _mean(row.summary.ece) if row.summary.ece else "",
                _mean(row.adjusted) if row.adjusted else "",
            )
        )
    legend = (
        "Scores in percent; the columns of classes are F1. Several seeds: mean ± standard deviation; one seed: 95 % "
        "confidence interval in brackets."
    )
    return f"{_table(head, cells)}\n\n{legend}"


def _left_out(evaluation: Evaluation) -> list[str]:
    lines = []
    for row in evaluation.rows:
        for result in row.results:
            learned = result.left_out + result.out_of_fold
            part = f"{result.left_out:,} left out"
            part += f", {result.out_of_fold:,} judged by models of its folds" if result.out_of_fold else ""
            if learned:
                lines.append(f"- {result.subject.reference} has learned {learned:,} of these pairs: {part}.")
            if result.chosen_by:
                by = f"on {result.chosen_by:,} of these pairs, which makes its scores a little too good"
                lines.append(f"- {result.subject.reference} was chosen and calibrated {by}.")
            if result.reused:
                kept = f"{count(result.reused, 'prediction')} of {result.subject.reference}"
                lines.append(f"- {kept} were made earlier ({result.device}).")
    return ["\n".join(lines)] if lines else []


def _by_class(rows: Sequence[ResultRow]) -> str:
    fields = ("precision", "recall", "f1")
    cells = [
        (
            _name(row),
            label.value,
            *(_mean(row.summary.per_class[label][field]) for field in fields),
            _support(row, label),
        )
        for row in rows
        for label in Label
    ]
    return _table(("model", "class", "precision", "recall", "F1", "pairs"), cells)


def _by_part(rows: Sequence[ResultRow], parts: Callable[[ResultRow], dict[str, tuple[float, ScoreSummary]]]) -> str:
    found = [parts(row) for row in rows]
    names = sorted({name for parts in found for name in parts})
    if not names:
        return ""
    cells = [
        (_name(row), *(f"{_mean(there[name][1])} ({there[name][0]:,.0f})" if name in there else "" for name in names))
        for row, there in zip(rows, found, strict=True)
    ]
    return _table(("model", *names), cells)


def _confusion(row: ResultRow) -> str:
    cells = [
        (label.value, *(f"{number:,.1f}".removesuffix(".0") for number in numbers))
        for label, numbers in zip(Label, row.summary.confusion, strict=True)
    ]
    return _table((_name(row), *Label), cells)


def _differences(comparisons: Sequence[ResultComparison]) -> str:
    cells = []
    for one in comparisons:
        test = f"t({one.test.freedom}) = {one.test.t:.2f}, p = {one.test.p:.3f}" if one.test else ""
        interval = f"{_signed(one.interval.low)} to {_signed(one.interval.high)}"
        cells.append((one.second, f"{one.pairs:,}", _signed(one.difference), interval, test))
    return _table(("model", "pairs", "difference", "95 % (bootstrap)", "paired t-test over seeds"), cells)


def _section(title: str, body: str) -> list[str]:
    return [f"## {title}", body] if body else []


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table with aligned columns; "" without rows."""
    given = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    if not given:
        return ""
    widths = [max(len(row[n]) for row in [list(head), *given]) for n in range(len(head))]
    rule = [("-" * width if n == 0 else "-" * (width - 1) + ":") for n, width in enumerate(widths)]
    lines = [list(head), rule, *given]
    return "\n".join(
        "| "
        + " | ".join(
            cell.rjust(width) if n else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        + " |"
        for line in lines
    )


def _name(row: ResultRow) -> str:
    return f"{row.name} (hypothesis only)" if row.subject.hypothesis_only else row.name


def _support(row: ResultRow, label: Label) -> str:
    mean = sum(result.scores.per_class[label].support for result in row.results) / len(row.results)
    return f"{mean:,.0f}"


def _mean(summary: ScoreSummary) -> str:
    return points(summary.mean) + (f" ± {points(summary.sd)}" if summary.sd is not None else "")


def _signed(share: float) -> str:
    text = f"{100 * abs(share):.1f}"
    return text if text == "0.0" else f"{'+' if share > 0 else _MINUS}{text}"
