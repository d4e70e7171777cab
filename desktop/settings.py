"""The user's settings, in one TOML file. A project's settings are in the project file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Self, get_type_hints

from desktop.text import listed
from miner import codec
from miner.atomic_files import atomic_file
from miner.paths import exists

SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
PARSERS = ("embedded", "grobid")
MAX_WORKERS = 256
MISSED_PERCENTS = (0, 5, 10, 20, 30)  # of pairs
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


def _is_one_of(values: Iterable[Any]) -> Callable[[Any], bool]:
    return lambda value: value in tuple(values)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _is_process_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_WORKERS


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_keys(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings, each with what tells whether a value in the file is valid.

    `keys`: changed shortcuts by action, and those of the answers by `answer.` and the answer. `workers`: processes
    that read PDFs; None: one per processor. `missed_percent`: how often, at most, the true class may be missing from
    what a model suggests; 0: one class is always suggested.

    `recent`: project files, the newest first; `recent_corpora`: folders and addresses of corpora. `annotator` and
    `domain`: the last ones, offered as defaults.
    """

    theme: Annotated[str, _is_one_of(THEMES)] = "system"
    scale: Annotated[float, _is_one_of(SCALES)] = 1.0
    reduced_motion: Annotated[bool, _is_switch] = False
    parser: Annotated[str, _is_one_of(PARSERS)] = "embedded"
    grobid_url: Annotated[str, _is_text] = "http://localhost:8070"
    workers: Annotated[int | None, _is_process_count] = None
    backups: Annotated[bool, _is_switch] = True
    missed_percent: Annotated[int, _is_one_of(MISSED_PERCENTS)] = 20
    annotator: Annotated[str, _is_text] = ""
    domain: Annotated[str, _is_text] = ""
    recent: Annotated[tuple[str, ...], _are_texts] = ()
    recent_corpora: Annotated[tuple[str, ...], _are_texts] = ()
    keys: Annotated[Mapping[str, str], _are_keys] = field(default_factory=dict)

    def with_recent(self, project: Path) -> Settings:
        """The settings with this project as the most recent one."""
        return replace(self, recent=_first(str(project.resolve()), self.recent))

    def with_recent_corpus(self, place: str) -> Settings:
        """The settings with the corpus at this address as the most recent one."""
        return replace(self, recent_corpora=_first(place, self.recent_corpora))


def _first(place: str, places: tuple[str, ...]) -> tuple[str, ...]:
    return (place, *(other for other in places if other != place))[:MAX_RECENT_PROJECTS]


def load(paths: Paths) -> tuple[Settings, str | None]:
    """The saved settings, and an error message or None. Missing and invalid values are replaced by defaults.

    A file with an error is copied first, because the next `save` replaces it.
    """
    try:
        values = codec.parse_toml(paths.settings.read_text("utf-8", _ANY_PATH))
    except FileNotFoundError:
        return Settings(), None
    except (OSError, ValueError) as exc:
        error = f"{paths.settings} cannot be read ({exc}); the default settings are in use."
        return Settings(), f"{error}{_kept_copy(paths.settings)}"
    valid = {name: value for name, value in values.items() if name in _IS_VALID and _IS_VALID[name](value)}
    if "keys" in valid:
        valid["keys"] = _with_answer_keys(valid["keys"])
    invalid = sorted(set(values) - set(valid))
    for name in ("recent", "recent_corpora"):
        if name in valid:
            valid[name] = tuple(valid[name])
    if not invalid:
        return Settings(**valid), None
    error = f"{paths.settings}: {listed(invalid)} could not be understood; the defaults are in use."
    return Settings(**valid), f"{error}{_kept_copy(paths.settings)}"


def _kept_copy(path: Path) -> str:
    """Copy a file with errors beside it; a sentence that says so, "" if it cannot be copied."""
    copy, number = path.with_name(f"{path.stem}-with-errors{path.suffix}"), 1
    try:
        content = path.read_bytes()
        while exists(copy) and copy.read_bytes() != content:  # of another error
            number += 1
            copy = path.with_name(f"{path.stem}-with-errors-{number}{path.suffix}")
        copy.write_bytes(content)
    except OSError:
        return ""
    return f" The file is kept as {copy.name}."


def save(paths: Paths, settings: Settings) -> None:
    """Save the settings atomically. Raises OSError if the file cannot be written."""
    import tomli_w

    values = {name: value for name, value in asdict(settings).items() if value is not None}
    paths.settings.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(paths.settings, shared=True, durable=False) as part:  # else the window would wait for the disk
        part.write_text(tomli_w.dumps(values), encoding="utf-8", errors=_ANY_PATH, newline="\n")


def _with_answer_keys(keys: Mapping[str, str]) -> dict[str, str]:
    """Shortcuts with one setting for each answer. Earlier versions had one per page; Review's are kept."""
    shared = dict(keys)
    for answer in _ANSWERS:
        for own in [shared.pop(name) for page in _ANSWERING_PAGES if (name := f"{page}.{answer}") in shared]:
            shared.setdefault(f"answer.{answer}", own)
    return shared


_IS_VALID: dict[str, Callable[[Any], bool]] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Settings, include_extras=True).items()
}
