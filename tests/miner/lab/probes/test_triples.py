"""LevyHolt files: the hypothesis stands first; the groups have the paper's sizes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from miner.errors import UserError
from miner.lab.probes.triples import (
    BadTriple,
    ProbeGroup,
    TriplePair,
    read_triples,
    read_triples_files,
    read_triples_folder,
)

RELEASED = Path(__file__).parents[5] / "shared" / "data" / "levyholt"


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


def test_what_cannot_be_read_is_said_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no triples"):
        read_triples_folder(tmp_path)
    with pytest.raises(UserError, match="no folder of triples"):
        read_triples_folder(tmp_path / "none")
    (tmp_path / "test.txt").write_text("a,b,c\td,e,f\tTrue\tEN\n\na,b,c\td,e,f\n")
    with pytest.raises(UserError, match=r"test\.txt: line 3 cannot be read: there are 2 columns, not 3 or 4"):
        read_triples_folder(tmp_path)


def test_pairs_of_files_with_the_same_name_are_told_apart(tmp_path: Path) -> None:
    files = {part: tmp_path / part / "pairs.txt" for part in ("train", "test")}
    for part, path in files.items():
        path.parent.mkdir()
        path.write_text(f"{part},eats,b\tc,tastes,d\tTrue\n")
    assert len({one.key for rows in read_triples_files(files).values() for one in rows}) == 2


def test_groups_follow_from_converses_which_stand_in_one_part(tmp_path: Path) -> None:
    rows = {
        "train": ["a,eats,b\ta,tastes,b\tFalse", "c,is near,d\td,is near,c\tTrue", "x,y,z\tu,v,w\tFalse"],
        "test": ["a,tastes,b\ta,eats,b\tTrue", "d,is near,c\tc,is near,d\tTrue", "p,q,r\ts,t,u\tTrue"],
    }
    for part, lines in rows.items():
        (tmp_path / f"{part}.txt").write_text("".join(f"{line}\tEN\n" for line in lines))
    found = read_triples_folder(tmp_path)
    groups = {pair.premise: group for rows in found.values() for _, pair, group in rows}
    assert groups == {
        "a tastes b": ProbeGroup.DIR_FALSE,
        "a eats b": ProbeGroup.DIR_TRUE,
        "d is near c": ProbeGroup.PARAPHRASES,
        "c is near d": ProbeGroup.PARAPHRASES,
        "u v w": ProbeGroup.UNRELATED,
        "s t u": ProbeGroup.PARAPHRASES,
    }
    for part, triples in found.items():
        keys = [key for key, _, _ in triples]
        assert all(keys.count(key) == (1 if pair.premise in ("u v w", "s t u") else 2) for key, pair, _ in triples), (
            part
        )


@pytest.mark.skipif(not RELEASED.exists(), reason="the released files of LevyHolt are not on this machine")
def test_the_released_groups_have_the_papers_sizes() -> None:
    found = {part: Counter(group for _, _, group in rows) for part, rows in read_triples_folder(RELEASED).items()}
    order = (ProbeGroup.DIR_TRUE, ProbeGroup.DIR_FALSE, ProbeGroup.PARAPHRASES, ProbeGroup.UNRELATED)
    assert [[found[part][group] for part in ("train", "dev", "test")] for group in order] == [
        [251, 64, 892],
        [251, 64, 892],
        [615, 155, 1939],
        [3255, 831, 9198],
    ]
