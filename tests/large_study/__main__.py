"""`python -m large_study FOLDER`: writes a large study, for benchmarks and for looking at."""

import argparse
import sys
from pathlib import Path

from large_study.write import write_study


def main() -> int:
    """Exit code 2 where the folder is there already."""
    parser = argparse.ArgumentParser(prog="python -m large_study", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--arms", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    if words.folder.exists():
        parser.error(f"{words.folder} is there already")
    write_study(
        words.folder,
        arms=words.arms,
        blocks=words.blocks,
        seconds=words.seconds,
        seed=words.seed,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
