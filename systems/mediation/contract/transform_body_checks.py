"""TR-3, TR-4 and TR-11: which bodies make a document, and what becomes of the others.

In the texts `$` stands for one random name, so that no answer can be known beforehand.
"""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from secrets import token_hex

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.scripts import fixed
from loadstone.contract.subject import Subject

from .lib.gateway import JSON, MEBIBYTE, expect_message, expect_next_document
from .lib.xml_document import Document, End, Name, Start, Text, difference, expect_xml, read_xml

check = partial(declare.check, operation="transform")

PATH = "/transform"
LEVELS = 100
FAR_TOO_MANY_LEVELS = 100_000

NEARLY_STRUCTURES = (
    *(" ", "\n", "{", "[", '{"$": 1', '{"$"', '{"$":', '{"$": "1', "[1, 2", '["$'),
    *("]", "[1]]", '{"$": 1}}', '{"a": 1} {"b": 2}', '{"$": 1}x', "[1] 2", '{"a": 1},', "[];"),
    *("[1,]", "[,1]", "[1 2]", "[,]", '{"$": 1,}', '{,"a": 1}', '{"a" 1}', '{"a": 1 "b": 2}'),
    *("\0[1]", "[1]\0", "\u00a0[1]", "[1]\u00a0", "[1,\u20032]", "[1]\v", "\f[1]"),
)
NEARLY_VALUES = (
    *("{'$': 1}", "{\"$\": '1'}", "{$: 1}", "{1: 2}", "{null: 1}", "[$]", "['a']", "[undefined]"),
    *("[True]", "[tru]", "[nulls]", "[TRUE]", "<a>$</a>", "a=$"),
    *('["\\x41"]', '["\\u12"]', '["\\u12g4"]', '["\\"]', '["\\a"]', '["\\u{41}"]'),
    *('["a\nb"]', '["a\tb"]', '["a\0b"]', '["\x1f"]', '{"$\n": 1}'),
    *("// $\n[1]", "[1] // $", "/* $ */ [1]", "[1, /**/ 2]", "# $\n[1]"),
)
NEARLY_NUMBERS = (
    *("[NaN]", "[Infinity]", "[-Infinity]", '{"$": nan}', "[0x1f]", "[1_000]", "[1,000.]"),
    *("[01]", "[-01]", "[+1]", "[.5]", "[1.]", "[-]", "[1e]", "[1e+]", "[- 1]", "[1.e1]"),
)

WRONG_NAMES = (
    *("", " ", "a b", "1a", "-a", ".a", "a<b", "a>", "a&b", 'a\\"b', "a'", "a/b", "a=b"),
    *("#a", "#contents", "a#content", "$ 1", "a!", "$*", "×", "→", "\\u0301a", "a\\u0000", "a\\n"),
    *("a\\tb", "a\\ud800", "<!--", "?a", "a;", "(a)", "a\\u037e", "\\uffff"),
)
"""Names that no edition of XML has, as they stand in a string of JSON."""


@check("TR-3", "what is not JSON is 400 with a message", quick=True)
def not_json(subject: Subject) -> None:
    for sent in (b"", b'{"size": ', f"{token_hex(8)}".encode()):
        expect_message(subject.ask(PATH, [JSON], sent), 400, f"after {sent!r}")


@check("TR-3", "a structure that is not JSON's is 400", needs_upstream=True)
def nearly_structures(subject: Subject) -> None:
    _expect_not_json(subject, NEARLY_STRUCTURES)


@check("TR-3", "a word, string or comment that is not JSON's is 400", needs_upstream=True)
def nearly_values(subject: Subject) -> None:
    _expect_not_json(subject, NEARLY_VALUES)


@check("TR-3", "a number that is not JSON's is 400", needs_upstream=True)
def nearly_numbers(subject: Subject) -> None:
    _expect_not_json(subject, NEARLY_NUMBERS)


