"""multipart/form-data, read as a server reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote


@dataclass
class Form:
    """Fields in order with repeats, and uploaded files by field: (file name, content)."""

    fields: list[tuple[str, str]] = field(default_factory=list)
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.fields if key == name]

    def on(self, name: str) -> bool:
        return any(value in ("1", "true") for value in self.all(name))


def parse_form(content_type: str, body: bytes) -> Form:
    boundary = re.search(r'boundary="?([^";]+)', content_type)
    form = Form()
    if boundary is None:
        return form
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary[1].encode())[1:]:
        head, separator, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        if not separator:
            continue
        disposition = next(
            (line for line in head.decode("utf-8").split("\r\n") if line.lower().startswith("content-disposition:")), ""
        )
        name = _parameter(disposition, "name")
        file_name = _parameter(disposition, "filename")
        if name is None:
            continue
        if file_name is None:
            form.fields.append((name, content.decode("utf-8")))
        else:
            form.files[name] = (file_name, content)
    return form


def _parameter(disposition: str, name: str) -> str | None:
    extended = re.search(rf";\s*{name}\*=utf-8''([^;]+)", disposition, re.IGNORECASE)
    if extended:
        return unquote(extended[1])
    plain = re.search(rf';\s*{name}="((?:[^"\\]|\\.)*)"', disposition)
    return plain[1] if plain else None
