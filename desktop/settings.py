"""The user's settings, in one TOML file. A project's settings are in the project file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

from desktop.text import listed
from miner import codec
from miner.atomic_files import atomic_file

SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
THEMES = ("system", "light", "dark", "contrast")
MAX_RECENT_PROJECTS = 10
_ANSWERS = ("contrasting", "reasoning", "entailment", "neutral", "unclear")
_ANSWERING_PAGES = ("review", "disagreements", "kinds", "pairs.label")  # each had keys of its own for the answers
_ANY_PATH = "surrogatepass"  # a project's path may hold bytes that are not UTF-8


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders of the program's own files; projects are wherever the user saves them."""

    config: Path
    data: Path

    @classmethod
    def default(cls) -> Self:
        import platformdirs

        directories = platformdirs.PlatformDirs("pairwright", appauthor=False)
        return cls(directories.user_config_path, directories.user_data_path)

    @classmethod
    def below(cls, folder: Path) -> Self:
        """All files in one folder, for `--data-dir`."""
        return cls(folder, folder)

    @property
    def settings(self) -> Path:
        return self.config / "settings.toml"

    @property
    def log(self) -> Path:
        return self.data / "pairwright.log"

    @property
    def window(self) -> Path:
        """The window's geometry and the like, written by Qt."""
        return self.data / "window.ini"


@dataclass(frozen=True, slots=True)
class Settings:
    """`keys`: changed shortcuts by action, and those of the answers by `answer.` and the answer. `workers`: processes
    that read PDFs; None: one per processor.

    `recent`: project files, the newest first; `recent_corpora`: folders and addresses of corpora. `annotator` and
    `domain`: the last ones, offered as defaults.
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
    recent_corpora: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)

    def with_recent(self, project: Path) -> Settings:
        """The settings with this project as the most recent one."""
        return replace(self, recent=_first(str(project.resolve()), self.recent))

    def with_recent_corpus(self, place: str) -> Settings:
        """The settings with the corpus at this address as the most recent one."""
        return replace(self, recent_corpora=_first(place, self.recent_corpora))


def _first(place: str, places: tuple[str, ...]) -> tuple[str, ...]:
    return (place, *(other for other in places if other != place))[:MAX_RECENT_PROJECTS]


def load(paths: Paths) -> tuple[Settings, str | None]:
    """The saved settings, and an error message or None. Missing and invalid values are replaced by defaults."""
    try:
        values = codec.parse_toml(paths.settings.read_text("utf-8", _ANY_PATH))
    except FileNotFoundError:
        return Settings(), None
    except (OSError, ValueError) as exc:
        return Settings(), f"{paths.settings} cannot be read ({exc}); the default settings are in use."
    valid = {name: value for name, value in values.items() if name in _IS_VALID and _IS_VALID[name](value)}
    if "keys" in valid:
        valid["keys"] = _with_answer_keys(valid["keys"])
    invalid = sorted(set(values) - set(valid))
    for name in ("recent", "recent_corpora"):
        if name in valid:
            valid[name] = tuple(valid[name])
    note = f"{paths.settings}: {listed(invalid)} could not be understood; the defaults are in use." if invalid else None
    return Settings(**valid), note


def save(paths: Paths, settings: Settings) -> None:
    """Save the settings atomically. Raises OSError if the file cannot be written."""
    import tomli_w

    values = {name: value for name, value in asdict(settings).items() if value is not None}
    paths.settings.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(paths.settings, shared=True, durable=False) as part:  # else the window would wait for the disk
        part.write_text(tomli_w.dumps(values), encoding="utf-8", errors=_ANY_PATH)


def _with_answer_keys(keys: Mapping[str, str]) -> dict[str, str]:
    """Shortcuts of earlier versions, in which each page had keys of its own for the answers: those of Review win."""
    shared = dict(keys)
    for answer in _ANSWERS:
        for own in [shared.pop(name) for page in _ANSWERING_PAGES if (name := f"{page}.{answer}") in shared]:
            shared.setdefault(f"answer.{answer}", own)
    return shared


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_IS_VALID: dict[str, Callable[[Any], bool]] = {
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
    "recent_corpora": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "keys": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
}
assert set(_IS_VALID) == {entry.name for entry in fields(Settings)}
