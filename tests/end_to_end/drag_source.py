"""A minimal file manager in its own process: `python drag_source.py X Y PATH...` shows a square to drag.

Dragging it carries the paths as text/uri-list. Says `ready` when it is on the screen, then what became of the drag, and
stays: whom it was dropped on fetches the paths afterwards.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QTimer, QUrl
from PySide6.QtGui import QDrag, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

SIDE = 40


class Square(QWidget):
    def __init__(self, paths: list[Path]) -> None:
        super().__init__(None, Qt.WindowType.BypassWindowManagerHint | Qt.WindowType.FramelessWindowHint)
        self._paths = paths
        self._is_shown = False

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_shown:
            self._is_shown = True
            QTimer.singleShot(0, lambda: print("ready", flush=True))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in self._paths])
        drag = QDrag(self)
        drag.setMimeData(mime)
        action = drag.exec(Qt.DropAction.CopyAction)
        print("dropped" if action == Qt.DropAction.CopyAction else "refused", flush=True)


def main() -> int:
    app = QApplication(sys.argv[:1])
    square = Square([Path(name) for name in sys.argv[3:]])
    square.setGeometry(int(sys.argv[1]), int(sys.argv[2]), SIDE, SIDE)
    square.show()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
