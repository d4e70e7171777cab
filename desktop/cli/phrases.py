"""The command about linking phrases: those of the lexicon, and openers that could become some."""

from __future__ import annotations

from typing import Any

from desktop.cli.execution import CommandResult, Options, full_text, open_project, run_job
from desktop.cli.output import table
from desktop.jobs.descriptions.phrases import precision_text
from desktop.jobs.mining.lexicon_figures import PhraseFigures, load_lexicon_figures
from desktop.jobs.mining.run import mining_settings
from desktop.jobs.models.phrase_discovery import DiscoveredPhrase, discover_phrases, release_discovery_model
from desktop.jobs.results import describe
from desktop.text import shortened
from miner.mining.linking_phrases import Phrase, phrase_key
from miner.mining.phrase_precision import is_reliable, reading_of

_MAX_SENTENCE_LENGTH = 90  # characters, of an example
_AGREE = "People agree: of the pairs whose votes have a majority, those with the relation of the phrase."


def phrases(options: Options) -> CommandResult:
    return _discovered(options) if options.discover else _lexicon(options)


def _lexicon(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        lexicon = mining_settings(project).phrases
        figures = run_job(load_lexicon_figures(project), options).phrases
    data = [_phrase_data(phrase, figures.get(phrase_key(phrase.text), PhraseFigures())) for phrase in lexicon]
    rows = []
    for one in data:
        agree = f"{one['agreed']} of {one['answered']}" if one["answered"] else ""
        read = f"{one['read_right']} of {one['read']}" if one["read"] else ""
        rows.append((one["phrase"], one["label"], "on" if one["on"] else "off", one["pairs"], agree, read))
    text = table(("phrase", "relation", "", "pairs", "people agree", "right of those read"), rows)
    if any(one["answered"] for one in data):
        text = f"{text}\n\n{_AGREE}"
    return CommandResult(text, data)


def _phrase_data(phrase: Phrase, figures: PhraseFigures) -> dict[str, Any]:
    reading = reading_of(phrase)
    return {
        "phrase": phrase.text,
        "label": phrase.label,
        "on": phrase.on,
        "pairs": figures.pairs,
        "answered": figures.answered,
        "agreed": figures.agreed,
        "read": reading.read if reading else 0,
        "read_right": reading.right if reading else 0,
        "reliable": is_reliable(phrase),
    }


def _discovered(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        job = discover_phrases(
            project,
            model=options.model,
            device=options.device,
            workers=options.jobs,
            language_model=options.language_model,
        )
        try:
            found = run_job(job, options)
        finally:
            release_discovery_model()
    rows = [(one.text, one.expected.label, precision_text(one), one.pairs, one.papers) for one in found.phrases]
    shown = table(("opener", "relation", "expected precision", "pairs", "papers"), rows)
    examples = [_examples_text(one) for one in found.phrases[: options.examples]]
    parts = [full_text(describe(found)), shown, *examples]
    if found.phrases:
        best = found.phrases[0]
        parts.append(f'To use an opener: pairwright mine --phrase "{best.text}={best.expected.label}"')
    data = {
        "model": found.model,
        "papers": found.papers,
        "of_papers": found.all_papers,
        "openers": found.openers,
        "phrases": [_discovered_data(one) for one in found.phrases],
    }
    return CommandResult("\n\n".join(filter(None, parts)), data)


def _examples_text(phrase: DiscoveredPhrase) -> str:
    lines = [f"{phrase.text} ({phrase.expected.label})"]
    for example in phrase.examples[:3]:
        lines.append(f"  {shortened(example.premise, _MAX_SENTENCE_LENGTH)}")
        lines.append(f"  → {shortened(example.hypothesis, _MAX_SENTENCE_LENGTH)}")
    return "\n".join(lines)


def _discovered_data(phrase: DiscoveredPhrase) -> dict[str, Any]:
    return {
        "phrase": phrase.text,
        "label": phrase.expected.label,
        "precision": phrase.expected.share,
        "low": phrase.expected.interval.low,
        "high": phrase.expected.interval.high,
        "pairs": phrase.pairs,
        "papers": phrase.papers,
        "scored": phrase.scored,
        "answered": phrase.answered,
        "right": phrase.right,
        "examples": [example._asdict() for example in phrase.examples],
    }
