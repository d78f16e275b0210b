"""The engine as a client of h2specd, which answers with frames that break a rule, and judges what the
client makes of them.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from certificates import Certificates
from h2spec_run import judge_client
from load import ENGINE, SECOND_NS, Load
from operations import ECHO

CLIENT = Path(__file__).parent / "h2spec" / "client.sh"

STAYS_NS = 1 * SECOND_NS
"""How long the engine stays. h2specd gives a case 3 s in all, from the start of the client to its end,
and ends its whole run with the first that takes longer: a client that needs a second or two to start,
as a command in Python may beside other work, ends it wherever it happens to be late.
"""

CASES = {
    **{"1": 1, "4.1": 3, "4.2": 3, "4.3": 1, "5.1": 11, "5.4": 2, "5.5": 1, "6.1": 3, "6.2": 3},
    **{"6.3": 2, "6.4": 3, "6.5": 8, "6.7": 4, "6.8": 1, "6.9": 5, "6.10": 6},
}
"""How many cases each section has, so that none is lost: 57 in all."""


@pytest.mark.parametrize("section", CASES)
@pytest.mark.parametrize(
    ("protocol", "event_loop"), [("h2c", "epoll"), ("h2c", "io_uring"), ("h2", "auto")]
)
def test_what_breaks_a_rule_of_http_2_is_answered_as_the_rule_says(
    certificates: Certificates,
    roots: dict[str, Any],
    subtests: pytest.Subtests,
    tmp_path: Path,
    protocol: str,
    event_loop: str,
    section: str,
) -> None:
    # One request, and then a pause until the end: an ended stream may be spoken of, too.
    load = Load(0, protocol, [ECHO], None, event_loop, tls=roots, think_ns=60 * SECOND_NS)
    load.keys["target"] = {"address": "@address@", "host": "@address@"}
    load.keys |= {"duration_ns": STAYS_NS, "grace_ns": 0}
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(load.plan()))
    command = ["sh", str(CLIENT), str(plan), str(ENGINE), str(tmp_path)]
    secured = certificates.folder if protocol == "h2" else None
    cases = judge_client(command, section, secured)
    assert len(cases) == CASES[section]
    for case in cases.values():
        with subtests.test(case.id):
            assert case.state == "passed", case
