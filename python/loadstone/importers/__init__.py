"""Results of other tools as run records: one file per format, listed in `registry.py`.

A format is read request by request (`k6.py`), which `recorder.py` turns into the files that the engine
writes for a run of our own. What a format does not tell is absent there, never made up.
"""
