"""Settings of a project, and its releases."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index
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
    name: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[str]
    program: Mapped[str]
    options: Mapped[str]
    counts: Mapped[str]


class ReleaseFileRow(Base):
    """A file of a release, compressed, so that it can be written again byte for byte. sha256: of the plain file."""

    __tablename__ = "release_files"
    release: Mapped[int] = mapped_column(ForeignKey("releases.id"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    rows: Mapped[int]
    size: Mapped[int]
    sha256: Mapped[str]
    content: Mapped[bytes]


class ReleaseSplitRow(Base):
    """The split of a paper in a release (`pair_key` is ""), or of an imported pair without a paper (`md5` is "")."""

    __tablename__ = "release_splits"
    __table_args__ = (
        Index("release_splits_by_md5", "md5", "release"),
        Index("release_splits_by_pair", "pair_key", "release"),
    )
    release: Mapped[int] = mapped_column(ForeignKey("releases.id"), primary_key=True)
    md5: Mapped[str] = mapped_column(primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    split: Mapped[str]
