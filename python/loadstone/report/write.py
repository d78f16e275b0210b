"""Writes the report into its results folder: everything is rendered before anything is replaced."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from loadstone.analysis.model import Analysis
from loadstone.errors import InputError
from loadstone.findings.model import Finding
from loadstone.report.charts.images import Image
from loadstone.report.page.html import render_html
from loadstone.report.page.markdown import render_markdown
from loadstone.report.tables.csv_tables import render_published, render_tables
from loadstone.results.environment import Environment
from loadstone.results.write import is_out_of_room, unwritable
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published
from loadstone.uncollected import uncollected

HTML, MARKDOWN, TABLES, CHARTS = "report.html", "report.md", "tables", "charts"


@uncollected()
def write_report(
    directory: Path,
    analysis: Analysis,
    findings: tuple[Finding, ...],
    plan: Plan,
    environment: Environment,
    published: Published | None = None,
) -> Path:
    """Write `report.html`, `report.md` and `tables/*.csv`, each file whole or not at all.

    `published` is what the results folder holds of published rows.

    Returns the path of the HTML file. Raises `InputError` with the path that cannot be written,
    `RecordsUnwritable` where the disk is full.
    """
    tables = render_tables(analysis, findings) | render_published(analysis, plan, published)
    files = {
        directory / HTML: render_html(analysis, findings, plan, environment, published),
        directory / MARKDOWN: render_markdown(analysis, findings, plan, environment, published),
    } | {directory / TABLES / name: text for name, text in tables.items()}
    for path, text in files.items():
        _write(path, text.encode())
    return directory / HTML


def write_images(
    directory: Path, images: Sequence[Image], say: Callable[[int, int], None]
) -> tuple[Path, ...]:
    """Write `charts/<name>.svg` and `.png` of each; `say` is called with how many are done of how many.

    Errors as of `write_report`.
    """
    written = []
    for index, image in enumerate(images):
        say(index, len(images))
        stem = directory / CHARTS / image.name
        for suffix, content in ((".svg", image.svg.encode()), (".png", image.png())):
            path = stem.with_name(stem.name + suffix)
            _write(path, content)
            written.append(path)
    return tuple(written)


def _write(path: Path, content: bytes) -> None:
    """The file, and the folder that it stands in where that is missing in a results folder."""
    try:
        if path.parent.name in (TABLES, CHARTS):
            path.parent.mkdir(exist_ok=True)
        _replace(path, content)
    except OSError as error:
        if is_out_of_room(error):
            raise unwritable(path, error.strerror) from error
        raise InputError(
            f"cannot be written: {error.strerror}",
            path=path,
            remedy="give a results folder that exists and that you may write to",
        ) from error


def _replace(path: Path, content: bytes) -> None:
    """A reader sees the old file or the new one, never a part."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as temporary:
        partial = Path(temporary.name)
        try:
            temporary.write(content)
            temporary.flush()
            os.fsync(temporary.fileno())
        except BaseException:
            partial.unlink()
            raise
    try:
        partial.chmod(0o644)
        partial.replace(path)
    except OSError:
        partial.unlink()
        raise
