"""The official GROBID client, made to tell the truth and never to wait on its own."""

from __future__ import annotations

import io
import threading
from collections.abc import Mapping
from typing import Any, cast

from grobid_client.grobid_client import GrobidClient

from miner.parsing.grobid.http import HttpLimits, HttpReply, send_request
from miner.parsing.grobid.settings import Grobid, fields


class Client(GrobidClient):
    """grobid-client-python with two methods replaced, both of them relied on by tests.

    `call_api`: the client reports each failure of the network as status 400 "Failed to open file", follows proxies and
    redirects, and bounds neither time nor size. `_handle_server_busy_retry`: on 503 it sleeps and calls itself, without
    end. Made for many threads: limits and reply of an exchange are kept per thread.
    """

    def __init__(self, grobid: Grobid) -> None:
        super().__init__(grobid_server=grobid.url, check_server=False)
        for handler in self.logger.handlers[:]:  # it adds one to stderr; ours are set where the program starts
            self.logger.removeHandler(handler)
        self.logger.propagate = True
        self._here = threading.local()

    def fulltext(self, pdf: bytes, name: str, limits: HttpLimits, *, segment: bool) -> HttpReply:
        """Have one PDF processed, under a name that tells the server nothing."""
        document = _Named(pdf)
        document.name = name
        self._here.limits, self._here.segment = limits, segment
        self._here.reply = None
        _, status, text = self.process_pdf(
            "processFulltextDocument",
            document,
            consolidate_header=False,
            tei_coordinates=True,
            segment_sentences=segment,
        )
        if self._here.reply is None:  # it turns any exception into a status of its own; ours would be a bug
            raise RuntimeError(f"the GROBID client sent nothing: {status} {text}")
        return cast(HttpReply, self._here.reply)

    def call_api(  # type: ignore[override]  # a HttpReply has what the client reads of a Response: `text`
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        data: Mapping[str, Any] | None = None,
        files: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> tuple[HttpReply, int]:
        """One exchange within this thread's limits; the client leaves out what is "0", we send every field."""
        everything = {**(data or {}), **fields(segment=self._here.segment)}
        reply = send_request(
            method,
            url,
            self._here.limits,
            headers={**(headers or {}), "Accept": self.accept_type},
            params=params,
            data=everything,
            files=files,
        )
        self._here.reply = reply
        return reply, reply.status

    def _handle_server_busy_retry(
        self, file_path: str, retry_func: Any, *args: Any, **kwargs: Any
    ) -> tuple[str, int, str]:
        return file_path, 503, ""  # the scheduler waits


class _Named(io.BytesIO):
    name: str
