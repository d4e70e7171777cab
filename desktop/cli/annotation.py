"""Commands for annotation by several people: people, round, gold."""

from __future__ import annotations

from typing import Any

from desktop.cli.execution import CommandResult, Options, open_project, run_job, with_known_names
from desktop.cli.output import table
from desktop.jobs.pairs.filter_text import read_filter
from desktop.jobs.review import annotation_rounds as rounds
from desktop.jobs.review.annotate_overview import load_annotate, round_kind
from desktop.jobs.review.annotation_rounds import AnnotationRoundProgress, RoundPreview
from desktop.jobs.review.annotator import annotator
from desktop.jobs.review.gold import RULE_MEANINGS, GoldState, load_gold, set_gold
from desktop.jobs.review.lacking_votes import earlier_text
from desktop.jobs.review.people import Person, find_person, list_people, register_people, rename_person, set_role
from desktop.jobs.review.shortages import draw_text
from desktop.jobs.review.taxonomies import read_taxonomy_text
from desktop.text import count, listed, one_line, percent
from miner.errors import UserError
from miner.records import Label
from storage.annotation.annotation_rounds import USUAL_KINDS_PAIRS, RoundAsks, RoundKind, RoundPlan, Targets
from storage.annotation.annotators import Annotator, Role
from storage.annotation.round_draw import RoundDraw, RoundStratum
from storage.dataset.gold_rule import GoldRule, GoldRules
from storage.project import Project


