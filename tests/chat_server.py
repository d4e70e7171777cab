"""A small HTTP server that answers as OpenAI's API does, with the faults that such servers have."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fault = Callable[["ChatHandler"], None]


@dataclass
class FakeChatServer:
    """faults: for the next requests, one each; None answers as usual. say: the answer to the last user's turn.

    asked: what was received, in order: paths, headers and bodies.
    """

    say: Callable[[str], str] = lambda question: "4. Neutral"
    faults: list[Fault | None] = field(default_factory=list)
    asked: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)
    address: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def questions(self) -> list[str]:
        return [body["messages"][-1]["content"] for _, _, body in self.asked]


class ChatHandler(BaseHTTPRequestHandler):
    fake: FakeChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.fake.lock:
            self.fake.asked.append((self.path, dict(self.headers), body))
            fault = self.fake.faults.pop(0) if self.fake.faults else None
        if fault is not None:
            fault(self)
        else:
            self.answer(self.fake.say(body["messages"][-1]["content"]))

    def answer(self, content: object) -> None:
        choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
        self.send_json(200, {"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice]})

    def send_json(self, status: int, data: object, **headers: str) -> None:
        self.send_bytes(status, json.dumps(data).encode(), **headers)

    def send_bytes(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


def status(number: int, message: str = "no", *, param: str | None = None, **headers: str) -> Fault:
    """An error as OpenAI's API words it."""
    error = {"error": {"message": message, "type": "error", "param": param, "code": None}}
    return lambda handler: handler.send_json(number, error, **headers)


def body(content: bytes) -> Fault:
    return lambda handler: handler.send_bytes(200, content)


def slow(seconds: float) -> Fault:
    def wait(handler: ChatHandler) -> None:
        time.sleep(seconds)
        with suppress(OSError):  # nobody waits for it any more
            handler.answer("too late")

    return wait


def hang_up(handler: ChatHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
    handler.close_connection = True


@contextmanager
def chat_server(say: Callable[[str], str] = lambda question: "4. Neutral") -> Iterator[FakeChatServer]:
    """A running server; its `address` ends with /v1."""
    fake = FakeChatServer(say)
    handler = type("Handler", (ChatHandler,), {"fake": fake})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    fake.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
