"""Rules for the whole code base: packaging, imports, SQL, and text on screen."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path
from pkgutil import resolve_name

import grimp
import pytest

ROOT = Path(__file__).parents[1]


def sources() -> list[Path]:
    """The modules of the program."""
    return [path for folder in ("desktop", "miner", "storage") for path in sorted((ROOT / folder).rglob("*.py"))]


def test_packaging_hides_no_library_of_that_name() -> None:
    assert not list((ROOT / "packaging").rglob("__init__.py"))
    import packaging.version

    assert not Path(packaging.version.__file__).is_relative_to(ROOT / "packaging")


def test_no_test_file_hides_one_of_its_name() -> None:
    """Folders of one name with `__init__.py` are one package to pytest, and of two files of one name it runs one."""
    assert [path for path in (ROOT / "tests").rglob("__init__.py") if list(path.parent.glob("test_*.py"))] == []


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(name for extra in project["optional-dependencies"].values() for name in extra if "[" not in name),
    ]
    pinned = {
        line.split("==")[0].lower().replace("_", "-")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    names = {name.split(">")[0].split("=")[0].split("<")[0].lower().replace("_", "-") for name in wanted}
    assert names <= pinned


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
@pytest.mark.parametrize(
    ("words", "build"), [((), "cpu"), (("TORCH=cu130",), "cu130")], ids=["as a rule", "where it is asked for"]
)
def test_torch_comes_without_the_cuda_libraries_unless_they_are_asked_for(
    tmp_path: Path, words: tuple[str, ...], build: str
) -> None:
    for name in ("Makefile", "constraints.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)

    def steps(*words: str) -> list[str]:
        done = subprocess.run(["make", "-n", *words, "app"], cwd=tmp_path, capture_output=True, text=True, check=True)
        return [line for line in done.stdout.splitlines() if "pip install" in line]

    torch, ours = steps(*words)
    assert f"--index-url https://download.pytorch.org/whl/{build} torch" in torch
    assert "--index-url" not in ours
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "torch-cu130").touch()  # what was asked for once holds
    assert "whl/cu130" in steps()[0]


def test_nothing_of_the_shared_material_is_in_the_project() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    tracked = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(line.split()[0] in ("100644", "100755") for line in tracked.splitlines())
    shared = ROOT.parent / "shared" / "data"
    if not shared.is_dir():
        pytest.skip("the shared corpora are not beside the checkout")
    sizes = {path.stat().st_size: path for path in shared.rglob("*") if path.is_file()}
    for name in subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines():
        path = ROOT / name
        if path.exists() and path.stat().st_size > 2000 and (twin := sizes.get(path.stat().st_size)):
            assert path.read_bytes() != twin.read_bytes()


def test_labels_tooltips_and_questions_use_the_plain_text_widgets() -> None:
    guessing = re.compile(
        r"(?<!\w)QLabel\(|\bclass \w+\(QLabel\)|\.setToolTip\((?!\d, plain_tip)|QMessageBox|QInputDialog"
    )
    for path in (ROOT / "desktop" / "ui").rglob("*.py"):
        if path.name != "labels.py":
            assert not guessing.findall(path.read_text(encoding="utf-8")), path


def test_paths_of_users_are_checked_with_one_function() -> None:
    # These raise behind a closed folder.
    asking = re.compile(r"\.(exists|is_file|is_dir)\(\)|os\.path\.(exists|isfile|isdir)\(")
    folders = (ROOT / "desktop", ROOT / "storage", ROOT / "miner" / "parsing")
    files = [path for folder in folders for path in folder.rglob("*.py")]
    found = [f"{path.name}: {line}" for path in files for line in path.read_text().splitlines() if asking.search(line)]
    assert found == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions and for type checkers count too."""
    graph = grimp.build_graph("desktop", "storage", "miner", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # a CycleError names the circle


def test_sql_stays_in_storage() -> None:
    """desktop and miner ask stores, which take and return values: neither SQL nor the connection beneath.

    A corpus is no project: `miner.corpus` alone asks DuckDB about its files.
    """
    sql = re.compile(r"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.*\b(FROM|VALUES|SET|WHERE)\b|\b_connection\b")
    modules = [*(ROOT / "desktop").rglob("*.py"), *(ROOT / "miner").rglob("*.py")]
    found = {path.parent for path in modules if sql.search(path.read_text(encoding="utf-8"))}
    assert found <= {ROOT / "miner" / "corpus"}


def test_generators_translate_errors_of_their_steps() -> None:
    """A context manager as a decorator ends with the call, before the first step of a generator."""
    faults = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yields = any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(node))
            if isinstance(node, ast.FunctionDef) and yields:
                around = [ast.unparse(one) for one in node.decorator_list if isinstance(one, ast.Call)]
                faults += [f"{path.name}: {node.name}" for one in around if one.startswith("translate_")]
    assert faults == []


def test_a_class_name_means_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for path in sources():
        for name in re.findall(r"^ *class (\w+)(?:\(.*\):|:|\($)", path.read_text(encoding="utf-8"), re.MULTILINE):
            places.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert len(places) > 1000
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_modules_and_functions_named_in_strings_are_there() -> None:
    """What is named in text is looked at by neither type checker nor linter."""
    named = re.compile(r"(?:desktop|miner|storage)(?:\.[a-z]\w*)+(?::\w+)?")
    checked = 0
    for path in sources():
        text = path.read_text(encoding="utf-8")
        if not re.search(f"[\"']{named.pattern}[\"']", text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and named.fullmatch(node.value):
                resolve_name(node.value)
                checked += 1
    assert checked
