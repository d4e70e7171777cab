"""Sentence splitting: one splitter for all sources, with parameters learnt from unlabelled scientific prose."""

from miner.parsing.sentences.parameters import Parameters
from miner.parsing.sentences.punkt_training import learn
from miner.parsing.sentences.splitter import Splitter, split_paper

__all__ = ["Parameters", "Splitter", "learn", "split_paper"]
