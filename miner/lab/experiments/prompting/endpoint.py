"""Asks a server that answers as OpenAI's API does (chat completions). Only the address that the user typed is asked."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from miner.errors import UserError
from miner.http import HttpLimits, HttpReply, TransportStatus, send_request
from miner.lab.experiments.prompting.addresses import completions_url, host_of, is_loopback
from miner.lab.experiments.prompting.templates import Message
from miner.progress import Cancelled

KEY_NAMES = ("PAIRWRIGHT_API_KEY", "OPENAI_API_KEY")
"""The environment's variables for a server's key; the second is only sent to OpenAI."""
LIMITS = HttpLimits(connect=10, silence=300, total=600, size=4 << 20)
"""A server on a processor may think for minutes."""

_OPENAI = "api.openai.com"
_RETRIED = (200, 408, 409, 425, 429, 500, 502, 503, 504, 529, TransportStatus.LOST, TransportStatus.TIMED_OUT)
"""200: what came was no chat completion."""
_ATTEMPTS = 6
_LONGEST_PAUSE = 300.0  # seconds; a server that asks for more is left alone
_REFUSED = (400, 413, 422)  # of one question, as when it is too long or not allowed
_MOST_REFUSED = 10  # in a row
_LONGEST_ANSWER = 20_000  # characters that are kept
_KEPT_HINT = "Answers that have come are kept: run the experiment again to ask for the rest."


class ChatServer:
    """A server with one model.

    wait: sleeps for so many seconds; it may raise. stopped: whether to stop an exchange. first_pause: seconds before
    the second attempt; each further pause is twice as long. notes: sentences on what the server did not take.
    """

    def __init__(
        self,
        address: str,
        model: str,
        *,
        max_new_tokens: int,
        seed: int,
        wait: Callable[[float], None] = time.sleep,
        stopped: Callable[[], bool] = lambda: False,
        limits: HttpLimits = LIMITS,
        first_pause: float = 1.0,
    ) -> None:
        self._url, self._host = completions_url(address), host_of(address)
        self._wait, self._stopped, self._first_pause = wait, stopped, first_pause
        self._limits = HttpLimits(limits.connect, limits.silence, limits.total, limits.size, stopped)
        self._key = _key(address)
        self._settings: dict[str, Any] = {"temperature": 0, "seed": seed, "max_tokens": max_new_tokens, "stream": False}
        if model:
            self._settings["model"] = model
        self._answered, self._refused = False, 0
        self.notes: list[str] = []

    def ask(self, conversation: Sequence[Message]) -> str:
        """The model's answer, "" where the server refuses this question only.

        `UserError` where the server cannot be reached, has another key or model, or answers something else after
        several attempts; `Cancelled`.
        """
        pause = self._first_pause
        for attempt in range(1, _ATTEMPTS + 1):
            reply = self._send(conversation)
            if reply.status == 200 and (answer := _answer(reply.body)) is not None:
                self._answered, self._refused = True, 0
                return answer[:_LONGEST_ANSWER]
            if self._adapts(reply):
                continue
            if reply.status in _REFUSED and self._answered and self._refused < _MOST_REFUSED:
                self._refused += 1
                return ""
            may_help = reply.status in _RETRIED or (reply.status == TransportStatus.UNREACHABLE and self._answered)
            if not may_help or attempt == _ATTEMPTS or (reply.retry_after or 0) > _LONGEST_PAUSE:
                break
            self._wait(pause if reply.retry_after is None else reply.retry_after)
            pause *= 2
        raise self._error(reply)

    def _send(self, conversation: Sequence[Message]) -> HttpReply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        body = json.dumps({**self._settings, "messages": list(conversation)}).encode()
        reply = send_request("POST", self._url, self._limits, headers=headers, data=body)
        if reply.status == TransportStatus.CANCELLED:
            raise Cancelled
        return reply

    def _adapts(self, reply: HttpReply) -> bool:
        """Leave out a setting that the server does not know, as newer models of OpenAI; whether there was one."""
        if reply.status != 400:
            return False
        name = _refused_setting(reply)
        if name == "max_tokens" and name in self._settings:
            self._settings["max_completion_tokens"] = self._settings.pop(name)
            return True
        if name in ("temperature", "seed") and name in self._settings:
            del self._settings[name]
            self.notes.append(f"{self._host} does not take a {name}: its answers may differ when it is asked again.")
            return True
        return False

    def _error(self, reply: HttpReply) -> UserError:
        said = _error_text(reply)
        if self._key:
            said = said.replace(self._key, "(the key)")
        said = f": {said}" if said else ""
        names = " or ".join(KEY_NAMES) if self._host == _OPENAI else KEY_NAMES[0]
        match reply.status:
            case 200:
                return UserError(
                    f"{self._host} answers, but not with chat completions.",
                    hint="Type the address of an OpenAI-compatible server; it often ends with /v1.",
                )
            case 401 | 403:
                what = "does not accept the key" if self._key else "wants a key"
                return UserError(f"{self._host} {what}.", hint=f"Set {names} in the environment. {_KEPT_HINT}")
            case 404:
                hint = "Check the address, which often ends with /v1, and the name of the model."
                return UserError(f"{self._host} does not have this address or model{said}.", hint=hint)
            case 429:
                return UserError(f"{self._host} takes no more questions now{said}.", hint=f"Wait. {_KEPT_HINT}")
            case status if 300 <= status < 400:
                hint = "Sentences are only sent to the address that was typed: type the one that it sends on to."
                return UserError(f"{self._host} sends on to another address.", hint=hint)
            case TransportStatus.UNREACHABLE:
                hint = f"Start the server, or correct the address. {_KEPT_HINT}"
                return UserError(f"No server answers at {self._url}.", hint=hint)
            case TransportStatus.TOO_LARGE:
                hint = "Is it an OpenAI-compatible server?"
                return UserError(f"An answer of {self._host} is too large{said}.", hint=hint)
            case TransportStatus.TIMED_OUT | TransportStatus.LOST:
                how = "takes too long to answer" if reply.status == TransportStatus.TIMED_OUT else "breaks off"
                return UserError(f"{self._host} {how}.", hint=_KEPT_HINT)
            case status:
                return UserError(f"{self._host} cannot answer, with status {status}{said}.", hint=_KEPT_HINT)


def waiting(should_stop: Callable[[], bool]) -> Callable[[float], None]:
    """A function that sleeps for so many seconds, and raises `Cancelled` soon after it should stop."""

    def wait(seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if should_stop():
                raise Cancelled
            time.sleep(min(left, 0.2))

    return wait


def _key(address: str) -> str:
    """The key for a server from the environment, "" for none; `UserError` where it could be read on its way."""
    host = host_of(address)
    names = KEY_NAMES if host == _OPENAI else KEY_NAMES[:1]
    key = next((value for name in names if (value := os.environ.get(name, "").strip())), "")
    if not key:
        return ""
    if not key.isascii() or not key.isprintable():
        raise UserError(f"{KEY_NAMES[0]} is no key: it has characters that a key cannot have.", hint="Set it again.")
    if not address.lower().startswith("https:") and not is_loopback(address):
        hint = f"Type an address with https, or unset {KEY_NAMES[0]}."
        raise UserError(f"The key would be sent to {host} without encryption.", hint=hint)
    return key


def _answer(body: bytes) -> str | None:
    """The text of the first choice; None where the body is no chat completion."""
    try:
        content = json.loads(body)["choices"][0]["message"].get("content")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return None
    if isinstance(content, list):  # parts, as of models that read pictures too
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else content if isinstance(content, str) else None


def _error_object(reply: HttpReply) -> dict[str, Any]:
    try:
        found = json.loads(reply.body)["error"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {"message": found}


def _refused_setting(reply: HttpReply) -> str:
    return str(_error_object(reply).get("param"))


def _error_text(reply: HttpReply) -> str:
    """What the server says of an error, one line at most."""
    if reply.status >= TransportStatus.UNREACHABLE:
        return reply.text if reply.status == TransportStatus.TOO_LARGE else ""
    text = " ".join(str(_error_object(reply).get("message", "")).split())
    return "".join(letter for letter in text if letter.isprintable())[:200].rstrip(".")
