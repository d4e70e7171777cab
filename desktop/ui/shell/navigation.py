"""The pages of the sidebar and the menus of the menu bar, in their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storage.annotation.sent_assignments import SentAssignment


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """A page of the sidebar. `page`: its class as "module:name", imported when the page is first shown.

    `keys`: its shortcut. `below`: it stands at the bottom of the sidebar.
    """

    name: str
    text: str
    icon: str
    page: str
    keys: str
    below: bool = False


NAVIGATION = (
    NavigationItem("papers", "Papers", "file-text", "desktop.ui.pages.papers.page:PapersPage", "Ctrl+1"),
    NavigationItem("review", "Review", "pencil-line", "desktop.ui.pages.review.page:ReviewPage", "Ctrl+2"),
    NavigationItem("kinds", "Kinds", "shapes", "desktop.ui.pages.kinds.page:KindsPage", "Ctrl+Shift+K"),
    NavigationItem(
        "annotate", "Annotate", "list-checks", "desktop.ui.pages.annotate.page:AnnotatePage", "Ctrl+Shift+R"
    ),
    NavigationItem("pairs", "Pairs", "list", "desktop.ui.pages.pairs.page:PairsPage", "Ctrl+3"),
    NavigationItem("suggest", "Suggest", "lightbulb", "desktop.ui.pages.suggest.page:SuggestPage", "Ctrl+4"),
    NavigationItem(
        "disagreements", "Disagreements", "scale", "desktop.ui.pages.disagreements.page:DisagreementsPage", "Ctrl+5"
    ),
    NavigationItem("dashboard", "Dashboard", "chart-column", "desktop.ui.pages.dashboard.page:DashboardPage", "Ctrl+6"),
    NavigationItem("agreement", "Agreement", "users", "desktop.ui.pages.agreement.page:AgreementPage", "Ctrl+Shift+G"),
    NavigationItem("audit", "Audit", "scan-search", "desktop.ui.pages.audit.page:AuditPage", "Ctrl+Shift+U"),
    NavigationItem("export", "Export", "upload", "desktop.ui.pages.export.page:ExportPage", "Ctrl+7"),
    NavigationItem("train", "Train", "graduation-cap", "desktop.ui.pages.train.page:TrainPage", "Ctrl+8", True),
    NavigationItem(
        "experiments",
        "Experiments",
        "flask-conical",
        "desktop.ui.pages.experiments.page:ExperimentsPage",
        "Ctrl+Shift+T",
        True,
    ),
    NavigationItem("mining", "Mining", "sliders-horizontal", "desktop.ui.pages.mining.page:MiningPage", "Ctrl+9", True),
    NavigationItem(
        "problems", "Problems", "triangle-alert", "desktop.ui.pages.problems.page:ProblemsPage", "Ctrl+Shift+P", True
    ),
    NavigationItem("settings", "Settings", "settings", "desktop.ui.pages.settings.page:SettingsPage", "Ctrl+,", True),
)
NOT_PREBUILT = ("dashboard", "agreement", "audit")  # built when first shown, since plotting takes long to import
_MENUS = (
    "&File &Edit &View &Go &Papers &Review &Kinds A&nnotate &Pairs &Suggest &Disagreements &Dashboard &Agreement "
    "A&udit E&xport &Train E&xperiments &Mining &Help"
)
MENUS = {text.replace("&", ""): text for text in _MENUS.split()}


def offered_pages(assignment: SentAssignment | None) -> tuple[str, ...]:
    """The pages of a project; of an answer file, what it is for, and what makes the window readable."""
    if assignment is None:
        return tuple(item.name for item in NAVIGATION)
    return "kinds" if assignment.taxonomy else "review", "settings"
