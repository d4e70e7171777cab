"""Run the replay server by hand."""

import argparse
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from replay import Recordings, ReplayServer, faults


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="replay", description="GROBID's manners, with answers recorded before. It is no GROBID."
    )
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--corpus", type=Path, help="folder of NAME.pdf with NAME.tei.xml")
    parser.add_argument("--tei", type=Path, help="folder with kelp.sentences.tei.xml: the answer for any other PDF")
    parser.add_argument("--profile", choices=("0.8", "0.9"), default="0.8")
    parser.add_argument("--concurrency", type=int, default=10)
    parser.add_argument("--latency", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--busy", type=float, default=0.0, metavar="SHARE", help="share of requests answered by 503")
    options = parser.parse_args()
    recordings = Recordings.of_corpus(options.corpus) if options.corpus else Recordings()
    if options.tei:
        recordings.for_any(options.tei)
    server = ReplayServer(
        recordings, port=options.port, profile=options.profile, concurrency=options.concurrency, latency=options.latency
    )
    if options.busy:
        server.script.add(faults.busy(), probability=options.busy)
    with server:
        print(f"{server.url}  ({len(recordings)} recordings)", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print(f"{sum(server.log.posts.values())} requests, at most {server.log.peak} at a time")


if __name__ == "__main__":
    main()
