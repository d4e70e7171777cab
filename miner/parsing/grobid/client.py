"""The official GROBID client, changed to report failures as they are and never to wait by itself."""

from __future__ import annotations

import io
import threading
from collections.abc import Mapping
from typing import Any, cast

from grobid_client.grobid_client import GrobidClient

from miner.http import HttpLimits, HttpReply, send_request
from miner.parsing.grobid.settings import GrobidSettings, request_fields


class GrobidHttpClient(GrobidClient):
    """grobid-client-python with two methods replaced.

    `call_api`: the original reports every network failure as status 400 "Failed to open file", follows proxies and
    redirects, and limits neither time nor size. `_handle_server_busy_retry`: the original sleeps after status 503 and
    calls itself, without end. Thread-safe: limits and reply of an exchange are stored per thread.
    """

    def __init__(self, grobid: GrobidSettings) -> None:
        super().__init__(grobid_server=grobid.url, check_server=False)
        for handler in self.logger.handlers[:]:  # it adds one for stderr; the program sets its own handlers
            self.logger.removeHandler(handler)
        self.logger.propagate = True
        self._exchange = threading.local()

    def fulltext(self, pdf: bytes, name: str, limits: HttpLimits, *, segment: bool) -> HttpReply:
        """Let GROBID process one PDF. `name`: a file name that tells the server nothing."""
        document = _Named(pdf)
        document.name = name
        self._exchange.limits, self._exchange.segment = limits, segment
        self._exchange.reply = None
        _, status, text = self.process_pdf(
            "processFulltextDocument",
            document,
            consolidate_header=False,
            tei_coordinates=True,
            segment_sentences=segment,
        )
        if self._exchange.reply is None:  # the client turns exceptions into statuses; one of ours is a bug
            raise RuntimeError(f"the GROBID client sent nothing: {status} {text}")
        return cast(HttpReply, self._exchange.reply)

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
        """One exchange within this thread's limits. Every field is sent; the original leaves out those that are "0"."""
        all_fields = {**(data or {}), **request_fields(segment=self._exchange.segment)}
        reply = send_request(
            method,
            url,
            self._exchange.limits,
            headers={**(headers or {}), "Accept": self.accept_type},
            params=params,
            data=all_fields,
            files=files,
        )
        self._exchange.reply = reply
        return reply, reply.status

    def _handle_server_busy_retry(
        self, file_path: str, retry_func: Any, *args: Any, **kwargs: Any
    ) -> tuple[str, int, str]:
        return file_path, 503, ""  # the scheduler waits


class _Named(io.BytesIO):
    name: str
