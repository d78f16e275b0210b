"""The syntax of templates: a text in literals and `{{ }}`, and what stands in one as a tree.

What the names in it mean is `resolve.py`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from loadstone.errors import WrongValueError
from loadstone.study.values.expressions import Operator
from loadstone.text.quoted import shortened

MOST_TOKENS = 100
"""In one `{{ }}`: longer ones are split by lets, and a tree of them is walked without bounds."""
MOST_BRACKETS = 12
"""Inside each other: each may leave two numbers that wait for an operator, and the engine takes 32."""

BRACES = "{{"
IN_WORDS = "write {{'{{'}} for the braces themselves"

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+)|(?P<word>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?)"
    r"|'(?P<quoted>[^']*)'|(?P<sign>[-+*/%(),:]))"
)
_LARGEST = 2**63 - 1


@dataclass(frozen=True)
class Number:
    """Digits."""

    number: int


@dataclass(frozen=True)
class Word:
    """A name: a value's, a counter's, a constant's."""

    word: str


@dataclass(frozen=True)
class Quoted:
    """A text in quotes."""

    text: str


@dataclass(frozen=True)
class Binary:
    """Two parts and an operator between them."""

    operator: Operator
    left: "Node"
    right: "Node"


@dataclass(frozen=True)
class Call:
    """A function with its arguments."""

    function: str
    arguments: tuple["Node", ...] = ()
    named: dict[str, "Node"] = field(default_factory=dict)


Node = Number | Word | Quoted | Binary | Call


def split(text: str) -> list[str | Node]:
    """A text in its literals and what its `{{ }}` hold. Raises WrongValueError."""
    found: list[str | Node] = []
    at = 0
    while (begin := text.find(BRACES, at)) >= 0:
        found.append(text[at:begin])
        end = _end(text, begin + len(BRACES))
        inner = text[begin + len(BRACES) : end]
        node = parsed(inner)
        found.append(BRACES if node == Quoted(BRACES) else node)
        at = end + 2
    found.append(text[at:])
    return [each for each in found if each != ""]


def _end(text: str, at: int) -> int:
    """Where the braces close that opened before `at`; those in quotes do not."""
    in_quotes = False
    for position in range(at, len(text)):
        if text[position] == "'":
            in_quotes = not in_quotes
        if not in_quotes and text.startswith("}}", position):
            return position
    raise WrongValueError(f"{shortened(text)!r} has {BRACES} without }}}}", IN_WORDS)


def parsed(inner: str) -> Node:
    """What stands between braces. Raises WrongValueError."""
    reader = _Reader(inner, list(_tokens(inner)))
    node = reader.sum()
    if reader.left:
        raise reader.wrong()
    return node


def _tokens(inner: str) -> Iterator[tuple[str, str]]:
    at, count = 0, 0
    end = len(inner.rstrip())
    while at < end:
        token = _TOKEN.match(inner, at)
        count += 1
        if token is None or token.lastgroup is None:
            raise _wrong(inner)
        if count > MOST_TOKENS:
            raise WrongValueError(
                f"{shortened(BRACES + inner + '}}')!r} has more than {MOST_TOKENS} parts",
                "make lets of its parts",
            )
        yield token.lastgroup, token.group(token.lastgroup)
        at = token.end()


def _wrong(inner: str) -> WrongValueError:
    return WrongValueError(
        f"{shortened(BRACES + inner + '}}')!r} is no template",
        f"write a name, integers with + - * / % and brackets, or a function; {IN_WORDS}",
    )


class _Reader:
    """Reads tokens by descent, one level of precedence a method."""

    def __init__(self, inner: str, tokens: list[tuple[str, str]]) -> None:
        self._inner, self._tokens, self._at, self._depth = inner, tokens, 0, 0

    @property
    def left(self) -> bool:
        """Whether tokens are left."""
        return self._at < len(self._tokens)

    def wrong(self) -> WrongValueError:
        """What to raise where something else is expected."""
        return _wrong(self._inner)

    def sum(self) -> Node:
        """Products with plus and minus between them."""
        node = self._product()
        while True:
            if self._take("+"):
                node = Binary("+", node, self._product())
            elif self._take("-"):
                node = Binary("-", node, self._product())
            else:
                return node

    def _product(self) -> Node:
        node = self._single()
        while True:
            if self._take("*"):
                node = Binary("*", node, self._single())
            elif self._take("/"):
                node = Binary("/", node, self._single())
            elif self._take("%"):
                node = Binary("%", node, self._single())
            else:
                return node

    def _single(self) -> Node:
        if self._take("("):
            node = self._deeper()
            self._expect(")")
            return node
        if self._take("-"):
            return Binary("-", Number(0), self._whole())
        kind, text = self._next()
        if kind == "number":
            return self._number(text)
        if kind == "quoted":
            return Quoted(text)
        if kind == "word":
            return self._call(text) if self._take("(") else Word(text)
        raise self.wrong()

    def _whole(self) -> Number:
        """Digits behind a minus."""
        kind, text = self._next()
        if kind != "number":
            raise self.wrong()
        return self._number(text)

    def _number(self, text: str) -> Number:
        if len(text) > 19 or int(text) > _LARGEST:
            raise WrongValueError(f"{shortened(text)} is more than 64 bits hold", "write less")
        return Number(int(text))

    def _call(self, function: str) -> Call:
        arguments: list[Node] = []
        named: dict[str, Node] = {}
        while not self._take(")"):
            if arguments or named:
                self._expect(",")
            name = self._name()
            if name is None and not named:
                arguments.append(self._deeper())
            elif name is not None and name not in named:
                named[name] = self._deeper()
            else:
                raise self.wrong()
        return Call(function, tuple(arguments), named)

    def _name(self) -> str | None:
        """The name of an argument, its colon taken too; none where the argument has none."""
        following = self._tokens[self._at : self._at + 2]
        if len(following) == 2 and following[0][0] == "word" and following[1] == ("sign", ":"):
            self._at += 2
            return following[0][1]
        return None

    def _deeper(self) -> Node:
        self._depth += 1
        if self._depth > MOST_BRACKETS:
            raise WrongValueError(
                f"{shortened(BRACES + self._inner + '}}')!r} has more than {MOST_BRACKETS} brackets "
                "inside each other",
                "make lets of its parts",
            )
        node = self.sum()
        self._depth -= 1
        return node

    def _next(self) -> tuple[str, str]:
        if not self.left:
            raise self.wrong()
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, sign: str) -> bool:
        if self.left and self._tokens[self._at] == ("sign", sign):
            self._at += 1
            return True
        return False

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise self.wrong()


def words_in(node: Node) -> Iterator[str]:
    """Every name in a tree, without those of functions."""
    match node:
        case Word():
            yield node.word
        case Binary():
            yield from words_in(node.left)
            yield from words_in(node.right)
        case Call():
            for each in (*node.arguments, *node.named.values()):
                yield from words_in(each)
        case _:
            return
