import subprocess
import sys
from pathlib import Path

CRASHING = """
from loadstone.cli import conclude, main

def crash(*arguments, **options):
    raise RuntimeError("what nobody thought of")

conclude.conclude = crash
main.main()
"""


def test_a_crash_is_no_verdict(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", CRASHING, "report", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert "RuntimeError" in ended.stderr
    assert "what nobody thought of" in ended.stderr
