"""The files for Linux desktops say what is true of the program, and the desktops' own tools accept them."""

from __future__ import annotations

import configparser
import gzip
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from desktop.cli.commands import COMMANDS
from miner.paths import PROJECT_SUFFIX
from storage.project import Project

ROOT = Path(__file__).parents[2]
MAKE = ROOT / "packaging" / "linux" / "make_files.py"
MIME_TYPE = "application/x-pairwright-project"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"

pytest.importorskip("shtab", reason="makes the completion; a dev dependency")


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env=os.environ | {"LC_ALL": "C"} | environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    stage = tmp_path_factory.mktemp("stage")
    run(sys.executable, MAKE, stage, SOURCE_DATE_EPOCH="1700000000")
    return stage / "usr" / "share"


@pytest.fixture(scope="module")
def menu_entry(share: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # as its documentation says
    parser.read(share / "applications" / "pairwright.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def test_the_menu_entry_opens_projects_and_has_its_icon(menu_entry: configparser.SectionProxy, share: Path) -> None:
    assert menu_entry["Exec"] == "pairwright %f"  # the window takes one file
    assert menu_entry["MimeType"] == f"{MIME_TYPE};"
    assert (share / "icons/hicolor/48x48/apps" / f"{menu_entry['Icon']}.png").read_bytes().startswith(b"\x89PNG")
    run(tool("desktop-file-validate"), share / "applications" / "pairwright.desktop")


def test_a_new_project_has_the_magic_and_the_suffix_of_the_mime_type(share: Path, tmp_path: Path) -> None:
    with Project.create(tmp_path / f"new{PROJECT_SUFFIX}") as project:
        content = project.path.read_bytes()
    [kind] = ElementTree.parse(share / "mime/packages/pairwright.xml").getroot()
    assert kind.get("type") == MIME_TYPE
    assert [glob.get("pattern") for glob in kind.iter(f"{MIME}glob")] == [f"*{PROJECT_SUFFIX}"]
    [sqlite, ours] = kind.iter(f"{MIME}match")
    assert content.startswith(str(sqlite.get("value")).encode())
    assert ours.get("type") == "big32"
    assert content[int(str(ours.get("offset"))) :][:4] == int(str(ours.get("value")), 16).to_bytes(4, "big")


def test_a_desktop_knows_a_project_by_its_content(share: Path, tmp_path: Path) -> None:
    """As Qt's MIME database reads it, which needs no tool; a copy without a suffix is known by the magic alone."""
    copy = tmp_path / "copy"
    with Project.create(tmp_path / f"new{PROJECT_SUFFIX}") as project:
        copy.write_bytes(project.path.read_bytes())
        show = (
            "import sys; from PySide6.QtCore import QMimeDatabase; "
            "print(*[QMimeDatabase().mimeTypeForFile(path).name() for path in sys.argv[1:]])"
        )
        found = run(sys.executable, "-c", show, project.path, copy, XDG_DATA_HOME=str(share))
    assert found.split() == [MIME_TYPE, MIME_TYPE]


def test_man_page_and_completions_name_every_command(share: Path) -> None:
    names = {command.name for command in COMMANDS}
    page = gzip.decompress((share / "man/man1/pairwright.1.gz").read_bytes()).decode()
    assert {line.split()[2] for line in page.splitlines() if line.startswith(".SS pairwright ")} == names
    for path in (
        "bash-completion/completions/pairwright",
        "zsh/vendor-completions/_pairwright",
        "fish/vendor_completions.d/pairwright.fish",
    ):
        text = (share / path).read_text(encoding="utf-8")
        assert [name for name in names if name not in text] == []


def test_bash_completes_commands_options_and_files(share: Path, tmp_path: Path) -> None:
    (tmp_path / "psy.pairwright").touch()
    script = share / "bash-completion/completions/pairwright"
    show = f"""
cd '{tmp_path}'; source '{script}'
ask() {{
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _shtab_pairwright 2>/dev/null; echo "${{COMPREPLY[*]}}"
}}
ask pairwright disag; ask pairwright mine --cross; ask pairwright stats --project p"""
    assert run(tool("bash"), "-c", show).split("\n")[:3] == ["disagreements", "--crossing", "psy.pairwright"]


def test_the_newest_release_of_the_metainfo_is_that_of_the_changelog(share: Path) -> None:
    path = share / "metainfo" / "org.pairwright.Pairwright.metainfo.xml"
    newest = ElementTree.parse(path).getroot().find("releases/release")
    heading = next(
        line for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines() if line.startswith("## [")
    )
    version, _, date = heading.removeprefix("## [").partition("]")
    if version == "Unreleased":
        version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        date = " - 2023-11-14"  # the day of SOURCE_DATE_EPOCH above
    assert newest is not None
    assert (newest.get("version"), newest.get("date")) == (version, date.removeprefix(" - "))
    pictures = [str(image.text) for image in ElementTree.parse(path).getroot().iter("image")]
    assert all(url.startswith("https://") for url in pictures)
    assert all((ROOT / "packaging" / "screenshots" / url.rpartition("/")[2]).is_file() for url in pictures)
    run(tool("appstreamcli"), "validate", "--no-net", path)
