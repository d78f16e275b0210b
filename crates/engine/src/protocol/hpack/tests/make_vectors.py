"""Makes `vectors.json`: header blocks of an independent implementation, the package `hpack`.

`pip install hpack==4.2.0`, then `python make_vectors.py > vectors.json`. Its encoder inserts and
evicts, takes names from the dynamic table, codes some strings by Huffman and resizes the table.
"""

import json
import random
import string
import sys

from hpack import Encoder, NeverIndexedHeaderTuple

SEED = 20_260_321
STORIES = 12
BLOCKS = 12
NAMES = [":status", "date", "server", "set-cookie", "content-type", "x-request-id", "x-cache"]
TABLE_SIZES = [0, 64, 100, 256, 1_000, 4_096]


def value(source: random.Random) -> str:
    """A value of letters, of any bytes, or one of few that come again."""
    kind = source.random()
    if kind < 0.5:
        return source.choice(["200", "404", "nginx", "text/html", "hit", ""])
    letters = string.printable if kind < 0.9 else "".join(map(chr, range(256)))
    return "".join(source.choices(letters, k=source.randrange(60)))


def story(source: random.Random) -> list[dict[str, object]]:
    """Blocks of one connection."""
    encoder = Encoder()
    blocks: list[dict[str, object]] = []
    for _ in range(BLOCKS):
        if source.random() < 0.25:
            for _ in range(source.randrange(1, 3)):
                encoder.header_table_size = source.choice(TABLE_SIZES)
        fields = [(source.choice(NAMES), value(source)) for _ in range(source.randrange(1, 7))]
        encoded = encoder.encode(
            [
                NeverIndexedHeaderTuple(name.encode(), text.encode("latin-1"))
                if source.random() < 0.1
                else (name.encode(), text.encode("latin-1"))
                for name, text in fields
            ],
            huffman=source.random() < 0.7,
        )
        blocks.append({"block": encoded.hex(), "fields": fields})
    return blocks


if __name__ == "__main__":
    source = random.Random(SEED)
    stories = [json.dumps(story(source)) for _ in range(STORIES)]
    sys.stdout.write("[\n" + ",\n".join(stories) + "\n]\n")
