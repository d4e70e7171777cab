"""Asking a server that answers as OpenAI's API does, and one that does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from miner.errors import UserError
from miner.http import HttpLimits
from miner.lab.experiments.prompting.endpoint import ChatServer, waiting
from miner.progress import Cancelled
from tests.chat_server import FakeChatServer, Fault, body, chat_server, hang_up, slow, status

QUESTION = [{"role": "user", "content": "Which relation?"}]
LIMITS = HttpLimits(connect=5, silence=5, total=10, size=100_000)
KEY = "sk-a-secret-key"


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeChatServer]:
    for name in ("PAIRWRIGHT_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with chat_server() as server:
        yield server


class Pauses:
    """Waits no time, and keeps how long it should have waited."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def server(fake: FakeChatServer, wait: Any = None, **changes: Any) -> ChatServer:
    options = {"max_new_tokens": 40, "seed": 7, "limits": LIMITS} | changes
    return ChatServer(fake.address, "llama", wait=wait or Pauses(), **options)


def test_one_request_asks_for_the_likeliest_answer_of_the_model(fake: FakeChatServer) -> None:
    assert server(fake).ask(QUESTION) == "4. Neutral"
    [(path, headers, sent)] = fake.asked
    assert path == "/v1/chat/completions"
    assert "Authorization" not in headers
    assert sent == {
        "model": "llama",
        "messages": QUESTION,
        "temperature": 0,
        "seed": 7,
        "max_tokens": 40,
        "stream": False,
    }


@pytest.mark.parametrize(
    ("fault", "pauses"),
    [
        (status(429), [1]),
        (status(429, Retry_After="7"), [7]),
        (status(500), [1]),
        (status(503, Retry_After="0"), [0]),
        (body(b"<html>Bad gateway</html>"), [1]),
        (body(b'{"choices": []}'), [1]),
        (body(b"[" * 50_000), [1]),
        (body(b'{"choices": [{"message": "text"}]}'), [1]),
        (hang_up, [1]),
    ],
)
def test_a_passing_fault_is_tried_again(fake: FakeChatServer, fault: Fault, pauses: list[float]) -> None:
    fake.faults = [fault]
    waited = Pauses()
    assert server(fake, waited).ask(QUESTION) == "4. Neutral"
    assert (waited.seconds, len(fake.asked)) == (pauses, 2)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (status(429, "slow down"), "takes no more questions now: slow down"),
        (status(500, "out of\nmemory"), "status 500: out of memory"),
        (body(b"hello"), "not with chat completions"),
        (hang_up, "breaks off"),
    ],
)
def test_pauses_grow_until_it_gives_up(fake: FakeChatServer, fault: Fault, words: str) -> None:
    fake.faults = [fault] * 10
    waited = Pauses()
    with pytest.raises(UserError, match=words):
        server(fake, waited).ask(QUESTION)
    assert waited.seconds == [1, 2, 4, 8, 16]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (status(401), "wants a key"),
        (status(404, "model 'llama' not found"), "address or model: model 'llama' not found"),
        (status(400, "no such thing"), "status 400: no such thing"),
        (status(429, Retry_After="86400"), "takes no more questions"),
        (body(b'{"choices": "' + b"x" * 200_000), "too large"),
        (lambda handler: handler.send_bytes(302, b"", Location="http://example.org/v1"), "sends on to another address"),
        (lambda handler: handler.send_bytes(308, b"", Location="/v2/chat/completions"), "sends on to another address"),
    ],
)
def test_a_fault_that_stays_ends_at_once(fake: FakeChatServer, fault: Fault, words: str) -> None:
    fake.faults = [fault]
    with pytest.raises(UserError, match=words):
        server(fake).ask(QUESTION)
    assert len(fake.asked) == 1


def test_a_slow_server_is_not_waited_for_without_end(fake: FakeChatServer) -> None:
    fake.faults = [slow(1.0)] * 6
    limits = HttpLimits(connect=5, silence=0.05, total=5, size=1_000)
    with pytest.raises(UserError, match="takes too long"):
        server(fake, limits=limits).ask(QUESTION)


def test_a_server_that_is_down_is_said_at_once() -> None:
    with chat_server() as gone:
        pass
    with pytest.raises(UserError, match=r"No server answers at http://127\.0\.0\.1"):
        server(gone).ask(QUESTION)


def test_one_question_that_the_server_refuses_has_no_answer(fake: FakeChatServer) -> None:
    asked = server(fake)
    asked.ask(QUESTION)
    fake.faults = [status(400, "content filter"), None, *[status(413)] * 11]
    assert [asked.ask(QUESTION) for _ in range(2)] == ["", "4. Neutral"]
    assert [asked.ask(QUESTION) for _ in range(10)] == [""] * 10
    with pytest.raises(UserError, match="413"):
        asked.ask(QUESTION)


def test_settings_that_a_newer_model_refuses_are_left_out(fake: FakeChatServer) -> None:
    fake.faults = [status(400, "use the other", param="max_tokens"), status(400, "only 1", param="temperature")]
    asked = server(fake)
    assert asked.ask(QUESTION) == "4. Neutral"
    sent = fake.asked[-1][2]
    assert sent["max_completion_tokens"] == 40
    assert not {"max_tokens", "temperature"} & set(sent)
    assert "does not take a temperature" in asked.notes[0]


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (b'{"choices": [{"message": {"content": null}}]}', ""),
        (b'{"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"text": "b"}]}}]}', "ab"),
        (b'{"choices": [{"message": {"content": "' + b"x" * 50_000 + b'"}}]}', "x" * 20_000),
    ],
)
def test_answers_of_other_shapes(fake: FakeChatServer, content: bytes, answer: str) -> None:
    fake.faults = [body(content)]
    assert server(fake).ask(QUESTION) == answer


def test_the_key_goes_to_the_server_and_into_no_message(fake: FakeChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-openai-alone")
    server(fake).ask(QUESTION)
    assert "Authorization" not in fake.asked[-1][1]
    monkeypatch.setenv("PAIRWRIGHT_API_KEY", KEY)
    asked = server(fake)
    asked.ask(QUESTION)
    assert fake.asked[-1][1]["Authorization"] == f"Bearer {KEY}"
    for fault in (status(401, f"Incorrect key: {KEY}"), status(404, f"Incorrect key: {KEY}")):
        fake.faults = [fault]
        with pytest.raises(UserError) as failed:
            asked.ask(QUESTION)
        assert KEY not in f"{failed.value} {failed.value.hint}"


def test_a_key_is_not_sent_where_it_could_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIRWRIGHT_API_KEY", KEY)
    with pytest.raises(UserError, match=r"example\.org without encryption"):
        ChatServer("http://example.org/v1", "llama", max_new_tokens=1, seed=1)
    monkeypatch.setenv("PAIRWRIGHT_API_KEY", "two\nlines")
    with pytest.raises(UserError, match="is no key"):
        ChatServer("http://localhost/v1", "llama", max_new_tokens=1, seed=1)


def test_it_can_be_stopped_while_it_waits_or_asks(fake: FakeChatServer) -> None:
    with pytest.raises(Cancelled):
        waiting(lambda: True)(3600)
    waiting(lambda: False)(0.01)
    with pytest.raises(Cancelled):
        server(fake, stopped=lambda: True).ask(QUESTION)
