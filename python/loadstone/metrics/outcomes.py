"""What becomes of a request: a closed set, the same in the engine, the record and the report."""

from enum import StrEnum


class Outcome(StrEnum):
    """The outcome of one offered request. `offered` is the sum over all of them, always."""

    OK = "ok"
    CONNECT = "connect"
    TLS = "tls"
    SEND = "send"
    READ = "read"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    STATUS = "status"
    CHECK = "check"
    NOT_SENT = "not_sent"
    UNANSWERED = "unanswered"


class NotSent(StrEnum):
    """Why a request was never written."""

    NO_CONNECTION = "no_connection"
    NO_STREAM = "no_stream"
    NO_PLACE = "no_place"
    """As many sessions of the rate were open as the workload allows."""
    UNSENDABLE = "unsendable"
    """A value came into it that may not stand there."""


class Unreached(StrEnum):
    """Why a request that a session had before it was never offered."""

    ABORTED = "aborted"
    """An earlier step failed."""
    ENDED = "ended"
    """An answer ended the session, as its step allows."""
    CUT = "cut"
    """The load ended first, or the user left."""


class FailedCheck(StrEnum):
    """Which check of a step did not hold: of several the first, in this order."""

    STATUS = "status"
    CODING = "coding"
    """The body is not in the coding that its head tells."""
    JSON = "json"
    CAPTURE = "capture"
    """A value that later steps need is not in the answer."""
    HEADER = "header"
    TEXT = "text"


class Clock(StrEnum):
    """The times of one request."""

    RESPONSE_TIME = "response_time"
    """done - intended"""
    SERVICE_TIME = "service_time"
    """done - written"""
    LAG = "lag"
    """written - intended"""
    FIRST_BYTE = "first_byte"
    """first byte of the response - written"""
    ENGINE_LAG = "engine_lag"
    """The part of the lag that is the engine's own lateness."""


class SessionClock(StrEnum):
    """The time of one session."""

    SESSION_DURATION = "session_duration"
    """From the intended time of its first request to the end of its last answer."""


class ConnectionClock(StrEnum):
    """The times of opening one connection."""

    CONNECT = "connect"
    """Until TCP was established."""
    TLS = "tls"
    """The TLS handshake that follows."""


class LagCause(StrEnum):
    """What kept a request from being written when it was intended. Lag is the sum of the three."""

    NO_CONNECTION = "no_connection"
    """None was free: waiting for one, and connecting."""
    NO_STREAM = "no_stream"
    """The server allowed no further stream on its connection."""
    ENGINE = "engine"
    """The engine was late."""


class LimitCause(StrEnum):
    """By what the engine was the limit itself."""

    CPU = "cpu"
    """A worker computed nearly all the time."""
    STALL = "stall"
    """A worker was kept from running."""
    LATE = "late"
    """Requests were written late."""
    STEAL = "steal"
    """The hypervisor took its CPU away."""
