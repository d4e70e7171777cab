"""What makes a release, as far as it is quick: version, changelog, licences, sums, bytes that follow from files."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "packaging" / "release"))

import bundled_files  # noqa: E402
import preconditions  # noqa: E402
import third_party  # noqa: E402
from distributions import normalise_sdist  # noqa: E402
from source import Refused, changelog_section, read_source, read_version, write_source  # noqa: E402
from sums import differences, write_sums  # noqa: E402

CHANGELOG = (
    "# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.2.0] - 2026-11-23\n\n- Second.\n\n## [0.1.0]\n\n- First.\n"
)


def git(folder: Path, *arguments: str) -> None:
    name = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", folder, *name, *arguments], check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "pyproject.toml").write_text('[project]\nversion = "0.2.0"\n')
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    (root / ".gitignore").write_text("build/\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "begin")
    return root


def test_the_version_is_said_in_pyproject_alone() -> None:
    said = read_version(ROOT)
    assert version("pairwright") == said
    sources = (path for room in ("desktop", "miner", "storage") for path in (ROOT / room).rglob("*.py"))
    assert [path for path in sources if re.search(rf"""["']{re.escape(said)}["']""", path.read_text("utf-8"))] == []


def test_the_changelog_of_a_release_has_a_date() -> None:
    assert changelog_section(CHANGELOG, "Unreleased") == "- New."
    assert changelog_section(CHANGELOG, "0.2.0") == "- Second."
    assert changelog_section(CHANGELOG, "0.1.0") is None
    assert changelog_section((ROOT / "CHANGELOG.md").read_text("utf-8"), "Unreleased") is not None


def test_a_release_is_made_of_the_commit_alone(checkout: Path, tmp_path: Path) -> None:
    source = read_source(checkout, draft=False)
    assert (source.version, source.notes) == ("0.2.0", "- Second.")
    write_source(source, tmp_path / "written")
    assert {path.name for path in (tmp_path / "written").iterdir()} == {"pyproject.toml", "CHANGELOG.md", ".gitignore"}

    (checkout / "new.py").touch()
    with pytest.raises(Refused, match=r"new.py.*DRAFT=1"):
        read_source(checkout, draft=False)
    draft = read_source(checkout, draft=True)
    write_source(draft, tmp_path / "drafted")
    assert (tmp_path / "drafted" / "new.py").exists()


def test_a_version_without_a_changelog_section_is_refused(checkout: Path) -> None:
    (checkout / "pyproject.toml").write_text('[project]\nversion = "0.3.0"\n')
    git(checkout, "commit", "--all", "--quiet", "--message", "raise the version")
    with pytest.raises(Refused, match=r"\[0\.3\.0\]"):
        read_source(checkout, draft=False)
    assert read_source(checkout, draft=True).notes == "- New."


def test_a_release_empties_no_folder_but_its_own(tmp_path: Path) -> None:
    out = tmp_path / "out"
    preconditions.check_folder(out, tmp_path / "checkout")
    out.mkdir()
    (out / "thesis.tex").touch()
    with pytest.raises(Refused, match="files of no release"):
        preconditions.check_folder(out, tmp_path / "checkout")
    (out / "release.json").touch()
    preconditions.check_folder(out, tmp_path / "checkout")
    (tmp_path / "link").symlink_to(out)
    for inside in (out, out / "checkout", tmp_path / "link" / "checkout"):
        with pytest.raises(Refused, match="lies in it"):
            preconditions.check_folder(out, inside)


def test_a_draft_alone_goes_without_the_programs_that_bundles_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "dpkg-deb" in preconditions.missing_tools(draft=True)
    with pytest.raises(Refused, match=r"dpkg-deb.*DRAFT=1"):
        preconditions.missing_tools(draft=False)


def test_an_sdist_of_the_same_files_has_the_same_bytes() -> None:
    def sdist(names: list[str], time: int, user: str) -> bytes:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as tar:
            for name in names:
                member = tarfile.TarInfo(name)
                member.mtime, member.uname, member.size, member.mode = time, user, 3, 0o664
                tar.addfile(member, io.BytesIO(name[-3:].encode()))
        return packed.getvalue()

    first = normalise_sdist(sdist(["p/a.py", "p/b.py"], 1_700_000_000, "ada"), epoch=1)
    assert first == normalise_sdist(sdist(["p/b.py", "p/a.py"], 1_800_000_000, "root"), epoch=1)
    with tarfile.open(fileobj=io.BytesIO(first)) as tar:
        assert [(member.name, member.mode, member.mtime) for member in tar] == [
            ("p/a.py", 0o644, 1),
            ("p/b.py", 0o644, 1),
        ]
        content = tar.extractfile("p/a.py")
        assert content is not None
        assert content.read() == b".py"


def test_everything_that_the_program_needs_has_an_allowed_licence_with_its_text() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    extras = {name: needed for name, needed in project["optional-dependencies"].items() if name != "dev"}
    names = [*project["dependencies"], *(name for needed in extras.values() for name in needed)]
    installed = third_party.installed_in(Path(third_party.__file__))
    for folder in sys.path:
        installed = third_party.installed_in(Path(folder)) | installed
    needed = third_party.required([name for name in names if not name.startswith("pairwright")], installed)
    assert len(needed) > 60
    assert third_party.problems(needed, third_party.read_table()) == []


def test_the_package_names_the_licences_of_what_others_made_in_it_and_has_their_texts() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    made = third_party.read_table().materials
    assert project["license"].split(" AND ") == ["MIT", *sorted({row["licence"] for row in made})]
    assert sorted(project["license-files"]) == sorted(["LICENSE", *(row["file"] for row in made)])
    assert all((ROOT / file).is_file() for file in project["license-files"])
    metainfo = (ROOT / "packaging" / "linux" / "org.pairwright.Pairwright.metainfo.xml").read_text("utf-8")
    assert f"<project_license>{project['license']}</project_license>" in metainfo


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("MIT AND ISC", True),
        ("MIT AND GPL-3.0-only", False),
        ("GPL-2.0-only OR MIT", True),
        ("MIT WITH an-exception", False),
        ("GPL-3.0-only AND (ISC OR MIT OR ISC)", False),
        ("", False),
    ],
)
def test_a_licence_is_allowed_where_each_of_its_parts_is(expression: str, allowed: bool) -> None:
    assert third_party.is_allowed(expression, {"MIT", "ISC"}) is allowed


