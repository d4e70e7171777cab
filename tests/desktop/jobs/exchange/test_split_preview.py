"""What is said of a split before it is set is what setting it then gives."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop.jobs.exchange.project_split import set_split, split_of_gold_papers
from desktop.jobs.exchange.split_preview import load_proposal, preview_split
from miner.progress import Progress
from miner.splits import SPLITS, PaperSplit
from miner.year_ranges import YearRange
from storage.annotation.annotation_rounds import Targets
from storage.project import Project
from storage.settings import TARGETS
from tests.storage.annotation.round_factory import C, E, N, R, add_pairs, answer, hold_rules_everywhere, keys
from tests.storage.exchange.data_set_files import import_file

DOMAINS = ("ecology", "law", "nlp")
SHARES = st.tuples(st.integers(0, 60), st.integers(0, 40)).map(
    lambda held_out: (("train", 100.0 - sum(held_out)), ("dev", float(held_out[0])), ("test", float(held_out[1])))
)
RANGES = st.one_of(
    st.dictionaries(st.sampled_from([*DOMAINS, "*"]), SHARES).map(
        lambda found: tuple(YearRange(domain, shares) for domain, shares in found.items())
    ),
    st.integers(2017, 2021).map(
        lambda year: (
            YearRange("*", (("train", 1.0),), None, year),
            YearRange("*", (("dev", 1.0), ("test", 1.0)), year + 1),
        )
    ),
)
ROWS = [
    {"premise": f"An imported sentence {n}.", "hypothesis": f"it is number {n}.", "label": label, **more}
    for n, (label, more) in enumerate(
        [
            ("neutral", {"split": "dev"}),
            ("reasoning", {"split": "train"}),
            ("entailment", {}),
            ("neutral", {}),
            ("contrasting", {"paper_md5": "ab" * 16, "domain": "law"}),
            ("contrasting", {"paper_md5": "cd" * 16, "domain": "law", "split": "test"}),
        ]
    )
]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("preview")
    with Project.create(folder / "demo.pairwright") as project:
        pairs = add_pairs(project, {name: {C: 4, R: 3, E: 2, N: 5} for name in DOMAINS})
        import_file(project, folder / "set.jsonl", "".join(json.dumps(row) + "\n" for row in ROWS))
        with project.transaction() as stores:
            answer(stores, keys(pairs["nlp"])[0], C, C, C)
            stores.settings.put(TARGETS, Targets(2, 3, ("law", "nlp")))
    return folder / "demo.pairwright"


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ranges=RANGES, seed=st.integers(0, 5), rest=st.sampled_from([None, "train", "test"]), is_split=st.booleans())
def test_the_preview_is_what_setting_the_split_gives(
    filled: Path, ranges: tuple[YearRange, ...], seed: int, rest: str | None, is_split: bool
) -> None:
    split = PaperSplit(ranges, seed, rest=rest) if is_split else None
    with Project.open(filled) as project:
        preview = preview_split(project, split).work(Progress())
        change = set_split(project, split, confirmed=True).work(Progress())
    assert preview.papers == change.state.papers
    pairs: Counter[tuple[str, str]] = Counter()
    for one in change.state.pairs:
        pairs[one.split, one.domain] += one.pairs
    assert preview.pairs == pairs
    assert preview.moved == change.moved
    by_class = {(one.split, one.domain, one.label): one.pairs for one in change.state.pairs}
    for stratum in preview.strata:
        assert stratum.pairs == by_class.get(stratum[:3], 0)
        assert stratum.target == (0 if stratum.domain == "ecology" else preview.targets.of(stratum.split))
    if is_split:
        assert preview.papers_in("") == len(change.state.without_split)
        assert preview.undated == sum(one.year is None for one in change.state.without_split)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "demo.pairwright") as project:
        yield project


def test_the_proposal_says_which_ways_there_are(project: Project, tmp_path: Path) -> None:
    empty = load_proposal(project).work(Progress())
    assert (empty.suggestions, empty.gold_papers, empty.has_own_splits, empty.older) == ((), (), False, None)
    pairs = add_pairs(project, {"nlp": {C: 3}})
    import_file(project, tmp_path / "set.jsonl", "".join(json.dumps(row) + "\n" for row in ROWS))
    hold_rules_everywhere(project)
    with project.transaction() as stores:
        answer(stores, keys(pairs["nlp"])[0], C, C, C)
        answer(stores, keys(pairs["nlp"])[1], C)
    found = load_proposal(project).work(Progress())
    assert found.domains == ("law", "nlp")
    assert [len(found.gold_papers), found.has_own_splits] == [1, True]
    assert found.older is not None
    assert found.older == (1, 0, 1)
    split = split_of_gold_papers(found.gold_papers, seed=1)
    assert {chosen for _, chosen in split.named} <= set(SPLITS)
    preview = preview_split(project, split).work(Progress())
    assert sum(preview.papers_in(one) for one in SPLITS) == 3
    assert preview.papers_in("train") == 1  # the file says test of one, and one has a gold label
