"""Sentence splitting: one splitter for all sources, with parameters learnt from unlabelled scientific prose."""

from miner.parsing.sentences.parameters import SplitterParameters
from miner.parsing.sentences.punkt_training import learn_parameters
from miner.parsing.sentences.splitter import SentenceSplitter, split_paper

__all__ = ["SentenceSplitter", "SplitterParameters", "learn_parameters", "split_paper"]
