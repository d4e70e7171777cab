"""Where sentences end: one splitter for all sources, with parameters learnt without labels from scientific prose."""

from miner.parsing.sentences.parameters import Parameters
from miner.parsing.sentences.punkt_training import learn
from miner.parsing.sentences.splitter import Splitter, split_paper

__all__ = ["Parameters", "Splitter", "learn", "split_paper"]
