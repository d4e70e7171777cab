"""What goes into a bundle, and how its packages for Linux are made, installed and removed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINUX = ROOT / "packaging" / "linux"

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not all(map(shutil.which, ("dpkg-deb", "zstd", "objdump"))),
    reason="packs for Linux with dpkg-deb, zstd and objdump",
)


@pytest.fixture
def contents(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.syspath_prepend(str(ROOT / "packaging" / "bundle"))
    import contents

    return contents


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("desktop.app", True),
        ("jinja2.tests", True),
        ("scipy.stats.tests.test_fit", False),
        ("readline", False),
        ("torch.testing._internal.common_utils", False),
        ("torch.testing._internal.common_dtype", True),
        ("spacy.lang.en.stop_words", True),
        ("spacy.lang.char_classes", True),
        ("spacy.lang.de", False),
        ("pygments.lexers._mapping", True),
        ("pygments.lexers.python", True),
        ("pygments.lexers.haskell", False),
    ],
)
def test_a_bundle_holds_what_the_program_can_load(contents: object, name: str, kept: bool) -> None:
    assert contents.keeps_module(name) is kept  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("torch/bin/torch_shm_manager", True),
        ("torch/bin/protoc", False),
        ("torch/_dynamo/config.py", True),
        ("torch/_dynamo/guards.py", False),
        ("transformers/models/bert/modeling_bert.py", True),
        ("transformers/__init__.py", True),
        ("transformers/trainer.py", False),
        ("storage/migrations/versions/0001_initial.py", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/imageformats/libqgif.so", True),
        ("PySide6/Qt/plugins/imageformats/libqtiff.so", False),
        ("pairwright-0.1.0.dist-info/METADATA", True),
        ("pairwright-0.1.0.dist-info/direct_url.json", False),
    ],
)
def test_a_bundle_holds_the_files_that_are_read(contents: object, path: str, kept: bool) -> None:
    assert contents.keeps_file(path) is kept  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of a bundle that is one small program, made twice: `one` and `two`."""
    pytest.importorskip("shtab", reason="makes the completion; a dev dependency")
    folder = tmp_path_factory.mktemp("packages")
    for number, name in enumerate(("one", "two")):
        bundle = folder / f"bundle-{name}"
        (bundle / "_internal").mkdir(parents=True)
        shutil.copy("/bin/true", bundle / "pairwright")
        (bundle / "_internal" / "notes").write_text("of the bundle")
        os.utime(bundle / "pairwright", (number, number))
        (folder / name).mkdir()
        (folder / name / "thesis.txt").write_text("of the user")
        environment = os.environ | {"SOURCE_DATE_EPOCH": "1700000000", "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, LINUX / "build.py", "--bundle", bundle, "--out", folder / name]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return folder


def test_the_same_bundle_gives_the_same_packages(packages: Path) -> None:
    for pattern in ("*.deb", "*.tar.zst"):
        (one,), (two,) = (packages / "one").glob(pattern), (packages / "two").glob(pattern)
        assert one.name == two.name
        assert one.read_bytes() == two.read_bytes()
    assert len(list((packages / "one").iterdir())) == 3, (
        "what was in the folder before stays, and nothing else is there"
    )


def test_the_deb_depends_on_what_the_bundle_takes_from_the_system(packages: Path) -> None:
    (deb,) = (packages / "one").glob("*.deb")
    fields = subprocess.run(["dpkg-deb", "-f", deb, "Depends"], capture_output=True, text=True, check=True).stdout
    assert "libc6 (>= 2." in fields
    assert "shared-mime-info" in fields
    listed = subprocess.run(["dpkg-deb", "-c", deb], capture_output=True, text=True, check=True).stdout
    assert "./usr/bin/pairwright -> ../lib/pairwright/pairwright" in listed
    assert "./usr/share/applications/pairwright.desktop" in listed
    assert {line.split()[1] for line in listed.splitlines()} == {"root/root"}


@pytest.fixture
def unpacked(packages: Path, tmp_path: Path) -> Path:
    """The archive, unpacked below a home with a name that is hard on scripts."""
    home = tmp_path / "Zoë Müller, 100% $ß"
    home.mkdir()
    (archive,) = (packages / "one").glob("*.tar.zst")
    plain = subprocess.run(["zstd", "-dcq", archive], capture_output=True, check=True).stdout
    (tmp_path / "plain.tar").write_bytes(plain)
    with tarfile.open(tmp_path / "plain.tar") as tar:
        tar.extractall(home, filter="data")
    (folder,) = home.iterdir()
    return folder


def install(
    folder: Path, *arguments: str, cwd: Path | None = None, tools: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run install.sh as somebody who is not root and whose home the folder is in; tools: programs that go first."""
    as_somebody = ["unshare", "--map-user=1000", "--map-group=1000"] if os.geteuid() == 0 else []
    if as_somebody and subprocess.run([*as_somebody, "true"], capture_output=True).returncode:
        pytest.skip("runs as root, and cannot be another user")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    environment |= {"HOME": str(folder.parent)} | variables
    if tools is not None:
        environment["PATH"] = f"{tools}:{environment['PATH']}"
    command = [*as_somebody, folder / "install.sh", *arguments]
    return subprocess.run(command, cwd=cwd or folder, env=environment, capture_output=True, text=True)


def another_version(folder: Path, version: str) -> Path:
    """The unpacked archive of another version."""
    other = folder.with_name(f"of {version}")
    shutil.copytree(folder, other)
    (other / "VERSION").write_text(f"{version}\n")
    digest = hashlib.sha256((other / "VERSION").read_bytes()).hexdigest()
    lines = (folder / "MANIFEST").read_text().splitlines()
    (other / "MANIFEST").write_text("\n".join([*lines[:-1], f"{digest}  VERSION", ""]))
    return other


def test_the_archive_installs_for_one_person_and_goes_without_a_trace(unpacked: Path) -> None:
    done = install(unpacked)
    assert done.returncode == 0, done.stderr
    local = unpacked.parent / ".local"
    assert f"installed: {local}/bin/pairwright\nIt is in the menu." in done.stdout
    assert subprocess.run([local / "bin" / "pairwright"]).returncode == 0
    entry = (local / "share" / "applications" / "pairwright.desktop").read_text()
    (line,) = (line for line in entry.splitlines() if line.startswith("Exec="))
    # The Desktop Entry Specification: a `$` is escaped within quotes, the backslash itself in every value, `%` doubled.
    target = str(local / "lib" / "pairwright").replace("%", "%%").replace("$", r"\\$")
    assert line.startswith(f'Exec="{target}/')
    assert line.endswith('/pairwright" %f')
    done = install(unpacked, "--uninstall")
    assert done.returncode == 0, done.stderr
    assert not local.exists()


def test_a_prefix_is_one_folder_however_it_is_written(unpacked: Path, tmp_path: Path) -> None:
    assert install(unpacked, "--prefix", "opt/", cwd=tmp_path).returncode == 0
    assert subprocess.run([tmp_path / "opt" / "bin" / "pairwright"], cwd="/").returncode == 0
    (tmp_path / "link").symlink_to(tmp_path)
    assert install(unpacked, "--uninstall", "--prefix", str(tmp_path / "link" / "." / "opt")).returncode == 0
    assert not (tmp_path / "opt").exists()
    inside = install(unpacked, "--prefix", str(unpacked / "opt"))
    assert inside.returncode == 1
    assert "installed from" in inside.stderr


def test_shared_files_go_where_this_desktop_looks(unpacked: Path) -> None:
    data = unpacked.parent / "data"
    assert "in the menu" in install(unpacked, XDG_DATA_HOME=str(data)).stdout
    assert (data / "applications" / "pairwright.desktop").is_file()
    assert install(unpacked, "--uninstall").returncode == 0
    assert not data.exists()
    assert "in no menu" in install(unpacked, "--prefix", str(unpacked.parent / "opt")).stdout


def test_what_another_installer_put_into_bin_stays(unpacked: Path) -> None:
    command = unpacked.parent / ".local" / "bin" / "pairwright"
    command.parent.mkdir(parents=True)
    command.symlink_to("/bin/false")
    done = install(unpacked)
    assert f"Another program is at {command}" in done.stderr
    assert f"installed: {command}-" in done.stdout
    assert install(unpacked, "--uninstall").returncode == 0
    assert [*(unpacked.parent / ".local").rglob("*")] == [command.parent, command]
    assert command.readlink() == Path("/bin/false")


def test_versions_lie_side_by_side_and_the_newest_one_left_comes_back(unpacked: Path) -> None:
    local = unpacked.parent / ".local"
    own = (unpacked / "VERSION").read_text().strip()
    assert own.endswith("-light")  # the bundle has no torch
    older = another_version(unpacked, "98.0-light")
    (older / "share" / "of-old").write_text("a file that later versions have no more")
    newer = [another_version(unpacked, version) for version in ("98.0", "98.0rc1", "99.0")]
    for folder in (unpacked, older, *newer):
        assert install(folder).returncode == 0
        assert (local / "share" / "of-old").exists() is (folder == older)
    for folder, left in (newer[2], "98.0"), (newer[0], "98.0-light"), (older, "98.0rc1"), (newer[1], own):
        assert f"{left} is in the menu now" in install(folder, "--uninstall").stdout
        assert (local / "bin" / "pairwright").readlink().parent.name == left
        assert f"/{left}/pairwright" in (local / "share" / "applications" / "pairwright.desktop").read_text()
    assert install(unpacked, "--uninstall").returncode == 0
    assert not local.exists()


@pytest.mark.parametrize("signal", ["TERM", "KILL"])
def test_an_installation_that_is_cut_off_leaves_the_earlier_one(unpacked: Path, tmp_path: Path, signal: str) -> None:
    versions = unpacked.parent / ".local" / "lib" / "pairwright"
    assert install(unpacked).returncode == 0
    (folder,) = (path for path in versions.iterdir() if path.is_dir())
    (folder / "mark").touch()
    tools = tmp_path / "tools"
    tools.mkdir()
    # Cuts it off when the earlier copy is aside and the new one not yet there.
    (tools / "mv").write_text(f'#!/bin/sh\n/bin/mv "$@"; rm "$0"; kill -{signal} $PPID; sleep .1')
    (tools / "mv").chmod(0o755)
    assert install(unpacked, tools=tools).returncode != 0
    if signal == "TERM":
        assert {path.name for path in versions.iterdir()} == {folder.name, "active"}
        assert (folder / "mark").exists()
    assert install(unpacked, "--uninstall").returncode == 0
    assert not (unpacked.parent / ".local").exists()


def test_half_an_archive_is_not_installed(unpacked: Path) -> None:
    manifest = (unpacked / "MANIFEST").read_bytes()
    for damaged in (b"", manifest[: len(manifest) // 2]):
        (unpacked / "MANIFEST").write_bytes(damaged)
        assert "incomplete: MANIFEST" in install(unpacked).stderr
    (unpacked / "MANIFEST").write_bytes(manifest)
    (unpacked / "_internal" / "notes").write_text("of the")
    done = install(unpacked)
    assert done.returncode == 1
    assert "incomplete: 1 files" in done.stderr
    (unpacked / "VERSION").write_text("")
    assert "incomplete: VERSION" in install(unpacked, "--uninstall").stderr
    assert not (unpacked.parent / ".local").exists()


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="installs as root")
def test_root_installs_for_everybody_what_only_root_can_change(unpacked: Path, tmp_path: Path) -> None:
    script = unpacked / "install.sh"
    refused = subprocess.run([script], env=os.environ | {"HOME": str(tmp_path)}, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "--prefix /usr/local" in refused.stderr
    for path in (unpacked, *unpacked.rglob("*")):
        os.chown(path, 1234, 1234)
    (unpacked / "_internal").chmod(0o700)
    subprocess.run([script, "--prefix", tmp_path / "opt"], umask=0o077, check=True, stdout=subprocess.DEVNULL)
    found = [path.lstat() for path in (tmp_path / "opt").rglob("*") if not path.is_symlink()]
    assert {one.st_uid for one in found} == {0}
    assert all(one.st_mode & 0o044 == 0o044 and not one.st_mode & 0o022 for one in found)
