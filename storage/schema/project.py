"""Settings of a project, and its releases."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from storage.schema.base import Base


class SettingRow(Base):
    """One of the project's settings, as JSON."""

    __tablename__ = "settings"
    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


class ReleaseRow(Base):
    """A released data set; rows never change. `options` and `counts` are JSON."""

    __tablename__ = "releases"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[str]
    program: Mapped[str]
    options: Mapped[str]
    counts: Mapped[str]


class ReleaseFileRow(Base):
    """A file of a release, compressed, so that it can be written again byte for byte. sha256: of the plain file."""

    __tablename__ = "release_files"
    release: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    rows: Mapped[int]
    size: Mapped[int]
    sha256: Mapped[str]
    content: Mapped[bytes]
