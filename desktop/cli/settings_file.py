"""A file with mining settings."""

from __future__ import annotations

import json
from pathlib import Path

from miner.errors import UserError
from miner.mining.settings import MiningSettings, read_settings


def settings_from_file(path: Path) -> MiningSettings:
    """Read settings from a JSON file: the settings themselves, or the output of `info --json`."""
    try:
        text = path.read_text(encoding="utf-8")
        found = json.loads(text)
    except RecursionError as exc:
        raise UserError(f"{path} is nested too deeply.", hint="Give a JSON file of settings.") from exc
    except (OSError, ValueError) as exc:
        raise UserError(f"{path} cannot be read: {exc}.", hint="Give a JSON file of settings.") from exc
    if isinstance(found, dict) and isinstance(found.get("settings"), dict):
        text = json.dumps(found["settings"])
    return read_settings(text)
