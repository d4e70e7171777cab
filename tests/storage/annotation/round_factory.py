"""Projects with pairs of given domains and classes, and annotators' answers to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from miner.records import Answer, Label, Pair, Strategy
from storage.annotation.annotators import Role
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.dataset.gold_rule import GoldRule, GoldRules
from storage.project import Project
from storage.settings import GOLD, GOLD_EVERYWHERE, SPLIT
from storage.stores import Stores
from tests.storage.factories import mined, pair, paper, pdf, start_run

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
C, R, E, N = Label


def add_pairs(project: Project, numbers: Mapping[str, Mapping[Label, int]]) -> dict[str, list[Pair]]:
    """Mine a paper for each domain, with so many pairs of each class; the pairs by domain."""
    papers = {domain: paper(domain, domain=domain) for domain in numbers}
    found: dict[str, list[Pair]] = {}
    with project.transaction() as stores:
        for one in papers.values():
            stores.papers.save(one, pdf(one.domain))
    run = start_run(project)
    domains = {one.md5: domain for domain, one in papers.items()}
    with project.transaction() as stores:
        for pending in stores.mining_runs.next_papers(run, limit=100):
            domain = domains[pending.md5]
            found[domain] = [
                _pair(pending.md5, label, number) for label, size in numbers[domain].items() for number in range(size)
            ]
            assert stores.pairs.replace_for(pending, mined(found[domain]), lambda linked: 1000) is not None
    return found


def _pair(owner: str, label: Label, number: int) -> Pair:
    strategy = Strategy.BOTH_RANDOM if label is Label.NEUTRAL else Strategy.LINKED
    return pair(owner, f"{owner} {label} {number}.", f"However, {owner} {label} {number}.", strategy, label, number)


def answer(stores: Stores, key: str, *answers: Answer | Label, who: str = "annotator") -> None:
    """Answers of `who 1`, `who 2` and so on."""
    stores.answers.append(
        NewAnswer(key, f"{who} {number}", AT, Answer(given.value)) for number, given in enumerate(answers, 1)
    )


def answer_as(stores: Stores, who: str, key: str, given: Answer | Label, *, accepted: bool = False) -> None:
    source = AnswerSource.ACCEPTED if accepted else AnswerSource.ANSWER
    stores.answers.append([NewAnswer(key, who, AT, Answer(given.value), source)])


def set_rules(project: Project, rule: GoldRule = GoldRule.MAJORITY, votes: int = 3) -> None:
    with project.transaction() as stores:
        stores.settings.put(GOLD, GoldRules(rule, votes))
        if stores.settings.get(SPLIT) is None:
            stores.settings.put(GOLD_EVERYWHERE, True)
        stores.annotators.refresh_statuses(lambda done, total: None)


def hold_rules_everywhere(project: Project) -> None:
    """Have the rules of gold decide all labels, as in a project of an earlier version that is not split."""
    with project.transaction() as stores:
        stores.settings.put(GOLD_EVERYWHERE, True)


def add_people(project: Project, roles: Mapping[str, Role]) -> None:
    with project.transaction() as stores:
        for name, role in roles.items():
            stores.annotators.ensure(name, role)


def keys(pairs: Iterable[Pair]) -> list[str]:
    return [one.key for one in pairs]
