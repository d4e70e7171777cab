"""Files that workers read: these are forked, as in tests/desktop."""

from tests.desktop.conftest import _fork_workers as _fork_workers
