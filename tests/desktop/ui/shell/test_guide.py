"""What the guide says of commands, labels, keys, pairs and pictures is so in the program."""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from desktop.cli.commands import build_parser
from desktop.jobs.guide import Guide, GuidePage, read_guide
from desktop.ui.shell.guide_window import GUIDE_PAGES
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.window import MainWindow
from miner.records import Answer, Label
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.screenshots.guide_pictures import PICTURES

ROOT = Path(__file__).resolve().parents[4]
FOLDER = ROOT / "desktop" / "guide"
MAX_WORDS, MAX_PICTURE, MAX_PICTURES = 700, 60_000, 600_000  # bytes
KEY = re.compile(r"((Ctrl|Shift|Alt)\+)*([A-Z0-9,?+-]|F\d+|Space|Enter|Backspace|Left|Right|Del)")
GUIDE = read_guide()
PAGES = pytest.mark.parametrize("page", GUIDE.pages, ids=lambda page: page.name)


def spans(page: GuidePage) -> list[str]:
    """The code spans of a page, outside of blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", page.markdown, flags=re.DOTALL))


def shell_lines(page: GuidePage) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", page.markdown, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def labels(page: GuidePage) -> list[str]:
    """What is written in bold: labels on the screen."""
    return re.findall(r"\*\*([^*\n]+)\*\*", " ".join(page.markdown.split("\n")))


def rows(page: GuidePage, *headings: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of tables with these headings, each with the section that it is in."""
    section, inside = "", False
    for line in page.markdown.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("|") else []
        if line.startswith("## "):
            section = line.removeprefix("## ")
        if not cells:
            inside = False
        elif cells == list(headings):
            inside = True
        elif inside and not set(line) <= set("|-"):
            yield section, cells


@cache
def source() -> str:
    """The source of the window and its jobs, without the marks of mnemonics."""
    folders = (ROOT / "desktop" / "ui", ROOT / "desktop" / "jobs")
    files = (path for folder in folders for path in sorted(folder.rglob("*.py")))
    return "\n".join(path.read_text(encoding="utf-8").replace("&", "") for path in files)


def is_on_screen(label: str) -> bool:
    """Whether this is a text in the source: a whole one, or what stands before or after a value in one."""
    text = re.escape(label.removesuffix("…"))
    is_answer = label.removeprefix("Answer ") in list(Answer)
    return is_answer or re.search(rf"[\"}}] ?{text}[…:]?(?: ?[\"{{])", source()) is not None


@pytest.fixture(scope="module")
def parser() -> ArgumentParser:
    parser = build_parser()
    parser.complete_all()  # commands add their options when they are asked to parse
    return parser


@PAGES
def test_commands_parse_with_all_their_options(page: GuidePage, parser: ArgumentParser) -> None:
    lines = [*shell_lines(page), *(span for span in spans(page) if span.startswith("pairwright "))]
    for line in lines:
        program, *words = shlex.split(line)
        is_named = bool(words) and words[0].endswith(".pairwright")
        assert program == "docker" or parser.parse_args(words[1:] if is_named else words).runs, line


@PAGES
def test_labels_are_on_the_screen(page: GuidePage) -> None:
    assert [label for label in dict.fromkeys(labels(page)) if not is_on_screen(label)] == []


@PAGES
def test_all_other_code_is_known_to_the_program(page: GuidePage, parser: ArgumentParser) -> None:
    options = {option for command in all_parsers(parser) for option in command._option_string_actions}
    for span in spans(page):
        is_option = span.startswith("--") and span.split()[0] in options
        is_suffix = span in (".pairwright", ".models", ".backups", ".tei.xml")
        is_key = KEY.fullmatch(span) is not None  # the next test
        assert is_option or is_suffix or is_key or span.startswith("pairwright ") or f'"{span}"' in source(), span


