"""GROBID that fails in every way: each file becomes one row, a paper or a failure with its reason, and nothing doubles.

PDFs are imported by the program's own job from a server that answers as GROBID does (`tests/miner/parsing/grobid/
replay`), and that is faulty as drawn: for single files, once or always, busy, broken, silent, cut off, reset, slow,
truncated, of another type, of another PDF, nested, huge, without text; and for all of them at some time a crash, a
restart, a storm of 503, a login page, a missing right, a full disk, another version. Some imports are cancelled. The
same files are imported until they are done, then without faults, then once more: totals add up after each import, no
paper that is stored is sent again, and at the end each file is a paper, with all of its text.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.papers.import_session import ImportOptions, ImportResult, ImportStopped
from desktop.jobs.papers.imports import import_papers
from miner.parsing.grobid import GrobidPaused, GrobidSettings
from miner.parsing.tei import parse_tei
from miner.progress import Cancelled, Progress, Tick
from storage.project import Project
from tests.torture.budget import Budget, Row

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "miner" / "parsing" / "grobid"))

from replay import Fault, Recordings, ReplayServer, faults, tiny_pdf  # noqa: E402
from replay.faults import Cut  # noqa: E402

_FILES, _FEW_FILES = 80, 16  # of a trial, in the long and in the short form
_LONG_S = 60.0
_SOUND_SHARE = 0.5
_MAX_IMPORTS = 12  # until a trial's files are done, whatever the server does
_HANGS_AFTER_S = 120.0
_MAX_ANSWER_BYTES = 1_000_000
_MAX_ODD, _MAX_SUSPECT, _MAX_SLOW = 2, 4, 2  # files of a trial: more in a row are the server's fault
_QUICK = {
    "read_timeout": 1.5,
    "extra_time": 0.5,
    "busy_delay": 0.005,
    "max_busy_delay": 0.02,
    "max_retry_after": 0.05,
    "probe_delay": 0.02,
    "max_probe_delay": 0.1,
    "unreachable_timeout": 0.5,
    "retry_delay": 0.01,
}
_HUGE = faults.changed("huge", lambda tei: tei.replace(b"</TEI>", b" " * _MAX_ANSWER_BYTES + b"</TEI>"))


class Fate(NamedTuple):
    """What the server does with a file. code: of its failure, if the server does so always; "" for a paper.

    kind: "odd", "suspect" or "slow" for what may be of few files only.
    """

    fault: Fault
    code: str = ""
    kind: str = ""


_FATES = (
    *(Fate(fault) for fault in (faults.PLAIN_TEXT, faults.NO_CHARSET, faults.TEXT_XML, faults.BOM, faults.GZIP)),
    *(Fate(fault) for fault in (faults.GLUED, faults.FOUR_FIELDS, faults.NINE_FIELDS, faults.latency(0, 0.05))),
    Fate(faults.FOOT),
    Fate(faults.error("GENERAL", only_segmented=True)),
    *(Fate(fault, "incomplete") for fault in (faults.TRUNCATED, faults.NOT_UTF8, faults.OTHER_PDF)),
    *(Fate(faults.status(status), "refused") for status in (400, 413)),
    Fate(faults.status(204), "no_content"),
    Fate(faults.error("NO_BLOCKS"), "scan"),
    Fate(faults.error("BAD_INPUT_DATA"), "damaged"),
    *(Fate(faults.error(code), "too_large") for code in ("TOO_MANY_BLOCKS", "TOO_MANY_TOKENS")),
    Fate(_HUGE, "too_large"),
    Fate(faults.DEEP, "too_deep"),
    Fate(faults.error("TIMEOUT"), "timeout"),
    Fate(faults.error("PDFALTO_CONVERSION_FAILURE"), "converter"),
    Fate(faults.error("PARSING_ERROR"), "grobid_failed"),
    Fate(faults.error("TAGGING_ERROR"), "grobid_failed", kind="suspect"),
    Fate(faults.error("GENERAL"), "grobid_general", kind="suspect"),
    *(
        Fate(fault, "grobid_internal", kind="suspect")
        for fault in (faults.EMPTY_500, faults.HTML_500, faults.status(418))
    ),
    *(
        Fate(faults.cut(cut), "connection_lost")
        for cut in (Cut.RESET, Cut.BEFORE_HEADERS, Cut.AFTER_HEADERS, Cut.MID_BODY, Cut.MID_CHUNK)
    ),
    Fate(faults.crash(back_after=0.05), "stops_grobid"),
    *(Fate(faults.cut(cut), "timeout", kind="slow") for cut in (Cut.NEVER, Cut.TRICKLE)),
    *(Fate(fault, "odd_answer", kind="odd") for fault in (faults.LOGIN_PAGE, faults.JSON, faults.XXE, faults.BOMB)),
    *(Fate(faults.status(status), "odd_answer", kind="odd") for status in (302, 401, 403, 404, 405, 406, 407, 415)),
    Fate(faults.EMPTY_BODY, "no_text"),
)
_SENT_AGAIN = (
    *("incomplete", "timeout", "converter", "grobid_failed", "grobid_general", "grobid_internal"),
    *("connection_lost", "stops_grobid", "odd_answer"),
)
"""Codes of failures after which a file is sent again in the same import."""
_BUSY = (*(faults.status(status) for status in (429, 502, 504)), faults.busy(), faults.busy("0"), faults.busy("100000"))
_DISASTERS = (
    faults.crash(back_after=0.1),
    faults.crash(back_after=1.0),  # later than the program waits
    faults.busy(),
    faults.LOGIN_PAGE,
    faults.status(401),
    faults.EMPTY_500,
    faults.error("TAGGING_ERROR"),
    faults.error("GENERAL", "The input file cannot be written."),
    faults.error("GENERAL", "No GROBID engine available"),
    faults.cut(Cut.RESET),
)
"""What may happen to several requests in a row, of whatever files."""
_REMEMBERED: dict[Fault | None, str] = {
    faults.EMPTY_500: "grobid_internal",
    faults.error("TAGGING_ERROR"): "grobid_failed",
}
"""Of those, what a file fails with for good that meets them twice."""


def _licensed_answers(folder: Path) -> Path:
    """A folder with GROBID's answers that state a licence: else each import would end by looking into the PDFs."""
    folder.mkdir()
    for path in (TESTS / "data" / "tei").iterdir():
        licence = b"<licence>https://creativecommons.org/licenses/by/4.0/</licence>"
        (folder / path.name).write_bytes(path.read_bytes().replace(b"<licence/>", licence))
    return folder


