"""The released data sets: when each was made and with how many pairs, to write again or to compare with the project."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop.jobs.descriptions.exchange import new_since_text
from desktop.jobs.exchange import releases as releasing
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.card_keys import CardKeys
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, aligned, card_of, column_of, row_of, stretched
from storage.exchange.releases import NewSince, Release


class ReleasesPane(QWidget):
    """The list of releases, shown instead of the preview. `read` fills it."""

    closed = Signal()
    counted = Signal(int)  # how many releases there are
    write_again_requested = Signal(str)  # the release's name

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme = context.theme
        self._context, self._theme = context, theme
        self._releases: list[Release] | None = None  # those shown
        self._compared = ""  # the release that is being compared
        self._notes: dict[str, PlainLabel] = {}
        title = PlainLabel(tr("Releases"), type="heading")
        about = PlainLabel(
            tr("A release never changes, and its papers stay in their split in later exports."),
            type="small",
            wraps=True,
        )
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setAccessibleName(tr("Releases"))
        self.back = push_button(tr("&Back to the preview"), self.closed)
        self.setLayout(
            column_of(
                title,
                about,
                stretched(self._scroll),
                aligned(self.back, Qt.AlignmentFlag.AlignLeft),
                spacing=theme.px(12),
            )
        )

    @property
    def names(self) -> frozenset[str]:
        """The names of the releases, as far as they are read."""
        return frozenset(release.name for release in self._releases or ())

    def read(self) -> None:
        """Read the releases again."""
        self._context.read(releasing.load_releases(self._context.project), self._on_read)

    @Slot(object)
    def _on_read(self, releases: Sequence[Release]) -> None:
        """Show these releases, the latest first."""
        before, self._releases = self._releases, list(releases)
        self.counted.emit(len(releases))
        if before == self._releases:
            return
        self._notes = {}
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, self._theme.px(8), 0)
        layout.setSpacing(self._theme.px(8))
        for release in releases:
            layout.addWidget(self._card(release))
        if not releases:
            layout.addWidget(PlainLabel(tr("There is no release yet. Enter a name for it below, then press Release.")))
        layout.addStretch(1)
        self._scroll.setWidget(content)

    def _compare(self, name: str) -> None:
        """Find what has changed since a release."""
        self._compared = name
        self._context.read(releasing.count_new_since(self._context.project, name), self._on_compared)

    @Slot(object)
    def _on_compared(self, since: NewSince) -> None:
        """Show what has changed since the release, on its card."""
        if note := self._notes.get(self._compared):
            note.setText(new_since_text(since))
            note.setVisible(True)

    def _card(self, release: Release) -> QFrame:
        theme = self._theme
        name = PlainLabel(release.name, type="heading", wraps=True)
        when = f"{release.at.astimezone():%Y-%m-%d %H:%M}"
        facts = PlainLabel(
            f"{when} · {count(release.rows, 'pair')} · {count(len(release.files), 'file')}", type="small"
        )
        note = PlainLabel(wraps=True)
        note.setVisible(False)
        self._notes[release.name] = note
        again = push_button(
            tr("Write again…"),
            partial(self.write_again_requested.emit, release.name),
            name=tr("Write {name} again", name=release.name),
        )
        new = push_button(
            tr("What is new since"),
            partial(self._compare, release.name),
            name=tr("What is new since {name}", name=release.name),
        )
        inside = column_of(
            name,
            facts,
            note,
            row_of(again, new, STRETCH, spacing=theme.px(8)),
            spacing=theme.px(4),
            margins=(theme.px(16), theme.px(12), theme.px(16), theme.px(12)),
        )
        frame = card_of(inside, name=release.name)
        CardKeys(
            frame, lambda: f"{release.name}\n{facts.text()}", partial(self.write_again_requested.emit, release.name)
        )
        return frame
