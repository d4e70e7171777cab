"""Papers in, arrays of tokens out, for `train.py`.

    python packaging/starter/read_papers.py PAPERS WORK [--any-licence]

PAPERS holds JSON lines of papers with their licences; only those under CC BY, CC0 or in the public domain are taken,
but for a set to measure with, from which nothing is learned.
WORK gets three sets: `sentences.npz`, all sentences in their order, with what they open with; `clauses.npz`, clauses
with a connective between them; `mined.npz`, the pairs that Pairwright mines, with their distant labels. No label of a
person is used. Takes some four minutes on two processors for 7,600 papers.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from connectives import Clauses, clauses, inside, opener
from finish import MAX_TOKENS
from tokenizers import Tokenizer

from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from miner.classifier.checkpoints import STARTER
from miner.classifier.encoding import Encoder, load_tokenizer
from miner.classifier.examples import LABELS
from miner.mining.drop_reasons import FILTERS
from miner.mining.linking_phrases import LEXICON, Phrase
from miner.mining.settings import MiningSettings
from miner.progress import Progress
from storage.project import Project

FREE = re.compile(
    r"CC[- ]?BY([- ]\d\.\d)?(\(text\))?( \(OpenReview default\))?|CC0(-1\.0|/PD\(text\))?|PublicDomain"
    r"|http://creativecommons.org/(licenses/by/\d\.\d/|publicdomain/zero/\d\.\d/)"
)
# All phrases, and sentences with formulas or without a full stop too: a quarter more pairs, and a better model.
SETTINGS = MiningSettings(
    phrases=tuple(Phrase(phrase.text, phrase.label, True, phrase.extended) for phrase in LEXICON),
    filters=frozenset(FILTERS) - {"math", "open_end", "no_final_punctuation"},
)
LEAST_OPENERS, LEAST_PAPERS, LEAST_CLAUSES = 350, 150, 400  # of one connective
_CHUNK = 5_000  # texts

Paragraph = tuple[int, list[str]]
"""The number of the paper, and the paragraph's sentences."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--any-licence", action="store_true", help="for measuring only")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    project = mined_project(options.papers, options.work, any_licence=options.any_licence)
    write_mined(project, options.work)
    write_sentences(project, options.work)
    write_clauses(project, options.work)


def mined_project(papers: Path, work: Path, *, any_licence: bool = False) -> Path:
    """A project of the papers, mined."""
    path = work / "starter.pairwright"
    if not path.exists():
        chosen = work / "papers.jsonl"
        with chosen.open("w", encoding="utf-8") as file:
            file.writelines(read_lines(papers, any_licence=any_licence))
        with Project.create(path) as project:
            import_papers(project, [chosen], ImportOptions()).work(Progress())
    with Project.open(path) as project:
        mine(project, SETTINGS, model=NO_MODEL).work(Progress())
    return path


def read_lines(folder: Path, *, any_licence: bool) -> Iterator[str]:
    for path in sorted(folder.glob("*.jsonl*")):
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            for line in file:
                if any_licence or FREE.fullmatch(json.loads(line).get("license") or ""):
                    yield line


def write_mined(path: Path, work: Path) -> None:
    with Project.open(path) as project, project.read_transaction() as stores:
        pairs = [pair for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5) if pair.distant_label]
        print(f"{len(pairs):,} pairs of {stores.papers.domain_counts()}")
    encoded = Encoder(load_tokenizer(STARTER), MAX_TOKENS).encode([(pair.premise, pair.hypothesis) for pair in pairs])
    labels = [LABELS.index(pair.distant_label) for pair in pairs if pair.distant_label]
    np.savez(
        work / "mined.npz",
        tokens=encoded.tokens.astype(np.uint16),
        types=encoded.types,
        sentences=encoded.sentences,
        ends=encoded.ends,
        labels=np.array(labels, np.int8),
    )


