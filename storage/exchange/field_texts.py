"""What each field of an exported data set is, in words."""

from __future__ import annotations

from storage.exchange.kinds_columns import NEUTRAL_COLUMNS, REASONING_COLUMNS

FIELD_TEXTS = {
    "id": "id of the pair",
    "pairID": "id of the pair",
    "sentence1": "premise",
    "premise": "premise",
    "sentence2": "hypothesis, without its linking phrase",
    "hypothesis": "hypothesis, without its linking phrase",
    "label": "the gold label where there is one, else the distant label",
    "label_text": "the label's name",
    "gold_label": "the label of the annotators' majority, if the rule for gold labels accepts it",
    "annotator_labels": "the answers of the annotators",
    "distant_label": "the label that follows from the linking phrase, or neutral for a pair drawn as neutral",
    "accepted_suggestion": "whether the gold label is a model's suggestion that a person accepted",
    "suggested_label": "the label that a model suggests",
    "suggestion_confidence": "the calibrated probability of that label",
    "suggestion_model": "digest of the model's files",
    "Domain": "domain of the paper",
    "genre": "domain of the paper",
    "domain": "domain of the paper",
    "strategy": "how the pair was found: by a linking phrase, by one of three neutral draws, or imported",
    "linking_phrase": "the phrase that was removed from the hypothesis",
    "sentence2_original": "the hypothesis as the paper has it",
    "edited": "whether a person completed or corrected a sentence of the pair",
    "sentence1_mined": "the premise before that correction",
    "sentence2_mined": "the hypothesis before that correction",
    "crosses_paragraph": "whether the premise is the end of the paragraph before",
    "flags": "what mining noticed about the pair",
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
    "parser": "the parser that read the paper",
    "parser_version": "its version",
    "prem": "premise",
    "hyp": "hypothesis, without its linking phrase",
    "annotated_label": "the majority label of the annotators who answered about kinds of reasoning",
    "direction": "which sentence entails the other: by most annotators, else by the linking phrase",
    "distant_direction": "the direction that the linking phrase announces, or neither for a pair drawn as neutral",
    "annotated_direction": "the direction that most annotators give: forward (the premise entails the hypothesis), "
    "backward, both, neither or unclear",
    "kinds": "the kinds of reasoning that at least half of the annotators gave (TaxiNLI's categories)",
    "annotator_kinds": "the answers of each annotator: relation, direction (- for none) and kinds",
    "tags": "why systems get the pair wrong, by the people who read it",
    **{
        column: f"1 if at least half of the annotators gave this kind of reasoning: {name}"
        for name, column in REASONING_COLUMNS.items()
    },
    **{
        column: f"1 if the sentences of a neutral pair share the {name}, - for other pairs"
        for name, column in NEUTRAL_COLUMNS.items()
    },
    "mining_run": "id of the mining run, from settings, program, rules and language model",
    "source_id": "the pair's id in an imported data set",
    "source_label": "the pair's label in that data set",
    "source_columns": "the pair's other columns in that data set",
}
