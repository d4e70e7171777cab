"""A project for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.project import Project


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "test.pairwright"


@pytest.fixture
def project(path: Path) -> Iterator[Project]:
    with Project.create(path, busy_timeout_s=0.2) as project:
        yield project
