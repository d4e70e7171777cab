"""The metadata at the head of a data card, as the Hugging Face hub reads it.

Source: https://github.com/huggingface/hub-docs/blob/main/datasetcard.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from miner.records import Label
from storage.dataset.export_options import ExportOptions, FileFormat
from storage.exchange.card_facts import CardFacts
from storage.exchange.export_fields import EXPORT_FIELDS, FieldKind
from storage.exchange.export_rows import DELIMITED

HUB_SPLITS = {"train": "train", "dev": "validation", "test": "test"}
_SIZES = (  # the hub's categories, by their upper bound
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
)
_HUB_LICENCES = {"CC0-1.0": "cc0-1.0", "CC-BY-4.0": "cc-by-4.0", "CC-BY-3.0": "cc-by-3.0", "CC-BY-2.0": "cc-by-2.0"}
_HUB_LICENCES |= {f"CC-BY-{kind}-4.0": f"cc-by-{kind.lower()}-4.0" for kind in ("SA", "NC", "ND", "NC-SA", "NC-ND")}


def hub_yaml(facts: CardFacts) -> str:
    """The metadata between its two lines of dashes."""
    return f"---\n{_yaml(hub_metadata(facts))}---\n"


def hub_metadata(facts: CardFacts) -> dict[str, Any]:
    """The hub's metadata: configs, features, sizes, language, licence and what annotated the data.

    Splits without rows are left out: `datasets` opens nothing of a data set that names an empty one.
    """
    options = facts.options
    known = list(facts.licences)
    one = _HUB_LICENCES.get(known[0]) if len(known) == 1 else None
    licence = {"license": one} if one else {"license": "other", "license_name": "as-the-papers"}
    files = {split: file for split, file in facts.files.items() if file.rows} or facts.files
    splits = [(HUB_SPLITS.get(split, "train"), file) for split, file in files.items()]
    made_by = ["machine-generated"] if facts.has_distant or not facts.statistics.annotated else []
    made_by += ["expert-generated"] if facts.statistics.annotated else []
    config: dict[str, Any] = {
        "config_name": "default",
        "data_files": [{"split": split, "path": file.name} for split, file in splits],
    }
    if options.format is FileFormat.TSV:
        config["sep"] = "\t"
    return {
        "pretty_name": facts.title,
        "language": ["en"],
        **licence,
        "task_categories": ["text-classification"],
        "task_ids": ["natural-language-inference"],
        "annotations_creators": made_by,
        "language_creators": ["found"],
        "multilinguality": ["monolingual"],
        "source_datasets": ["original"],
        "size_categories": [next((name for limit, name in _SIZES if facts.rows < limit), "n>100M")],
        "tags": ["scientific-nli", "croissant", "pairwright"],
        "configs": [config],
        "dataset_info": {
            "config_name": "default",
            "features": [
                hub_feature(name, field.kind, options) for name, field in EXPORT_FIELDS[options.preset].items()
            ],
            "splits": [{"name": split, "num_bytes": file.size, "num_examples": file.rows} for split, file in splits],
            "download_size": sum(file.size for _, file in splits),
            "dataset_size": sum(file.size for _, file in splits),
        },
    }


def hub_feature(name: str, kind: FieldKind, options: ExportOptions) -> dict[str, Any]:
    """A field as `dataset_info` has it; lists are text in CSV and TSV."""
    if kind is FieldKind.CLASS:
        return {
            "name": name,
            "dtype": {"class_label": {"names": {str(n): label.value for n, label in enumerate(Label)}}},
        }
    if kind is FieldKind.TEXTS and options.format not in DELIMITED:
        return {"name": name, "list": "string"}
    types = {FieldKind.BOOLEAN: "bool", FieldKind.INTEGER: "int64", FieldKind.NUMBER: "float64"}
    return {"name": name, "dtype": types.get(kind, "string")}


def _yaml(data: Mapping[str, Any], indent: int = 0) -> str:
    """The mapping as YAML. Texts are JSON strings, which YAML reads alike."""
    lines = []
    for name, value in data.items():
        lines += _yaml_lines(f"{'  ' * indent}{name}:", value, indent)
    return "\n".join(lines) + "\n"


def _yaml_lines(head: str, value: Any, indent: int) -> list[str]:
    if isinstance(value, dict):
        return [head, _yaml(value, indent + 1).rstrip("\n")]
    if isinstance(value, list):
        lines = [head]
        for item in value:
            if isinstance(item, dict):
                first, *rest = _yaml(item, indent + 2).rstrip("\n").split("\n")
                lines += [f"{'  ' * (indent + 1)}- {first.strip()}", *rest]
            else:
                lines.append(f"{'  ' * (indent + 1)}- {json.dumps(item, ensure_ascii=False)}")
        return lines
    return [f"{head} {json.dumps(value, ensure_ascii=False)}"]