@dataclass
class Trial:
    """A folder of PDFs, and the server that does to each what is drawn.

    lasting: what it does always. disaster: what it does for a while, to whatever comes. is_short: without what takes
    seconds. ends: how imports ended.
    """

    folder: Path
    draw: random.Random
    is_short: bool
    faulty: list[str] = field(default_factory=list)
    lasting: dict[Path, Fate] = field(default_factory=dict)
    disaster: Fault | None = None
    ends: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        draw = self.draw
        self.pdfs = self.folder / "pdfs"
        self.pdfs.mkdir()
        count = _FEW_FILES if self.is_short else _FILES
        self.paths = [self.pdfs / f"{number:03}.pdf" for number in range(count)]
        for path in self.paths:
            path.write_bytes(tiny_pdf(f"Paper {path.stem} of {draw.randrange(2**32)}"))
        recordings = Recordings()
        recordings.for_any(_licensed_answers(self.folder / "answers"))
        profile = draw.choice(("0.8", "0.9"))
        self.server = ReplayServer(recordings, profile=profile, concurrency=draw.randint(1, 4), pool_max_wait=0.2)
        self._disaster()
        for path in self.paths:
            self._give_fate(path)
        self.project = Project.create(self.folder / "p.pairwright")

    def _disaster(self) -> None:
        """From some request on, for some requests or for one, before what each file meets itself."""
        first, draw = self.draw.randint(1, len(self.paths)), self.draw
        fault = draw.choice((None, *_DISASTERS))
        self.disaster = fault
        if fault is not None:
            count = 1 if fault.crash is not None else draw.randint(1, 20)
            self.server.script.add(fault, nth=range(first, first + count))

    def _give_fate(self, path: Path) -> None:
        draw, script = self.draw, self.server.script
        sha = sha256(path.read_bytes()).hexdigest()
        if draw.random() < 0.15:
            script.add(draw.choice(_BUSY), sha256=sha, times=draw.randint(1, 4))
        if draw.random() < _SOUND_SHARE:
            return
        fate = draw.choice(_FATES)
        if self.is_short and fate.kind == "slow":
            return
        same = sum(one.kind == fate.kind for one in self.lasting.values())
        most = {"odd": _MAX_ODD, "suspect": _MAX_SUSPECT, "slow": _MAX_SLOW}.get(fate.kind, len(self.paths))
        if fate.code and (draw.random() < 0.5 or same >= most):
            if fate.code in _SENT_AGAIN:
                script.add(fate.fault, sha256=sha, times=1)
            return
        script.add(fate.fault, sha256=sha)
        self.lasting[path] = fate

    # Imports

    def import_once(self, *, cancel_at: int | None = None, retry: bool = False) -> ImportResult | None:
        """Import the folder: the result; None if it was cancelled or stopped, in a sentence."""
        progress = Progress(lambda tick: self._cancel(progress, tick, cancel_at))
        hanging = threading.Timer(_HANGS_AFTER_S, lambda: (self.faulty.append("it hangs"), progress.cancel()))
        hanging.daemon = True
        hanging.start()
        grobid = GrobidSettings(
            self.server.url,
            concurrency=self.draw.randint(1, 6),
            max_answer_bytes=_MAX_ANSWER_BYTES,
            **_QUICK,  # type: ignore[arg-type]  # all are numbers of seconds
        )
        options = ImportOptions(grobid=grobid, workers=1, retry=retry)
        before = self._rows()
        result: ImportResult | None = None
        given = 0
        try:
            result = import_papers(self.project, [self.pdfs], options).work(progress)
        except ImportStopped as exc:
            self.ends["stopped"] += 1
            given = exc.result.given
            if not (str(exc) and exc.hint):
                self.faulty.append(f"it stopped without a sentence: {exc!r}")
        except GrobidPaused:  # before the first file
            self.ends["stopped"] += 1
        except Cancelled:
            self.ends["cancelled"] += 1
        except Exception as exc:  # noqa: BLE001  whatever it is, it is a fault
            self.ends["failed"] += 1
            self.faulty.append(f"it ended with {exc!r}")
        else:
            self.ends["completed"] += 1
            given = result.given
            if result.given != len(self.paths):
                self.faulty.append(f"{result.given} of {len(self.paths)} files are counted")
        finally:
            hanging.cancel()
        self._check_rows(before, given, is_done=result is not None)
        return result

    def _cancel(self, progress: Progress, tick: Tick, at: int | None) -> None:
        if at is not None and tick.done >= at:
            progress.cancel()

    def _rows(self) -> dict[Path, tuple[int | None, str | None]]:
        """The paper and the failure of each file; a file that is there twice is a fault."""
        with closing(sqlite3.connect(self.project.path)) as connection:
            rows = connection.execute("SELECT path, paper_id, code FROM files").fetchall()
            papers = connection.execute("SELECT count(*), count(DISTINCT md5) FROM papers").fetchone()
        found = {Path(path): (paper, code) for path, paper, code in rows}
        self.faulty += ["a file has two rows"] if len(found) != len(rows) else []
        of_papers = sum(paper is not None for paper, _ in found.values())
        if papers != (of_papers, of_papers):
            self.faulty.append(f"there are {papers} papers of {of_papers} files")
        return found

    def _check_rows(self, before: dict[Path, tuple[int | None, str | None]], given: int, *, is_done: bool) -> None:
        rows = self._rows()
        both = [path.name for path, (paper, code) in rows.items() if (paper is None) == (code is None)]
        self.faulty += [f"{both} are papers and failures, or neither"] if both else []
        lost = [path.name for path, (paper, _) in before.items() if paper and rows.get(path, (None,))[0] != paper]
        self.faulty += [f"the papers of {lost} are others now"] if lost else []
        if is_done and rows.keys() != {*self.paths}:
            self.faulty.append(f"{len(rows)} of {len(self.paths)} files have a row")
        if given > len(rows):
            self.faulty.append(f"{given} files are counted, and {len(rows)} have a row")

    # What must have come of them

    def check_fates(self, *, is_done: bool) -> None:
        """After imports in which only what is lasting still goes wrong."""
        rows = self._rows()
        for path in self.paths:
            paper, code = rows.get(path, (None, None))
            fate = self.lasting.get(path)
            expected = fate.code if fate else ""
            if (code or "") != expected or (paper is None) != bool(expected):
                if not is_done and code is None and paper is None:
                    continue
                if code is not None and code == _REMEMBERED.get(self.disaster):
                    continue  # it met the disaster twice
                self.faulty.append(f"{path.name} is {code or paper}, not {expected or 'a paper'} ({fate})")

    def check_texts(self) -> None:
        """Papers have all of the text, whatever their answers were like."""
        with closing(sqlite3.connect(self.project.path)) as connection:
            texts = connection.execute("SELECT paper_id, text FROM paragraphs ORDER BY paper_id, section, ordinal")
            by_paper: dict[int, list[str]] = {}
            for paper, text in texts:
                by_paper.setdefault(paper, []).append(text)
        papers = {paper for paper, _ in self._rows().values() if paper is not None}
        if other := [paper for paper in papers if by_paper.get(paper) != _whole_text()]:
            self.faulty.append(f"the papers {other} have another text")