def all_parsers(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for one in action.choices.values():
                yield from all_parsers(one)


def test_keys_are_those_of_the_commands_named_beside_them(window: MainWindow) -> None:
    """A key stands in brackets behind its command, in a table before it, or anywhere alone."""
    for page_of_window in ("papers", "review", "pairs", "disagreements", "kinds"):
        window.page(page_of_window)
    keys: dict[str, set[str]] = {}
    for entry in window.action_registry:
        keys.setdefault(entry.text, set()).update(entry.default_keys.split(", "))
    every = set().union(*keys.values()) | {"Ctrl+C"}  # also of a terminal
    for page in GUIDE.pages:
        named = re.findall(r"\*\*([^*]+)\*\* \(`([^`]+)`\)", " ".join(page.markdown.split()))
        named += [(cells[1].strip("*"), cells[0].strip("`")) for _, cells in rows(page, "Key", "What it does")]
        for name, key in named:
            assert key in keys.get(name, ()) or "`" in key, (page.name, name, key)
        assert {span for span in spans(page) if KEY.fullmatch(span)} <= every


@PAGES
def test_pictures_and_links_are_there(page: GuidePage) -> None:
    for what, address in re.findall(r"(!?)\[[^\]]+\]\(([^)]+)\)", page.markdown):
        if what:
            assert address in GUIDE.pictures
        elif not address.startswith("https://"):
            assert GUIDE.page(address) is not None, address
    words = [word for line in page.markdown.splitlines() for word in line.split() if not is_pair(line)]
    assert len([word for word in words if word.strip("|-")]) <= MAX_WORDS


def is_pair(line: str) -> bool:
    """Whether this is a row of the class examples, which are no prose of the guide's own."""
    return line.startswith("|") and line.count(" | ") in (2, 3)


def test_pictures_are_small_used_and_renewed_by_the_camera() -> None:
    used = {name for page in GUIDE.pages for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.markdown)}
    assert used == set(GUIDE.pictures) == {f"pictures/{name}.png" for name in PICTURES}
    sizes = [len(content) for content in GUIDE.pictures.values()]
    assert max(sizes) <= MAX_PICTURE
    assert sum(sizes) <= MAX_PICTURES
    assert all(content.startswith(b"\x89PNG") for content in GUIDE.pictures.values())


def test_the_pairs_of_the_classes_are_mined_from_the_samples(project: Project) -> None:
    with project.read_transaction() as stores:
        ids = stores.pair_table.ids(PairFilter())
        mined = {(pair.premise, pair.hypothesis): pair for pair in stores.pair_table.rows(ids)}
    page = GUIDE.page("02-classes.md")
    assert page is not None
    examples = list(rows(page, "Premise", "Hypothesis", "Phrase"))
    assert [label for label, _ in examples] == [label for label in Label for _ in range(8)]
    for label, (premise, hypothesis, phrase) in examples:
        pair = mined[premise, hypothesis]
        assert (pair.distant, pair.phrase or "–") == (label, phrase)
    for _, (premise, hypothesis, answer, _) in rows(page, "Premise", "Hypothesis", "Answer", "Why"):
        assert (premise, hypothesis) in mined
        assert Answer(answer)


def test_the_index_on_the_web_lists_all_pages_in_order() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\[([^\]]+)\]\(\.\./desktop/guide/([^)]+)\)", index)
    assert links == [(page.title, page.name) for page in GUIDE.pages]


def test_every_page_of_the_window_has_its_page_of_the_guide() -> None:
    assert set(GUIDE_PAGES) == {"", *(item.name for item in NAVIGATION)}
    assert all(GUIDE.page(name) for name in GUIDE_PAGES.values())


def test_search_finds_pages_by_words_and_not_by_marks() -> None:
    assert [page.name for page in GUIDE.search("docker address")] == ["08-grobid.md"]
    assert GUIDE.search("**") == GUIDE.search("no-such-word") == ()
    assert GUIDE.search("") == GUIDE.pages
    assert Guide((GuidePage("a.md", "# A\n\n[b](c.md) **d**"),), {}).pages[0].plain_text == "A b d"
