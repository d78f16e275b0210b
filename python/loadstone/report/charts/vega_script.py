"""The drawing library that a page carries: Vega, as one script, from the package that draws here too.

So page and pictures are drawn by the same version, and nothing is fetched from anywhere.
"""

from functools import cache

import vl_convert

_SNIPPET = "window.vegaEmbed = vegaEmbed;"


@cache
def vega_script() -> str:
    """A script that sets `window.vegaEmbed`. Always the same for one version of the package."""
    return vl_convert.javascript_bundle(_SNIPPET)
