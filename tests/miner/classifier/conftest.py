"""Checkpoints made once, for all tests that only read them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from miner.classifier.checkpoints import Checkpoint, ModelCard, inspect_checkpoint


@pytest.fixture
def one_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Threads that wait for each other take longer than such networks, above all beside other tests."""
    import torch

    if hasattr(os, "sched_getaffinity"):
        monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an encoder."""
    from tests.miner.classifier import factories

    return factories.bert(tmp_path_factory.mktemp("checkpoints") / "bert")


@pytest.fixture(scope="session")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sequence classifier that names its classes as we do."""
    from tests.miner.classifier import factories

    return factories.bert_classifier(tmp_path_factory.mktemp("checkpoints") / "classifier")


@pytest.fixture(scope="session")
def ours(bert: Path, tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    """A checkpoint of Pairwright's, with a head that has learned nothing."""
    from miner.classifier import loading, saving
    from tests.miner.classifier import factories

    folder = tmp_path_factory.mktemp("checkpoints") / "ours"
    network, tokenizer = loading.start_network(inspect_checkpoint(bert), factories.QUICK)
    card = ModelCard("tiny", network.kind, "bert", "nothing", temperature=2.0, max_tokens=16)
    saving.save_model(folder, network, tokenizer, card)
    return inspect_checkpoint(folder)
