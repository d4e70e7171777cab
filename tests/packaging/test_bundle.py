"""What goes into a bundle, and how its packages for Linux are made, installed and removed."""

from __future__ import annotations

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


def install(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"HOME": str(folder.parent)}
    return subprocess.run(["./install.sh", *arguments], cwd=folder, env=environment, capture_output=True, text=True)


def installed_files(folder: Path) -> set[str]:
    local = folder.parent / ".local"
    return {str(path.relative_to(local)) for path in local.rglob("*") if not path.is_dir() or path.is_symlink()}


def test_the_archive_installs_for_one_person_and_goes_without_a_trace(unpacked: Path) -> None:
    done = install(unpacked)
    assert done.returncode == 0, done.stderr
    local = unpacked.parent / ".local"
    assert subprocess.run([local / "bin" / "pairwright"]).returncode == 0
    entry = (local / "share" / "applications" / "pairwright.desktop").read_text()
    (line,) = (line for line in entry.splitlines() if line.startswith("Exec="))
    # The Desktop Entry Specification: a `$` is escaped within quotes, the backslash itself in every value, `%` doubled.
    target = str(local / "lib" / "pairwright").replace("%", "%%").replace("$", r"\\$")
    assert line.startswith(f'Exec="{target}/')
    assert line.endswith('/pairwright" %f')
    done = install(unpacked, "--uninstall")
    assert done.returncode == 0, done.stderr
    assert not installed_files(unpacked)


def test_versions_lie_side_by_side_and_the_older_one_comes_back(unpacked: Path) -> None:
    assert install(unpacked).returncode == 0
    newer = unpacked.with_name("newer")
    shutil.copytree(unpacked, newer)
    (newer / "VERSION").write_text("99.0\n")
    (newer / "MANIFEST").write_text(
        "".join(
            line
            for line in (newer / "MANIFEST").read_text().splitlines(keepends=True)
            if not line.endswith("VERSION\n")
        )
    )
    assert install(newer).returncode == 0
    program = unpacked.parent / ".local" / "bin" / "pairwright"
    assert program.readlink().parent.name == "99.0"
    assert install(newer, "--uninstall").returncode == 0
    assert program.readlink().parent.name == (unpacked / "VERSION").read_text().strip()
    assert install(unpacked, "--uninstall").returncode == 0
    assert not installed_files(unpacked)


def test_half_an_archive_is_not_installed(unpacked: Path) -> None:
    (unpacked / "_internal" / "notes").write_text("of the")
    done = install(unpacked)
    assert done.returncode == 1
    assert "incomplete: 1 files" in done.stderr
    assert not (unpacked.parent / ".local").exists()
