"""Finds stops, with what may stand between a sentence's stop and the next sentence: quotes, citations, note marks."""

from __future__ import annotations

import re

_NUMBERS = r"\d{1,3}+(?:[,;–-]\s?\d{1,3}+)*+"
_KEY = r"[A-Z][A-Za-z]{0,9}\+?\d\d[a-z]?"  # "BCE+21"
_YEAR = r"(?:1[89]|20)\d\d[a-z]?\b"
# "Smith, 2010; Lee et al., 2011, p. 5"  "see Fig. 3"  "data not shown"
_REFERENCE = rf"""
    (?:(?:[Ss]ee|cf\.|e\.g\.,?|also|and|reviewed\ in)\s)*+
    (?: [^\W\d_][^()\[\]]{{1,200}}?{_YEAR}(?:[,:]\s?(?:pp?\.\s?)?\d{{1,4}}(?:[–-]\d{{1,4}})?)?
      | (?:[Ff]ig|[Tt]ab|[Ee]q|[Ss]ec|[Ss]upp|[Aa]pp)[a-z]*+\.?\s[A-Z\d][^()\[\]]{{0,60}}(?<![.?!])
      | data\ not\ shown )
"""
_ROUND = rf"\((?:{_REFERENCE})\)"
# "12, 14"  "3c,4"  "1a,b"  "12, Theorem 3"
_NUMBERED = r"\d++[a-z]?(?:[,;–-]\s?(?:\d++[a-z]?|[a-z]\b))*+(?:,\s[^\W\d_][^\[\]]{0,30})?"
_SQUARE = rf"""
    \[\s?(?: {_NUMBERED} | CITE | REF | {_KEY}(?:[,;]\s?{_KEY})* | {_REFERENCE} )\s?\]
    (?:[,–-]?\s?\[(?:\d+|CITE)\])*
"""
_CAPITAL = r"[\"'(\[{“‘«]*[^\W\d_a-z]"

# Words that begin a sentence wherever they have a capital, also after a citation without a stop.
_LINKS = "However|Thus|Therefore|Hence|Moreover|Furthermore|Consequently|Nevertheless|Additionally|This|These|We"

# One class of characters comes first: the search for it is many times faster than for alternatives.
STOP = re.compile(
    rf"""
    [.?!…。！？)\]]
    (?:
        (?P<certain>
            (?<=[)\]]) (?:(?<=\d\])|(?<=\d{{4}}\))|(?<=\d{{4}}[a-z]\))) \s++ (?=(?:{_LINKS})[\s,])  # "in [2] Thus, we"
          | (?<=[。！？]) [。！？]*[」』）”’]*\s*                                    # needs no white space after it
        )
      | (?<![。！？)\]]) (?P<more>[.?!…]{{0,8}}+)
        (?P<close>["')\]}}’”»]{{0,9}}+)
        (?:
            (?P<note>
                (?:(?<=[^\W\d_][.?!)\]’”»"])|(?<=[)\]%’”»"][.?!])|(?<=[.?!][)\]’”»"]))
                (?: {_NUMBERS}\)?+(?=\s) | [*∗⁎†‡§¶]{{1,3}}+(?=\s+{_CAPITAL}) )    # "care.3 However", "known.† However"
              | \s?[□∎◻◽▢☐](?=\s)                                                    # "proof. □ However"
              | \s?(?:{_SQUARE}|{_ROUND}) (?:\.|(?=\s+{_CAPITAL}))                  # "shown. [12] However"
            )?
            \s++ (?!(?:\[[\d,;\s–-]+\]|{_ROUND})\.?\Z)                              # no citation that ends the text
          | (?P<lost>
                (?<=[a-z)\]][.?!]) (?=[A-Z][A-Za-z]*\d?[ ,])                         # "shown.However, "
              | (?<=[a-z][a-z][a-z][.?!]) (?:\[{_NUMBERS}\]|{_NUMBERS}) (?=[A-Z][a-z]+[ ,])  # "shown.[12]However, "
            )
        )
        (?P<open>["'(\[{{“‘«]*)
    )
    """,
    re.VERBOSE,
)