@check("TR-3", "what is not UTF-8 is 400, and the upstream sees none", needs_upstream=True)
def not_utf8(subject: Subject) -> None:
    for octets in (
        *(b"\xff", b"\xfe\xff", b"\x80", b"\xc3", b"\xe4", b"\xc0\x80", b"\xe0\x80\xaf"),
        *(b"\xed\xa0\x80", b"\xed\xa0\xbd\xed\xb8\x80", b"\xf4\x90\x80\x80", b"\xf0\x9f\x98"),
    ):
        for sent in (b'{"a": "%b"}' % octets, b'{"n%b": 1}' % octets):
            expect_message(subject.ask(PATH, [JSON], sent), 400, f"after {sent!r}")
    for coding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        sent = '{"a": "1"}'.encode(coding)
        expect_message(subject.ask(PATH, [JSON], sent), 400, f"after {coding}")
    expect_equal(len(subject.upstream.exchanges), 0, "requests at the upstream")


@check("TR-3", "the content type of the request does not matter")
def any_content_type(subject: Subject) -> None:
    types = ["text/plain", "application/xml", "application/x-www-form-urlencoded"]
    types += [
        "application/octet-stream",
        "multipart/form-data; boundary=a",
        "application/vnd.a+json",
    ]
    for fields in ([], *([("Content-Type", each)] for each in types)):
        name = f"n{token_hex(4)}"
        answer = subject.ask(PATH, fields, f'{{"{name}": 1}}'.encode())
        expect_equal(answer.status, 200, f"the status with {fields}")
        expect_xml(answer.body, f"<{name}>1</{name}>", "the document")
        expect_message(subject.ask(PATH, fields, f'{{"{name}"'.encode()), 400, f"with {fields}")


@check("TR-3", "what makes no document is 400 with a message", quick=True)
def no_document(subject: Subject) -> None:
    for sent in (b"7", b"{}", b'{"a b": 1}', b'{"a": "\\u0000"}', b'{"p:a": 1}'):
        expect_message(subject.ask(PATH, [JSON], sent), 400, f"after {sent!r}")


@check("TR-3", "the gateway goes on after bodies that it refused")
def goes_on(subject: Subject) -> None:
    for sent in (b"{", b"{}", b'{"\\ud800": "\\udfff"}', b"\xff" * 1000, b"[" * 1000):
        expect_message(subject.ask(PATH, [JSON], sent), 400, f"after {sent[:40]!r}")
        expect_next_document(subject, PATH)


@check("TR-4", "a body of 1 MiB is converted whole", needs_upstream=True)
def large_body(subject: Subject) -> None:
    for opening, closing, wanted in (
        ('{"a":"', '"}', "<a>%s</a>"),
        ('["', '"]', "<root><item>%s</item></root>"),
    ):
        subject.upstream.forget()
        subject.upstream.answer_with(fixed(200))
        room = MEBIBYTE - len(opening) - len(closing)
        text = token_hex(MEBIBYTE)[:room]
        answer = subject.ask(PATH, [JSON], f"{opening}{text}{closing}".encode())
        expect_equal(answer.status, 200, "the status")
        expect_xml(subject.upstream.only_exchange().body, wanted % text, "the document of 1 MiB")


@check("TR-4", "1 MiB in many small members becomes a larger document", needs_upstream=True)
def many_members(subject: Subject) -> None:
    subject.upstream.answer_with(fixed(200))
    entry = f'"{token_hex(8)}",'
    count = (MEBIBYTE - len('{"entry":[]}')) // len(entry)
    sent = f'{{"entry":[{(entry * count)[:-1]}]}}'.ljust(MEBIBYTE).encode()
    expect_equal(subject.ask(PATH, [JSON], sent).status, 200, "the status")
    wanted = f"<entry>{entry[1:-2]}</entry>".encode() * count
    same = subject.upstream.only_exchange().body == b"<root>%b</root>" % wanted
    expect(same, f"the document is not that of {count} entries")


