"""The documentation as a site: every page and every link of it, and nothing from the network."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("sphinx", reason="Sphinx is not here: run `make setup-development`")

CHECKOUT = Path(__file__).resolve().parents[2]
LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src")}
"""Elements and attributes that a browser fetches by itself."""
OTHERS = {"_downloads", "_static"}
"""Folders whose files are no pages of the site: reports, and the parts of the theme."""


class Page(HTMLParser):
    """What a page refers to, and the places in it that can be referred to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id":
                self.anchors.add(value)
            if (tag, name) == ("a", "href"):
                self.links.append(value)
            if (tag, name) in LOADED:
                self.loaded.append(value)


def build(checkout: Path, site: Path) -> "subprocess.CompletedProcess[str]":
    """Build the site of a checkout, as `make docs` does."""
    makefile = (CHECKOUT / "Makefile").read_text()
    found = re.search(r"sphinx-build (.*?) --doctree-dir \S+ \. site$", makefile, re.MULTILINE)
    assert found, "the Makefile calls sphinx-build in another way"
    words = ["-m", "sphinx", *found[1].split(), "--doctree-dir", str(site.with_name("doctrees"))]
    return subprocess.run(
        [sys.executable, *words, ".", str(site)],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("documentation") / "site"
    built = build(CHECKOUT, site)
    assert built.returncode == 0, built.stderr
    return site


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html") if not OTHERS & set(path.parts)}


def test_every_file_of_the_documentation_is_a_page(site: Path) -> None:
    files = [*(CHECKOUT / "docs").rglob("*.md"), *CHECKOUT.glob("systems/*/SPEC.md")]
    for file in (*files, CHECKOUT / "CONTRIBUTING.md", CHECKOUT / "CHANGELOG.md"):
        assert (site / file.relative_to(CHECKOUT)).with_suffix(".html").is_file(), file


def test_the_address_of_the_site_leads_to_its_first_page(site: Path) -> None:
    assert "url=docs/index.html" in (site / "index.html").read_text()
    assert (site / "docs" / "index.html").is_file()


def test_every_link_leads_to_a_file_of_the_site_and_a_place_in_it(pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), f"{path}: {link}"
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].anchors, f"{path}: {link}"


def test_no_page_loads_anything_from_the_network(pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        for link in page.loaded:
            assert not urlsplit(link).netloc, f"{path}: {link}"


def test_it_can_be_searched_without_a_server(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    assert "gateway" in index


@pytest.mark.parametrize(
    ("text", "told"),
    [("[gone](gone.md)", "gone.md"), ("[there](index.md#nowhere)", "nowhere")],
)
def test_a_link_that_leads_nowhere_fails_the_build(tmp_path: Path, text: str, told: str) -> None:
    checkout = tmp_path / "checkout"
    shutil.copytree(CHECKOUT / "docs" / "site", checkout / "docs" / "site")
    shutil.copy(CHECKOUT / "pyproject.toml", checkout)
    page = checkout / "docs" / "index.md"
    page.write_text("# Page\n\n## Part\n\n[part](#part)\n")
    whole = build(checkout, tmp_path / "whole" / "site")
    assert whole.returncode == 0, whole.stderr
    page.write_text(f"{page.read_text()}\n{text}\n")
    broken = build(checkout, tmp_path / "broken" / "site")
    assert broken.returncode != 0
    assert told in broken.stderr
