"""A workload whose one group stands among its own keys, as in plans before version 4: in groups."""

from collections.abc import Mapping
from typing import Any

from loadstone.study.values.operation import Operation
from loadstone.study.values.steps import Exactly, MemberCheck, Send
from loadstone.text.json_pointer import tokens_of

_OF_THE_GROUP = ("group", "arrivals", "think", "session")


def in_groups(given: Any) -> Any:
    """What a workload is made of, its group apart; anything else as it is."""
    if not isinstance(given, Mapping) or "session" not in given:
        return given
    group = {key: given[key] for key in _OF_THE_GROUP if key in given}
    group["session"] = [_step(each) for each in given["session"]]
    rest = {key: value for key, value in given.items() if key not in _OF_THE_GROUP}
    return {**rest, "groups": [group], "is_flat": True}


def _step(given: Any) -> Any:
    if isinstance(given, Operation):
        return Send.of(given)
    if not isinstance(given, Mapping):
        return given
    check = dict(given.get("check") or {})
    members = check.pop("body_json", ())
    send = Send.of(Operation.model_validate({**given, "check": check}))
    if not members:
        return send
    found = tuple(
        MemberCheck(pointer=tokens_of(each["pointer"]), expect=Exactly(value=each["value"]))
        for each in members
    )
    return send.model_copy(update={"check": send.check.model_copy(update={"members": found})})