@check("TR-4", "a larger body is 413, and the gateway goes on")
def too_large(subject: Subject) -> None:
    sent = b'{"a":"%b"}' % (b"a" * (MEBIBYTE + 1 - len('{"a":""}')))
    for body in (sent, sent + b" " * MEBIBYTE):
        answer = _ask_too_much(subject, [body], len(body))
        expect_equal(answer.status, 413, f"the status after {len(body)} bytes")
    expect_next_document(subject, PATH)


@check("TR-4", "a larger body of no said length is 413, and the gateway goes on")
def too_large_in_pieces(subject: Subject) -> None:
    piece = b"[" + b" " * ((MEBIBYTE >> 4) - 1)
    answer = _ask_too_much(subject, [piece] * 16 + [b"]" * 16], None)
    expect_equal(answer.status, 413, "the status")
    expect_next_document(subject, PATH)


@check("TR-4", "100 levels of nesting are converted")
def deep(subject: Subject) -> None:
    text = token_hex(8)
    for opening, closing, name, wrapped in (
        ('{"a":', "}", "a", False),
        ("[", "]", "item", True),
    ):
        sent = f'{opening * LEVELS}"{text}"{closing * LEVELS}'
        answer = subject.ask(PATH, [JSON], sent.encode())
        expect_equal(answer.status, 200, f"the status after {LEVELS} times {opening}")
        _expect_nested(answer, name, LEVELS, text, wrapped=wrapped)


@check("TR-4", "100,000 levels of nesting are 400 or converted, and the gateway goes on")
def far_too_deep(subject: Subject) -> None:
    for opening, closing, name, wrapped in (
        ('{"a":', "}", "a", False),
        ("[", "]", "item", True),
    ):
        sent = f'{opening * FAR_TOO_MANY_LEVELS}"x"{closing * FAR_TOO_MANY_LEVELS}'
        answer = subject.ask(PATH, [JSON], sent.encode())
        if answer.status == 200:
            _expect_nested(answer, name, FAR_TOO_MANY_LEVELS, "x", wrapped=wrapped)
        else:
            expect_message(answer, 400, f"after {FAR_TOO_MANY_LEVELS} times {opening}")
        unfinished = (opening * FAR_TOO_MANY_LEVELS).encode()
        expect_message(subject.ask(PATH, [JSON], unfinished), 400, f"after {opening} without end")
        expect_next_document(subject, PATH)


@check("TR-11", "a value that is neither object nor array makes no document", needs_upstream=True)
def scalars(subject: Subject) -> None:
    for sent in ('"$"', '""', "7", "-1.5", "true", "false", "null", ' "a" '):
        _expect_refused(subject, sent)


@check("TR-11", "an empty object makes no document", needs_upstream=True)
def empty_object(subject: Subject) -> None:
    for sent in ("{}", " { } "):
        _expect_refused(subject, sent)


@check("TR-11", "an element whose name XML does not have makes no document", needs_upstream=True)
def wrong_names_of_elements(subject: Subject) -> None:
    for name in WRONG_NAMES:
        _expect_refused(subject, f'{{"{name}": "1"}}')


@check("TR-11", "nor does one within others, or in an array", needs_upstream=True)
def wrong_names_within(subject: Subject) -> None:
    for name in WRONG_NAMES:
        _expect_refused(subject, f'{{"a": [{{"b": 1, "{name}": {{}}}}]}}')


@check("TR-11", "an attribute whose name XML does not have makes no document", needs_upstream=True)
def wrong_names_of_attributes(subject: Subject) -> None:
    for name in (*WRONG_NAMES, "@a", "#content"):
        _expect_refused(subject, f'{{"a": {{"@{name}": "$"}}}}')


@check("TR-11", "an attribute twice makes no document", needs_upstream=True)
def attribute_twice(subject: Subject) -> None:
    _expect_refused(subject, '{"a": {"@b": "1", "@b ": "$"}}')
    _expect_refused(subject, '{"a": {" @$": "1", "c": {}, "@$": "1"}}')


