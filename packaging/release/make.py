"""Makes a release: packages, bundle, installers, sums, bill of materials and licences, all of one commit.

    python packaging/release/make.py [--draft] [--twice] [--out FOLDER]

Run by `make release`, in a virtual environment with what requirements.txt beside this pins. FOLDER is emptied first.
A draft leaves out what cannot be made on this machine, and says so. `--twice` makes all of it a second time, elsewhere
and under other circumstances, and compares every byte.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bundled_files
import sbom
import third_party
from carried import Carried
from distributions import build_distributions
from environment import create
from notices import write_notices
from preconditions import MARK, check_folder, missing_tools
from source import Refused, Source, read_source, write_source
from sums import differences, sums, write_sums

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = "all"
SBOM = "sbom.cdx.json"
LICENCES = "THIRD-PARTY-LICENSES.txt"


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes a release of what is committed.")
    parser.add_argument(
        "--draft", action="store_true", help="of the files as they are, also without a changelog section"
    )
    parser.add_argument("--twice", action="store_true", help="make it twice and compare")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "release", metavar="FOLDER", help="(build/release)"
    )
    options = parser.parse_args()
    os.umask(0o022)
    out, work = options.out.resolve(), ROOT / "build" / "release-work"
    try:
        check_folder(out, ROOT, work)
        source = read_source(ROOT, draft=options.draft)
        first = make(source, work, out)
        if options.twice:
            compare(source, first)
    except Refused as refused:
        print(f"No release: {refused}", file=sys.stderr)
        return 1
    print(f"{'Draft of' if source.draft else 'Release'} {source.version} in {out}:")
    for path in sorted(out.iterdir()):
        print(f"  {path.stat().st_size / 1e6:9.1f} MB  {path.name}")
    return 0


def make(source: Source, work: Path, out: Path) -> dict[str, str]:
    """Make everything in the folder `out`, by way of `work`, both emptied first: the sums of what is there."""
    missing = missing_tools(draft=source.draft)
    for folder in (work, out):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    about = {"version": source.version, "commit": source.commit, "draft": source.draft, "time": source.epoch}
    (out / MARK).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    tree = work / "source"
    write_source(source, tree)
    with step("wheel and sdist"):
        wheel, _ = build_distributions(Path(sys.executable), tree, out, epoch=source.epoch)
    with step("environment"):
        environment = create(work / "environment", tree / "packaging" / "hashes" / "install.py")
        environment.install(f"{wheel}[{EXTRAS}]")
    with step("licences of the distributions"):
        table = third_party.read_table()
        installed = third_party.installed_in(environment.site_packages)
        carried = third_party.required([f"pairwright[{EXTRAS}]"], installed)
        carried = [entry for entry in carried if entry.name != "pairwright"]
        refuse(third_party.problems(carried, table))
        inside = Carried(tree, carried, installed, (), table)
        sbom.write_sbom(environment.python, out / SBOM, inside, epoch=source.epoch)
        refuse(sbom.problems(out / SBOM))
    bundled: list[bundled_files.CompiledFile] = []
    bundles = {"": tree / "build" / "bundle" / "pairwright", "-light": tree / "build" / "bundle-light" / "pairwright"}
    if missing:
        print(f"    no bundles, .deb and tarballs: this machine has no {', '.join(missing)}")
        bundles = {}
    else:
        environment.install("--requirement", tree / "packaging" / "bundle" / "requirements.txt")
        installed = third_party.installed_in(environment.site_packages)
    for kind, bundle in bundles.items():
        with step(f"bundle{kind}"):
            arguments = ["--light"] if kind else []
            run(environment.python, tree / "packaging" / "bundle" / "build.py", *arguments, epoch=source.epoch)
        with step(f"files of the bundle{kind}"):
            found = bundled_files.owners(bundle, carried, table)
            needed = bundled_files.needed_symbols(bundle)
            refuse(bundled_files.problems(found, table) + bundled_files.symbol_problems(needed, table))
            print(f"    {len(found)} compiled files; " + ", ".join(f"{k} {v}" for k, (v, _) in sorted(needed.items())))
            bundled += found
            inside = Carried(tree, carried, installed, found, table)
            bill = out / f"sbom-bundle{kind}.cdx.json"
            sbom.write_bundle_sbom(bill, out / SBOM, f"pairwright{kind}", bundle, inside)
            refuse(sbom.problems(bill))
    if bundles and (unused := bundled_files.unused(bundled, table)):
        print(f"    rows of third_party.toml that no file of a bundle matches: {', '.join(unused)}")
    write_notices(out / LICENCES, Carried(tree, carried, installed, bundled, table))
    for kind, bundle in bundles.items():
        shutil.copy(out / LICENCES, bundle)
        with step(f"installers{kind}"):
            packed = tree / "build" / f"linux{kind}"
            arguments = ["--bundle", str(bundle), "--out", str(packed)]
            run(environment.python, tree / "packaging" / "linux" / "build.py", *arguments, epoch=source.epoch)
            for path in sorted([*packed.glob("*.deb"), *packed.glob("*.tar.zst")]):
                shutil.move(path, out)
    (out / "RELEASE-NOTES.md").write_text(f"{source.notes}\n", encoding="utf-8")
    write_sums(out)
    return sums(out)


def compare(source: Source, first: dict[str, str]) -> None:
    """Make everything again in another folder, another time zone and another language, and refuse if a byte differs."""
    again = ROOT / "build" / "release-again"
    os.environ |= {"TZ": "Pacific/Auckland", "LC_ALL": "C", "PYTHONHASHSEED": "4711"}
    with step("all of it again"):
        second = make(source, again / "work", again / "out")
    if differing := differences(first, second):
        raise Refused(f"the second build differs in {', '.join(differing)}: compare build/release and {again / 'out'}")
    print(f"    {len(first)} files, built twice: same SHA-256")
    shutil.rmtree(again)


@contextmanager
def step(what: str) -> Iterator[None]:
    """Print what is done, and how long it took."""
    print(f"  {what}", flush=True)
    begun = time.monotonic()
    yield
    print(f"    {time.monotonic() - begun:.0f} s", flush=True)


def refuse(problems: list[str]) -> None:
    """Refuse the release if there are problems."""
    if problems:
        raise Refused("\n  ".join([f"{len(problems)} things may not be shipped:", *problems]))


def run(python: Path, script: Path, *arguments: str, epoch: int) -> None:
    """Run a script of the source; one that fails ends the release."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch), "QT_QPA_PLATFORM": "offscreen"}
    if code := subprocess.run([python, script, *arguments], cwd=script.parents[2], env=environment).returncode:
        raise Refused(f"{script.name} ended with {code}.")


if __name__ == "__main__":
    sys.exit(main())
