"""The checks that a system's file declares, as checks like any other."""

import os
from base64 import b64encode
from collections.abc import Mapping
from functools import partial

from loadstone.contract.answer_check import expect_answer
from loadstone.contract.declare import check as declared
from loadstone.contract.document_check import document_check
from loadstone.contract.model import Contract, ContractCheck
from loadstone.contract.subject import Subject
from loadstone.errors import InputError, WrongValueError
from loadstone.openapi.document import read_document
from loadstone.study.values.declared import DeclaredChecks
from loadstone.study.values.expressions import Base64, Environment, Slot, Text, pieces_of
from loadstone.study.values.steps import Send
from loadstone.text.places import escaped

SAFE_METHODS = ("GET", "HEAD")
"""They change nothing (RFC 9110, section 9.2.1), so that they may be held in every run."""


def declared_contract(
    typed: DeclaredChecks, environment: Mapping[str, str] = os.environ
) -> Contract:
    """The contract that a file declares.

    Raises InputError where its document is wrong, or the environment lacks what a check sends.
    """
    checks = tuple(_check(typed, send, environment) for send in typed.checks)
    if typed.document is None:
        return Contract(checks, ())
    return Contract(checks, (document_check(read_document(typed.document)),))


def _check(typed: DeclaredChecks, send: Send, environment: Mapping[str, str]) -> ContractCheck:
    def filled(text: Text) -> str:
        return _filled(typed, send, text, environment)

    function = partial(
        _hold,
        send=send,
        path=filled(send.path),
        headers=tuple((name, filled(value)) for name, value in send.headers),
        body=filled(send.body).encode(),
    )
    title = f"{send.method} {send.as_typed.path} is answered as declared"
    return declared(send.operation, title, quick=send.method in SAFE_METHODS)(function)


def _hold(
    subject: Subject,
    *,
    send: Send,
    path: str,
    headers: tuple[tuple[str, str], ...],
    body: bytes,
) -> None:
    expect_answer(subject.ask(path, headers, body, method=send.method), send.check)


def _filled(typed: DeclaredChecks, send: Send, text: Text, environment: Mapping[str, str]) -> str:
    """A text with the environment in it. Raises InputError."""
    return "".join(
        _value(typed, send, piece, environment) if isinstance(piece, Slot) else piece
        for piece in pieces_of(text)
    )


def _value(typed: DeclaredChecks, send: Send, slot: Slot, environment: Mapping[str, str]) -> str:
    match slot.expression:
        case Base64(base64=inner):
            coded = b64encode(_filled(typed, send, inner, environment).encode())
            return escaped(coded.decode(), slot.place)
        case Environment(env=name):
            if name not in environment:
                raise InputError(
                    f"sends env.{name}, and the environment has no {name}",
                    path=typed.path,
                    key=send.operation,
                    remedy=f"set it, such as {name}=... loadstone ...",
                )
            try:
                return escaped(environment[name], slot.place)
            except WrongValueError as error:
                raise InputError(
                    f"sends env.{name}, whose value cannot stand there",
                    path=typed.path,
                    key=send.operation,
                    remedy=error.remedy,
                ) from None
    raise AssertionError(f"{slot.expression} is refused where the file is read")
