"""Secrets of a recording: known by the names of what holds them, or by their form. Each is replaced by
a variable of the environment, wherever the same value stands, and no value of one is ever kept.
"""

import re
from typing import Any

from loadstone.describe.literal import literal
from loadstone.describe.model import Secret
from loadstone.describe.names import unused, variable_of
from loadstone.text.quoted import shortened
from loadstone.text.secrets import is_secret_header

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_SECRET_WORDS = frozenset(
    {
        "auth",
        "authorization",
        "authentication",
        "assertion",
        "bearer",
        "cvc",
        "cvv",
        "jwt",
        "nonce",
        "otp",
        "pass",
        "passphrase",
        "pin",
        "pwd",
        "saml",
        "session",
        "sessionid",
        "sid",
        "sig",
        "ssn",
    }
)
"""Words of a name that say that it holds a secret."""
_SECRET_PARTS = (
    *("token", "secret", "password", "passwd", "credential", "cookie", "csrf", "xsrf", "signature"),
    *("apikey", "accesskey", "privatekey", "cardnumber", "sessionid"),
)
"""The same, wherever they stand in a name whose words are written together."""
_TOKEN = re.compile(
    r"eyJ[A-Za-z0-9_-]{6,500}\.[A-Za-z0-9_-]+|[Bb]earer\s+\S{8,}|[Bb]asic\s+[A-Za-z0-9+/=]{8,}"
)
"""A JSON Web Token (RFC 7519), or credentials as a header has them (RFC 9110, section 11.4)."""
_MOST_CHARACTERS = 16 << 10
"""Of a text in which a token is looked for: what is longer is not written."""
_LEAST_CHARACTERS = 4
"""A secret that is shorter is masked where its name tells it, and not looked for elsewhere."""


def is_secret_name(name: str) -> bool:
    """Whether what is called so holds a secret."""
    words = [each.lower() for each in _WORDS.findall(name)]
    together = "".join(words)
    return (
        is_secret_header(name)
        or not _SECRET_WORDS.isdisjoint(words)
        or any(part in together for part in _SECRET_PARTS)
    )


class Masks:
    """The secrets of a recording so far, and their variables."""

    def __init__(self) -> None:
        self._variables: dict[str, str] = {}
        """Value to variable."""
        self.secrets: list[Secret] = []

    def learn(self, name: str, value: Any, seen_in: str) -> None:
        """Note what a name holds, if that is a secret."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and value and (is_secret_name(name) or _has_token(value)):
            self._note(name, value, seen_in)

    def learn_tree(self, value: Any, seen_in: str) -> None:
        """The same for every member of a body. What stands below a secret name is secret as a whole."""
        pending: list[tuple[str, Any]] = [("", value)]
        while pending:
            name, each = pending.pop()
            if isinstance(each, dict):
                pending += [
                    (name if is_secret_name(name) else key, member) for key, member in each.items()
                ]
            elif isinstance(each, list):
                pending += [(name, entry) for entry in each]
            else:
                self.learn(name, each, f"{seen_in}, {shortened(name)}" if name else seen_in)

    def text(self, text: str, name: str = "") -> str:
        """A text as it may be written: itself, or the variable in its place."""
        variable = self._variable(text, name)
        return str(literal(text)) if variable is None else f"{{{{env.{variable}}}}}"

    def is_masked(self, text: str, name: str = "") -> bool:
        """Whether a text is replaced."""
        return self._variable(text, name) is not None

    def tree(self, value: Any, name: str = "") -> Any:
        """A body as it may be written."""
        match value:
            case dict():
                return {
                    self.text(key): self.tree(member, name if is_secret_name(name) else key)
                    for key, member in value.items()
                }
            case list():
                return [self.tree(each, name) for each in value]
            case str():
                return self.text(value, name)
            case int() | float() if not isinstance(value, bool) and self.is_masked(
                str(value), name
            ):
                return self.text(str(value), name)
        return value

    def _variable(self, text: str, name: str) -> str | None:
        """The variable of a text that is a secret, or has one in it."""
        if text in self._variables:
            return self._variables[text]
        if text and (is_secret_name(name) or _has_token(text)):
            return self._note(name, text, shortened(name) or "a text in the form of a token")
        for value in self._variables:
            if len(value) >= _LEAST_CHARACTERS and value in text:
                return self._note(name or "value", text, "a text with a secret in it")
        return None

    def _note(self, name: str, value: str, seen_in: str) -> str:
        if value not in self._variables:
            taken = self._variables.values()
            self._variables[value] = unused(variable_of(name, "SECRET"), tuple(taken), "_")
            self.secrets.append(Secret(self._variables[value], seen_in))
        return self._variables[value]


def _has_token(text: str) -> bool:
    return len(text) <= _MOST_CHARACTERS and _TOKEN.search(text) is not None
