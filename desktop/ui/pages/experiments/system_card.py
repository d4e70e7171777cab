"""A system of the form: what it is, what it reads, and its settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.pages.experiments.file_fields import FileFields
from desktop.ui.services.display_names import capitalized
from desktop.ui.widgets.buttons import icon_button
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.model_combo_box import ModelComboBox
from desktop.ui.widgets.notices import Notice
from miner.classifier.recipe import PRESETS
from miner.experiments.system_kinds import AnswerReading, FeatureGroup, PersonRole, SystemInput

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice

KIND_NAMES = {
    "lexical": "Lexicalized",
    "naive_bayes": "Naive Bayes",
    "tfidf": "TF-IDF",
    "cbow": "CBOW",
    "cnn": "CNN",
    "bilstm": "BiLSTM",
    "encoder": "Fine-tuned encoder",
    "model": "A model without training",
    "prompt": "Chat model",
    "predictions": "Predictions of others",
    "people": "People",
    "cosine": "Cosine of an encoder",
    "graph": "Entailment graph",
    "frequency": "Frequency of predicates",
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
    SystemInput.BOTH.value: "both sentences",
    SystemInput.HYPOTHESIS.value: "the hypothesis alone",
    SystemInput.SWAPPED.value: "the sentences exchanged",
    SystemInput.BOTH_ORDERS.value: "both orders",
    SystemInput.EVIDENCE.value: "each piece of evidence",
}
_FEATURES = {
    FeatureGroup.BLEU.value: "BLEU",
    FeatureGroup.LENGTH.value: "length",
    FeatureGroup.OVERLAP.value: "overlap",
    FeatureGroup.NGRAMS.value: "words",
}
_TEMPLATES = {1: "Prompt 1", 2: "Prompt 2", 3: "Prompt 3"}
_ANSWERS = {AnswerReading.RULES.value: "by rules", AnswerReading.OPTIONS.value: "by likelihood"}
_ROLES = {PersonRole.EXPERT.value: "experts", PersonRole.LAYPERSON.value: "laypeople"}
_VECTORS_HINT = "random; a GloVe file; or spacy:en_core_web_md"


class SystemCard(QFrame):
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
        self.setProperty("look", "card")
        kind = str(fields.value((*self._place, "kind"), ""))
        kind_name = KIND_NAMES.get(kind, kind or "no kind")
        self.setAccessibleName(f"System {number + 1}: {kind_name}")
        column = QVBoxLayout(self)
        column.setContentsMargins(px(12), px(10), px(12), px(10))
        column.setSpacing(px(8))
        head = QHBoxLayout()
        head.setSpacing(px(12))
        heading = PlainLabel(kind_name)
        heading.setProperty("type", "heading")
        heading.setMinimumWidth(px(140))
        self.name = fields.line((*self._place, "name"), f"Name of system {number + 1} in tables", title)
        name = f"Remove system {number + 1}: {kind_name}"
        self.remove = icon_button(self.theme, "trash-2", "Remove this system", name)
        self.remove.clicked.connect(self.removed)
        head.addWidget(heading)
        head.addWidget(self.name, 1)
        head.addWidget(self.remove)
        column.addLayout(head)
        settings = QWidget()
        self._flow = FlowLayout(px(8), settings)
        if kind not in ("people", "graph", "frequency"):
            reads = fields.choice((*self._place, "input"), f"What system {number + 1} reads", _INPUTS, "both")
            self._add("Reads", reads)
        add_settings: dict[str, Callable[[], None]] = {
            "lexical": self._add_lexical,
            "encoder": self._add_encoder,
            "model": lambda: self._add_model("model", "Model"),
            "cosine": lambda: self._add_model("encoder", "Encoder"),
            "graph": self._add_graph,
            "prompt": self._add_prompt,
            "predictions": self._add_predictions,
            "people": self._add_people,
            **dict.fromkeys(("cbow", "cnn", "bilstm"), self._add_neural),
        }
        add_settings.get(kind, lambda: None)()
        column.addWidget(settings)
        self.notice = Notice(self.theme)
        column.addWidget(self.notice)

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
        self._add("Features", self._fields.flags((*self._place, "features"), _FEATURES))

    def _add_neural(self) -> None:
        vectors = self._fields.file((*self._place, "vectors"), "Word vectors", _VECTORS_HINT)
        vectors.setMinimumWidth(self.theme.px(360))
        self._add("Word vectors", vectors)
        self._add("Most epochs", self._fields.number((*self._place, "epochs"), "Most epochs", 1, 1000, 30))
        self._add("Patience", self._fields.number((*self._place, "patience"), "Patience", 0, 1000, 10))

    def _add_encoder(self) -> None:
        self._add_model("start", "Start from")
        names = {name.lower(): capitalized(name) for name in PRESETS}
        names = {"starter" if name == "from the starter" else name: text for name, text in names.items()}
        self._add("Recipe", self._fields.choice((*self._place, "recipe"), "Recipe", names, "quick"))
        first = self._fields.value((*self._place, "intermediate"))
        if isinstance(first, dict):
            self._flow.addWidget(self._note(f"Learns {first.get('objective', 'labels')} of {first.get('data')} first."))

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
        model = fields.file((*place, "model"), "Model", "a folder, a GGUF file, or the server's name of it")
        model.setMinimumWidth(self.theme.px(360))
        self._add("Model", model)
        endpoint = fields.line((*place, "endpoint"), "Address of the server", "none: it runs here")
        endpoint.setMinimumWidth(self.theme.px(220))
        self._add("Server", endpoint)
        about = "The sentences leave this computer"
        self._flow.addWidget(fields.check((*place, "remote"), "may be another computer", tip=about))
        self._add("Asks by", fields.choice((*place, "template"), "Prompt", _TEMPLATES, 3))
        self._add("Examples of each class", fields.number((*place, "shots"), "Examples of each class", 0, 8, 0))
        sets = {"": "none", **{name: name for name in self._sets}}
        self._add("drawn from", fields.choice((*place, "exemplars"), "Set of the examples", sets, ""))
        self._add("Reading of answers", fields.choice((*place, "answer"), "How answers are read", _ANSWERS, "rules"))

    def _add_predictions(self) -> None:
        self._add("Column", self._fields.line((*self._place, "column"), "Column", "prediction"))
        file = self._fields.file((*self._place, "file"), "File of predictions", "the imported pairs")
        file.setMinimumWidth(self.theme.px(320))
        self._add("of", file)

    def _add_graph(self) -> None:
        file = self._fields.file((*self._place, "file"), "File of the graph", "predicate, predicate, score")
        file.setMinimumWidth(self.theme.px(320))
        self._add("Edges of", file)

    def _add_people(self) -> None:
        self._add("Role", self._fields.choice((*self._place, "role"), "Role", _ROLES, "expert"))

    def _note(self, text: str) -> PlainLabel:
        label = PlainLabel(text)
        label.setProperty("type", "small")
        return label
