"""What the page's script unpacks before it draws: deflated text, in letters that HTML leaves alone.

Drawing data and drawing library are most of a large page, and shrink to a third. A browser inflates
them by itself (`DecompressionStream`); one that cannot shows the static pictures.
"""

import zlib
from base64 import b64encode


def deflated(text: str) -> str:
    """Base64 of the zlib stream of the text's UTF-8. No character of it can end an element."""
    return b64encode(zlib.compress(text.encode(), 9)).decode()
