"""Croissant metadata of an exported data set (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from storage.dataset.export_options import ExportOptions, FileFormat
from storage.exchange.export_fields import EXPORT_FIELDS, FieldKind
from storage.exchange.export_files import WrittenFile
from storage.exchange.export_rows import DELIMITED

CROISSANT = "croissant.json"
_ENCODINGS = {
    FileFormat.JSONL: "application/jsonlines",
    FileFormat.CSV: "text/csv",
    FileFormat.TSV: "text/tab-separated-values",
    FileFormat.PARQUET: "application/x-parquet",
}
_TYPES = {
    FieldKind.BOOLEAN: "sc:Boolean",
    FieldKind.INTEGER: "sc:Integer",
    FieldKind.CLASS: "sc:Integer",
    FieldKind.NUMBER: "sc:Float",
}
_TERMS = (
    "citeAs column equivalentProperty extract field fileProperty fileObject fileSet format includes isLiveDataset "
    "jsonPath key md5 parentField path recordSet references regex repeated replace samplingRate separator source "
    "subField transform"
)
_LICENCE_ADDRESSES = {"CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/"}


def croissant(
    name: str, description: str, licences: list[str], files: Mapping[str, WrittenFile], options: ExportOptions
) -> str:
    """The metadata as JSON: the data files, with their sums, and the fields of each. licences: of the papers."""
    context: dict[str, Any] = {
        "@language": "en",
        "@vocab": "https://schema.org/",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "sc": "https://schema.org/",
        "dct": "http://purl.org/dc/terms/",
        "conformsTo": "dct:conformsTo",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "examples": {"@id": "cr:examples", "@type": "@json"},
        **{term: f"cr:{term}" for term in _TERMS.split()},
    }
    content = {
        "@context": context,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": name,
        "description": description,
        "license": [_address(licence) for licence in licences] or ["unknown"],
        "inLanguage": "en",
        "version": "1.0.0",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file.name,
                "name": file.name,
                "contentUrl": file.name,
                "contentSize": f"{file.size} B",
                "encodingFormat": _ENCODINGS[options.format],
                "sha256": file.sha256,
            }
            for file in files.values()
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": Path(file.name).stem,
                "name": Path(file.name).stem,
                "field": [
                    _field(Path(file.name).stem, file.name, name, field.kind, options)
                    for name, field in EXPORT_FIELDS[options.preset].items()
                ],
            }
            for file in files.values()
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _field(record_set: str, file: str, name: str, kind: FieldKind, options: ExportOptions) -> dict[str, Any]:
    is_list = kind is FieldKind.TEXTS and options.format not in DELIMITED
    return {
        "@type": "cr:Field",
        "@id": f"{record_set}/{name}",
        "name": name,
        "dataType": _TYPES.get(kind, "sc:Text"),
        **({"cr:isArray": True, "cr:arrayShape": "-1"} if is_list else {}),
        "source": {"fileObject": {"@id": file}, "extract": {"column": name}},
    }


def _address(licence: str) -> str:
    """The address of a Creative Commons licence; else its name."""
    if licence in _LICENCE_ADDRESSES:
        return _LICENCE_ADDRESSES[licence]
    kind, _, number = licence.rpartition("-")
    if licence.startswith("CC-BY") and number[:1].isdigit():
        return f"https://creativecommons.org/licenses/{kind.removeprefix('CC-').lower()}/{number}/"
    return licence or "unknown"
