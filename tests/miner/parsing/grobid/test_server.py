"""States of a server, what users are told about them, and which addresses are accepted."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from grobid_job import QUICK, quick
from replay import ReplayServer

from miner.errors import UserError
from miner.parsing.grobid import GrobidPaused, GrobidSettings, ServerHealth, ask_server, ready_server
from miner.progress import Cancelled, Progress

Start = Callable[..., ReplayServer]


def test_a_server_of_the_08_kind_is_ready_and_hides_its_engines(start_replay: Start) -> None:
    server = ask_server(quick(start_replay(profile="0.8")))
    assert (server.health, server.version_key, server.engines) == (ServerHealth.READY, "0.8.2+a91ee48", None)


def test_a_server_of_the_09_kind_tells_of_its_engines(start_replay: Start) -> None:
    server = ask_server(quick(start_replay(profile="0.9", concurrency=6)))
    assert (server.health, server.version, server.engines) == (ServerHealth.READY, "0.9.1", 6)


def test_a_server_that_is_not_ready_is_starting(start_replay: Start) -> None:
    replay = start_replay(profile="0.9")
    replay.ready = False
    assert ask_server(quick(replay)).health is ServerHealth.STARTING


def test_a_server_that_says_it_is_not_alive_is_starting(start_replay: Start) -> None:
    replay = start_replay()
    replay.alive = "false"
    assert ask_server(quick(replay)).health is ServerHealth.STARTING


def test_nothing_there_is_not_reachable_and_says_what_to_do(start_replay: Start) -> None:
    replay = start_replay()
    replay.crash()
    with pytest.raises(GrobidPaused, match="does not answer at http://127") as failure:
        ready_server(quick(replay), Progress())
    assert failure.value.code == "not_running"
    assert "docker run" in failure.value.hint


class _Website(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>Welcome</html>")

    def log_message(self, *_: object) -> None:
        pass


def test_another_server_is_not_grobid() -> None:
    with HTTPServer(("127.0.0.1", 0), _Website) as website:
        threading.Thread(target=website.serve_forever, args=(0.02,), daemon=True).start()
        grobid = GrobidSettings(f"http://127.0.0.1:{website.server_address[1]}", **QUICK)
        with pytest.raises(GrobidPaused, match="is not GROBID") as failure:
            ready_server(grobid, Progress())
        website.shutdown()
    assert failure.value.code == "not_grobid"


def test_a_server_that_starts_is_refused_at_first_then_waited_for(start_replay: Start) -> None:
    replay = start_replay(profile="0.9")
    replay.start_slowly(refused=0.4, starting=0.4)
    grobid = quick(replay)
    assert ask_server(grobid).health is ServerHealth.UNREACHABLE
    while ask_server(grobid).health is ServerHealth.UNREACHABLE:
        pass
    assert ready_server(grobid, Progress()).health is ServerHealth.READY


def test_a_server_that_never_gets_ready_is_given_up(start_replay: Start) -> None:
    replay = start_replay(profile="0.9")
    replay.ready = False
    with pytest.raises(GrobidPaused, match="still starting"):
        ready_server(quick(replay, unreachable_timeout=0.1), Progress())


def test_waiting_for_a_server_can_be_cancelled(start_replay: Start) -> None:
    replay = start_replay(profile="0.9")
    replay.ready = False
    progress = Progress()
    threading.Timer(0.1, progress.cancel).start()
    with pytest.raises(Cancelled):
        ready_server(quick(replay, probe_delay=60, unreachable_timeout=600), progress)


@pytest.mark.parametrize(
    ("version", "noticed"), [("0.8.2", True), ("0.9.0", True), ("0.9.1", False), ("unknown", False)]
)
def test_versions_that_cut_sentences_wrongly_are_noticed(start_replay: Start, version: str, noticed: bool) -> None:
    replay = start_replay()
    replay.version = version
    assert bool(ask_server(quick(replay)).notice) is noticed


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("localhost:8070", "http://localhost:8070"),
        (" http://localhost:8070/ ", "http://localhost:8070"),
        ("http://localhost:8070/api", "http://localhost:8070"),
        ("https://grobid.example.org/service/", "https://grobid.example.org/service"),
        ("http://[::1]:8070", "http://[::1]:8070"),
    ],
)
def test_an_address_is_taken_as_people_type_it(typed: str, url: str) -> None:
    assert GrobidSettings(typed).url == url


@pytest.mark.parametrize(
    "typed", ["", "ftp://localhost", "http://", "http://a b", "http://x:y", "http://u:p@host", "http://h/?q"]
)
def test_what_is_no_address_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(UserError, match="is not an address") as failure:
        GrobidSettings(typed)
    assert "http://localhost:8070" in failure.value.hint


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.8.8", "[::1]"])
def test_this_computer_needs_no_warning(host: str) -> None:
    assert GrobidSettings(f"http://{host}:8070").warning == ""


@pytest.mark.parametrize("host", ["grobid.example.org", "192.168.1.7", "localhost.example.org"])
def test_sending_papers_to_another_computer_is_said_in_one_line(host: str) -> None:
    assert host in GrobidSettings(f"http://{host}:8070").warning


def test_at_least_one_paper_goes_at_a_time() -> None:
    with pytest.raises(UserError, match="too few"):
        GrobidSettings("localhost", concurrency=0)
