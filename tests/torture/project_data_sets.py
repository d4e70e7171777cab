"""Data sets of a modelled project: imported, exported, released, and shown by filters."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from desktop.jobs.exchange.releases import release, write_again
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Label, Strategy
from storage.dataset.export_options import ExportOptions, Preset, SplitOptions
from storage.exchange.pair_import import import_pairs
from storage.pairs.filters import PairFilter, PairStatus, with_value
from storage.schema import DATA_SET
from tests.torture.project_state import ProjectState, pairs_in, rule, work
from tests.torture.state_filters import (
    FACET_FIELDS,
    WHOLE_FIELDS,
    conditions,
    means,
)
from tests.torture.state_model import Model
from tests.torture.state_records import Event, Judged, ModelPair, ModelPaper, NewRow


class DataSetExchange(ProjectState):
    """Rules of imports, releases and exports, and of what the table shows."""

    @rule(data=st.data(), what=st.sampled_from(("import", "import", "release", "release again")))
    def exchange_pairs(self, data: st.DataObject, what: str) -> None:
        ProjectState.counts[what] += 1
        match what:
            case "import":
                self._import(data)
            case "release":
                self._release()
            case _:
                self._release_again(data)

    def _import(self, data: st.DataObject) -> None:
        """A labelled file adds each pair that the project does not have, once."""
        self.number += 1
        label, words = st.sampled_from([one.value for one in Label]), st.sampled_from(("one", "two", "three", "four"))
        rows = []
        for _ in range(data.draw(st.integers(1, 3))):
            word = data.draw(words)
            row: dict[str, Any] = {
                "sentence1": f"File {word}.",
                "sentence2": f"It is {word}.",
                "label": data.draw(label),
            }
            match data.draw(st.integers(0, 3)):
                case 0:
                    row["gold_label"] = data.draw(label)
                case 1:
                    row["annotator_labels"] = data.draw(st.lists(label, min_size=1, max_size=3))
            split = data.draw(st.sampled_from(("train", "dev", "test")))
            rows.append(row | {"split": split})
        path = self.folder / f"file {self.number}.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        known = set()
        for key, one in self.model.pairs.items():
            if one.is_current:
                known.add((one.pair.premise, one.pair.hypothesis))
                known.add((self.model.text_of(key, "premise"), self.model.text_of(key, "hypothesis")))
        new = {}
        for row in rows:
            texts = (row["sentence1"], row["sentence2"])
            if texts not in known:
                known.add(texts)
                new[texts] = row
        result = import_pairs(self.project, path, domain="biology", progress=Progress(), at=datetime.now(UTC))
        assert result.new == len(new), (result.new, sorted(new))
        self._adopt(new)

    def _adopt(self, new: dict[tuple[str, str], dict[str, Any]]) -> None:
        """Take over the keys of imported pairs; what they say must be what the file says."""
        for md5, domain, year in self.raw.execute("SELECT md5, domain, year FROM papers WHERE kind = ?", (DATA_SET,)):
            self.model.papers.setdefault(md5, ModelPaper(md5, domain, year, is_file=True))
        query = """
            SELECT pairs.key, md5, coalesce(mined_premise, premise), coalesce(mined_hypothesis, hypothesis),
                distant_label, own_split, source ->> '$.gold_label'
            FROM pairs JOIN papers ON papers.id = paper_id WHERE run IS NULL
        """
        stored = {row[0]: row for row in self.raw.execute(query)}
        with self.project.read_transaction() as stores:
            for key, md5, premise, hypothesis, distant, own_split, gold in stored.values():
                if key in self.model.pairs:
                    held = {None: 0, "train": 1, "dev": 2, "test": 3}
                    known = self.model.pairs[key]
                    assert held[own_split] >= held[known.own_split]
                    self.model.pairs[key] = ModelPair(known.pair, known.paper, known.is_current, True, own_split, gold)
                    continue
                row = new.pop((premise, hypothesis))
                assert distant == row["label"]
                assert "annotator_labels" in row or gold in (None, row.get("gold_label"))
                touched = self.model.touched(key)
                self.model.pairs[key] = ModelPair(stores.pairs.get(key), md5, True, True, own_split, gold)
                for number, answer in enumerate(row.get("annotator_labels", ()), 1):
                    if not any((kind, key) in self.model.slots for kind in ("answer",)) or not touched:
                        slot = ("answer", key, f"imported {number:02d}")
                        self.model.foretold.append(NewRow(slot, None, answer, None, "answer"))
                        self.model.add(slot, Event("", answer, None))
                        touched = False
        assert not new

    def _release(self) -> None:
        if len(self.releases) > 2 or not self.model.pairs:
            return
        self.number += 1
        name, folder = f"r{self.number}", self.folder / f"release {self.number}"
        split = SplitOptions(gold=False) if self.model.split else None
        options = ExportOptions(Preset.FULL, split=split)
        try:
            work(release(self.project, name, folder, options))
        except UserError as exc:
            if "No pair" not in str(exc):
                raise
            return
        self.releases[name] = {file.name: file.read_bytes() for file in folder.iterdir()}
        if split:
            stored = {md5: one for md5, one in self.model.papers.items() if not one.is_file}
            for md5 in stored:
                one = ModelPair(pairs_in(md5, 0)[0], md5)
                if (of := self.model.split_of(one)) is not None:
                    self.model.released[md5] = of

    def _release_again(self, data: st.DataObject) -> None:
        if self.releases:
            name = data.draw(st.sampled_from(sorted(self.releases)))
            self.number += 1
            folder = self.folder / f"again {self.number}"
            work(write_again(self.project, name, folder))
            assert {file.name: file.read_bytes() for file in folder.iterdir()} == self.releases[name]

    @rule(asked=conditions(), field=st.sampled_from(FACET_FIELDS))
    def look(self, asked: dict[str, Any], field: str) -> None:
        """The table, its counts and facets are those of the model's pairs."""
        filter = PairFilter(**asked)
        pairs = self._read()
        meant = sorted(key for key, one in pairs.items() if means(filter, one))
        without = with_value(filter, field, None)
        rest = [one for one in pairs.values() if means(without, one)]
        with self.project.read_transaction() as stores:
            ids = stores.pair_table.ids(filter)
            assert sorted(stores.pair_table.keys(ids)) == meant
            assert stores.pair_table.count(filter) == len(meant)
            counts = {one.value: one.pairs for one in stores.pair_table.facet_counts(filter, field)}
        if field == "statuses":
            assert counts.pop(PairStatus.GONE, 0) == sum(not one.pair.is_current for one in pairs.values())
        for value, count in counts.items():
            assert count, f"{field} {value} is counted without a pair"
            if value is not None:
                narrowed = (
                    (value, value) if field == "years" else value if isinstance(value, bool) else frozenset([value])
                )
                assert count == sum(means(with_value(without, field, narrowed), one) for one in rest), (field, value)
        if field in WHOLE_FIELDS:
            assert sum(counts.values()) == len(rest), field

    @rule(asked=conditions(), preset=st.sampled_from((Preset.FULL, Preset.SCINLI, Preset.SNLI)))
    def export(self, asked: dict[str, Any], preset: Preset) -> None:
        """An export has the pairs that the table shows, as people left them."""
        filter = PairFilter(**asked)
        pairs = self._read()
        expected = {
            key: (one.label, *(self.model.text_of(key, name) for name in ("premise", "hypothesis")))
            for key, one in pairs.items()
            if means(filter, one) and _is_exported(self.model, key, one.judged)
        }
        rows = self._export(self.project, ExportOptions(preset, strategies=frozenset(Strategy), scope=filter))
        found = [json.loads(line) for line in rows["pairs.jsonl"].splitlines()]
        key = "id" if preset is Preset.SCINLI else "pairID"
        assert sorted(row[key] for row in found) == sorted(expected)
        for row in found:
            label, premise, hypothesis = expected[row[key]]
            assert (row["sentence1"], row["sentence2"]) == (premise, hypothesis)
            assert preset is Preset.SNLI or row["label"] == label


def _is_exported(model: Model, key: str, judged: Judged) -> bool:
    """Whether an export of all strategies has the pair."""
    pair = model.pairs[key]
    is_labelled = judged.status in ("open", "settled")
    return pair.is_current and is_labelled and key not in model.pilot_keys()
