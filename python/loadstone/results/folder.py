"""Names of the files in a results folder: their one home.

A results folder is `results/<study>-<UTC time>/`; reading what is in it is `read.py`.
"""

STUDY = "study.yaml"
PLAN = "plan.json"
ENVIRONMENT = "environment.json"
PUBLISHED = "published.json"
"""Only of a system of which something is published."""
LOOKS = "looks.json"
"""Only of an adaptive study that has looked."""
ASSIGNMENTS = "assignments.json"
"""Only of a study on several machines."""
RUNS = "runs"
"""One folder per run, named by the run's id."""
FETCHED = ".fetched"
"""What comes from other machines, until it is whole."""
LOST = "lost"
"""Runs of blocks that were done again elsewhere, whole: below the site and its attempt."""

RECORD = "run.json"
HISTOGRAMS = "histograms.hlog"
TIMELINE = "timeline.ndjson"
SAMPLES = "samples.ndjson"
REQUESTS = "requests.bin"
"""Only where every request is kept."""
USERS = "users.json"
RESOURCES = "resources.parquet"
ENGINES = "engines"
"""Only of a run with engines on machines of their own: the files of each, below its machine."""
APART = "apart"
"""Only of a run with parts of the system on machines of their own: what was seen of each machine, below
its name.
"""
LOGS = "logs"
WARMING = "warming"
"""The engine's files of a load that made services warm, with its own resources."""

FINDINGS = "findings.json"
ANALYSIS = "analysis.json"
REPORT_HTML = "report.html"
REPORT_MARKDOWN = "report.md"
TABLES = "tables"
