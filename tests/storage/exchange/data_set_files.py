"""Small data set files in the formats that people publish, and what their import stores."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from miner.progress import Progress
from storage.exchange.pair_import import ImportedPairs, import_pairs
from storage.project import Project

NOW = datetime(2026, 7, 1, tzinfo=UTC)

SCINLI = (
    ',id,sentence1,sentence2,label\n0,dev_0,"One, first.",two.,contrasting\n'
    '1,dev_1,"He ""said""\nso.",four.,reasoning\n'
)
MSCINLI = "id\tsentence1\tsentence2\tlabel\tdomain\n1\tOne.\ttwo.\tcontrast\tNeurIPS\n2\tThree.\tfour.\tneutral\tSWE\n"
SNLI_TSV = 'gold_label\tsentence1\tsentence2\tpairID\tlabel1\nentailment\t"A" man.\tA person.\tp1\n-\tOne.\tTwo.\tp2\n'
SNLI = "".join(
    json.dumps({"gold_label": label, "sentence1": "A man.", "sentence2": text, "pairID": text}) + "\n"
    for label, text in (("contradiction", "No man."), ("neutral", "A tall man."))
)
MNLI = json.dumps({"gold_label": "entailment", "premise": "A.", "hypothesis": "B.", "genre": "fiction"})
TAXINLI = "prem\thyp\tlabel\tannotated_label\tfactivity\tpairID\tgenre\nA.\tB.\tcontradiction\t-\t1\tp\tletters\n"
MISMATCHED = (
    '{"id": 7, "sentence1": "One.", "sentence2": "two.", "label": "entailing", "Domain": "psychology"}\n'
    '{"sentence1": "A.", "sentence2": "b.", "label": "entails"}\n'
)


def import_file(project: Project, path: Path, content: str | bytes | None = None, **options: Any) -> ImportedPairs:
    """Import a data set file; with `content`, it is written first."""
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return import_pairs(project, path, domain="nlp", progress=Progress(), at=NOW, **options)


def stored_pairs(project: Project) -> list[tuple[object, ...]]:
    """Premise, hypothesis, distant label, split and domain of the pairs, in the order of their file."""
    query = (
        "SELECT premise, hypothesis, distant_label, pairs.split, domain FROM pairs JOIN papers ON papers.id = paper_id"
    )
    with project.read_transaction() as stores:
        return [tuple(row) for row in stores._connection.exec_driver_sql(f"{query} ORDER BY pairs.ordinal")]
