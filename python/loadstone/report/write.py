"""Writes the report into its results folder: everything is rendered before anything is replaced."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from loadstone.analysis.model import Analysis, Finding
from loadstone.errors import InputError
from loadstone.report.html import render_html
from loadstone.report.markdown import render_markdown
from loadstone.report.tables import render_tables
from loadstone.results.write import is_out_of_room, unwritable
from loadstone.study.model import Plan

HTML, MARKDOWN, TABLES = "report.html", "report.md", "tables"


def write_report(
    directory: Path,
    analysis: Analysis,
    findings: tuple[Finding, ...],
    plan: Plan,
    environment: dict[str, Any],
) -> Path:
    """Write `report.html`, `report.md` and `tables/*.csv`, each file whole or not at all.

    Returns the path of the HTML file. Raises `InputError` with the path that cannot be written,
    `RecordsUnwritable` where the disk is full.
    """
    files = {
        directory / HTML: render_html(analysis, findings, plan, environment),
        directory / MARKDOWN: render_markdown(analysis, findings, plan, environment),
    } | {
        directory / TABLES / name: text for name, text in render_tables(analysis, findings).items()
    }
    for path, text in files.items():
        try:
            if path.parent != directory:
                path.parent.mkdir(exist_ok=True)
            _replace(path, text)
        except OSError as error:
            if is_out_of_room(error):
                raise unwritable(path, error.strerror) from error
            raise InputError(
                f"cannot be written: {error.strerror}",
                path=path,
                remedy="give a results folder that exists and that you may write to",
            ) from error
    return directory / HTML


def _replace(path: Path, text: str) -> None:
    """A reader sees the old file or the new one, never a part."""
    with NamedTemporaryFile(
        "w", encoding="utf-8", newline="", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as temporary:
        partial = Path(temporary.name)
        try:
            temporary.write(text)
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
