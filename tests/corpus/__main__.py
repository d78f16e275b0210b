"""`python -m corpus`: holds the audit against the corpus, and prints the table."""

import argparse
import sys

from corpus.outcome import acquittals, detections, totals
from corpus.table import lines
from corpus.trials import KINDS, trials, try_all


def main() -> int:
    """Exit code 1 where a bar is missed, 2 where nothing was chosen."""
    parser = argparse.ArgumentParser(prog="python -m corpus", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="of each simulated kind")
    parser.add_argument("--live-seeds", type=int, default=2, help="of each kind with a real server")
    parser.add_argument("--only", default="", help="kinds whose name contains this text")
    words = parser.parse_args()
    chosen = [kind for kind in KINDS.values() if words.only in kind.kind]
    listed = [
        *trials([kind for kind in chosen if not kind.live], words.seeds),
        *trials([kind for kind in chosen if kind.live], words.live_seeds),
    ]
    if not listed:
        parser.error("no kind was chosen")
    results = []
    for count, tried in enumerate(try_all(listed), start=1):
        results.append(tried)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{count} of {len(listed)}")
    found, acquitted = detections(results), acquittals(results)
    sums = totals(found, acquitted)
    sys.stdout.write("".join(line + "\n" for line in lines(found, acquitted, sums)))
    return 0 if sums.hold else 1


if __name__ == "__main__":
    sys.exit(main())