def test_no_library_of_a_bundle_is_under_the_gpl_without_an_exception() -> None:
    licences = {library.licence for library in third_party.read_table().libraries}
    assert [licence for licence in licences if re.search(r"\bA?GPL", licence) and " WITH " not in licence] == []


def test_every_compiled_file_of_a_bundle_is_somebodys(tmp_path: Path) -> None:
    inside = tmp_path / "pairwright" / "_internal"
    for name in (
        "numpy.libs/libgfortran-1.so.5",
        "libdbus-1.so.3",
        "libreadline.so.8",
        "libsystemd.so.0",
        "PySide6/Qt/lib/libQt6Gui.so.6",
    ):
        (inside / name).parent.mkdir(parents=True, exist_ok=True)
        (inside / name).write_bytes(b"\x7fELF")
    (inside / "note.txt").write_text("no program")
    table = third_party.read_table()
    found = bundled_files.owners(tmp_path / "pairwright", [], table)
    names = {file.path: file.owner.name for file in found if isinstance(file.owner, third_party.Library)}
    assert names == {
        "PySide6/Qt/lib/libQt6Gui.so.6": "Qt",
        "numpy.libs/libgfortran-1.so.5": "GNU Fortran, of GCC",
    }
    assert [sentence.split(":")[0] for sentence in bundled_files.problems(found, table)] == [
        "libdbus-1.so.3",
        "libreadline.so.8",
        "libsystemd.so.0",
    ]
    assert "zlib" in bundled_files.unused(found, table)
    assert "Qt" not in bundled_files.unused(found, table)


def test_a_newer_c_library_than_that_of_the_oldest_system_is_found() -> None:
    printed = (
        "Version definitions:\n 1 GLIBC_2.90\nVersion References:\n required from libc.so.6:\n  0x0 0x00 02 GLIBC_2.4\n"
    )
    assert bundled_files.parse_references(printed) == {("GLIBC", "2.4")}
    table = third_party.read_table()
    assert bundled_files.symbol_problems({"GLIBC": ("2.4", "a.so")}, table) == []
    assert "a.so needs GLIBC 2.39" in bundled_files.symbol_problems({"GLIBC": ("2.39", "a.so")}, table)[0]


def test_sums_are_those_that_sha256sum_checks(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"2")
    (tmp_path / "a").write_bytes(b"1")
    write_sums(tmp_path)
    subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, check=True, capture_output=True)
    assert differences({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"}) == ["b", "c"]
