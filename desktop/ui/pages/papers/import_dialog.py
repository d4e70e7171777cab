"""The import dialog: the files found, and the domain, year and parser for adding them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QSizePolicy,
    QWidget,
)

from desktop.jobs.papers.scan import ScannedFiles, scan_files
from desktop.text import count, listed
from desktop.translation import tr
from desktop.ui.pages.papers.import_controller import ImportChoices, import_controller
from desktop.ui.pages.papers.reading_dialog import ReadingDialog
from desktop.ui.pages.papers.references_dialog import open_references
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.fields import ComboBox, EditableComboBox, YearEdit
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import column_of, space
from miner.parsing.formats import ACCEPTED, FORMATS, ONE_PAPER_KINDS, FileKind
from miner.progress import Tick
from miner.records import Label

_MAX_LISTED_FILES = 4
_LABEL_SCHEMES = (  # the labels that known data sets write as 0, 1, 2, …
    (tr("SNLI, MNLI"), (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRASTING)),
    ("SciNLI", (Label.CONTRASTING, Label.REASONING, Label.ENTAILMENT, Label.NEUTRAL)),
)


class ImportDialog(ReadingDialog):
    """Scans the files while it is open. If it is accepted before the scan ends, it adds the files after the scan."""

    def __init__(self, context: ProjectContext, paths: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.setWindowTitle(tr("Add papers"))
        self.setMinimumWidth(context.theme.px(520))
        self._scanned: ScannedFiles | None = None
        self._is_accepted = False  # before the files were scanned
        self._lay_out()
        self._read(scan_files(context.project, paths))

    def _lay_out(self) -> None:
        px, settings = self._context.theme.px, self._context.settings_store.settings
        self.summary = PlainLabel(tr("Looking through the files…"), type="heading", wraps=True)
        self.remarks = PlainLabel(type="muted", wraps=True)
        self.remarks.setVisible(False)
        self.domain = EditableComboBox(tr("Domain"))
        self.domain.field.setPlaceholderText(tr("such as coastal engineering"))
        self.domain.setEditText(settings.domain)
        self.domain.field.selectAll()
        set_tip(self.domain, tr("Papers that have a domain keep it, unless you type or choose one here"))
        self.domain.activated.connect(lambda _: self.domain.field.setModified(True))
        self.parser = ComboBox()
        self.parser.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.parser.addItem(tr("Built in, no server needed"), "embedded")
        self.parser.addItem(tr("GROBID at {grobid_url}", grobid_url=settings.grobid_url), "grobid")
        self.parser.setCurrentIndex(self.parser.findData(settings.parser))
        self.year = YearEdit()
        self.year.setPlaceholderText(tr("as given in each paper"))
        self.year.textChanged.connect(self._update_add_button)
        self.label_scheme = ComboBox()
        set_tip(
            self.label_scheme, tr("The labels of this data set are numbers, whose meaning differs between data sets")
        )
        self.label_scheme.addItem(tr("Choose what the numbers 0, 1, 2 … mean"), ())
        for name, labels in _LABEL_SCHEMES:
            meanings = ", ".join(f"{number} {label}" for number, label in enumerate(labels))
            self.label_scheme.addItem(f"{name}: {meanings}", labels)
        self.label_scheme.currentIndexChanged.connect(self._update_add_button)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(px(16))
        self._form.setVerticalSpacing(px(8))
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._form.addRow(tr("&Domain"), self.domain)
        self._form.addRow(tr("&Parser"), self.parser)
        self._form.addRow(tr("&Year"), self.year)
        self._form.addRow(tr("&Labels"), self.label_scheme)
        self._form.setRowVisible(self.label_scheme, False)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.add_button = self.buttons.addButton(tr("Add"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.add_button.setProperty("look", "primary")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.setLayout(
            column_of(
                self.summary,
                self.remarks,
                self._form,
                space(px(8)),
                self.buttons,
                spacing=px(12),
                margins=(px(24), px(24), px(24), px(16)),
            )
        )
        self.add_button.setDefault(True)  # now that it is this dialog's: else showing it gives that to the first button
        self.domain.setFocus()

    @property
    def is_ready(self) -> bool:
        """Whether the files have been scanned."""
        return self._scanned is not None

    @Slot()
    def accept(self) -> None:
        if self._scanned is None:
            self._is_accepted = True
            self.add_button.setEnabled(False)
            return
        if not self.add_button.isEnabled():
            return
        choices = self._choices()
        self._context.settings_store.change(domain=choices.domain or choices.default_domain or "")
        import_controller(self._context).add(self._scanned, choices)
        self._context.page_requested.emit("papers")
        super().accept()

    def _choices(self) -> ImportChoices:
        domain = " ".join(self.domain.currentText().split())
        is_remembered = not self.domain.field.isModified() and domain == self._context.settings_store.settings.domain
        default, override = (domain, "") if is_remembered else ("", domain)
        numeric_labels = tuple(map(Label, self.label_scheme.currentData()))
        return ImportChoices(
            override or None, self.year.year, self.parser.currentData(), default or None, numeric_labels
        )

    def _show_progress(self, tick: Tick) -> None:
        self.summary.setText(tr("Looking through the files: {done:,} so far…", done=tick.done))

    def _show_result(self, scanned: ScannedFiles) -> None:
        if scanned.bibliographies and not (scanned.found.files or scanned.data_sets or scanned.found.failed):
            open_references(self._context, scanned.bibliographies, self.parentWidget())
            self.reject()
            return
        self._scanned = scanned
        is_unchanged = self.domain.field.hasSelectedText()
        self.domain.set_choices([*scanned.domains])
        if is_unchanged:
            self.domain.field.selectAll()
        self.summary.setText(summary_text(scanned))
        self.remarks.setText(remarks_text(scanned))
        self.remarks.setVisible(bool(self.remarks.text()))
        has_papers = bool(scanned.found.files)
        self._form.setRowVisible(self.parser, scanned.count(FileKind.PDF) > 0)
        self._form.setRowVisible(self.year, has_papers)
        self._form.setRowVisible(self.domain, has_papers or bool(scanned.data_sets))
        self._form.setRowVisible(self.label_scheme, scanned.has_unexplained_numbers)
        self._update_add_button()
        self.add_button.setText(_button_text(scanned))
        self._fit()
        if self._is_accepted:
            self.accept()

    @Slot()
    def _update_add_button(self) -> None:
        """Enable the button if there is something to add, numeric labels are explained, and the year is complete."""
        scanned = self._scanned
        if scanned is not None:
            has_labels = not scanned.has_unexplained_numbers or self.label_scheme.currentIndex() > 0
            is_any = bool(scanned.found.files or scanned.data_sets)
            self.add_button.setEnabled(is_any and has_labels and self.year.hasAcceptableInput())


def summary_text(scanned: ScannedFiles) -> str:
    """The scanned files in words, such as "41 PDFs, 2 TEI files and 1 data set"."""
    parts = []
    for one in FORMATS:
        if number := scanned.count(one.kind):
            parts.append(count(number, one.noun, one.plural))
    if scanned.data_sets:
        parts.append(count(len(scanned.data_sets), "data set"))
    return listed(parts) or tr("There are no papers among these files.")


def remarks_text(scanned: ScannedFiles) -> str:
    """Remarks on the files, a line each: data sets by name, skipped files and, without papers, the accepted formats."""
    lines = []
    if scanned.data_sets:
        names = ", ".join(path.name for path in scanned.data_sets[:_MAX_LISTED_FILES])
        more = len(scanned.data_sets) - _MAX_LISTED_FILES
        lines.append(
            tr(
                "Labelled pairs to import: {names}{value}.",
                names=names,
                value=tr(" and {more:,} more", more=more) if more > 0 else "",
            )
        )
    if scanned.bibliographies:
        names = ", ".join(path.name for path in scanned.bibliographies[:_MAX_LISTED_FILES])
        lines.append(tr("The metadata in {names} is shown once these papers are read.", names=names))
    if others := scanned.found.ignored - scanned.found.links:
        lines.append(tr("{files} skipped.", files=count(others, "other file")))
    if links := scanned.found.links:
        lines.append(
            tr("{links} to files outside the folder skipped: add the files themselves.", links=count(links, "link"))
        )
    lines += [str(why) for _, why in scanned.found.failed[:_MAX_LISTED_FILES]]
    if (more := len(scanned.found.failed) - _MAX_LISTED_FILES) > 0:
        lines.append(tr("{files} cannot be used.", files=count(more, "more file")))
    if not scanned.found.files and not scanned.data_sets:
        lines.append(
            tr(
                "Papers are {accepted}; data sets are .csv, .tsv, .jsonl or .parquet files with two "
                "sentences and a label.",
                accepted=ACCEPTED,
            )
        )
    return "\n".join(line.encode("utf-8", "replace").decode() for line in lines)


def _button_text(scanned: ScannedFiles) -> str:
    papers = len(scanned.found.files)
    if papers == sum(map(scanned.count, ONE_PAPER_KINDS)) > 0:
        return tr("Add {papers}", papers=count(papers, "paper"))
    if scanned.data_sets and not papers:
        return tr("Import {sets}", sets=count(len(scanned.data_sets), "data set"))
    return tr("Add")
