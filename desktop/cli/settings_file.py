"""A file with mining settings."""

from __future__ import annotations

import json
from pathlib import Path

from miner.errors import UserError
from miner.mining.settings import MiningSettings, read_settings
from miner.paths import check_ordinary

_MAX_BYTES = 10_000_000


def settings_from_file(path: Path) -> MiningSettings:
    """Read settings from a JSON file: the settings themselves, or the output of `info --json`."""
    try:
        check_ordinary(path, _MAX_BYTES)
        text = path.read_text(encoding="utf-8")
        found = json.loads(text)
    except RecursionError as exc:
        raise UserError(f"{path} is nested too deeply.", hint="Give a JSON file of settings.") from exc
    except (OSError, ValueError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else exc
        raise UserError(f"{path} cannot be read: {why}.", hint="Give a JSON file of settings.") from exc
    if isinstance(found, dict) and isinstance(found.get("settings"), dict):
        text = json.dumps(found["settings"])
    return read_settings(text)
