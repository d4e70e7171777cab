"""A sitting whose page goes while it works: at another scale of the window all pages are built anew."""

from __future__ import annotations

from pytestqt.qtbot import QtBot
from shiboken6 import delete

from desktop.jobs.review import RoundOptions
from desktop.ui.desk import Desk
from desktop.ui.review.page import ReviewPage
from miner.records import Answer


def test_an_answer_on_its_way_is_kept_when_the_page_goes(desk: Desk, qtbot: QtBot) -> None:
    page = ReviewPage(desk)
    page.show()
    page.activated()
    page.start_round(RoundOptions(size=10, seed=1))
    qtbot.waitUntil(lambda: page.session.item is not None, timeout=5000)
    assert page.session.item is not None
    key = page.session.item.pair.key
    page.answer(Answer.NEUTRAL)
    page.session.forget(None)  # and pairs are being read
    with qtbot.captureExceptions() as stumbled:
        delete(page)
        qtbot.waitUntil(lambda: not desk.runner.running, timeout=5000)
    assert stumbled == []
    with desk.project.reading() as stores:
        assert stores.labels.answers(key) == {"mk": Answer.NEUTRAL}