@check("TR-11", "a character that XML does not have makes no document", needs_upstream=True)
def wrong_characters(subject: Subject) -> None:
    for character in (
        *("\\u0000", "\\u0001", "\\b", "\\f", "\\u000b", "\\u001b", "\\u001f"),
        *("\\ufffe", "\\uffff", "\ufffe", "\\ud800", "\\udfff", "\\ude00\\ud83d"),
    ):
        _expect_refused(subject, f'{{"a": "$ {character}"}}')
        _expect_refused(subject, f'{{"a": ["b", {{"@c": "{character}"}}]}}')
        _expect_refused(subject, f'{{"a": {{"#content": "{character}$"}}}}')


@check("TR-11", "an object or array where text is wanted makes no document", needs_upstream=True)
def structure_for_text(subject: Subject) -> None:
    for value in ("{}", "[]", '{"b": "1"}', '["$"]', "[[]]"):
        _expect_refused(subject, f'{{"a": {{"@b": {value}}}}}')
        _expect_refused(subject, f'{{"a": {{"#content": {value}}}}}')
        _expect_refused(subject, f'{{"@$": {value}, "b": "1"}}')


@check("TR-11", "a prefix that nothing declares makes no document", needs_upstream=True)
def undeclared_prefix(subject: Subject) -> None:
    for sent in (
        '{"p:a": "1"}',
        '{"toString:a": "1"}',
        '{"__proto__:a": "1"}',
        '{"@constructor:a": "1"}',
        '{"a": {"@p:b": "$"}}',
        '{"@xmlns:q": "urn:$", "p:a": "1"}',
        '{"@xmlns": "urn:$", "p:a": "1"}',
        '{"a": {"@xmlns:p": "urn:$", "p:b": "1"}, "p:c": "2"}',
        '{"a": [{"@xmlns:p": "urn:$"}, {"p:b": "1"}]}',
        '{"@xmlns:p": "urn:$", "p:a:b": "1", "p:c": 1}',
        '{":a": "1"}',
        '{"a:": "1"}',
        '{"@xmlns:p": "urn:$", "p:": "1", "p:c": 1}',
        '{"@xmlns:p": "urn:$", "p:1": "1", "p:c": 1}',
    ):
        _expect_refused(subject, sent)


def _expect_refused(subject: Subject, text: str) -> None:
    sent = text.replace("$", f"n{token_hex(4)}").encode()
    expect_equal(subject.ask(PATH, [JSON], sent).status, 400, f"the status after {text}")
    expect_equal(len(subject.upstream.exchanges), 0, f"requests at the upstream after {text}")


def _expect_not_json(subject: Subject, texts: Iterable[str]) -> None:
    for text in texts:
        sent = text.replace("$", f"n{token_hex(4)}").encode()
        expect_message(subject.ask(PATH, [JSON], sent), 400, f"after {sent!r}")
    expect_equal(len(subject.upstream.exchanges), 0, "requests at the upstream")


def _expect_nested(answer: Answer, name: str, levels: int, text: str, *, wrapped: bool) -> None:
    start, end = Start(Name("", name)), End()
    wanted: Document = (*[start] * levels, Text(text), *[end] * levels)
    if wrapped:
        wanted = (Start(Name("", "root")), *wanted, end)
    gap = difference(read_xml(answer.body), wanted)
    expect(gap is None, f"{gap} in the document of {levels} levels")


def _ask_too_much(subject: Subject, pieces: Iterable[bytes], length: int | None) -> Answer:
    with subject.connect() as connection:
        call = connection.begin(PATH, [JSON], length=length)
        # A gateway may answer, and close, before it has read what it will not take.
        with suppress(OSError):
            for piece in pieces:
                call.send_piece(piece)
            call.end()
        return call.receive_answer()
