"""What the program remembers about its user, in one TOML file; the project's own settings are in the project."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

from miner.atomic_files import atomic_file

SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
THEMES = ("system", "light", "dark")
RECENT = 10
_ANY_PATH = "surrogatepass"  # a project's path may hold bytes that are no UTF-8


@dataclass(frozen=True, slots=True)
class Paths:
    """Where the program's own files lie; projects lie where their users put them."""

    config: Path
    data: Path

    @classmethod
    def default(cls) -> Self:
        import platformdirs

        directories = platformdirs.PlatformDirs("pairwright", appauthor=False)
        return cls(directories.user_config_path, directories.user_data_path)

    @classmethod
    def below(cls, folder: Path) -> Self:
        """All of it in one folder, as `--data-dir` asks."""
        return cls(folder, folder)

    @property
    def settings(self) -> Path:
        return self.config / "settings.toml"

    @property
    def log(self) -> Path:
        return self.data / "pairwright.log"

    @property
    def window(self) -> Path:
        """Geometry and other things of the screen, which Qt keeps."""
        return self.data / "window.ini"


@dataclass(frozen=True, slots=True)
class Settings:
    """`keys`: shortcuts by action where they are not the default ones. `workers` None: one for each processor.

    `recent`: project files, the last one first. `annotator` and `domain`: those given last, offered the next time.
    """

    theme: str = "system"
    scale: float = 1.0
    reduced_motion: bool = False
    parser: str = "embedded"
    grobid_url: str = "http://localhost:8070"
    workers: int | None = None
    backups: bool = True
    annotator: str = ""
    domain: str = ""
    recent: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)

    def remember(self, project: Path) -> Settings:
        """These settings with a project as the most recent one."""
        path = str(project.resolve())
        return replace(self, recent=(path, *(known for known in self.recent if known != path))[:RECENT])


def load(paths: Paths) -> tuple[Settings, str | None]:
    """The settings kept; defaults for what is missing or makes no sense, and a sentence when that was so."""
    try:
        kept = tomllib.loads(paths.settings.read_text("utf-8", _ANY_PATH))
    except FileNotFoundError:
        return Settings(), None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        return Settings(), f"{paths.settings} cannot be read ({exc}); the default settings are in use."
    good = {name: value for name, value in kept.items() if name in _VALID and _VALID[name](value)}
    bad = sorted(set(kept) - set(good))
    if "recent" in good:
        good["recent"] = tuple(good["recent"])
    note = f"{paths.settings}: {', '.join(bad)} could not be understood and is as by default." if bad else None
    return Settings(**good), note


def save(paths: Paths, settings: Settings) -> None:
    """Keep the settings; the file changes whole or not at all. OSError when it cannot be written."""
    import tomli_w

    values = {name: value for name, value in asdict(settings).items() if value is not None}
    paths.settings.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(paths.settings, shared=True, durable=False) as part:  # the window would wait for the disk
        part.write_text(tomli_w.dumps(values), encoding="utf-8", errors=_ANY_PATH)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_VALID: dict[str, Callable[[Any], bool]] = {
    "theme": lambda value: value in THEMES,
    "scale": lambda value: value in SCALES,
    "reduced_motion": lambda value: isinstance(value, bool),
    "parser": lambda value: value in ("embedded", "grobid"),
    "grobid_url": _is_text,
    "workers": lambda value: isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 256,
    "backups": lambda value: isinstance(value, bool),
    "annotator": _is_text,
    "domain": _is_text,
    "recent": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "keys": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
}
assert set(_VALID) == {entry.name for entry in fields(Settings)}
