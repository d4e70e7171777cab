"""What each field of an exported data set is, in words."""

from __future__ import annotations

from storage.exchange.kinds_columns import NEUTRAL_COLUMNS, REASONING_COLUMNS

FIELD_TEXTS = {
    "id": "identity of the pair",
    "pairID": "identity of the pair",
    "sentence1": "premise",
    "premise": "premise",
    "sentence2": "hypothesis, without its linking phrase",
    "hypothesis": "hypothesis, without its linking phrase",
    "label": "the gold label where people settled the pair, else the distant one",
    "label_text": "the label's name",
    "gold_label": "the label that people agree on and the rule of gold accepts",
    "annotator_labels": "the answers of the annotators",
    "distant_label": "the label that the linking phrase, or the drawing of a neutral pair, stands for",
    "accepted_suggestion": "the gold label is a model's that a person accepted",
    "suggested_label": "a model's label",
    "suggestion_confidence": "its calibrated probability",
    "suggestion_model": "digest of the model's files",
    "Domain": "domain of the paper",
    "genre": "domain of the paper",
    "domain": "domain of the paper",
    "strategy": "how the pair was made: by a linking phrase, by one of three neutral draws, or imported",
    "linking_phrase": "the phrase that was removed from the hypothesis",
    "sentence2_original": "the hypothesis as the paper has it",
    "edited": "whether a person completed a sentence from the paper",
    "sentence1_mined": "the premise before that",
    "sentence2_mined": "the hypothesis before that",
    "crosses_paragraph": "whether the premise ends the paragraph before",
    "flags": "what the mining noticed",
    "split": "train, dev or test",
    "paper_sha256": "SHA-256 of the paper's file",
    "paper_md5": "MD5 of the paper's PDF, which identifies it",
    "title": "title of the paper",
    "doi": "DOI of the paper",
    "year": "year of the paper",
    "licence": "licence of the paper",
    "journal": "journal of the paper",
    "section": "heading of the premise's section",
    "page": "page of the hypothesis",
    "parser": "what read the paper",
    "parser_version": "its version",
    "prem": "premise",
    "hyp": "hypothesis, without its linking phrase",
    "annotated_label": "the relation that most of those give who answered about kinds of reasoning",
    "direction": "which sentence gives the other: as most annotators say, else by the linking phrase",
    "distant_direction": "the direction that the linking phrase, or the drawing of a neutral pair, stands for",
    "annotated_direction": "the direction that most annotators give: forward (the premise gives the hypothesis), "
    "backward, both, neither, unclear",
    "kinds": "the kinds of reasoning that at least half of the annotators see (TaxiNLI's categories)",
    "annotator_kinds": "what each annotator says: the relation, the direction (- for none), the kinds",
    "tags": "why systems err on the pair, as those say who read it",
    **{
        column: f"1 where at least half of the annotators see this kind of reasoning: {name}"
        for name, column in REASONING_COLUMNS.items()
    },
    **{
        column: f"1 where the sentences of a neutral pair share the {name}, - for other pairs"
        for name, column in NEUTRAL_COLUMNS.items()
    },
    "mining_run": "identity of the mining run: settings, program, rules and language model",
    "source_id": "the pair's id in an imported data set",
    "source_label": "its label there",
    "source_columns": "its other columns there",
}
