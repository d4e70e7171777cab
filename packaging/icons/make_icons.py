"""Makes icons of `desktop/ui/theme/icons/pairwright.svg`: PNG files, `.ico` for Windows, `.icns` for macOS.

    python packaging/icons/make_icons.py build/icons

Qt draws them, so that a system needs no other tool; the same version of Qt gives the same bytes.
"""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ROOT = Path(__file__).parents[2]
SVG = ROOT / "desktop" / "ui" / "theme" / "icons" / "pairwright.svg"
DOCUMENT_SVG = Path(__file__).with_name("document.svg")
PNG_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
_ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 256)
_ICNS_TYPES = {  # https://en.wikipedia.org/wiki/Apple_Icon_Image_format: those that hold a PNG, with their pixels
    b"icp4": 16,
    b"icp5": 32,
    b"ic07": 128,
    b"ic08": 256,
    b"ic09": 512,
    b"ic10": 1024,
    b"ic11": 32,
    b"ic12": 64,
    b"ic13": 256,
    b"ic14": 512,
}


def make(folder: Path) -> None:
    """Write icons of the program and of project files, each as `.ico` and `.icns`, and `installer.bmp`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, svg in (("pairwright", SVG), ("project", DOCUMENT_SVG)):
        (folder / f"{name}.ico").write_bytes(ico(svg))
        (folder / f"{name}.icns").write_bytes(icns(svg))
    (folder / "installer.bmp").write_bytes(_banner())


def png(svg: Path, size: int) -> bytes:
    """The picture as a PNG of `size` times `size` pixels."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    _draw(svg, image, QRectF(0, 0, size, size))
    return _file(image, "PNG")


def ico(svg: Path) -> bytes:
    """An `.ico` file: a directory of 16 bytes an entry, then the PNG files."""
    pictures = [png(svg, size) for size in _ICO_SIZES]
    offset = 6 + 16 * len(pictures)
    directory = struct.pack("<HHH", 0, 1, len(pictures))
    for size, picture in zip(_ICO_SIZES, pictures, strict=True):
        directory += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    return directory + b"".join(pictures)


def icns(svg: Path) -> bytes:
    """An `.icns` file: each picture after its type and length."""
    parts = [(kind, png(svg, size)) for kind, size in _ICNS_TYPES.items()]
    body = b"".join(kind + struct.pack(">I", 8 + len(picture)) + picture for kind, picture in parts)
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def _banner() -> bytes:
    """The picture beside the last page of the installer for Windows, as a BMP of the size that NSIS wants."""
    image = QImage(164, 314, QImage.Format.Format_RGB32)
    image.fill("#E3E8FA")
    _draw(SVG, image, QRectF(50, 60, 64, 64))
    return _file(image, "BMP")


def _draw(svg: Path, image: QImage, place: QRectF) -> None:
    if not QGuiApplication.instance():
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        QGuiApplication(sys.argv[:1])
    renderer = QSvgRenderer(str(svg))
    if not renderer.isValid():
        raise ValueError(f"{svg} is no SVG file that Qt reads")
    painter = QPainter(image)
    renderer.render(painter, place)
    painter.end()


def _file(image: QImage, kind: str) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, kind)  # type: ignore[call-overload]  # the stub lacks devices
    return content.data()


if __name__ == "__main__":
    make(Path(sys.argv[1]))
