"""A model's suggestions for a corpus are those of a project with the same papers; a finished shard stays finished."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from desktop.jobs.corpus import suggest as module
from desktop.jobs.corpus.settle import settle_corpus
from desktop.jobs.corpus.suggest import CorpusSuggestions, suggest_corpus
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.models.model_options import SuggestOptions
from desktop.jobs.models.suggestions import release_model, suggest
from miner.parsing.formats import FileKind
from miner.progress import Progress
from storage.project import Project
from tests.desktop.jobs.corpus.test_corpus import HerePool, mapped, needs_duckdb
from tests.desktop.jobs.corpus.test_load import write_paper
from tests.desktop.model_factory import make_model
from tests.paper_importer import import_files


@pytest.mark.slow
@needs_duckdb
def test_suggestions_are_those_of_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    papers, out = tmp_path / "papers", tmp_path / "corpus"
    papers.mkdir()
    write_paper(papers, "a", " the ")
    write_paper(papers, "b", " its ")
    mapped(HerePool(), papers, out)
    settle_corpus(str(out)).work(Progress())
    options = SuggestOptions(str(make_model(tmp_path / "tiny", temperature=1.5)), device="cpu")
    with Project.create(tmp_path / "one.pairwright") as project:
        import_files(project, [(file, FileKind.PAPERS) for file in sorted(papers.glob("*.jsonl"))], None)
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        suggest(project, options).work(Progress())
        release_model()
        with project.read_transaction() as stores:
            pairs = stores.suggestions.missing(-1, limit=10_000)
            found = stores.suggestions.of_pairs([pair.id for pair in pairs])
    expected = {pair.key: found[pair.id] for pair in pairs}

    write, written = module.write_suggestions, list[Any]()

    def stop_after_one(*arguments: Any) -> None:
        if written:
            raise InterruptedError
        written.append(write(*arguments))

    monkeypatch.setattr(module, "write_suggestions", stop_after_one)
    with pytest.raises(InterruptedError):
        judged(out, options)
    monkeypatch.setattr(module, "write_suggestions", write)
    done = judged(out, options)
    assert (done.pairs, 0 < done.new < done.pairs) == (len(pairs), True)
    assert judged(out, options).new == 0
    rows = [row for file in Path(done.folder).glob("*.parquet") for row in pq.read_table(file).to_pylist()]
    assert len(rows) == len(pairs)
    for row in rows:
        one = expected[row["key"]]
        assert row["label"] == one.label
        numbers = [row[name] / 10_000 for name in ("contrasting", "reasoning", "entailment", "neutral")]
        assert numbers == list(one.probabilities)
        assert (row["doubt"], row["margin"]) == (round(10_000 * one.doubt), round(10_000 * one.margin))


def judged(out: Path, options: SuggestOptions) -> CorpusSuggestions:
    return suggest_corpus(str(out), options).work(Progress())
