"""What a release says of what others made in it: licences with their texts, where sources are, bills of materials."""

from __future__ import annotations

import json
import re
import shutil
import sys
from importlib.metadata import Distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "packaging" / "release"))

import third_party  # noqa: E402
from bundled_files import CompiledFile, library_of  # noqa: E402
from carried import Carried  # noqa: E402
from notices import write_notices  # noqa: E402
from sbom import write_bundle_sbom  # noqa: E402

TABLE = third_party.read_table()
GLIB, QT = "libglib-2.0.so.0", "PySide6/Qt/lib/libQt6Core.so.6"


@pytest.fixture(scope="module")
def carried() -> Carried:
    if not shutil.which("dpkg-query") or not list(Path("/usr/lib").glob(f"*/{GLIB}")):
        pytest.skip("a release is made on Debian, with the libraries of the window")
    names = ("certifi", "pypdfium2", "PySide6-Essentials", "transformers")
    installed = {third_party.normalise(name): Distribution.from_name(name) for name in names}
    bundled = [CompiledFile(path, library_of(path, TABLE.libraries)) for path in (GLIB, QT)]
    return Carried(ROOT, list(installed.values()), installed, bundled, TABLE)


def test_every_licence_is_there_in_full_and_the_sources_of_what_is_under_the_lgpl(
    carried: Carried, tmp_path: Path
) -> None:
    write_notices(tmp_path / "notices", carried)
    written = (tmp_path / "notices").read_text(encoding="utf-8")
    for title in (
        r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1, February 1999",  # of GLib
        r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3, 29 June 2007",  # of Qt
        r"GNU GENERAL PUBLIC LICENSE\s+Version 3, 29 June 2007",  # which that one completes
        r"Mozilla Public License Version 2\.0\n=+\n\n1\. Definitions",  # of certifi, which has but its address
        r"SIL OPEN FONT LICENSE Version 1\.1",
    ):
        assert re.search(title, written), title
    pointed_to = set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", written.partition("=" * 100)[2]))
    assert {
        name for name in pointed_to if not re.search(rf"^(.*, )?/usr/share/common-licenses/{name}$", written, re.M)
    } == set()

    sources = written.partition("Sources, in the versions")[2].partition("=" * 100)[0]
    qt = Distribution.from_name("PySide6-Essentials").version
    assert f"/{qt}/single/" in sources
    assert f"/PySide6-{qt}-src/" in sources
    assert re.search(r"^GLib.*: https://snapshot\.debian\.org/package/glib2\.0/2\.", sources, re.MULTILINE)
    assert "https://pypi.org/project/certifi/" in sources


def test_all_that_is_under_a_gnu_licence_has_its_text_and_says_where_its_sources_are() -> None:
    shared = [library for library in TABLE.libraries if third_party.shares_sources(library.licence)]
    assert [library.name for library in shared if not third_party.common_texts(library.licence, TABLE)] == []
    of_wheels = [library for library in shared if library.distribution or library.package]
    assert len(of_wheels) > 5
    assert [library.name for library in of_wheels if not library.source] == []


def test_the_bill_of_a_bundle_lists_its_libraries_and_not_what_it_leaves_out(carried: Carried, tmp_path: Path) -> None:
    refs = [f"{name}==1" for name in ("certifi", "transformers")]
    package = {
        "metadata": {"component": {"name": "pairwright", "bom-ref": "root-component"}},
        "components": [{"name": ref[:-3], "bom-ref": ref, "purl": f"pkg:pypi/{ref[:-3]}@1"} for ref in refs],
        "dependencies": [{"ref": ref} for ref in refs] + [{"ref": "root-component", "dependsOn": refs}],
    }
    (tmp_path / "sbom.json").write_text(json.dumps(package))
    (tmp_path / "light" / "_internal" / "certifi-1.dist-info").mkdir(parents=True)
    for name in ("one", "two"):
        write_bundle_sbom(tmp_path / name, tmp_path / "sbom.json", "pairwright-light", tmp_path / "light", carried)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    bill = json.loads((tmp_path / "one").read_text())
    glib, qt, certifi = sorted(
        bill["components"], key=lambda one: one["licenses"][0]["expression"] if "licenses" in one else "~"
    )
    assert glib["purl"].startswith("pkg:deb/")
    assert glib["purl"].partition("@")[2].startswith("2.")
    assert glib["licenses"][0]["expression"] == "LGPL-2.1-or-later"
    assert glib["evidence"]["occurrences"] == [{"location": GLIB}]
    assert (qt["name"], qt["version"]) == ("Qt", Distribution.from_name("PySide6-Essentials").version)
    assert certifi["name"] == "certifi"
    (root,) = (one for one in bill["dependencies"] if one["ref"] == "root-component")
    assert root["dependsOn"] == sorted(["certifi==1", "Qt", glib["bom-ref"]])
