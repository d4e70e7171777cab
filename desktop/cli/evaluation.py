"""The command that measures models: evaluate."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from desktop.cli.commands import Said, open_project, run_job
from desktop.cli.evaluation_report import markdown, notes
from desktop.cli.output import as_json_text
from desktop.jobs.models.evaluation import EvaluateOptions, Seen
from desktop.jobs.models.evaluation import evaluate as evaluate_job
from miner.errors import UserError
from miner.records import Label
from storage.exchange.files import NewFile, publish, writing_to
from storage.project import SUFFIX

Options = argparse.Namespace


def evaluate(options: Options) -> Said:
    if options.data and options.distant:
        raise UserError("Files have no distant labels.", hint="Leave out --data or --distant.")
    chosen = EvaluateOptions(
        tuple(options.model) or EvaluateOptions().models,
        tuple(options.data),
        options.distant,
        tuple(map(Label, options.labels)) if options.labels else None,
        options.device,
        Seen(options.learned),
        options.most,
        options.label_numbers,
    )
    alone = options.data and options.project is None and len(list(Path().glob(f"*{SUFFIX}"))) != 1
    with ExitStack() as stack:
        project = None if alone else stack.enter_context(open_project(options, to_look=True))
        found = run_job(evaluate_job(project, chosen), options)
    text, data, asides = markdown(found), found.to_data(), notes(found)
    if options.out:
        _write(options.out, {"evaluation.md": text, "evaluation.json": as_json_text(data)})
        asides.append(f"Wrote evaluation.md and evaluation.json to {options.out}.")
    return Said(text, data, asides=tuple(asides))


def _write(folder: Path, texts: dict[str, str]) -> None:
    with writing_to(folder), ExitStack() as stack:
        files = [stack.enter_context(NewFile(folder, name)) for name in texts]
        for file, text in zip(files, texts.values(), strict=True):
            file.write_lines([text.encode()])
            file.finish()
        publish(folder, files)