@cache
def _whole_text() -> list[str]:
    paper = parse_tei((TESTS / "data" / "tei" / "kelp.sentences.tei.xml").read_bytes())
    return [paragraph.text for section in paper.sections for paragraph in section.paragraphs]


def run(budget: Budget) -> Iterator[Row]:
    is_short = budget.seconds < _LONG_S
    met: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    faulty: list[str] = []
    trials = files = requests = 0
    with tempfile.TemporaryDirectory() as name:
        while not trials or not budget.is_over:
            folder = Path(tempfile.mkdtemp(dir=name))
            seed = budget.draw.randrange(2**32)
            trial = Trial(folder, random.Random(seed), is_short)
            with trial.server, closing(trial.project):
                _try(trial)
            trials += 1
            files += len(trial.paths)
            entries = trial.server.log.entries
            requests += len(entries)
            met += Counter(entry.fault for entry in entries if entry.fault)
            ends += trial.ends
            faulty += [f"trial {trials} (seed {seed}): {what}" for what in trial.faulty + trial.server.log.problems]
    for fault in faulty[:20]:
        print(fault)
    yield Row("requests", f"{requests:,} for {files:,} PDFs, in {trials} projects")
    yield Row("faults that these met", f"{met.total():,} of {len(met)} kinds")
    yield Row("imports", ", ".join(f"{count} {end}" for end, count in sorted(ends.items())))
    yield Row("files without one row, doubled, lost or other papers, or that end otherwise", str(len(faulty)), "0",
              not faulty)  # fmt: skip


