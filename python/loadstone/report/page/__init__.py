"""The report as one page: HTML and Markdown."""
