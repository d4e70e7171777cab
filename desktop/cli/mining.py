"""The command that mines pairs, and the mining settings that its options change."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import Any

from desktop.cli.execution import CommandResult, Options, full_text, open_project, problem_lines, run_job
from desktop.cli.options.declared import with_changes
from desktop.cli.overview import funnel_data, funnel_text, gone_text, outdated_text, pairs_text
from desktop.cli.settings_file import settings_from_file
from desktop.jobs.descriptions.mining import rare_class_text
from desktop.jobs.mining.class_balance import RareClass, measure_rare_class
from desktop.jobs.mining.run import mine as mine_job
from desktop.jobs.mining.run import mining_settings
from desktop.jobs.overview import overview
from desktop.jobs.papers.outdated import COMMAND_LINE, close_offer
from desktop.jobs.results import describe
from miner.errors import UserError
from miner.installation import how_installed
from miner.mining.drop_reasons import FILTERS
from miner.mining.linking_phrases import Phrase
from miner.mining.settings import MiningSettings
from miner.mining.spare_phrases import with_reliable_phrases, with_spare_phrases
from miner.records import Label

_NO_MODEL_NOTE = "No spaCy model is installed, so simple rules look for verbs; a model is more accurate. "


def mine(options: Options) -> CommandResult:
    with open_project(options) as project:
        settings = _changed_settings(mining_settings(project), options)
        done = run_job(mine_job(project, settings, workers=options.jobs, model=options.model), options)
        seen = run_job(overview(project), options)
        if seen.outdated.is_offered:
            run_job(close_offer(project, COMMAND_LINE), options)
        rare = run_job(measure_rare_class(project, workers=options.jobs, model=options.model), options)
    result = describe(done)
    data = {name: getattr(done, name) for name in ("run", "mined", "papers", "language_model", "failed")}
    data["other_languages"] = dict(done.other_languages)
    parts = [full_text(result), pairs_text(seen), funnel_text(done.funnel), _rare_class_text(rare)]
    text = "\n\n".join(filter(None, parts))
    notes = [_NO_MODEL_NOTE + how_installed().remedy("spacy-model")] if done.language_model.startswith("rules") else []
    notes += filter(None, [gone_text(seen.answers)])
    notes += [outdated_text(seen.outdated)] if seen.outdated.is_offered else []
    notes += problem_lines(result.problems)
    data |= {**funnel_data(done.funnel), "rarest": rare and _rare_class_data(rare)}
    return CommandResult(text, data, notes=tuple(notes))


def _rare_class_text(rare: RareClass | None) -> str:
    if rare is None:
        return ""
    hint = [f"To use them too: pairwright mine --more {rare.label}"] if rare.can_grow else []
    if rare.gain and rare.gain.reliable:
        hint.append("To use all phrases that are reliable, of any class: pairwright mine --reliable")
    return "\n".join([full_text(rare_class_text(rare)), *hint])


def _rare_class_data(rare: RareClass) -> dict[str, Any]:
    return {
        "label": rare.label,
        "pairs": rare.pairs,
        "phrases_off": [phrase.text for phrase in rare.spare],
        "reliable": [phrase.text for phrase in rare.reliable],
        "sample": rare.gain and dataclasses.asdict(rare.gain),
        "answered": rare.answered,
        "agreed": rare.agreed,
    }


def _changed_settings(settings: MiningSettings, options: Options) -> MiningSettings:
    """The project's settings with the changes of the options."""
    if options.defaults:
        settings = MiningSettings()
    if options.settings:
        settings = settings_from_file(options.settings)
    settings = _with_phrases(settings, options)
    return with_changes(settings, options, filters=_filters(settings, options))


def _with_phrases(settings: MiningSettings, options: Options) -> MiningSettings:
    if options.extended is not None:
        phrases = (replace(phrase, on=options.extended) if phrase.extended else phrase for phrase in settings.phrases)
        settings = replace(settings, phrases=tuple(phrases))
    for label in options.more:
        settings = with_spare_phrases(settings, Label(label))
    if options.reliable:
        settings = with_reliable_phrases(settings)
    for given in options.phrase:
        text, _, label = given.rpartition("=")
        if label not in set(Label) or not text.strip():
            hint = 'Write: --phrase "By contrast=contrasting"'
            raise UserError(f"“{given}” is not a phrase with a relation.", hint=hint)
        settings = settings.with_phrase(Phrase(text, Label(label)))
    for text in options.drop_phrase:
        settings = settings.without_phrase(text)
    for texts, on in ((options.on, True), (options.off, False)):
        for text in texts:
            settings = settings.switch(text, on)
    return settings


def _filters(settings: MiningSettings, options: Options) -> frozenset[str]:
    chosen = settings.filters
    for names, on in ((options.no_filter, False), (options.filter, True)):
        if unknown := set(names) - set(FILTERS) - {"all"}:
            hint = f"Filters are: {', '.join(FILTERS)}, or all."
            raise UserError(f"Unknown filter {', '.join(sorted(unknown))}.", hint=hint)
        changed = frozenset(FILTERS) if "all" in names else frozenset(names)
        chosen = chosen | changed if on else chosen - changed
    return chosen
