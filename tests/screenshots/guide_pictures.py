"""The pictures of the guide: what is on the screen in each, and which part of it is shown."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "desktop" / "guide" / "pictures"
THEME, SIZE = "light", "1024x660"
LOOK = f"{THEME}-{SIZE}-1x"
GUIDE = "guide-"
"""The word that has the camera take the scenes of the guide, and no others."""
_COLOURS = 96  # of a picture: enough for flat areas and the edges of letters


class GuidePicture(NamedTuple):
    """`scene`: the camera's name of what is on the screen. left, top, right, bottom: the part that is kept, in px."""

    scene: str
    left: int = 115
    top: int = 28
    right: int = 1024
    bottom: int = 620


PICTURES = {
    "papers": GuidePicture("guide-papers"),
    "review": GuidePicture("guide-review"),
    "export": GuidePicture("guide-export"),
    "definitions": GuidePicture("guide-definitions"),
    "rounds": GuidePicture("guide-rounds"),
    "model": GuidePicture("guide-model"),
    "doubted": GuidePicture("guide-doubted"),
    "pairs": GuidePicture("guide-pairs"),
    "audit": GuidePicture("guide-audit"),
    "train": GuidePicture("guide-train"),
    "experiments": GuidePicture("guide-experiments"),
    "grobid": GuidePicture("guide-settings", bottom=300),
}


def keep_pictures(taken: Path) -> None:
    """Renew the pictures in the guide from those that the camera put into `taken`."""
    from PIL import Image

    FOLDER.mkdir(exist_ok=True)
    for name, picture in PICTURES.items():
        with Image.open(taken / LOOK / f"{picture.scene}.png") as screen:
            part = screen.convert("RGB").crop((picture.left, picture.top, picture.right, picture.bottom))
            part.quantize(_COLOURS, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)
