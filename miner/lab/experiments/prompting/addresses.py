"""Addresses of servers that chat models run on."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

_COMPLETIONS = "/chat/completions"


def check_address(address: str, *, is_remote: bool) -> None:
    """`ValueError` unless the address can be asked: that of this computer, or of any other if `is_remote`.

    >>> check_address("http://localhost:11434/v1", is_remote=False)
    """
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError as exc:
        raise ValueError(f"`endpoint` is no address: {exc}") from exc
    if parts.scheme not in ("http", "https") or not host or not address.isascii() or not address.isprintable():
        raise ValueError('`endpoint` must be an address, for example "http://localhost:11434/v1"')
    if parts.username is not None or parts.password is not None:
        raise ValueError("`endpoint` must have no name or password: the key is read from PAIRWRIGHT_API_KEY")
    if parts.query or parts.fragment or " " in address:
        raise ValueError("`endpoint` must end with a path, such as /v1")
    if not is_remote and not is_loopback(address):
        what = f"`endpoint` is another computer, {host}, which would receive the sentences"
        raise ValueError(f"{what}: if it may, write `remote = true`")


def is_loopback(address: str) -> bool:
    """Whether the address is of this computer: localhost, 127.0.0.0/8 or ::1."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def host_of(address: str) -> str:
    """The computer that is asked."""
    return urlsplit(address).hostname or ""


def completions_url(address: str) -> str:
    """Where chat completions are asked for: the address with /chat/completions, unless it has it.

    >>> completions_url("http://localhost:11434/v1/")
    'http://localhost:11434/v1/chat/completions'
    """
    bare = address.rstrip("/")
    return bare if bare.endswith(_COMPLETIONS) else bare + _COMPLETIONS
