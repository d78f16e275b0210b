"""The report as one HTML file: no request, every text escaped, readable without its script.

Two guards stand behind the escaping: the policy in the page's head allows its own style sheet and its
own script and the drawing library that this one unpacks, by digest, and nothing else; and only drawings
that `picture.py` made enter as markup.
"""

from base64 import b64encode
from hashlib import sha256

from jinja2 import Environment as Templates
from jinja2 import PackageLoader, StrictUndefined
from markupsafe import Markup

from loadstone import __version__
from loadstone.analysis.model import Analysis
from loadstone.findings.model import Finding
from loadstone.report.answers import places
from loadstone.report.charts.deflated import deflated
from loadstone.report.charts.vega_script import vega_script
from loadstone.report.labels import (
    ANSWERS_READING,
    DEVIATION,
    SIMULATED,
    STEADY_READING,
    STEADY_SPREAD,
    VARIATION,
    apdex_text,
    blocks_text,
    choice_text,
    design_notes,
    nothing_found,
    rerun_commands,
)
from loadstone.report.page.page import page
from loadstone.report.published import published_ramps, published_starts, published_table
from loadstone.report.tables import (
    engine_table,
    per_request_table,
    reproduction_table,
    session_table,
)
from loadstone.report.tables.answer_costs import ANSWER_COSTS_READING
from loadstone.results.environment import Environment
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published
from loadstone.text import units
from loadstone.text.plain import plain_model
from loadstone.text.words import capitalized, counted, spaced

ROWS_OPEN = 12
"""Rows of a table on factors or failures that is shown without being asked for."""
SUMMARY_ABOVE = 2
"""So many questions are answered on one screen; of more the first sentences come before the answers."""


def render_html(
    analysis: Analysis,
    findings: tuple[Finding, ...],
    plan: Plan,
    environment: Environment,
    published: Published | None = None,
) -> str:
    """The whole file. Same arguments, same bytes."""
    assets = PackageLoader("loadstone.report.page", "assets")
    templates = Templates(
        loader=assets,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= {
        "drawing": Markup,
        "deflated": deflated,
        "spaced": spaced,
        "percent": units.percent,
        "capitalized": capitalized,
    }
    style, _, _ = assets.get_source(templates, "report.css")
    script, _, _ = assets.get_source(templates, "report.js")
    library = vega_script()
    return templates.get_template("report.html.j2").render(
        page=page(
            plain_model(analysis),
            tuple(map(plain_model, findings)),
            plain_model(plan),
            environment,
            None if published is None else plain_model(published),
        ),
        style=Markup(style),
        style_digest=_digest(style),
        script=Markup(script),
        library=library,
        script_digests=(_digest(script), _digest(library)),
        commands=rerun_commands(plain_model(plan)),
        choice_text=choice_text,
        apdex_text=apdex_text,
        blocks_text=blocks_text,
        design_notes=design_notes,
        counted=counted,
        nothing_found=nothing_found,
        rows_open=ROWS_OPEN,
        summary_above=SUMMARY_ABOVE,
        strip_width=places.STRIP_WIDTH,
        answers_reading=ANSWERS_READING,
        per_request_title=per_request_table.TITLE,
        per_request_columns=per_request_table.COLUMNS,
        per_request_reading=per_request_table.READING,
        reproductions_columns=reproduction_table.COLUMNS,
        reproductions_reading=reproduction_table.READING,
        engines_columns=engine_table.COLUMNS,
        engines_reading=engine_table.READING,
        sessions_columns=session_table.COLUMNS,
        sessions_reading=session_table.READING,
        simulated=SIMULATED,
        published_caveat=published_table.CAVEAT,
        published_reading=published_table.READING,
        answer_costs_reading=ANSWER_COSTS_READING,
        starts_reading=published_starts.STARTS_READING,
        ramps_reading=published_ramps.RAMPS_READING,
        variation=VARIATION,
        steady_reading=STEADY_READING,
        steady_spread=STEADY_SPREAD,
        deviation=DEVIATION,
        version=__version__,
    )


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
