"""Exported folders as others open them: with the hub's `datasets` and with `mlcroissant`, offline."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

# In a process of its own: these libraries warn, and start threads that outlive a test.
_OPEN = """
import json, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
folder, cache = Path(sys.argv[1]), sys.argv[2]
from datasets import load_dataset
hub = load_dataset(str(folder), cache_dir=cache)
import mlcroissant
described = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
def plain(value):
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, bytes):
        return value.decode()
    return [plain(one) for one in value] if isinstance(value, list) else None if value != value else value
def named(row):
    return {key.split("/")[-1]: plain(value) for key, value in row.items()}
sets = [one.uuid for one in described.metadata.record_sets]
print(json.dumps({
    "hub": {name: split.to_list() for name, split in hub.items()},
    "features": {name: str(kind) for name, kind in next(iter(hub.values())).features.items()},
    "croissant": {name: [named(row) for row in described.records(name)] for name in sets},
    "errors": sorted(described.metadata.ctx.issues.errors),
    "warnings": sorted(one.split('"')[1].rsplit("/", 1)[-1] for one in described.metadata.ctx.issues.warnings),
}))
"""


def opened(folder: Path, cache: Path) -> dict[str, Any]:
    """The rows by split of the hub and of Croissant, the hub's features, and what Croissant finds wrong."""
    command = [sys.executable, "-c", _OPEN, str(folder), str(cache)]
    environment = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HOME": str(cache), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found
