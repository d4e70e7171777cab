"""The people who annotate, and what their answers count for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot

from desktop.jobs.review import people
from desktop.jobs.review.people import ChangedPerson, Person
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.annotate.dialogs import PeopleDialog
from desktop.ui.pages.annotate.page_section import TableSection, open_dialog
from desktop.ui.pages.annotate.tables import PeopleTableModel
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.questions import TextQuestion
from storage.annotation.annotators import Role

_NO_PEOPLE = tr("Nobody has been added yet. Add the people who will annotate.")


class PeopleSection(TableSection[Person]):
    """A section whose buttons add people, and rename the selected person or change their role."""

    def __init__(self, context: ProjectContext, max_rows: int) -> None:
        super().__init__(context.theme, tr("People"), PeopleTableModel(), _NO_PEOPLE, stretched=0, max_rows=max_rows)
        self._context = context
        self.add_people_button = self.add_button(tr("Add…"), self.add_people)
        self.rename_button = self.add_button(tr("Rename…"), self._rename)
        self.role_button = self.add_button(
            tr("Role…"), self._change_role, tr("Change what a person’s answers count for")
        )
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.table.activated.connect(lambda _: self.rename_button.click())
        self.add_people_button.setEnabled(False)
        self._on_selected()

    def show_rows(self, rows: Sequence[Person]) -> None:
        super().show_rows(rows)
        self.add_people_button.setEnabled(not self._context.read_only)
        self._on_selected()

    @Slot()
    def _on_selected(self) -> None:
        for button in (self.rename_button, self.role_button):
            button.setEnabled(not self._context.read_only and self.selected is not None)

    def add_people(self, role: Role = Role.ANNOTATOR) -> None:
        """Ask for names, and add them."""
        dialog = PeopleDialog(self._context.theme, self, role=role)
        dialog.accepted.connect(lambda: self._add(dialog))
        open_dialog(dialog)

    def _add(self, dialog: PeopleDialog) -> None:
        for name in dialog.names:
            self._context.change(people.add_person(self._context.project, name, dialog.role))

    def _rename(self) -> None:
        if (person := self.selected) is None:
            return
        about = tr("All answers of this person are kept.")
        question = TextQuestion(
            self._context.theme,
            tr("Rename"),
            tr("The new name"),
            tr("Rename"),
            text=person.name,
            about=about,
            parent=self,
        )
        if name := question.ask():
            run = self._context.change(people.rename_person(self._context.project, person.key, name))
            run.done.connect(self._on_renamed)

    @Slot(object)
    def _on_renamed(self, changed: ChangedPerson) -> None:
        self._context.show_message(tr("The name is {name} from now on.", name=changed.person.name))

    def _change_role(self) -> None:
        if (person := self.selected) is None:
            return
        dialog = PeopleDialog(self._context.theme, self, name=person.name, role=person.role)
        dialog.accepted.connect(lambda: self._set_role(person.key, dialog.role))
        open_dialog(dialog)

    def _set_role(self, key: str, role: Role) -> None:
        run = self._context.change(people.set_role(self._context.project, key, role), is_long=True)
        run.done.connect(self._on_role_changed)

    @Slot(object)
    def _on_role_changed(self, changed: ChangedPerson) -> None:
        again = (
            tr(" {were} decided again.", were=count(changed.refreshed, "pair was", "pairs were"))
            if changed.refreshed
            else ""
        )
        text = f"{changed.person.name}: {people.ROLE_NAMES[changed.person.role]}.{again}"
        self._context.show_message(text, undo=True)
