"""The form of a system: its kind, its input, and its settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.translation import tr
from desktop.ui.pages.experiments.file_fields import FileFields
from desktop.ui.services.display_names import capitalized
from desktop.ui.widgets.buttons import icon_button
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import CardFrame, column_of, row_of, stretched
from desktop.ui.widgets.model_combo_box import ModelComboBox
from desktop.ui.widgets.notices import Notice
from miner.classifier.recipe import PRESETS
from miner.lab.experiments.system_kinds import AnswerReading, FeatureGroup, PersonRole, SystemInput

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice

KIND_NAMES = {
    "lexical": tr("Lexicalized"),
    "naive_bayes": tr("Naive Bayes"),
    "tfidf": "TF-IDF",
    "cbow": "CBOW",
    "cnn": "CNN",
    "bilstm": "BiLSTM",
    "encoder": tr("Fine-tuned encoder"),
    "model": tr("A model without training"),
    "prompt": tr("Chat model"),
    "predictions": tr("Predictions of others"),
    "people": tr("People"),
    "cosine": tr("Cosine of an encoder"),
    "graph": tr("Entailment graph"),
    "frequency": tr("Frequency of predicates"),
}
NEW_SYSTEMS: dict[str, dict[str, object]] = {  # what a system begins with, behind its kind
    "encoder": {"start": "starter", "recipe": "quick"},
    "model": {"model": "starter"},
    "prompt": {"model": "", "endpoint": "http://localhost:11434/v1"},
    "predictions": {"column": "prediction"},
    "people": {"role": PersonRole.EXPERT.value},
    "graph": {"file": "graph.tsv"},
}
_INPUTS = {
    SystemInput.BOTH.value: tr("both sentences"),
    SystemInput.HYPOTHESIS.value: tr("the hypothesis alone"),
    SystemInput.SWAPPED.value: tr("the sentences exchanged"),
    SystemInput.BOTH_ORDERS.value: tr("both orders"),
    SystemInput.EVIDENCE.value: tr("each piece of evidence"),
}
_FEATURES = {
    FeatureGroup.BLEU.value: "BLEU",
    FeatureGroup.LENGTH.value: "length",
    FeatureGroup.OVERLAP.value: "overlap",
    FeatureGroup.NGRAMS.value: "words",
}
_TEMPLATES = {1: tr("Prompt 1"), 2: tr("Prompt 2"), 3: tr("Prompt 3")}
_ANSWERS = {AnswerReading.RULES.value: tr("by rules"), AnswerReading.OPTIONS.value: tr("by likelihood")}
_ROLES = {PersonRole.EXPERT.value: "experts", PersonRole.LAYPERSON.value: "laypeople"}
_VECTORS_HINT = tr("random; a GloVe file; or spacy:en_core_web_md")


class SystemCard(CardFrame):
    """Fields of one system. number: its place in the file, from 0. sets: the names of the data sets."""

    removed = Signal()

    def __init__(
        self, fields: FileFields, number: int, sets: Sequence[str], title: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.theme, self._fields, self._sets = fields.theme, fields, sets
        self._place = ("system", number)
        self.model_box: ModelComboBox | None = None
        self._model_key = ""  # of the value that it shows
        self._is_filling = False
        px = self.theme.px
        kind = str(fields.value((*self._place, "kind"), ""))
        kind_name = KIND_NAMES.get(kind, kind or tr("no kind"))
        self.setAccessibleName(tr("System {number}: {kind_name}", number=number + 1, kind_name=kind_name))
        heading = PlainLabel(kind_name, type="heading")
        heading.setMinimumWidth(px(140))
        self.name = fields.line(
            (*self._place, "name"), tr("Name of system {number} in tables", number=number + 1), title
        )
        name = tr("Remove system {number}: {kind_name}", number=number + 1, kind_name=kind_name)
        self.remove = icon_button(self.theme, "trash-2", tr("Remove this system"), name)
        self.remove.clicked.connect(self.removed)
        settings = QWidget()
        self._flow = FlowLayout(px(8), settings)
        if kind not in ("people", "graph", "frequency"):
            reads = fields.choice(
                (*self._place, "input"), tr("What system {number} reads", number=number + 1), _INPUTS, "both"
            )
            self._add(tr("Reads"), reads)
        add_settings: dict[str, Callable[[], None]] = {
            "lexical": self._add_lexical,
            "encoder": self._add_encoder,
            "model": lambda: self._add_model("model", tr("Model")),
            "cosine": lambda: self._add_model("encoder", tr("Encoder")),
            "graph": self._add_graph,
            "prompt": self._add_prompt,
            "predictions": self._add_predictions,
            "people": self._add_people,
            **dict.fromkeys(("cbow", "cnn", "bilstm"), self._add_neural),
        }
        add_settings.get(kind, lambda: None)()
        self.notice = Notice(self.theme)
        self.setLayout(
            column_of(
                row_of(heading, stretched(self.name), self.remove, spacing=px(12)),
                settings,
                self.notice,
                spacing=px(8),
                margins=(px(12), px(10), px(12), px(10)),
            )
        )

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Offer these models to start from."""
        if self.model_box is None:
            return
        reference = str(self._fields.value((*self._place, self._model_key), "starter"))
        self._is_filling = True  # the box emits its signal whoever chooses
        self.model_box.show_choices(choices)
        self.model_box.choose(reference)
        self._is_filling = False

    def _add(self, text: str, field: QWidget) -> None:
        self._flow.addWidget(self._fields.labelled(text, field))

    def _add_lexical(self) -> None:
        self._add(tr("Features"), self._fields.flags((*self._place, "features"), _FEATURES))

    def _add_neural(self) -> None:
        vectors = self._fields.file((*self._place, "vectors"), tr("Word vectors"), _VECTORS_HINT)
        vectors.setMinimumWidth(self.theme.px(360))
        self._add(tr("Word vectors"), vectors)
        self._add(tr("Most epochs"), self._fields.number((*self._place, "epochs"), tr("Most epochs"), 1, 1000, 30))
        self._add(tr("Patience"), self._fields.number((*self._place, "patience"), tr("Patience"), 0, 1000, 10))

    def _add_encoder(self) -> None:
        self._add_model("start", tr("Start from"))
        names = {name: capitalized(recipe.name) for name, recipe in PRESETS.items()}
        self._add(tr("Recipe"), self._fields.choice((*self._place, "recipe"), tr("Recipe"), names, "quick"))
        first = self._fields.value((*self._place, "intermediate"))
        if isinstance(first, dict):
            self._flow.addWidget(
                self._note(
                    tr(
                        "Learns {first} of {first_2} first.",
                        first=first.get("objective", "labels"),
                        first_2=first.get("data"),
                    )
                )
            )

    def _add_model(self, key: str, text: str) -> None:
        self._model_key = key
        self.model_box = ModelComboBox(self.theme, text, self._fields.home)
        place = (*self._place, key)
        box = self.model_box
        box.choose(str(self._fields.value(place, "starter")))
        box.model_changed.connect(self._on_model)
        self._add(text, box)

    def _on_model(self) -> None:
        choice = self.model_box.choice if self.model_box is not None else None
        if choice is not None and not self._is_filling:
            self._fields.edit((*self._place, self._model_key), choice.reference)

    def _add_prompt(self) -> None:
        fields, place = self._fields, self._place
        model = fields.file((*place, "model"), tr("Model"), tr("a folder, a GGUF file, or the server's name of it"))
        model.setMinimumWidth(self.theme.px(360))
        self._add(tr("Model"), model)
        endpoint = fields.line((*place, "endpoint"), tr("Address of the server"), tr("none: it runs here"))
        endpoint.setMinimumWidth(self.theme.px(220))
        self._add(tr("Server"), endpoint)
        about = tr("The sentences leave this computer")
        self._flow.addWidget(fields.check((*place, "remote"), tr("may be another computer"), tip=about))
        self._add(tr("Asks by"), fields.choice((*place, "template"), tr("Prompt"), _TEMPLATES, 3))
        self._add(tr("Examples of each class"), fields.number((*place, "shots"), tr("Examples of each class"), 0, 8, 0))
        sets = {"": "none", **{name: name for name in self._sets}}
        self._add(tr("drawn from"), fields.choice((*place, "exemplars"), tr("Set of the examples"), sets, ""))
        self._add(
            tr("Reading of answers"), fields.choice((*place, "answer"), tr("How answers are read"), _ANSWERS, "rules")
        )

    def _add_predictions(self) -> None:
        self._add(tr("Column"), self._fields.line((*self._place, "column"), tr("Column"), "prediction"))
        file = self._fields.file((*self._place, "file"), tr("File of predictions"), tr("the imported pairs"))
        file.setMinimumWidth(self.theme.px(320))
        self._add("of", file)

    def _add_graph(self) -> None:
        file = self._fields.file((*self._place, "file"), tr("File of the graph"), tr("predicate, predicate, score"))
        file.setMinimumWidth(self.theme.px(320))
        self._add(tr("Edges of"), file)

    def _add_people(self) -> None:
        self._add(tr("Role"), self._fields.choice((*self._place, "role"), tr("Role"), _ROLES, "expert"))

    def _note(self, text: str) -> PlainLabel:
        return PlainLabel(text, type="small")
