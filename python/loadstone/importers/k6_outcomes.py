"""What became of a request of k6: from its error code, its status, and whether k6 expected that.

Codes: https://grafana.com/docs/k6/latest/javascript-api/error-codes/. An answer is a failure where k6's
response callback says so (`expected_response`, `http_req_failed`), by default from status 400 on.
"""

from loadstone.metrics.outcomes import Outcome

_BY_HUNDRED = {
    10: Outcome.READ,
    11: Outcome.CONNECT,
    12: Outcome.READ,
    13: Outcome.TLS,
    16: Outcome.PROTOCOL,
    17: Outcome.PROTOCOL,
}
"""General, DNS, TCP, TLS, HTTP/2, content. What k6 calls general is mostly an end of the connection
before the answer; 14 and 15 are statuses."""
_BY_CODE = {
    1010: Outcome.CONNECT,
    1020: Outcome.PROTOCOL,
    1050: Outcome.TIMEOUT,
    1201: Outcome.SEND,
    **dict.fromkeys(range(1210, 1220), Outcome.CONNECT),
}
"""A lookup that failed, an invalid URL, no answer in time, a broken pipe, dialling."""
_STATUSES = range(1400, 1600)
_FIRST_ERROR_STATUS = 400


def outcome_of(
    *, code: str, status: str, error: str, expected: str, failed: bool | None
) -> Outcome:
    """The outcome of a request by its tags and, where there is one, its `http_req_failed`."""
    if code and not (code.isdecimal() and int(code) in _STATUSES):
        known = int(code) if code.isdecimal() else 1000
        return _BY_CODE.get(known) or _BY_HUNDRED.get(known // 100, Outcome.READ)
    if status in ("", "0") and not code:
        # No answer, and no code that says why: an old k6, or a cancelled request.
        return Outcome.READ if error or status == "0" or failed else Outcome.OK
    if failed is not None or expected:
        return Outcome.STATUS if failed or expected == "false" else Outcome.OK
    is_error = bool(code) or (status.isdecimal() and int(status) >= _FIRST_ERROR_STATUS)
    return Outcome.STATUS if is_error else Outcome.OK
