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
RUNS = "runs"
"""One folder per run, named by the run's id."""

RECORD = "run.json"
HISTOGRAMS = "histograms.hlog"
TIMELINE = "timeline.ndjson"
SAMPLES = "samples.ndjson"
REQUESTS = "requests.bin"
"""Only where every request is kept."""
USERS = "users.json"
RESOURCES = "resources.parquet"
LOGS = "logs"

FINDINGS = "findings.json"
ANALYSIS = "analysis.json"
REPORT_HTML = "report.html"
REPORT_MARKDOWN = "report.md"
TABLES = "tables"
