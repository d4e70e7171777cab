"""The replay server itself: what it says is what GROBID would."""

import contextlib
import http.client
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from grobid_job import run_job, task
from replay import Recordings, ReplayServer, faults, tiny_pdf
from replay.multipart import parse_form

CORPUS = Path(__file__).parents[5] / "shared" / "data" / "corpus"
PDF = tiny_pdf("One paper")
Start = Callable[..., ReplayServer]


def ask(server: ReplayServer, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=10)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def post(server: ReplayServer, pdf: bytes = PDF, **data: str) -> requests.Response:
    return requests.post(
        f"{server.url}/api/processFulltextDocument", files={"input": ("x.pdf", pdf)}, data=data, timeout=10
    )


def test_wrong_paths_verbs_types_and_accepts_get_their_status_and_nothing_else(start_replay: Start) -> None:
    server = start_replay()
    fulltext = "/api/processFulltextDocument"
    assert ask(server, "GET", "/api/nothing") == (404, b"")
    assert ask(server, "POST", "/nothing") == (404, b"")
    assert ask(server, "GET", fulltext) == (405, b"")
    assert ask(server, "DELETE", fulltext) == (405, b"")
    assert ask(server, "POST", "/api/isalive") == (405, b"")
    assert ask(server, "POST", fulltext, b"x", Content_Type="text/plain") == (415, b"")
    assert ask(server, "POST", fulltext, b"", Content_Type="multipart/form-data; boundary=b", Accept="text/html") == (
        406,
        b"",
    )


def test_put_is_as_good_as_post_and_a_form_without_input_breaks_the_server(start_replay: Start) -> None:
    server = start_replay()
    assert ask(
        server, "PUT", "/api/processFulltextDocument", b"--b--", Content_Type="multipart/form-data; boundary=b"
    ) == (
        500,
        b"",
    )


def test_a_known_answer_comes_with_grobid_s_type_and_an_unknown_pdf_as_bad_input(start_replay: Start) -> None:
    known = Recordings()
    known.add(PDF, b"<TEI/>")
    server = start_replay(known)
    answer = post(server)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/xml; charset=UTF-8")
    other = post(server, tiny_pdf("Other"))
    assert (other.status_code, other.text[:16]) == (500, "[BAD_INPUT_DATA]")


def test_a_variant_that_was_never_recorded_is_a_problem_and_not_made_up(start_replay: Start) -> None:
    known = Recordings()
    known.add(PDF, b"<TEI/>")
    server = start_replay(known)
    assert post(server, segmentSentences="1").status_code == 500
    assert "no recording with <s>" in server.log.problems.pop()


def test_strict_mode_notes_fields_that_are_missing_or_wrong(start_replay: Start) -> None:
    server = start_replay(strict=True)
    post(server, consolidateHeader="1", generateIDs="0")
    noted = "; ".join(server.log.problems)
    server.log.problems.clear()
    assert "consolidateHeader is ['1']" in noted
    assert "start is []" in noted
    assert "generateIDs" not in noted


def test_forms_keep_repeated_fields_binary_content_and_names_in_utf_8() -> None:
    body = (
        b'--b\r\nContent-Disposition: form-data; name="teiCoordinates"\r\n\r\ns\r\n'
        b'--b\r\nContent-Disposition: form-data; name="teiCoordinates"\r\n\r\np\r\n'
        b"--b\r\nContent-Disposition: form-data; name=\"input\"; filename*=utf-8''%C3%A9.pdf\r\n\r\n"
        b"\x00\r\n--\xff\r\n--b--\r\n"
    )
    form = parse_form("multipart/form-data; boundary=b", body)
    assert form.all("teiCoordinates") == ["s", "p"]
    assert form.files["input"] == ("é.pdf", b"\x00\r\n--\xff")


def test_a_full_pool_answers_503_without_a_body_after_waits_that_add_up(start_replay: Start) -> None:
    server = start_replay(concurrency=1, pool_max_wait=0.3, latency=30)

    def ask() -> None:
        with contextlib.suppress(requests.RequestException):  # the one with the engine is left waiting
            post(server)

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    while sum(entry.status == 503 for entry in server.log.entries) < 3:
        time.sleep(0.01)
    waits = sorted(entry.waited for entry in server.log.entries if entry.status == 503)
    assert waits[2] > 0.4  # more than its own share: it waited for the others' turns first


def test_an_abandoned_request_keeps_its_engine_to_the_end(start_replay: Start) -> None:
    server = start_replay(concurrency=1, pool_max_wait=0.01, latency=0.5)
    with pytest.raises(requests.ReadTimeout):
        requests.post(f"{server.url}/api/processFulltextDocument", files={"input": PDF}, timeout=0.1)
    assert post(server).status_code == 503
    while not server.log.entries[0].client_gone:
        time.sleep(0.01)
    assert server.log.entries[0].engine_to - server.log.entries[0].engine_from >= 0.5


def test_a_crash_breaks_open_connections_and_refuses_new_ones_until_it_is_back(start_replay: Start) -> None:
    server = start_replay()
    server.script.add(faults.crash(back_after=0.2))
    with pytest.raises(requests.ConnectionError):
        post(server)
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1])), timeout=5).close()
    while post_or_none(server) is None:
        time.sleep(0.01)


def post_or_none(server: ReplayServer) -> int | None:
    try:
        return requests.get(f"{server.url}/api/isalive", timeout=5).status_code
    except requests.ConnectionError:
        return None


def test_the_dice_fall_the_same_way_for_the_same_seed() -> None:
    def dealt(seed: int) -> list[bool]:
        script = faults.Script(seed)
        script.add(faults.busy(), probability=0.5)
        return [script.fault_for("x", number, segmented=True) is not None for number in range(50)]

    assert dealt(1) == dealt(1) != dealt(2)


@pytest.mark.skipif(not CORPUS.exists(), reason=f"no recorded GROBID answers at {CORPUS}")
def test_recordings_of_real_grobid_are_parsed_for_the_very_pdfs_they_were_made_of(start_replay: Start) -> None:
    pdfs = sorted(CORPUS.glob("*.tei.xml"), key=lambda path: path.stat().st_size)
    recordings, given = Recordings(), []
    for tei in pdfs[:12]:
        pdf = tei.with_name(tei.name.replace(".tei.xml", ".pdf")).read_bytes()
        recordings.add(pdf, tei.read_bytes())
        if b"consolidateHeader=1" not in tei.read_bytes():  # not what we ask for
            given.append(task(pdf))
    server = start_replay(recordings)
    ran = run_job(server, given, segment_sentences=False)
    assert ran.failed == []
    assert {parsed.paper.md5 for parsed in ran.parsed if parsed.paper} == {one.md5 for one in given}
