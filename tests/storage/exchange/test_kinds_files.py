"""Files with kinds of reasoning: TaxiNLI's columns, predictions beside them, and what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from miner.errors import UserError
from miner.kinds.figures import AnnotatedPair, kinds_figures
from miner.kinds.taxonomy import released_taxonomy
from storage.exchange.kinds_files import read_kinds_file

RELEASED = Path(__file__).parents[4] / "shared" / "data" / "taxinli"
HEAD = "prem\thyp\tlabel\tannotated_label\tlexical_linguistic\tnegation_logic\tgeneral_q2\tgenre\tmy model"
ROWS = [
    "Ice melts.\tIt melts fast in spring.\tneutral\tneutral\t0\t0\tyes\tfiction\tNeutral",
    "Ice melts.\tIce never melts.\tcontradiction\tentailment\t2\t1\t-\tfiction\tneutral",
    "Ice melts.\tIce thaws.\tentailment\t-\t1\t0\t-\tletters\t",
    "Ice melts.\t\tentailment\t-\t1\t0\t-\tletters\tneutral",
]


def _file(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "kinds.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_categories_predictions_and_peoples_labels_are_read(tmp_path: Path) -> None:
    found = read_kinds_file(_file(tmp_path, HEAD, *ROWS), released_taxonomy())
    assert (found.categories, found.models) == (("lexical", "negation", "topic"), ("my model",))
    assert (found.annotated, found.unusable) == ((1, 2), 1)
    assert found.pairs == (
        AnnotatedPair("neutral", frozenset({"topic"}), (2, 5), {"my model": "neutral"}),
        AnnotatedPair("contradiction", frozenset({"lexical", "negation"}), (2, 3), {"my model": "neutral"}),
        AnnotatedPair("entailment", frozenset({"lexical"}), (2, 2), {}),
    )
    figures = kinds_figures(found.pairs, found.categories)
    assert (figures.classes, figures.class_pairs) == (("contradiction", "entailment", "neutral"), (1, 1, 1))
    assert figures.counts == ((1, 1, 0), (1, 0, 0), (0, 0, 1))
    [model] = figures.models
    assert (model.model, model.pairs, model.right) == ("my model", 2, 1)
    assert "only 2 pairs" in model.factors.problem


def test_a_file_without_a_category_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no column for a category"):
        read_kinds_file(_file(tmp_path, "prem\thyp\tlabel", "A b.\tC d.\tneutral"), released_taxonomy())


@pytest.mark.skipif(not RELEASED.exists(), reason="the released files of TaxiNLI are not on this machine")
def test_the_released_file_imports_whole() -> None:
    found = read_kinds_file(RELEASED / "taxinli10k.tsv", released_taxonomy())
    assert (len(found.pairs), len(found.categories), found.unusable) == (10_071, 18, 0)
    totals = {name: sum(name in pair.categories for pair in found.pairs) for name in ("topic", "subject", "object")}
    assert totals == {"topic": 3087, "subject": 2843, "object": 877}