def write_sentences(path: Path, work: Path) -> None:
    """Sentences in their order. `skip`: how many tokens its opener has; `follows`: the one before it is in the set."""
    count: Counter[str] = Counter()
    papers: defaultdict[str, set[int]] = defaultdict(set)
    for paper, sentences in paragraphs(path):
        for sentence in sentences[1:]:
            if found := opener(sentence):
                count[found[0]] += 1
                papers[found[0]].add(paper)
    known = [one for one, n in count.most_common() if n >= LEAST_OPENERS and len(papers[one]) >= LEAST_PAPERS]
    rows: list[tuple[str, int, int, bool, int]] = []  # text, opener, end of the opener, follows, paper
    for paper, sentences in paragraphs(path):
        follows = False
        for sentence in sentences:
            found = opener(sentence)
            number, end = (known.index(found[0]), found[1]) if found and found[0] in known else (-1, 0)
            if is_prose(sentence) and len(sentence) - end >= 20:
                rows.append((sentence, number, end, follows, paper))
                follows = True
            else:
                follows = False
    tokens: list[np.ndarray] = []
    lengths: list[int] = []
    skip: list[int] = []
    tokenizer = plain_tokenizer()
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        encodings = tokenizer.encode_batch([row[0] for row in chunk], add_special_tokens=False)
        for row, encoding in zip(chunk, encodings, strict=True):
            skip.append(sum(end <= row[2] for _, end in encoding.offsets) if row[1] >= 0 else 0)
            tokens.append(np.array(encoding.ids[: skip[-1] + 90], np.uint16))
            lengths.append(len(tokens[-1]))
    print(f"{len(rows):,} sentences, {sum(row[1] >= 0 for row in rows):,} with one of {len(known)} openers")
    np.savez(
        work / "sentences.npz",
        tokens=np.concatenate(tokens),
        lengths=np.array(lengths, np.uint8),
        skip=np.array(skip, np.uint8),
        connective=np.array([row[1] for row in rows], np.int16),
        follows=np.array([row[3] for row in rows], bool),
        paper=np.array([row[4] for row in rows], np.int32),
    )


def write_clauses(path: Path, work: Path) -> None:
    found: list[Clauses] = []
    for _, sentences in paragraphs(path):
        before = None
        for sentence in sentences:
            if not is_prose(sentence):
                before = None
                continue
            found += [one for one in (before and inside(before, sentence), clauses(sentence)) if one]
            before = sentence
    count = Counter(one.connective for one in found)
    known = [one for one, n in count.most_common() if n >= LEAST_CLAUSES]
    found = [one for one in found if one.connective in known]
    tokenizer = plain_tokenizer()
    tokens: list[list[int]] = []
    for start in range(0, len(found), _CHUNK):
        texts = [text for one in found[start : start + _CHUNK] for text in (one.first, one.second)]
        tokens += [encoding.ids[:80] for encoding in tokenizer.encode_batch(texts, add_special_tokens=False)]
    print(f"{len(found):,} pairs of clauses with one of {len(known)} connectives")
    np.savez(
        work / "clauses.npz",
        tokens=np.concatenate([np.array(one, np.uint16) for one in tokens]),
        first=np.array([len(one) for one in tokens[::2]], np.uint8),
        second=np.array([len(one) for one in tokens[1::2]], np.uint8),
        connective=np.array([known.index(one.connective) for one in found], np.int16),
    )


def paragraphs(path: Path) -> Iterator[Paragraph]:
    query = "SELECT paper_id, text, sentences FROM paragraphs ORDER BY paper_id, section, ordinal"
    with Project.open(path) as project, project.read_transaction() as stores:
        for paper, text, spans in stores._connection.exec_driver_sql(query):
            yield paper, [text[start:end].strip() for start, end, *_ in json.loads(spans)]


def is_prose(sentence: str) -> bool:
    letters = sum(character.isalpha() for character in sentence)
    return 5 <= sentence.count(" ") + 1 <= 70 and sentence[:1].isupper() and letters >= 0.6 * len(sentence)


def plain_tokenizer() -> Tokenizer:
    tokenizer = load_tokenizer(STARTER)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


if __name__ == "__main__":
    main()
