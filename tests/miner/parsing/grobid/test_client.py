"""The contract with grobid-client-python 0.2.1: the two methods we replace, and why."""

import contextlib
import importlib.metadata
import inspect
import logging
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from grobid_client.client import ApiClient
from grobid_client.grobid_client import GrobidClient
from grobid_job import quick
from replay import ReplayServer, faults, tiny_pdf
from replay.faults import Cut

from miner.http import HttpLimits, HttpReply, TransportStatus, send_request
from miner.parsing.grobid.client import GrobidHttpClient
from miner.parsing.grobid.settings import GrobidSettings

PDF = tiny_pdf("One paper")
LIMITS = HttpLimits(connect=2, silence=2, total=4, size=1 << 20)
Start = Callable[..., ReplayServer]


def send(server: ReplayServer, limits: HttpLimits = LIMITS) -> HttpReply:
    return GrobidHttpClient(quick(server)).fulltext(PDF, "x.pdf", limits, segment=True)


def test_the_client_is_the_version_whose_private_methods_we_know() -> None:
    assert importlib.metadata.version("grobid-client-python") == "0.2.1"


def test_both_replaced_methods_exist_with_the_parameters_we_take() -> None:
    assert list(inspect.signature(GrobidHttpClient.call_api).parameters) == list(
        inspect.signature(ApiClient.call_api).parameters
    )
    ours, theirs = (inspect.signature(c._handle_server_busy_retry) for c in (GrobidHttpClient, GrobidClient))
    assert list(ours.parameters) == list(theirs.parameters)


def test_process_pdf_has_the_options_we_give_it() -> None:
    assert {"service", "pdf_file", "consolidate_header", "tei_coordinates", "segment_sentences"} <= set(
        inspect.signature(GrobidClient.process_pdf).parameters
    )


def test_a_path_is_a_bad_request_to_the_client_so_it_gets_a_file_in_memory(start_replay: Start, tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(PDF)
    server = start_replay()
    client = GrobidHttpClient(quick(server))
    assert client.process_pdf("processFulltextDocument", tmp_path / "x.pdf")[1] == 400
    assert server.log.entries == []  # it was never sent
    assert send(server).status == 200


def test_both_replaced_methods_are_the_ones_process_pdf_calls(start_replay: Start) -> None:
    server = start_replay()
    server.script.add(faults.busy(retry_after="7"))
    assert send(server) == HttpReply(503, b"", 7.0)
    assert len(server.log.entries) == 1  # the client itself would ask until its stack is full


@pytest.mark.parametrize(
    ("fault", "trouble"),
    [
        (faults.cut(Cut.BEFORE_HEADERS), TransportStatus.LOST),
        (faults.cut(Cut.RESET), TransportStatus.LOST),
        (faults.cut(Cut.MID_BODY), TransportStatus.LOST),
        (faults.cut(Cut.MID_CHUNK), TransportStatus.LOST),
        (faults.cut(Cut.NEVER), TransportStatus.TIMED_OUT),
        (faults.HUGE, TransportStatus.TOO_LARGE),
    ],
    ids=lambda value: value.name,
)
def test_a_failure_of_the_network_is_called_by_its_name_and_never_400(
    start_replay: Start, fault: faults.Fault, trouble: TransportStatus
) -> None:
    server = start_replay()
    server.script.add(fault)
    silence = 0.3 if fault.cut is Cut.NEVER else 30
    assert send(server, HttpLimits(2, silence, 60, 1 << 20)).status == trouble


def test_headers_that_trickle_in_end_with_the_time_for_all() -> None:
    with listening(lambda peer: trickle(peer, b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 200)) as url:
        reply = send_request("GET", url, HttpLimits(connect=2, silence=2, total=0.5, size=1 << 20), headers={})
    assert (reply.status, reply.text) == (TransportStatus.TIMED_OUT, "not complete after 0 s")


def test_a_server_that_is_slow_to_take_the_upload_is_borne_like_a_silent_one() -> None:
    def late(peer: socket.socket) -> None:
        time.sleep(0.8)
        while (piece := peer.recv(1 << 20)) and not piece.endswith(b"end"):
            pass
        peer.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")

    upload = bytes(20_000_000) + b"end"  # more than the system's buffers take in
    with listening(late) as url:
        reply = send_request(
            "POST", url, HttpLimits(connect=0.2, silence=30, total=30, size=1 << 20), headers={}, data=upload
        )
    assert reply.status == 204


@contextlib.contextmanager
def listening(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """The address of a server that answers one connection."""

    def serve() -> None:
        peer, _ = listener.accept()
        with peer, contextlib.suppress(OSError):  # the client may hang up
            answer(peer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


def trickle(peer: socket.socket, content: bytes) -> None:
    for byte in content:
        peer.send(bytes([byte]))
        time.sleep(0.02)


def test_a_refused_connection_is_unreachable(start_replay: Start) -> None:
    server = start_replay()
    server.crash()
    assert send(server).status == TransportStatus.UNREACHABLE


def test_a_name_that_does_not_exist_is_unreachable() -> None:
    reply = send_request("GET", "http://grobid.invalid:8070/api/isalive", LIMITS, headers={})
    assert reply.status == TransportStatus.UNREACHABLE


def test_proxies_of_the_environment_are_not_used(start_replay: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert send(start_replay()).status == 200


def test_redirects_are_not_followed(start_replay: Start) -> None:
    server, elsewhere = start_replay(), start_replay()
    server.script.add(faults.status(302, Location=f"{elsewhere.url}/api/processFulltextDocument"))
    assert send(server).status == 302
    assert elsewhere.log.entries == []


def test_an_exchange_stops_when_the_job_does(start_replay: Start) -> None:
    server = start_replay()
    assert send(server, HttpLimits(2, 2, 4, 1 << 20, stopped=lambda: True)).status == TransportStatus.CANCELLED


def test_the_end_of_the_upload_is_told(start_replay: Start) -> None:
    told: list[bool] = []
    send(start_replay(), HttpLimits(2, 2, 4, 1 << 20, sent=lambda: told.append(True)))
    assert told == [True]


def test_the_client_writes_nothing_to_stderr_by_itself(start_replay: Start) -> None:
    GrobidHttpClient(quick(start_replay()))
    logger = logging.getLogger("grobid_client.grobid_client")
    assert (logger.handlers, logger.propagate) == ([], True)


def test_a_slash_at_the_end_of_the_address_makes_no_second_one(start_replay: Start) -> None:
    server = start_replay()
    assert GrobidHttpClient(GrobidSettings(server.url + "/")).fulltext(PDF, "x.pdf", LIMITS, segment=True).status == 200


def test_the_program_ends_while_a_request_hangs(start_replay: Start) -> None:
    server = start_replay()
    server.script.add(faults.cut(Cut.NEVER))
    program = f"""
        import hashlib, threading
        from miner.parsing.grobid import GrobidSettings, PdfTask, parse_with_grobid, ready_server
        from miner.progress import Cancelled, Progress
        pdf, grobid, progress = {PDF!r}, GrobidSettings({server.url!r}), Progress()
        task = PdfTask(hashlib.sha256(pdf).hexdigest(), hashlib.md5(pdf).hexdigest(), lambda: pdf)
        threading.Timer(0.5, progress.cancel).start()
        try:
            list(parse_with_grobid([task], grobid, ready_server(grobid, progress), progress=progress))
        except Cancelled:
            print("cancelled")
    """
    # The request itself would be waited for four minutes.
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parents[4],
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("cancelled\n", "", 0)
    assert len(server.log.entries) == 1
