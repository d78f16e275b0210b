"""The catalogue of metrics, and what requests can come to: names that every later layer uses."""
