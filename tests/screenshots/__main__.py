"""`make screenshots`: pictures of every page, empty and full, light and dark, small and large, at 100 % and 200 %.

All go to build/screens; with `--keep` some of them also to packaging/screenshots, for the README, and others to
desktop/guide/pictures; `--guide` renews only the latter. Name pages to take only those:
`python -m tests.screenshots review pairs`. Inter is used where it is installed (Debian's fonts-inter): what
the platform's own font would be on a desktop.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.screenshots import guide_pictures
from tests.screenshots.guide_pictures import GUIDE

ROOT = Path(__file__).resolve().parents[2]
ALL = ROOT / "build" / "screens"
KEPT = ROOT / "packaging" / "screenshots"
README = {
    "review": "light-1440x900-1x/full-review-context.png",
    "papers": "light-1440x900-1x/full-papers.png",
    "pairs": "dark-1440x900-1x/full-pairs-filtered.png",
    "dashboard": "light-1440x900-1x/full-dashboard.png",
    "suggest": "light-1440x900-1x/full-suggest.png",
    "disagreements": "light-1440x900-1x/full-disagreements.png",
    "train": "light-1440x900-1x/full-train-run.png",
    "mining": "light-1440x900-1x/full-mining-lexicon.png",
    "kinds": "light-1440x900-1x/full-kinds-help.png",
    "annotate": "light-1440x900-1x/round-annotate.png",
    "agreement": "light-1440x900-1x/full-agreement.png",
    "experiments": "light-1440x900-1x/full-experiments-tables.png",
    "audit": "light-1440x900-1x/full-audit-hypothesis_alone.png",
    "release": "light-1440x900-1x/full-export-split.png",
}
_LOOK_S = 3600  # for all pictures of a theme and scale, which take four to ten minutes
_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include>/etc/fonts/fonts.conf</include>
  <match target="pattern">
    <test name="family"><string>sans-serif</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit>
  </match>
</fontconfig>
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots")
    parser.add_argument("pages", nargs="*", help="only pictures whose name holds one of these words")
    parser.add_argument("--keep", action="store_true", help="renew the pictures of the README and the guide")
    parser.add_argument("--quick", action="store_true", help="light and dark at 1024x660 only")
    parser.add_argument("--guide", action="store_true", help="take and renew the pictures of the guide alone")
    options = parser.parse_args()
    shutil.rmtree(ALL, ignore_errors=True)
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fonts = folder / "fonts.conf"
        fonts.write_text(_FONTS, encoding="utf-8")
        project = folder / "samples.pairwright"
        subprocess.run([sys.executable, "-m", "tests.screenshots.project_factory", str(project)], cwd=ROOT, check=True)
        scales = (1,) if options.quick else (1, 2)
        sizes = "1024x660" if options.quick else "1024x660,1440x900"
        looks = [(theme, scale, sizes, options.pages) for theme in ("light", "dark") for scale in scales]
        guide = (guide_pictures.THEME, 1, guide_pictures.SIZE, [GUIDE])
        for theme, scale, sizes, words in [guide] if options.guide else [*looks, *([guide] if options.keep else [])]:
            environment = {
                **os.environ,
                "QT_QPA_PLATFORM": "offscreen",
                "QT_SCALE_FACTOR": str(scale),
                "FONTCONFIG_FILE": str(fonts),
            }
            command = [sys.executable, "-m", "tests.screenshots.camera", str(project), str(ALL), theme, sizes]
            try:
                failed += subprocess.run([*command, *words], cwd=ROOT, env=environment, timeout=_LOOK_S).returncode
            except subprocess.TimeoutExpired:
                failed += 1
                print(f"{theme}, {scale}x: no end after {_LOOK_S} s. The last picture: {_latest()}", file=sys.stderr)
    if options.keep and not failed:
        KEPT.mkdir(exist_ok=True)
        for name, picture in README.items():
            _keep(ALL / picture, KEPT / f"{name}.png")
    if (options.keep or options.guide) and not failed:
        guide_pictures.keep_pictures(ALL)
    print(f"{len(list(ALL.rglob('*.png'))):,} pictures in {ALL}")
    return 1 if failed else 0


def _latest() -> str:
    """The name of the picture that was taken last."""
    pictures = sorted(ALL.rglob("*.png"), key=lambda path: path.stat().st_mtime_ns)
    return str(pictures[-1].relative_to(ALL)) if pictures else "none"


def _keep(source: Path, target: Path) -> None:
    """A copy without what Qt writes beside the picture."""
    from PIL import Image

    with Image.open(source) as picture:
        picture.convert("RGB").save(target, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
