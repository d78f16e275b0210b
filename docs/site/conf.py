"""The documentation as a site, built by Sphinx: `make docs`.

The folder of sources is the checkout itself, so that a link between two files leads on the site where it
leads in the repository: a page to its page, any other file to a copy of it. A link that leads nowhere is
a warning, and `make docs` fails for it.
"""

import tomllib
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]

project = "Loadstone"
version = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["version"]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "docs/index"
include_patterns = ["docs/**/*.md", "docs/*.md", "systems/*/SPEC.md", "CHANGELOG.md", "CONTRIBUTING.md"]
# Neither what is hidden or built, nor a stack: there are no pages, and thousands of files.
exclude_patterns = [".*", "dist", "results", "site", "target", "systems/*/*/*", "**/node_modules"]

myst_heading_anchors = 6  # links lead to headings, as on the pages of a repository
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # templates such as {{user.email}} are not YAML

html_theme = "pydata_sphinx_theme"
html_title = f"{project} {version}"
html_theme_options = {
    "navbar_center": [],
    "navbar_end": ["theme-switcher"],
    "show_prev_next": False,
    "footer_start": [],
    "footer_end": [],
}
html_extra_path = ["start"]  # the address of the site itself leads to its first page
html_copy_source = False
html_use_index = False