def list_all_people(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        found = run_job(list_people(project), options)
    if not found:
        return CommandResult("There are no annotators yet. To add one: pairwright people add NAME", [])
    rows = [(one_line(one.name), one.role.value, one.answers, one.kinds) for one in found]
    return CommandResult(table(("name", "role", "answers", "kinds"), rows), [_person_data(one) for one in found])


def add_people(options: Options) -> CommandResult:
    role = Role(options.role)
    with open_project(options) as project:
        added = run_job(register_people(project, options.names, role), options)
    names = ", ".join(one.name for one in added)
    return CommandResult(f"Added: {names} (role: {role}).", [_annotator_data(one) for one in added])


def rename(options: Options) -> CommandResult:
    with open_project(options) as project:
        before = _person(project, options.name)
        done = run_job(rename_person(project, before.key, options.new_name), options).person
    return CommandResult(f"{before.name} is now called {done.name}; all answers are kept.", _annotator_data(done))


def change_role(options: Options) -> CommandResult:
    with open_project(options) as project:
        before = _person(project, options.name)
        done = run_job(set_role(project, before.key, Role(options.role)), options)
    again = f" The status of {count(done.refreshed, 'pair')} was updated." if done.refreshed else ""
    text = f"{done.person.name} now has the role {done.person.role}.{again}"
    return CommandResult(text, _annotator_data(done.person) | {"refreshed": done.refreshed})


def gold(options: Options) -> CommandResult:
    with open_project(options, for_reading=options.rule is None and options.votes is None) as project:
        state = run_job(load_gold(project), options)
        if options.rule is not None or options.votes is not None:
            rule = state.rules.rule if options.rule is None else GoldRule(options.rule)
            votes = state.rules.votes if options.votes is None else options.votes
            state = run_job(set_gold(project, GoldRules(rule, votes)), options)
    return CommandResult(_gold_text(state), _gold_data(state))


def list_rounds(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        seen = run_job(load_annotate(project, run_job(annotator(project), options)), options)
    parts = [
        table(("round", "kind", "pairs", "answered", "state"), map(_round_row, seen.rounds)),
        _targets_table(list(seen.strata), seen.targets),
        f"{seen.standing}." if seen.standing else "",
        seen.targets_note,
        seen.next.sentence,
    ]
    data = {
        "rounds": [_round_data(one) for one in seen.rounds],
        "targets": {"dev": seen.targets.dev, "test": seen.targets.test, "domains": list(seen.targets.domains)},
        "classes": [_stratum_data(one, seen.targets.of(one.split)) for one in seen.strata],
        "ties": seen.ties,
        "missing": seen.missing,
        "targets_note": seen.targets_note,
        "next": seen.next.sentence,
    }
    return CommandResult("\n\n".join(filter(None, parts)), data)


def new_round(options: Options) -> CommandResult:
    with open_project(options) as project:
        asks, kind, pairs = RoundAsks(options.asks), RoundKind(options.kind), options.pairs or USUAL_KINDS_PAIRS
        _check_options(asks, kind, pairs, options)
        targets = _targets(project, options)
        plan = RoundPlan(
            kind,
            with_known_names(project, read_filter(options.where), options),
            tuple(options.domain) or targets.domains,
            targets.dev,
            targets.test,
            options.size,
            options.seed,
            asks,
            pairs,
            options.overlap,
        )
        taxonomy = "" if options.taxonomy is None else read_taxonomy_text(options.taxonomy)
        if options.preview:
            preview = run_job(rounds.preview_round(project, plan, options.annotator), options)
            return CommandResult(
                _preview_text(plan, preview), _draw_data(preview.draw) | {"annotators": list(preview.names)}
            )
        new = None if (options.dev, options.test) == (None, None) else targets
        job = rounds.start_annotation_round(project, plan, options.annotator, taxonomy=taxonomy, targets=new)
        started = run_job(job, options)
    round, names = started.progress.round, [one.name for one in started.progress.assignments]
    each = {one.assignment.size for one in started.progress.assignments} - {round.size}
    share = f", {' or '.join(f'{size:,}' for size in sorted(each))} each" if each else ""
    lines = [f"Drew round {round.number}: {count(round.size, 'pair')} for {listed(names)}{share}."]
    lines += [f"New in this project: {listed(started.added)}."] if started.added else []
    lines += filter(None, [started.votes_note, draw_text(started.draw, started.shortage)])
    data = _round_data(started.progress) | _draw_data(started.draw) | {"votes": started.votes}
    return CommandResult("\n".join(lines), data)


def show_round(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        found = _round(project, options)
    plan = found.round.plan
    head = f"Round {found.round.number}, {round_kind(plan)}, {_state(found)}: "
    drawn = f"{count(found.round.size, 'pair')}, drawn on {found.round.created_at:%Y-%m-%d} with seed {plan.seed}."
    rows = [(one_line(one.name), one.assignment.state.value, one.answered, one.left) for one in found.assignments]
    text = f"{head}{drawn}\n\n{table(('annotator', 'state', 'answered', 'left'), rows)}"
    return CommandResult(text, _round_data(found))


def close_round(options: Options) -> CommandResult:
    with open_project(options) as project:
        done = run_job(rounds.close_round(project, options.round, is_open=options.reopen), options)
    plan = done.round.plan
    lack = " or that lack votes" if plan.kind is RoundKind.BENCHMARK and not plan.asks_kinds else ""
    what = (
        "is open again"
        if options.reopen
        else f"is closed. Its answers are kept, and pairs that nobody has answered{lack} can be drawn again"
    )
    return CommandResult(f"Round {options.round} {what}.", _round_data(done))


def _person(project: Project, name: str) -> Annotator:
    with project.read_transaction() as stores:
        return find_person(stores, name)


def _round(project: Project, options: Options) -> AnnotationRoundProgress:
    with project.read_transaction() as stores:
        rounds.get_round(stores, options.round)
    return next(one for one in run_job(rounds.list_rounds(project), options) if one.round.number == options.round)


def _check_options(asks: RoundAsks, kind: RoundKind, pairs: int, options: Options) -> None:
    """Raise `UserError` for options that belong to another kind of round."""
    of_relations = options.size or options.dev is not None or options.test is not None or kind is RoundKind.ESTIMATE
    of_kinds = options.pairs or options.overlap is not None or options.taxonomy
    if asks is RoundAsks.KINDS and of_relations:
        what = "A round that asks for kinds is drawn by --pairs and --overlap, and cannot be an estimate."
        raise UserError(what, hint="Leave out --size, --dev, --test and --kind estimate.")
    if asks is RoundAsks.RELATION and of_kinds:
        raise UserError(
            "--pairs, --overlap and --taxonomy are for rounds that ask for kinds.", hint="Add --asks kinds."
        )
    if options.overlap is not None and options.overlap > pairs:
        raise UserError(
            f"--overlap {options.overlap:,} is more than the {count(pairs, 'pair')} of each annotator.",
            hint="Give a smaller --overlap, or a larger --pairs.",
        )


def _targets(project: Project, options: Options) -> Targets:
    """The project's targets with the changes of the options; they are saved once a round was drawn for them."""
    known = run_job(rounds.load_targets(project), options)
    dev = known.dev if options.dev is None else options.dev
    test = known.test if options.test is None else options.test
    return Targets(dev, test, tuple(options.domain) or known.domains)


def _preview_text(plan: RoundPlan, preview: RoundPreview) -> str:
    is_vote = plan.kind is RoundKind.BENCHMARK and not plan.asks_kinds  # for others, gold labels are not counted
    columns = ("gold", "available", "wanted", "drawn") if is_vote else ("available", "wanted", "drawn")
    rows = [
        (f"{one.domain or 'no domain'} {one.split}".rstrip(), one.label, *(getattr(one, name) for name in columns))
        for one in preview.draw.strata
    ]
    who = listed(preview.names) or "nobody yet"
    total = f"This round would have {count(len(preview.draw.pairs), 'pair')} for {who}. Nothing was drawn."
    drawn = table(("domain", "class", *columns), rows)
    notes = [draw_text(preview.draw, preview.shortage), earlier_text(preview.draw)]
    return "\n\n".join(filter(None, [drawn, *notes, total]))


def _round_row(one: AnnotationRoundProgress) -> tuple[object, ...]:
    waiting = ", ".join(f"{one_line(part.name)} {part.left:,} left" for part in one.waiting)
    state = waiting or _state(one)
    share = percent(one.answered / one.answers) if one.answers else ""
    return one.round.number, round_kind(one.round.plan), one.round.size, share, state


def _state(one: AnnotationRoundProgress) -> str:
    if not one.round.is_open:
        return "closed"
    return "open" if one.waiting else "done"


def _targets_table(strata: list[RoundStratum], targets: Targets) -> str:
    by_part: dict[tuple[str, str], dict[str, int]] = {}
    for one in strata:
        by_part.setdefault((one.domain, one.split), {})[one.label] = one.gold
    rows = [
        (
            f"{domain or 'no domain'} {split}".rstrip(),
            *(f"{found.get(label, 0):,} of {targets.of(split):,}" for label in Label),
        )
        for (domain, split), found in by_part.items()
    ]
    return table(("gold labels", *Label), rows)


def _gold_text(state: GoldState) -> str:
    meaning = RULE_MEANINGS[state.rules.rule]
    lines = [f"Rule: {state.rules.rule}, with {count(state.rules.votes, 'vote')} for each pair. {meaning}"]
    lines.append(f"{count(state.gold, 'pair has', 'pairs have')} a gold label.")
    if state.discarded:
        discarded = count(state.discarded, "pair is discarded: its", "pairs are discarded: their")
        lines.append(f"{discarded} gold label is not the distant label.")
    elif state.differing:
        lines.append(f"The rule “agreeing” would discard {count(state.differing, 'pair')}.")
    if state.changed:
        lines.append(f"The gold label of {count(state.changed, 'pair')} was computed again.")
    rows = [(one.domain or "no domain", one.distant, one.gold, one.pairs) for one in state.differences]
    shown = table(("domain", "distant label", "gold label", "pairs"), rows)
    return "\n\n".join(filter(None, ["\n".join(lines), shown]))


def _person_data(one: Person) -> dict[str, Any]:
    return {"name": one.name, "key": one.key, "role": one.role.value, "answers": one.answers, "kinds": one.kinds}


def _annotator_data(one: Annotator) -> dict[str, Any]:
    return {"name": one.name, "key": one.key, "role": one.role.value}


def _gold_data(state: GoldState) -> dict[str, Any]:
    return {
        "rule": state.rules.rule.value,
        "votes": state.rules.votes,
        "gold": state.gold,
        "discarded": state.discarded,
        "differences": [one._asdict() for one in state.differences],
        "changed": state.changed,
    }


def _stratum_data(one: RoundStratum, target: int) -> dict[str, Any]:
    missing = one.missing(target)
    return {
        "domain": one.domain,
        "split": one.split,
        "class": one.label,
        "gold": one.gold,
        "left_out": one.left_out,
        "target": target,
        "missing": missing,
        "lacking_votes": one.lacking,
    }


def _draw_data(draw: RoundDraw) -> dict[str, Any]:
    names = ("domain", "split", "label", "available", "wanted", "drawn")
    pairs = {"pairs": len(draw.pairs), "lacking_votes": draw.lacking}
    return pairs | {"strata": [{name: getattr(one, name) for name in names} for one in draw.strata]}


def _round_data(found: AnnotationRoundProgress) -> dict[str, Any]:
    return {
        "round": found.round.number,
        "uid": found.round.uid,
        "asks": found.round.plan.asks.value,
        "kind": found.round.plan.kind.value,
        "seed": found.round.plan.seed,
        "created_at": found.round.created_at.isoformat(),
        "open": found.round.is_open,
        "pairs": found.round.size,
        "assignments": [
            {
                "annotator": one.name,
                "state": one.assignment.state.value,
                "pairs": one.assignment.size,
                "left": one.left,
            }
            for one in found.assignments
        ],
    }
