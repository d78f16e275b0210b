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
