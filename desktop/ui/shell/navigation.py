"""The sections of the sidebar, their pages in order, and the menus of the menu bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.translation import tr

if TYPE_CHECKING:
    from storage.annotation.sent_assignments import SentAssignment


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """A page. `page`: its class as "module:name", imported when the page is first shown.

    `keys`: its shortcut. `search_words`: words that find it in the command palette, besides its name.
    """

    name: str
    text: str
    icon: str
    page: str
    keys: str
    search_words: str = ""


@dataclass(frozen=True, slots=True)
class NavigationSection:
    """A button of the sidebar: one page, or several pages as tabs.

    `below`: the button is at the bottom of the sidebar.
    """

    name: str
    text: str
    icon: str
    pages: tuple[NavigationItem, ...]
    below: bool = False


def _page(name: str, text: str, icon: str, keys: str, class_name: str, search_words: str = "") -> NavigationItem:
    return NavigationItem(name, text, icon, f"desktop.ui.pages.{class_name}", keys, search_words)


_PAPERS = _page("papers", tr("Papers"), "file-text", "Ctrl+1", "papers.page:PapersPage")
_MINING = _page(
    "mining", tr("Mining"), "sliders-horizontal", "Ctrl+9", "mining.page:MiningPage", tr("phrases rules lexicon")
)
_REVIEW = _page("review", tr("Review"), "pencil-line", "Ctrl+2", "review.page:ReviewPage")
_PAIRS = _page("pairs", tr("Pairs"), "list", "Ctrl+3", "pairs.page:PairsPage")
_DOUBTS = _page(
    *("disagreements", tr("Doubted labels"), "scale", "Ctrl+4", "disagreements.page:DisagreementsPage"),
    tr("disagreements suggestions doubts noise errors"),
)
_MODEL = _page(
    "suggest", tr("Model"), "lightbulb", "Ctrl+Shift+M", "suggest.page:SuggestPage", tr("suggest suggestions")
)
_ROUNDS = _page(
    *("annotate", tr("Rounds"), "list-checks", "Ctrl+5, Ctrl+Shift+R", "annotate.page:AnnotatePage"),
    tr("annotate annotators people split targets send merge ties gold"),
)
_AGREEMENT = _page(
    "agreement", tr("Agreement"), "users", "Ctrl+Shift+G", "agreement.page:AgreementPage", tr("kappa alpha")
)
_FIGURES = _page(
    "dashboard",
    tr("Figures"),
    "chart-column",
    "Ctrl+6",
    "dashboard.page:FiguresPage",
    tr("dashboard statistics charts plots"),
)
_TABLES = _page(
    "tables", tr("Tables"), "columns-3", "Ctrl+Shift+B", "dashboard.tables_page:TablesPage", tr("dashboard papers’")
)
_PRECISION = _page(
    *("precision", tr("Precision"), "circle-check", "Ctrl+Shift+E", "dashboard.precision_page:PrecisionPage"),
    tr("dashboard distant labels right correct sample interval accuracy"),
)
_AUDIT = _page(
    "audit", tr("Audit"), "scan-search", "Ctrl+Shift+U", "audit.page:AuditPage", tr("artefacts leaks hypothesis")
)
_EXPORT = _page("export", tr("Export"), "upload", "Ctrl+7", "export.page:ExportPage", "release")
_TRAIN = _page("train", tr("Train"), "graduation-cap", "Ctrl+8", "train.page:TrainPage", "lab")
_EXPERIMENTS = _page(
    "experiments", tr("Experiments"), "flask-conical", "Ctrl+Shift+T", "experiments.page:ExperimentsPage", "lab"
)
_KINDS = _page(
    "kinds", tr("Kinds"), "shapes", "Ctrl+Shift+K", "kinds.page:KindsPage", tr("lab reasoning direction taxinli")
)
_SETTINGS = _page(
    "settings", tr("Settings"), "settings", "Ctrl+,", "settings.page:SettingsPage", tr("preferences options")
)
_PROBLEMS = _page(
    "problems", tr("Problems"), "triangle-alert", "Ctrl+Shift+P", "problems.page:ProblemsPage", tr("errors log")
)

SECTIONS = (
    NavigationSection("papers", tr("Papers"), "file-text", (_PAPERS, _MINING)),
    NavigationSection("review", tr("Review"), "pencil-line", (_REVIEW,)),
    NavigationSection("pairs", tr("Pairs"), "list", (_PAIRS,)),
    NavigationSection("suggestions", tr("Suggestions"), "lightbulb", (_DOUBTS, _MODEL)),
    NavigationSection("annotators", tr("Annotators"), "users", (_ROUNDS, _AGREEMENT)),
    NavigationSection("dashboard", tr("Dashboard"), "chart-column", (_FIGURES, _TABLES, _PRECISION, _AUDIT)),
    NavigationSection("export", tr("Export"), "upload", (_EXPORT,)),
    NavigationSection("lab", tr("Lab"), "flask-conical", (_TRAIN, _EXPERIMENTS, _KINDS)),
    NavigationSection("settings", tr("Settings"), "settings", (_SETTINGS,), below=True),
)
NAVIGATION = (*(item for section in SECTIONS for item in section.pages), _PROBLEMS)
"""All pages. Problems has no button in the sidebar: the status bar opens it."""
PAGES_OF_ONE_PAIR = frozenset({"review", "disagreements", "kinds"})  # it needs the room: no bars above them
NOT_PREBUILT = ("dashboard", "tables", "precision", "agreement", "audit")
"""Built when first shown: plotting takes long to import."""


def section_of(page: str) -> NavigationSection | None:
    """The section that a page belongs to; None if no button of the sidebar opens the page."""
    return next((one for one in SECTIONS if any(item.name == page for item in one.pages)), None)


def offered_pages(assignment: SentAssignment | None) -> tuple[str, ...]:
    """The pages of a project; for an answer file, the page on which it is answered, and Settings."""
    if assignment is None:
        return tuple(item.name for item in NAVIGATION)
    return "kinds" if assignment.taxonomy else "review", "settings"


_LETTERS = {"suggest": "d", "tables": "b"}  # of menus whose first letter belongs to a control of their page


def _menus() -> dict[str, str]:
    """The menus by name, each with its mnemonic letter.

    Only the menu of one page is shown; Settings and Problems have none.
    """
    menus = {tr("File"): tr("&File"), tr("Edit"): tr("&Edit"), tr("View"): tr("&View"), tr("Go"): tr("&Go")}
    taken = {"f", "e", "v", "g", "h"}
    for item in NAVIGATION[:-2]:
        letters = item.text.casefold()
        at = letters.index(_LETTERS[item.name]) if item.name in _LETTERS else 0
        while letters[at] in taken:
            at += 1
        menus[item.text] = f"{item.text[:at]}&{item.text[at:]}"
    return menus | {tr("Help"): tr("&Help")}


MENUS = _menus()
