"""The drawing library that a page carries: Vega, as one script, from the package that draws here too.

So page and pictures are drawn by the same version, and nothing is fetched from anywhere.
"""

from functools import cache
from hashlib import sha256
from importlib.metadata import version

import numpy as np
import vl_convert

from loadstone.results import cache as kept_arrays

_SNIPPET = "window.vegaEmbed = vegaEmbed;"


@cache
def vega_script() -> str:
    """A script that sets `window.vegaEmbed`. Always the same for one version of the package, which
    takes more than a second to put it together: so it is kept.
    """
    digest = sha256(f"{version('vl-convert-python')}\0{_SNIPPET}".encode()).hexdigest()
    kept = kept_arrays.fetch(digest)
    if kept is not None:
        return kept["script"].tobytes().decode()
    script = vl_convert.javascript_bundle(_SNIPPET)
    kept_arrays.keep(digest, {"script": np.frombuffer(script.encode(), dtype=np.uint8)})
    return script
