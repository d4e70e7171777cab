"""The question asked when papers come: of which domain and year, and who reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.papers.scan import ScannedFiles, scan_files
from desktop.text import count
from desktop.ui.pages.papers.import_controller import ImportChoices, import_controller
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.fields import EditableComboBox
from desktop.ui.widgets.labels import PlainLabel, set_tip
from miner.parsing.files import FileKind
from miner.progress import Tick
from miner.records import Label

_LISTED = 4  # files that are none, by name
_NUMBERS = (  # what known data sets mean by 0, 1, 2 …
    ("SNLI, MNLI", (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRASTING)),
    ("SciNLI", (Label.CONTRASTING, Label.REASONING, Label.ENTAILMENT, Label.NEUTRAL)),
)


class ImportDialog(QDialog):
    """Looks through the files while it asks; accepted before it has, it adds them as soon as it knows."""

    def __init__(self, context: ProjectContext, paths: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Add papers")
        self.setMinimumWidth(context.theme.px(520))
        self._context = context
        self._scanned: ScannedFiles | None = None
        self._accepted = False
        self._lay_out()
        run = context.runner.read(scan_files(context.project, paths))
        run.ticked.connect(self._on_ticked)
        run.done.connect(self._on_gathered)
        run.failed.connect(self._on_failed)
        self._run: JobRun | None = run

    def _lay_out(self) -> None:
        px, settings = self._context.theme.px, self._context.settings_store.settings
        self.found = PlainLabel("Looking through the files…")
        self.found.setWordWrap(True)
        self.found.setProperty("type", "heading")
        self.others = PlainLabel()
        self.others.setWordWrap(True)
        self.others.setProperty("type", "muted")
        self.others.setVisible(False)
        self.domain = EditableComboBox("Domain")
        self.domain.field.setPlaceholderText("such as coastal engineering")
        self.domain.setEditText(settings.domain)
        self.domain.field.selectAll()
        set_tip(self.domain, "Papers that name their domain keep it, unless you type or choose one here")
        self.domain.activated.connect(lambda _: self.domain.field.setModified(True))
        self.parser = QComboBox()
        self.parser.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.parser.addItem("Built in, no server needed", "embedded")
        self.parser.addItem(f"GROBID at {settings.grobid_url}", "grobid")
        self.parser.setCurrentIndex(self.parser.findData(settings.parser))
        self.year = QLineEdit()
        self.year.setPlaceholderText("as each paper says")
        self.year.setValidator(QIntValidator(1500, 2200, self.year))
        self.numbers = QComboBox()
        set_tip(self.numbers, "The labels of a data set are numbers, and what these mean differs from one to the next")
        self.numbers.addItem("Choose what 0, 1, 2 … mean", ())
        for name, labels in _NUMBERS:
            meanings = ", ".join(f"{number} {label}" for number, label in enumerate(labels))
            self.numbers.addItem(f"{name}: {meanings}", labels)
        self.numbers.currentIndexChanged.connect(self._on_numbers_chosen)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(px(16))
        self._form.setVerticalSpacing(px(8))
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._form.addRow("&Domain", self.domain)
        self._form.addRow("&Parser", self.parser)
        self._form.addRow("&Year", self.year)
        self._form.addRow("&Labels", self.numbers)
        self._form.setRowVisible(self.numbers, False)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.add = self.buttons.addButton("Add", QDialogButtonBox.ButtonRole.AcceptRole)
        self.add.setProperty("look", "primary")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(24), px(24), px(16))
        layout.setSpacing(px(12))
        layout.addWidget(self.found)
        layout.addWidget(self.others)
        layout.addLayout(self._form)
        layout.addSpacing(px(8))
        layout.addWidget(self.buttons)
        self.add.setDefault(True)  # now that it is this dialog's: else showing it gives that to the first button
        self.domain.setFocus()

    @property
    def is_ready(self) -> bool:
        """The files were looked through."""
        return self._scanned is not None

    @Slot()
    def accept(self) -> None:
        if self._scanned is None:
            self._accepted = True
            self.add.setEnabled(False)
            return
        if not self.add.isEnabled():
            return
        choices = self._choices()
        self._context.settings_store.change(domain=choices.domain or choices.default_domain or "")
        import_controller(self._context).add(self._scanned, choices)
        self._context.page_requested.emit("papers")
        super().accept()

    def done(self, result: int) -> None:
        if self._run is not None:
            self._run.cancel()
        super().done(result)

    def _choices(self) -> ImportChoices:
        domain = " ".join(self.domain.currentText().split())
        year = int(self.year.text()) if self.year.hasAcceptableInput() else None
        is_remembered = not self.domain.field.isModified() and domain == self._context.settings_store.settings.domain
        default, chosen = (domain, "") if is_remembered else ("", domain)
        numbers = tuple(map(Label, self.numbers.currentData()))
        return ImportChoices(chosen or None, year, self.parser.currentData(), default or None, numbers)

    @Slot(object)
    def _on_ticked(self, tick: Tick) -> None:
        if self._scanned is None:
            self.found.setText(f"Looking through the files: {tick.done:,} so far…")

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._run = None
        self._context.problems.show(error)
        self.reject()

    @Slot(object)
    def _on_gathered(self, scanned: ScannedFiles) -> None:
        self._run = None
        self._scanned = scanned
        is_untouched = self.domain.field.hasSelectedText()
        self.domain.set_choices([*scanned.domains])
        if is_untouched:
            self.domain.field.selectAll()
        self.found.setText(found_text(scanned))
        self.others.setText(others_text(scanned))
        self.others.setVisible(bool(self.others.text()))
        pdfs = scanned.count(FileKind.PDF) > 0
        self._form.setRowVisible(self.parser, pdfs)
        papers = bool(scanned.found.files)
        self._form.setRowVisible(self.year, papers)
        self._form.setRowVisible(self.domain, papers or bool(scanned.data_sets))
        self._form.setRowVisible(self.numbers, scanned.has_unexplained_numbers)
        self._on_numbers_chosen()
        self.add.setText(_verb(scanned))
        self.adjustSize()
        if self._accepted:
            self.accept()

    @Slot()
    def _on_numbers_chosen(self) -> None:
        """There is something to add, and nothing left to ask."""
        scanned = self._scanned
        if scanned is not None:
            is_said = not scanned.has_unexplained_numbers or self.numbers.currentIndex() > 0
            self.add.setEnabled(bool(scanned.found.files or scanned.data_sets) and is_said)


def found_text(scanned: ScannedFiles) -> str:
    """ "41 PDFs, 2 TEI files and 1 data set", or that there is nothing."""
    parts = []
    for kind, noun in ((FileKind.PDF, "PDF"), (FileKind.TEI, "TEI file"), (FileKind.PAPERS, "file of papers")):
        plural = "files of papers" if kind is FileKind.PAPERS else ""
        if number := scanned.count(kind):
            parts.append(count(number, noun, plural))
    if scanned.data_sets:
        parts.append(count(len(scanned.data_sets), "data set"))
    if not parts:
        return "There are no papers in what you chose."
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def others_text(scanned: ScannedFiles) -> str:
    """What is passed over, which data sets there are, and what papers come as, where none were found."""
    lines = []
    if scanned.data_sets:
        names = ", ".join(path.name for path in scanned.data_sets[:_LISTED])
        more = len(scanned.data_sets) - _LISTED
        lines.append(f"Labelled pairs to import: {names}{f' and {more:,} more' if more > 0 else ''}.")
    if others := scanned.found.ignored - scanned.found.links:
        lines.append(f"{count(others, 'other file')} passed over.")
    if links := scanned.found.links:
        lead = "link that leads" if links == 1 else "links that lead"
        lines.append(f"{links:,} {lead} out of the folder passed over: add the files themselves.")
    lines += [str(why) for _, why in scanned.found.failed[:_LISTED]]
    if (more := len(scanned.found.failed) - _LISTED) > 0:
        lines.append(f"{count(more, 'more file')} cannot be used.")
    if not scanned.found.files and not scanned.data_sets:
        lines.append(
            "Papers are PDFs, GROBID's TEI (.xml) or JSON lines (.jsonl); data sets are .csv, .tsv or .jsonl files "
            "with two sentences and a label."
        )
    return "\n".join(line.encode("utf-8", "replace").decode() for line in lines)


def _verb(scanned: ScannedFiles) -> str:
    papers = len(scanned.found.files)
    if papers and not scanned.count(FileKind.PAPERS):
        return f"Add {count(papers, 'paper')}"
    if scanned.data_sets and not papers:
        return f"Import {count(len(scanned.data_sets), 'data set')}"
    return "Add"
