"""LevyHolt files: the hypothesis stands first; the groups have the paper's sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from miner.errors import UserError
from miner.probes.triples import BadTriple, ProbeGroup, TriplePair, read_released_groups, read_triples

RELEASED = Path(__file__).parents[4] / "shared" / "data" / "levyholt"


def test_the_hypothesis_stands_first() -> None:
    line = "Reefs,shelter,young fish\tReefs,are home to,young fish, and crabs\tTrue\tEN\n"
    [(number, found)] = read_triples([line])
    assert (number, found) == (
        1,
        TriplePair("Reefs are home to young fish, and crabs", "Reefs shelter young fish", True),
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("a,b,c\td,e,f", "2 columns"),
        ("a,b,c\td,e,f\tTrue\tEN\tmore", "5 columns"),
        ("a,b,c\td,e,f\tyes\tEN", "neither True nor False"),
        ("\td,e,f\tTrue\tEN", "empty"),
        ("x" * 20_000, "too long"),
    ],
)
def test_a_line_of_the_wrong_shape_is_said_with_its_number(line: str, problem: str) -> None:
    [(number, found)] = read_triples(["\n", line][1:])
    assert isinstance(found, BadTriple)
    assert (number, problem in found.problem) == (1, True)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_released_groups(tmp_path)


@pytest.mark.skipif(not RELEASED.exists(), reason="the released files of LevyHolt are not on this machine")
def test_the_released_groups_have_the_papers_sizes() -> None:
    sizes = {
        part: {group: len(pairs) for group, pairs in groups.items()}
        for part, groups in read_released_groups(RELEASED).items()
    }
    order = (ProbeGroup.DIR_TRUE, ProbeGroup.DIR_FALSE, ProbeGroup.PARAPHRASES, ProbeGroup.UNRELATED)
    assert [[sizes[part][group] for part in ("train", "dev", "test")] for group in order] == [
        [251, 64, 892],
        [251, 64, 892],
        [615, 155, 1939],
        [3255, 831, 9198],
    ]
