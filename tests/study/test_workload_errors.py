"""Workload files that are wrong: each is refused with its file, line and key, and what to do."""

import pytest
from small_lab import BUSY, SmallLab, refuse_workload

CASES = {
    "a purpose that is no operation": (
        "kind: load\n",
        "kind: load\npurpose: bye\n",
        "busy.yaml:3: purpose: bye is no operation of busy",
    ),
    "another name than the file's": (
        "workload: busy",
        "workload: bussy",
        "busy.yaml:1: workload: is bussy, and the file is busy.yaml",
    ),
    "another kind": (
        "kind: load",
        "kind: soak",
        "busy.yaml:2: kind: must be 'load' or 'footprint', not 'soak'",
    ),
    "starts with users": (
        "kind: load",
        "kind: startup",
        "busy.yaml:3: group: is not a known key",
    ),
    "a load that rests": (
        "users: 50",
        "users: 50\nrest: 1s",
        "busy.yaml:5: rest: is only for a footprint",
    ),
    "neither users nor rate": ("users: 50\n", "", "busy.yaml:1: users or rate is missing"),
    "users and rate": (
        "users: 50",
        "users: 50\nrate: {per_second: 1, connections: 1}",
        "busy.yaml:5: rate: users and rate exclude each other",
    ),
    "no user": ("users: 50", "users: 0", "busy.yaml:4: users: must be 1 or more, not 0"),
    "too many users": ("users: 50", "users: 65536", "busy.yaml:4: users: must be 65535 or less"),
    "half a user": (
        "users: 50",
        "users: 1.5",
        "busy.yaml:4: users: must be a whole number, not 1.5",
    ),
    "no stages": ("users: 50", "users: {stages: []}", "busy.yaml:4: users.stages: must not be"),
    "a stage without a time": (
        "users: 50",
        "users:\n  stages:\n    - {to: 20, over: 1s}\n    - {to: 30}",
        "busy.yaml:7: users.stages[1]: has either to and over, or up and over, or hold",
    ),
    "a stage that holds and goes": (
        "users: 50",
        "users: {stages: [{to: 20, over: 1s, hold: 1s}]}",
        "busy.yaml:4: users.stages[0]: has either to and over, or up and over, or hold",
    ),
    "nothing to hold": (
        "users: 50",
        "users: {stages: [{hold: 1s}]}",
        "busy.yaml:4: users.stages[0].hold: there is nothing to hold yet",
    ),
    "a stage with an unknown key": (
        "users: 50",
        "users:\n  stages:\n  - to: 20\n    ovr: 10s",
        "busy.yaml:7: users.stages[0].ovr: is not a known key",
    ),
    "a stage of half a user": (
        "users: 50",
        "users: {stages: [{to: 2.5, over: 1s}]}",
        "busy.yaml:4: users.stages[0].to: must be a whole number of users",
    ),
    "a stage of too many users": (
        "users: 50",
        "users: {stages: [{to: 65536, over: 1s}]}",
        "busy.yaml:4: users.stages[0].to: must be a whole number of users up to 65535, not 65536",
    ),
    "stages without anybody": (
        "users: 50",
        "users: {stages: [{to: 0, over: 1s}]}",
        "busy.yaml:4: users.stages: never rise above 0",
    ),
    "stages that last too long": (
        "users: 50",
        "users: {stages: [{to: 20, over: 8s}, {hold: 3s}]}",
        "busy.yaml:4: users.stages: last longer than duration",
    ),
    "a rate twice": (
        "users: 50",
        "rate: {per_second: 5, stages: [{to: 20, over: 1s}], connections: 1}",
        "busy.yaml:4: rate: has either per_second or stages",
    ),
    "a rate without a number": (
        "users: 50",
        "rate: {connections: 1}",
        "busy.yaml:4: rate: has either per_second or stages",
    ),
    "a word for Poisson": (
        "users: 50",
        "rate:\n  poisson: 'yes'\n  per_second: 1\n  connections: 1",
        "busy.yaml:5: rate.poisson: must be true or false, not 'yes'",
    ),
    "no rate": (
        "users: 50",
        "rate: {per_second: 0, connections: 1}",
        "busy.yaml:4: rate.per_second: must be more than 0, not 0",
    ),
    "a rate without connections": (
        "users: 50",
        "rate: {per_second: 10}",
        "busy.yaml:4: rate.connections: is missing",
    ),
    "no groups": ("group: buyers", "groups: []", "busy.yaml:3: groups: must not be empty"),
    "no pause": ("users: 50", "users: 50\nthink: 0s", "busy.yaml:5: think: must be more than zero"),
    "a pause without a unit": (
        "users: 50",
        "users: 50\nthink: 5",
        "busy.yaml:5: think: 5 has no unit of time",
    ),
    "a pause of two distributions": (
        "users: 50",
        "users: 50\nthink: {constant: 1s, exponential: 1s}",
        "busy.yaml:5: think: has exactly one of constant, uniform and exponential",
    ),
    "a pause of no distribution": (
        "users: 50",
        "users: 50\nthink: {}",
        "busy.yaml:5: think: has exactly one of constant, uniform and exponential",
    ),
    "a pause of another distribution": (
        "users: 50",
        "users: 50\nthink:\n  exponentional: 1s",
        "busy.yaml:6: think.exponentional: is not a known key",
    ),
    "a uniform pause with one limit": (
        "users: 50",
        "users: 50\nthink: {uniform: [1s]}",
        "busy.yaml:5: think.uniform: must have at least 2 entries, not 1",
    ),
    "a uniform pause with three limits": (
        "users: 50",
        "users: 50\nthink: {uniform: [1s, 2s, 3s]}",
        "busy.yaml:5: think.uniform: must have at most 2 entries, not 3",
    ),
    "a uniform pause the wrong way round": (
        "users: 50",
        "users: 50\nthink: {uniform: [2s, 1s]}",
        "busy.yaml:5: think.uniform: the first must be shorter than the second",
    ),
    "no stream": ("users: 50", "users: 50\nstreams: 0", "busy.yaml:5: streams: must be 1 or more"),
    "streams on a connection for each request": (
        "users: 50",
        "users: 50\nnew_connections: true\nstreams: 2",
        "busy.yaml:6: streams: a connection for each request carries only one",
    ),
    "too many requests in flight": (
        "users: 50",
        "users: 50000\nstreams: 21",
        "busy.yaml:5: streams: with 50000 connections that is more than 1000000 requests in flight",
    ),
    "too many redirects": (
        "users: 50",
        "users: 50\nredirects: 21",
        "busy.yaml:5: redirects: must be 20 or less",
    ),
    "a feed without a name": (
        "users: 50",
        "users: 50\nfeed: a.csv",
        "busy.yaml:5: feed: must be a mapping, not 'a.csv'",
    ),
    "an unknown stop rule": (
        "users: 50",
        "users: 50\nstop:\n  first_tmeout: true",
        "busy.yaml:6: stop.first_tmeout: is not a known key",
    ),
    "a stop rule without a time": (
        "users: 50",
        "users: 50\nstop:\n  failures: {above: 50%}",
        "busy.yaml:6: stop.failures.for: is missing",
    ),
    "a stop rule for part of a second": (
        "users: 50",
        "users: 50\nstop:\n  mean_response_time: {above: 1s, for: 500ms}",
        "busy.yaml:6: stop.mean_response_time.for: must be whole seconds, not 500ms",
    ),
    "a stop rule that cannot fire": (
        "users: 50",
        "users: 50\nstop:\n  failures: {above: 100%, for: 1s}",
        "busy.yaml:6: stop.failures.above: there are never more failures than 100%",
    ),
    "no method": (
        "    post: /buy\n",
        "",
        "busy.yaml:8: session[0]: an operation has exactly one method, not none",
    ),
    "two methods": (
        "post: /buy",
        "post: /buy\n    get: /buy",
        "busy.yaml:9: session[0].post: an operation has exactly one method, not get and post",
    ),
    "a path without a slash": (
        "post: /buy",
        "post: buy",
        "busy.yaml:9: session[0].post: 'buy' is not a path",
    ),
    "a whole URL": (
        "post: /buy",
        "post: http://example.org/",
        "busy.yaml:9: session[0].post: 'http://example.org/' is not a path",
    ),
    "a path with a fragment": (
        "post: /buy",
        "post: /buy#top",
        "busy.yaml:9: session[0].post: '/buy#top' is not a path",
    ),
    "a path that smuggles a header": (
        "post: /buy",
        'post: "/buy HTTP/1.1\\r\\nHost: x"',
        "busy.yaml:9: session[0].post: '/buy HTTP/1.1\\r\\nHost: x' is not a path",
    ),
    "a template in a path": (
        "post: /buy",
        "post: /buy/{{id}}",
        "busy.yaml:9: session[0].post: id is not known here",
    ),
    "a template in a header": (
        '{accept: "*/*"}',
        '{accept: "{{ user.token }}"}',
        "busy.yaml:10: session[0].headers.accept: user.token is not known here",
    ),
    "a template in a body": (
        "payload: {kind: array, bytes: 50}",
        'json: {a: "{{user.email}}"}',
        "busy.yaml:11: session[0].json.a: user.email is not known here",
    ),
    "a header that smuggles another": (
        '"*/*"',
        '"*/*\\r\\nx: y"',
        "busy.yaml:10: session[0].headers.accept: the value must be visible ASCII",
    ),
    "a header whose name is none": (
        "{accept:",
        "{'a b':",
        "busy.yaml:10: session[0].headers.a b: is not the name of a header",
    ),
    "a header that the engine writes": (
        "{accept:",
        "{Content-Length:",
        "busy.yaml:10: session[0].headers.Content-Length: is written by the engine",
    ),
    "a header twice in two cases": (
        "{accept:",
        "{Accept: a/b, accept:",
        "busy.yaml:10: session[0].headers.accept: is there twice, in another case",
    ),
    "a number as a header's value": (
        '"*/*"',
        "5",
        "busy.yaml:10: session[0].headers.accept: must be text, not 5",
    ),
    "two bodies": (
        "post: /buy",
        "post: /buy\n    body: text",
        "busy.yaml:10: session[0].body: the body is given twice, by payload and body",
    ),
    "a HEAD request with a body": (
        "post: /buy",
        "head: /buy",
        "busy.yaml:8: session[0]: a HEAD request has no body",
    ),
    "an unknown payload": (
        "kind: array",
        "kind: object",
        "busy.yaml:11: session[0].payload.kind: must be 'array' or 'simple', not 'object'",
    ),
    "a payload below 50 bytes": (
        "bytes: 50}",
        "bytes: 49}",
        "busy.yaml:11: session[0].payload.bytes: must be 50 or more, not 49",
    ),
    "a payload that fills the memory": (
        "bytes: 50}",
        "bytes: 99999999999}",
        "busy.yaml:11: session[0].payload.bytes: must be 16777216 or less",
    ),
    "a status that is none": (
        "status: 200",
        "status: 42",
        "busy.yaml:12: session[0].check.status: must be 200 or more, not 42",
    ),
    "an empty text to be contained": (
        "body_contains: 50B",
        "body_contains: ''",
        "busy.yaml:12: session[0].check.body_contains: must not be empty",
    ),
    "an operation's name twice": (
        "session:\n",
        "session:\n  - {operation: buy, get: /}\n",
        "busy.yaml:9: session[1].operation: buy is the name of an earlier operation",
    ),
    "no operation": (
        BUSY[BUSY.index("session:") :],
        "session: []\n",
        "busy.yaml:7: session: must not be empty",
    ),
    "33 operations": (
        "session:\n",
        "session:\n" + "".join(f"  - {{operation: o{n}, get: /}}\n" for n in range(32)),
        "busy.yaml:7: session: has 33 cells, 32 at most",
    ),
}


@pytest.mark.parametrize(("old", "new", "message"), CASES.values(), ids=CASES.keys())
def test_a_wrong_workload_is_refused_with_file_line_and_key(
    lab: SmallLab, old: str, new: str, message: str
) -> None:
    refuse_workload(lab, old, new, message)
