"""The views of a warehouse, as statements that PostgreSQL and DuckDB both understand.

`table_2`, `table_3` and `table_13` give the figures of the papers of SciNLI and MSciNLI, from the pairs, and from
samples of them that the program has measured, as its own tables do. `current_answers` and `gold_labels` say what people
answered.
"""

from __future__ import annotations

_MEANS = """
    WITH strata AS (
        SELECT papers.domain, pairs.distant_label AS label, count(*) AS pairs
        FROM {schema}.pairs JOIN {schema}.papers ON papers.md5 = pairs.md5
        WHERE pairs.distant_label IS NOT NULL AND pairs.strategy <> 'implicit'
        GROUP BY papers.domain, pairs.distant_label
    ), means AS (
        SELECT domain, label, avg(premise_tokens) AS premise, avg(hypothesis_tokens) AS hypothesis,
            avg(overlap) AS overlap
        FROM {schema}.measured_pairs GROUP BY domain, label
    ), judged AS (
        SELECT domain, premise_complete, hypothesis_complete,
            row_number() OVER ({part} ORDER BY place) AS number
        FROM {schema}.measured_pairs WHERE premise_complete IS NOT NULL
    ), complete AS (
        SELECT {group}100 * avg(CASE WHEN premise_complete THEN 1.0 ELSE 0.0 END) AS premises,
            100 * avg(CASE WHEN hypothesis_complete THEN 1.0 ELSE 0.0 END) AS hypotheses
        FROM judged WHERE number <= (SELECT judged FROM {schema}.loaded) {grouped}
    ), counted AS (
        SELECT {group}CAST(sum(strata.pairs) AS bigint) AS pairs,
            CAST(sum(CASE WHEN label = 'contrasting' THEN strata.pairs ELSE 0 END) AS bigint) AS contrasting,
            CAST(sum(CASE WHEN label = 'reasoning' THEN strata.pairs ELSE 0 END) AS bigint) AS reasoning,
            CAST(sum(CASE WHEN label = 'entailment' THEN strata.pairs ELSE 0 END) AS bigint) AS entailment,
            CAST(sum(CASE WHEN label = 'neutral' THEN strata.pairs ELSE 0 END) AS bigint) AS neutral,
            CAST(sum(strata.pairs * premise) / sum(strata.pairs) AS double precision) AS premise_tokens,
            CAST(sum(strata.pairs * hypothesis) / sum(strata.pairs) AS double precision) AS hypothesis_tokens,
            CAST(100 * sum(strata.pairs * overlap) / sum(strata.pairs) AS double precision) AS word_overlap
        FROM strata JOIN means USING (domain, label) {grouped}
    )
    SELECT {group}pairs, contrasting, reasoning, entailment, neutral, premise_tokens, hypothesis_tokens,
        CAST(premises AS double precision) AS complete_premises,
        CAST(hypotheses AS double precision) AS complete_hypotheses, word_overlap
    FROM counted {join} {ordered}
"""
_LABELS = ("contrasting", "reasoning", "entailment", "neutral", "unclear")
_CURRENT_ANSWERS = """
    SELECT md5, pair_key, annotator, role, value AS answer, via, "at" FROM (
        SELECT answers.*, row_number() OVER (PARTITION BY pair_key, annotator ORDER BY number DESC) AS place
        FROM {schema}.answers WHERE what = 'answer'
    ) AS ranked WHERE place = 1 AND value IS NOT NULL
"""
_VOTES = 3  # a pair's annotators in SciNLI, MSciNLI and MisMatched
_GOLD_LABELS = f"""
    WITH given AS (
        SELECT * FROM {{schema}}.current_answers WHERE via = 'answer'
    ), votes AS (
        SELECT md5, pair_key, count(*) AS votes,
            {", ".join(f"count(CASE WHEN answer = '{label}' THEN 1 END) AS {label}" for label in _LABELS)}
        FROM given WHERE role = 'annotator' GROUP BY md5, pair_key
    ), adjudicated AS (
        SELECT pair_key, answer FROM (
            SELECT pair_key, answer, row_number() OVER (PARTITION BY pair_key ORDER BY "at" DESC, annotator) AS place
            FROM given WHERE role = 'adjudicator'
        ) AS ranked WHERE place = 1
    ), decided AS (
        SELECT votes.*, CASE WHEN votes >= {_VOTES} THEN nullif(CASE
                {" ".join(f"WHEN 2 * {label} > votes THEN '{label}'" for label in _LABELS)}
                ELSE adjudicated.answer
            END, 'unclear') END AS gold_label
        FROM votes LEFT JOIN adjudicated ON adjudicated.pair_key = votes.pair_key
    )
    SELECT pairs.md5, pairs.ordinal, decided.pair_key, papers.domain, pairs.distant_label, decided.gold_label,
        decided.gold_label = pairs.distant_label AS agrees, decided.votes, {", ".join(_LABELS)}
    FROM decided JOIN {{schema}}.pairs ON pairs.md5 = decided.md5 AND pairs.key = decided.pair_key
        JOIN {{schema}}.papers ON papers.md5 = pairs.md5
"""
VIEWS = {
    "table_3": (
        "Table 3 of SciNLI: the whole data set. Shares in per cent; lengths and overlap of a random sample.",
        _MEANS.format(schema="{schema}", part="", group="", grouped="", join="CROSS JOIN complete", ordered=""),
    ),
    "table_2": (
        "Table 2 of MSciNLI: each domain. Shares in per cent; lengths and overlap of a random sample.",
        _MEANS.format(
            schema="{schema}",
            part="PARTITION BY domain",
            group="domain, ",
            grouped="GROUP BY domain",
            join="LEFT JOIN complete USING (domain)",
            ordered="ORDER BY domain",
        ),
    ),
    "table_13": (
        "Table 13 of MSciNLI: the cosine of each two domains' token frequencies.",
        """
    WITH lengths AS (
        SELECT domain, sqrt(sum(CAST(count AS double precision) * count)) AS length
        FROM {schema}.vocabularies GROUP BY domain
    ), products AS (
        SELECT one.domain, other.domain AS other_domain,
            sum(CAST(one.count AS double precision) * other.count) AS product
        FROM {schema}.vocabularies AS one JOIN {schema}.vocabularies AS other ON one.token = other.token
        WHERE one.domain >= other.domain GROUP BY one.domain, other.domain
    )
    SELECT products.domain, other_domain, product / (one.length * other.length) AS cosine
    FROM products JOIN lengths AS one ON one.domain = products.domain
        JOIN lengths AS other ON other.domain = other_domain
    ORDER BY products.domain, other_domain
        """,
    ),
    "current_answers": (
        "The answer of each annotator to each pair: the last one, unless it was withdrawn.",
        _CURRENT_ANSWERS,
    ),
    "gold_labels": (
        f"The votes for each pair that somebody has annotated. gold_label: of {_VOTES} votes or more the label of more "
        "than half of them, else the adjudicator's; null for none and for unclear. Accepted suggestions are no votes.",
        _GOLD_LABELS,
    ),
}
"""By name the comment of a view and its query, in which `{schema}` is the quoted name of the schema."""
