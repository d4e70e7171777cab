"""The identity of a pair."""

from __future__ import annotations

from hashlib import blake2b

from miner.records import Strategy


def pair_key(md5: str, premise: str, hypothesis_original: str, strategy: Strategy) -> str:
    """32 hex digits that name the pair: the paper, both sentences as the paper has them, and how they met.

    BLAKE2b, 16 bytes, of the four in UTF-8 with a NUL between. It holds no settings, so a person's answer finds its pair again
    after mining with others.
    """
    return blake2b("\0".join((md5, premise, hypothesis_original, strategy)).encode(), digest_size=16).hexdigest()