def _try(trial: Trial) -> None:
    for _ in range(_MAX_IMPORTS):
        cancel_at = trial.draw.randint(1, len(trial.paths)) if trial.draw.random() < 0.3 else None
        if trial.import_once(cancel_at=cancel_at) is not None:
            break
    is_done = False
    for _ in range(_MAX_IMPORTS):  # what went wrong for all is over by now
        if is_done := trial.import_once() is not None:
            break
    trial.check_fates(is_done=is_done)
    trial.check_texts()
    before = _posts_of_papers(trial)
    trial.server.script.clear()
    for _ in range(_MAX_IMPORTS):
        if trial.import_once(retry=True) is not None:
            break
    if (rows := trial._rows()).keys() != {*trial.paths} or any(paper is None for paper, _ in rows.values()):
        trial.faulty.append("without faults, not all files are papers")
    if _posts_of_papers(trial, before) != before:
        trial.faulty.append("papers that were stored were sent again")
    trial.check_texts()
    sent = len(trial.server.log.entries)
    again = trial.import_once()
    if again is None or again.known != len(trial.paths) or len(trial.server.log.entries) != sent:
        trial.faulty.append(f"the same files again: {again}")


def _posts_of_papers(trial: Trial, only: Mapping[str, int] | None = None) -> dict[str, int]:
    """How often the PDF of each paper was sent, by SHA-256."""
    posts = trial.server.log.posts
    if only is not None:
        return {sha: posts[sha] for sha in only}
    papers = {path for path, (paper, _) in trial._rows().items() if paper is not None}
    return {sha: posts[sha] for sha in (sha256(path.read_bytes()).hexdigest() for path in papers)}
