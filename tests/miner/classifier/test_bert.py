"""Our BERT encoder gives what transformers' gives."""

from __future__ import annotations

import subprocess
import sys

import torch
from transformers import BertConfig, BertModel

from miner.classifier import bert
from miner.classifier.checkpoints import is_plain_bert


def test_it_says_what_transformers_says() -> None:
    torch.manual_seed(0)
    config = BertConfig(vocab_size=50, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)
    theirs = BertModel(config, add_pooling_layer=False).eval()
    ours = bert.Bert(bert.BertConfig(**config.to_dict())).eval()
    ours.load_state_dict(theirs.state_dict())
    tokens = torch.randint(1, 50, (3, 9))
    types = torch.randint(0, 2, (3, 9))
    mask = torch.ones(3, 9, dtype=torch.long)
    mask[0, 5:] = 0
    with torch.inference_mode():
        expected = theirs(tokens, attention_mask=mask, token_type_ids=types).last_hidden_state
        found = ours(tokens, attention_mask=mask, token_type_ids=types).last_hidden_state
    assert torch.allclose(found[mask.bool()], expected[mask.bool()], atol=1e-5)


def test_only_a_plain_bert_is_read_so() -> None:
    assert is_plain_bert({"model_type": "bert"})
    for other in ({"model_type": "roberta"}, {"model_type": "bert", "hidden_act": "relu"}, {}, {"hidden_act": "gelu"}):
        assert not is_plain_bert(other)


def test_the_starter_predicts_without_transformers() -> None:
    program = """
import sys
from miner.classifier.checkpoints import STARTER
from miner.classifier.predictor import load_predictor
assert load_predictor(STARTER, device="cpu")([("A wall stood there.", "it fell.")]).probabilities.shape == (1, 4)
assert "transformers" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
