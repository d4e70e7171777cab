"""Makes the list of words that many papers have: python packaging/common_words.py PAPERS.jsonl.gz ...

Each file holds papers of one field, as JSON lines. Only papers under CC BY, CC0 or in the public domain are read. The
share of papers that have a word is the mean over the fields. It writes miner/mining/common_words.json.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

from miner.mining.shared_words import LEAST_SHARE, word_keys

FILE = Path(__file__).parents[1] / "miner" / "mining" / "common_words.json"
_FREE = re.compile(r"CC-BY(?!-(?:NC|ND|SA))(?!.*\bNC)|CC0|PublicDomain")
_MAX_PAPERS = 2_000  # of a field


def main(names: list[str]) -> None:
    shares, papers = Counter[str](), Counter[str]()
    for name in names:
        found = Counter[str]()
        with gzip.open(name) as lines:
            for line in lines:
                paper = json.loads(line)
                if papers[name] < _MAX_PAPERS and _FREE.match(paper.get("license") or ""):
                    text = " ".join(part for section in paper["sections"] for part in section["paragraphs"])
                    found.update(word_keys(text))
                    papers[name] += 1
        for key, number in found.items():
            shares[key] += number / papers[name] / len(names)
    by_percent = defaultdict[int, list[str]](list)
    for key, share in shares.items():
        if share >= LEAST_SHARE:
            by_percent[math.floor(100 * share + 0.5)].append(key)
    made_by = f"percentage of papers that have words with these keys: {papers.total():,} papers of {len(names)} fields"
    keys = {str(percent): " ".join(sorted(by_percent[percent])) for percent in sorted(by_percent, reverse=True)}
    FILE.write_text(json.dumps({"made_by": made_by, "keys": keys}, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
