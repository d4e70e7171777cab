"""The command mend."""

from __future__ import annotations

from typing import Any

from desktop.cli.execution import CommandResult, Options, acting_annotator, open_project, run_job, undo_hint
from desktop.jobs.review.mending import find_pair, load_pair, mend
from desktop.text import one_line
from miner.errors import UserError
from storage.annotation.texts import PairTexts
from storage.pairs.mended_texts import SentenceField


def mend_pair(options: Options) -> CommandResult:
    texts = _texts(options)
    with open_project(options, for_reading=not texts) as project:
        key = run_job(find_pair(project, options.key), options)
        if not texts:
            shown = run_job(load_pair(project, key), options).texts
            return CommandResult(_pair_text(key, shown), _pair_data(key, shown))
        done = run_job(mend(project, key, acting_annotator(project, options), texts), options)
        shown = run_job(load_pair(project, key), options).texts
    sentence = f"{done.title}. {undo_hint(options)}" if done.count else "The pair has this text already."
    return CommandResult(f"{sentence}\n{_pair_text(key, shown)}", _pair_data(key, shown) | {"done": bool(done.count)})


def _texts(options: Options) -> dict[SentenceField, str | None]:
    given: dict[SentenceField, str | None] = {
        field: text
        for field, text in (
            (SentenceField.PREMISE, options.premise),
            (SentenceField.HYPOTHESIS, options.hypothesis),
        )
        if text is not None
    }
    if options.back and given:
        raise UserError(
            "--back restores the mined text of both sentences.",
            hint="Give --back alone, or --premise and --hypothesis.",
        )
    return dict.fromkeys(SentenceField) if options.back else given


def _pair_text(key: str, texts: PairTexts) -> str:
    lines = [f"pair {key}", f"premise: {one_line(texts.premise)}"]
    if texts.premise != texts.mined_premise:
        lines.append(f"  mined: {one_line(texts.mined_premise)}")
    lines.append(f"hypothesis: {one_line(texts.hypothesis)}")
    if texts.hypothesis != texts.mined_hypothesis:
        lines.append(f"  mined: {one_line(texts.mined_hypothesis)}")
    return "\n".join(lines)


def _pair_data(key: str, texts: PairTexts) -> dict[str, Any]:
    return {
        "key": key,
        "premise": texts.premise,
        "hypothesis": texts.hypothesis,
        "edited": texts.is_mended,
        "premise_mined": texts.mined_premise,
        "hypothesis_mined": texts.mined_hypothesis,
    }
