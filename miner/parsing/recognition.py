"""Text recognition (OCR) of scanned PDFs by `ocrmypdf`, where the user has it; it is no part of the program.

https://ocrmypdf.readthedocs.io: it adds a layer of invisible text to the pages, recognised by Tesseract.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from miner.errors import UnreadableFile, UserError
from miner.paths import exists
from miner.processes.child import Failure, ProcessLimits
from miner.processes.program import ProgramResult, run_program

RECOGNISE = "Papers > Recognise text runs OCR on it, by ocrmypdf; on the command line: pairwright recognise."
"""What to do about a scan."""
ENGLISH = "eng"  # as Tesseract names it
PAGE_SECONDS = 180  # a page that takes longer stays without text
LIMITS = ProcessLimits(seconds=3 * 3_600, megabytes=4_000)  # of a whole file
INSTALL = (
    "Install ocrmypdf with Tesseract, then try again: sudo apt install ocrmypdf (Debian, Ubuntu), brew install "
    "ocrmypdf (macOS), or pip install ocrmypdf, for which Tesseract and Ghostscript are installed by hand."
)
_TEMPORARY = ("TMPDIR", "TEMP", "TMP")  # how the systems call the folder for temporary files
_DATA = "Install Tesseract's data of that language, such as the package tesseract-ocr-deu, or choose another language."
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,40}", re.ASCII)
_LIST_LIMITS = ProcessLimits(seconds=20, megabytes=1_000)

_FOR_ALL = {  # exit codes that do not depend on the file
    1: "ocrmypdf does not know the options that it is given: this version of it is too old or too new.",
    3: "ocrmypdf lacks something: ",
    9: "ocrmypdf is set up wrongly: ",
}
_FOR_FILE = {  # exit codes that are about the file, with a hint
    2: ("ocrmypdf cannot read this PDF: ", "Print it to a new PDF, or get another copy."),
    4: ("ocrmypdf made a damaged PDF of it.", "Print it to a new PDF, or get another copy."),
    5: ("ocrmypdf may not read or write a file: ", "Is the disk full?"),
    6: ("This PDF has text already, which the program finds no prose in.", "Print it to a new PDF as images."),
    7: ("A program that ocrmypdf needs failed on this PDF: ", "Print it to a new PDF, or get another copy."),
    8: ("This PDF is encrypted: ocrmypdf does not read it.", "Remove the password and add it again."),
    15: ("ocrmypdf failed on this PDF: ", "Print it to a new PDF, or get another copy."),
}


def find_ocrmypdf() -> str:
    """The program's path; `UserError`, which says how to install it, where there is none."""
    beside = str(Path(sys.executable).parent)  # where pip installs it with this program
    found = shutil.which("ocrmypdf") or shutil.which("ocrmypdf", path=beside)
    if found is None:
        raise UserError("Text is recognised by ocrmypdf, which is not installed here.", hint=INSTALL)
    return found


def recognition_languages() -> list[str]:
    """The languages that Tesseract has data for, as it names them ("eng", "deu"), English first."""
    found = shutil.which("tesseract")
    if found is None:
        raise UserError("ocrmypdf recognises text by Tesseract, which is not installed here.", hint=INSTALL)
    with tempfile.TemporaryDirectory(prefix="pairwright-") as folder:
        result = run_program([found, "--list-langs"], folder=Path(folder), limits=_LIST_LIMITS)
    lines = result.output.splitlines()[1:] if isinstance(result, ProgramResult) else []
    names = {line.strip() for line in lines if _LANGUAGE.fullmatch(line.strip())} - {"osd", "equ"}
    return sorted(names, key=lambda name: (name != ENGLISH, name))


def recognise_text(
    pdf: bytes,
    languages: Sequence[str] = (ENGLISH,),
    *,
    limits: ProcessLimits = LIMITS,
    on_poll: Callable[[], None] = lambda: None,
) -> bytes:
    """The PDF with a layer of recognised text on the pages that have none.

    on_poll is called while it runs, and may raise to end it. `UnreadableFile` (scan) says why it fails on this file,
    `UserError` why it would fail on any.
    """
    program = find_ocrmypdf()
    for language in languages:
        if not _LANGUAGE.fullmatch(language):
            raise UserError(f"{language!r} is no language of Tesseract.", hint="Such as: eng, deu or eng+deu.")
    with tempfile.TemporaryDirectory(prefix="pairwright-") as name:
        folder = Path(name)
        source, target = folder / "scan.pdf", folder / "recognised.pdf"
        source.write_bytes(pdf)
        options = ["--skip-text", "--output-type", "pdf", "--optimize", "0", "--tesseract-timeout", str(PAGE_SECONDS)]
        command: list[str | Path] = [program, *options, "--language", "+".join(languages), "--", source, target]
        environment = dict.fromkeys(_TEMPORARY, name)
        result = run_program(command, folder=folder, limits=limits, on_poll=on_poll, environment=environment)
        problem = _problem(result, limits)
        if problem is None and not exists(target):
            problem = UnreadableFile("scan", "ocrmypdf made nothing of this PDF.", hint="Print it to a new PDF.")
        if problem is not None:
            raise problem
        return target.read_bytes()


def _problem(result: ProgramResult | Failure, limits: ProcessLimits) -> UserError | None:
    if isinstance(result, Failure):
        passed = {
            "timeout": f"took longer than {limits.seconds / 60:,.0f} minutes",
            "memory": f"needed more than {limits.megabytes:,} MB of memory",
        }
        return UnreadableFile("scan", f"ocrmypdf {passed[result.kind]}.", hint="Split the PDF, then add its parts.")
    code, said = result.code, _last_words(result.output)
    if code in (0, 10):  # 10: the PDF is good, but no PDF/A
        return None
    if code in _FOR_ALL:
        text = _FOR_ALL[code]
        hint = _DATA if "language data" in said else INSTALL
        return UserError(text + said if text.endswith(": ") else text, hint=hint)
    text, hint = _FOR_FILE.get(code, (f"ocrmypdf ended with code {code}: ", "Print it to a new PDF."))
    return UnreadableFile("scan", text + said if text.endswith(": ") else text, hint=hint)


def _last_words(output: str) -> str:
    """The last lines of what a program wrote, as the end of a sentence."""
    lines = ["".join(filter(str.isprintable, line)).strip() for line in output.splitlines()]
    said = " ".join([line for line in lines if line and not line.startswith("Note:")][-3:])
    return f"{said[-200:].rstrip('.') or 'it does not say why'}."
