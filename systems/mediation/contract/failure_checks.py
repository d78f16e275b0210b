"""PT-17 to PT-20: failures of the upstream, and requests that are none of the gateway's."""

from functools import partial
from secrets import token_hex

from loadstone.contract import declare
from loadstone.contract.expect import expect_equal
from loadstone.contract.scripts import break_unanswered, close_unanswered
from loadstone.contract.subject import Subject

from .lib.gateway import (
    JSON,
    OTHER_METHODS,
    expect_bad_gateway,
    expect_broken,
    expect_next_echo,
    expect_not_allowed,
)

check = partial(declare.check, operation="passthrough")

PATH = "/passthrough"

OTHER_PATHS = ("/", "/passthrough/", "/PassThrough", "/passthroughs", "/passthrough/x", "/a")


@check("PT-17", "an upstream that refuses gives 502, and the gateway goes on", needs_upstream=True)
def refused(subject: Subject) -> None:
    with subject.upstream.away(subject.deadline):
        expect_bad_gateway(subject.ask(PATH, [JSON], b"{}"))
        expect_bad_gateway(subject.ask(PATH, [JSON], token_hex(8).encode()))
    expect_next_echo(subject, PATH)


@check("PT-17", "an upstream that closes unanswered gives 502", needs_upstream=True)
def closed(subject: Subject) -> None:
    subject.upstream.answer_with(close_unanswered)
    expect_bad_gateway(subject.ask(PATH, [JSON], b"{}"))
    expect_next_echo(subject, PATH)


@check("PT-17", "an upstream that resets unanswered gives 502", needs_upstream=True)
def reset(subject: Subject) -> None:
    subject.upstream.answer_with(break_unanswered)
    expect_bad_gateway(subject.ask(PATH, [JSON], b"{}"))
    expect_next_echo(subject, PATH)


@check("PT-18", "an answer that ends before its length is seen as broken", needs_upstream=True)
def cut_by_length(subject: Subject) -> None:
    expect_broken(subject, PATH, b"{}", chunked=False)
    expect_next_echo(subject, PATH)


@check("PT-18", "an answer that ends without its last chunk is seen as broken", needs_upstream=True)
def cut_by_chunks(subject: Subject) -> None:
    expect_broken(subject, PATH, b"{}", chunked=True)
    expect_next_echo(subject, PATH)


@check("PT-19", "another path is 404", quick=True)
def other_path(subject: Subject) -> None:
    for path in ("/nothing-here", f"{PATH}/"):
        expect_equal(subject.ask(path, [JSON], b"{}").status, 404, f"the status of {path}")


@check("PT-19", "paths are compared exactly, and the upstream sees none", needs_upstream=True)
def exact_paths(subject: Subject) -> None:
    left_out = () if subject.offers("transform") else ("/transform",)
    for path in (*OTHER_PATHS, *left_out):
        expect_equal(subject.ask(path, [JSON], b"{}").status, 404, f"the status of {path}")
    expect_equal(len(subject.upstream.exchanges), 0, "requests at the upstream")


@check("PT-20", "another method is 405 and names the one allowed", quick=True)
def other_method(subject: Subject) -> None:
    expect_not_allowed(subject, PATH, "GET")


@check("PT-20", "every other method is 405, and the upstream sees none", needs_upstream=True)
def every_other_method(subject: Subject) -> None:
    for method in OTHER_METHODS:
        expect_not_allowed(subject, PATH, method)
    expect_equal(len(subject.upstream.exchanges), 0, "requests at the upstream")
