"""Tables, charts and one HTML file, from what the analysis says."""
