"""What people say of the direction beside what the phrases announce."""

from __future__ import annotations

import pytest

from miner.kinds.direction_agreement import AnsweredDirection, direction_agreement
from miner.kinds.taxonomy import Direction
from miner.statistics import wilson

FORWARD, BACKWARD, BOTH, NEITHER, UNCLEAR = Direction


def test_each_phrase_has_its_share_the_most_frequent_first() -> None:
    pairs = [AnsweredDirection("entailment", "In other words", BOTH)]
    pairs += [AnsweredDirection("reasoning", "Thus", one) for one in (FORWARD, FORWARD, NEITHER, UNCLEAR, None)]
    pairs += [AnsweredDirection("neutral", "", NEITHER)] * 2
    pairs += [AnsweredDirection("reasoning", "So there", FORWARD)]
    found = direction_agreement(pairs)
    assert [(one.phrase, one.distant) for one in found.phrases] == [
        ("thus", FORWARD),
        ("", NEITHER),
        ("in other words", BOTH),
    ]
    thus = found.phrases[0]
    assert thus.agreeing == (pytest.approx(2 / 3), wilson(2, 3), 3)
    assert (thus.said, thus.unclear) == ((2, 0, 0, 1), 1)
    assert (found.undecided, found.unannounced) == (1, 1)
    assert found.all is not None
    assert (found.all.of, found.all.value) == (6, pytest.approx(5 / 6))
    # Observed 5/6; by chance 3/6 * 2/6 (forward) + 2/6 * 3/6 (neither) + 1/6 * 1/6 (both) = 13/36: 17/23.
    assert found.kappa.value == pytest.approx(17 / 23)


def test_without_a_direction_nothing_is_claimed() -> None:
    found = direction_agreement([AnsweredDirection("reasoning", "Thus", UNCLEAR), AnsweredDirection(None, "", FORWARD)])
    assert (found.all, found.kappa.value, found.unannounced) == (None, None, 1)
    assert (found.phrases[0].agreeing, found.phrases[0].unclear) == (None, 1)
    assert direction_agreement([AnsweredDirection("reasoning", "Thus", FORWARD)]).kappa.value is None
