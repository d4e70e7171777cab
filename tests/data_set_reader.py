"""Exported folders as others open them: with the hub's `datasets` and with `mlcroissant`, offline."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

# In a process of its own, one for all folders: these libraries warn, and start threads that outlive a test.
_OPEN = """
import json, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
from datasets import load_dataset
import mlcroissant
def plain(value):
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, bytes):
        return value.decode()
    return [plain(one) for one in value] if isinstance(value, list) else None if value != value else value
def named(row):
    return {key.split("/")[-1]: plain(value) for key, value in row.items()}
for line in sys.stdin:
    folder = Path(json.loads(line))
    hub = load_dataset(str(folder), cache_dir=str(Path(sys.argv[1]) / folder.parent.name))
    described = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    sets = [one.uuid for one in described.metadata.record_sets]
    print(json.dumps({
        "hub": {name: split.to_list() for name, split in hub.items()},
        "features": {name: str(kind) for name, kind in next(iter(hub.values())).features.items()},
        "croissant": {name: [named(row) for row in described.records(name)] for name in sets},
        "errors": sorted(described.metadata.ctx.issues.errors),
        "warnings": sorted(one.split('"')[1].rsplit("/", 1)[-1] for one in described.metadata.ctx.issues.warnings),
    }), flush=True)
"""


@cache
def _reader() -> subprocess.Popen[str]:
    """The process, which ends with this one."""
    home = tempfile.mkdtemp()
    environment = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HOME": home, "PATH": "/usr/bin:/bin"}
    pipe = subprocess.PIPE
    started = subprocess.Popen([sys.executable, "-c", _OPEN, home], stdin=pipe, stdout=pipe, text=True, env=environment)

    def end() -> None:
        started.communicate()
        shutil.rmtree(home)

    atexit.register(end)
    return started


def opened(folder: Path) -> dict[str, Any]:
    """The rows by split of the hub and of Croissant, the hub's features, and what Croissant finds wrong."""
    reader = _reader()
    assert reader.stdin is not None
    assert reader.stdout is not None
    print(json.dumps(str(folder)), file=reader.stdin, flush=True)
    while line := reader.stdout.readline():
        if line.startswith("{"):
            found: dict[str, Any] = json.loads(line)
            return found
    raise AssertionError(f"it ended with {reader.wait()}; see its output above")
