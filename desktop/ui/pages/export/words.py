"""Export in words: what each format holds."""

from __future__ import annotations

from storage.dataset.options import Preset

PRESETS = {
    Preset.SCINLI: ("SciNLI", "id, sentence1, sentence2, label"),
    Preset.MISMATCHED: ("MisMatched", "as SciNLI, with the domain"),
    Preset.SNLI: ("SNLI and MultiNLI", "gold_label, annotator_labels, pairID, genre"),
    Preset.INTEGERS: (
        "Labels as numbers",
        "premise, hypothesis, label: 0 contrasting, 1 reasoning, 2 entailment, 3 neutral",
    ),
    Preset.FULL: ("Everything", "all fields, with where each pair comes from"),
}
