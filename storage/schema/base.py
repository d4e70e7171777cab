"""What the classes of all tables inherit from."""

from __future__ import annotations

from sqlalchemy import Text
from sqlalchemy.orm import DeclarativeBase


class Base(DeclarativeBase):
    type_annotation_map = {str: Text}  # noqa: RUF012  the base class wants a plain mapping
