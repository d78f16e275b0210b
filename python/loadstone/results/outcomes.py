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

    SHED = "shed"
    NO_CONNECTION = "no_connection"
    NO_STREAM = "no_stream"


class Clock(StrEnum):
    """The three clocks: done - intended, done - written, written - intended."""

    RESPONSE_TIME = "response_time"
    SERVICE_TIME = "service_time"
    LAG = "lag"
