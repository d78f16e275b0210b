"""Secrets of a recording: known by the names of what holds them, or by their form. Each is replaced by
a variable of the environment, wherever the same value stands, and no value of one is ever kept.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from loadstone.describe.literal import literal
from loadstone.describe.model import Secret
from loadstone.describe.names import unused, variable_of
from loadstone.errors import LoadstoneError
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
        "hmac",
        "jwt",
        "nonce",
        "mfa",
        "otp",
        "pass",
        "passcode",
        "passphrase",
        "pin",
        "pw",
        "pwd",
        "saml",
        "session",
        "sessionid",
        "sid",
        "sig",
        "ssn",
        "totp",
    }
)
"""Words of a name that say that it holds a secret."""
_SECRET_PARTS = (
    *("token", "secret", "password", "passwd", "credential", "cookie", "csrf", "xsrf", "signature"),
    *("apikey", "accesskey", "privatekey", "cardnumber", "sessionid", "codeverifier"),
)
"""The same, wherever they stand in a name whose words are written together."""
_TOKEN = re.compile(
    r"eyJ[A-Za-z0-9_-]{6,500}\.[A-Za-z0-9_-]+|[Bb]earer\s+\S{8,}|[Bb]asic\s+[A-Za-z0-9+/=]{8,}"
    r"|://[^\s/:@]{1,200}:[^\s/@]{1,200}@|-----BEGIN [A-Z ]{0,40}PRIVATE KEY"
    r"|\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{30,}"
    r"|xox[abeoprs]-[\w-]{10,}|[prs]k[_-](?:live|test|proj|ant)[_-][\w-]{10,}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|hv[bs]\.[\w-]{20,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,})"
    r"|(?i:(?<![\w$])\w{0,40}(?:passw(?:or)?d|secret|token|api_?key)\w{0,40}"
    r"(?:[\\\"']{0,2}\s{0,5}:\s{0,5}[\\]?[\"'][^\s\"']{3,}|\s{0,3}=\s{0,3}[^\s&;]{3,}))"
)
"""A JSON Web Token (RFC 7519), credentials as a header has them (RFC 9110, section 11.4) or a URL has
them, a private key, a key of those services whose keys begin with their mark, or a value behind a name
that tells it, as in the text of a query.
"""
COOKIE = "cookie"
"""What a cookie is learned as, whatever its own name."""
_MOST_CHARACTERS = 16 << 10
"""Of a text in which a token is looked for: what is longer is not written."""
MOST_SECRETS = 2_000
"""Each is looked for in every text that is written."""
_LEAST_CHARACTERS = 4
"""A secret that is shorter is masked where its name tells it, and not looked for elsewhere."""
_LEAST_WITHIN = 8
"""A secret that is shorter is a word of its own where it stands: `user` is not in `username`."""
_LEAST_OF_COOKIE = 8
"""The same of a cookie: many hold a choice such as `dark`, and not a key."""


def is_secret_name(name: str) -> bool:
    """Whether what is called so holds a secret."""
    words = [each.lower() for each in _WORDS.findall(name)]
    together = "".join(words)
    return (
        is_secret_header(name)
        or not _SECRET_WORDS.isdisjoint(words)
        or any(part in together for part in _SECRET_PARTS)
    )


def is_id_name(name: str) -> bool:
    """Whether what is called so tells one thing of many: `id`, `bookId`, `author_id`, `uuid`."""
    words = _WORDS.findall(name)
    return bool(words) and words[-1].lower() in ("id", "uuid", "guid")


class Masks:
    """The secrets of a recording so far, and their variables."""

    def __init__(self) -> None:
        self._variables: dict[str, str] = {}
        """Value to variable."""
        self._taken: set[str] = set()
        """The variables so far."""
        self._sought: dict[str, None] = {}
        """Values that are looked for under other names, too, each once."""
        self.secrets: list[Secret] = []

    def learn(self, name: str, value: Any, seen_in: str) -> None:
        """Note what a name holds, if that is a secret. Raises LoadstoneError for too many."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and value and (is_secret_name(name) or _has_token(value)):
            least = _LEAST_OF_COOKIE if name == COOKIE else _LEAST_CHARACTERS
            if len(self._sought) >= MOST_SECRETS:
                raise LoadstoneError(
                    f"it holds more than {MOST_SECRETS} values that may be secrets",
                    "record what one user does",
                )
            for each in (value, *_credentials(value)):
                self._note(name, each, seen_in)
                if len(each) >= least:
                    self._sought[each] = None

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
                if isinstance(each, str) and (inner := _written_tree(each)) is not None:
                    pending.append((name, inner))
                self.learn(name, each, f"{seen_in}, {shortened(name)}" if name else seen_in)

    def template(self, text: str, name: str = "") -> str | None:
        """What is written in place of a text that `name` holds; none where it may be written."""
        variable = self._variable(text, name)
        return None if variable is None else f"{{{{env.{variable}}}}}"

    def text(self, text: str, name: str = "") -> str:
        """A text as it may be written: itself, or what is in its place."""
        template = self.template(text, name)
        return str(literal(text)) if template is None else template

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
            case int() | float() if not isinstance(value, bool):
                template = self.template(str(value), name)
                return value if template is None else template
        return value

    def knows(self, text: str) -> bool:
        """Whether a text is a secret that was learned, and long enough to be known elsewhere."""
        return text in self._sought

    def has_secret(self, text: str) -> bool:
        """Whether a secret stands in a text, or is the whole of it."""
        return _has_token(text) or any(_stands_in(value, text) for value in self._sought)

    def _variable(self, text: str, name: str) -> str | None:
        """The variable of a text that is a secret, or has one in it."""
        if text and (is_secret_name(name) or _has_token(text)):
            return self._note(name, text, shortened(name) or "a text in the form of a token")
        if text in self._sought:
            return self._variables[text]
        if self.has_secret(text):
            return self._note(name or "value", text, "a text with a secret in it")
        return None

    def _note(self, name: str, value: str, seen_in: str) -> str:
        if value not in self._variables:
            variable = unused(variable_of(name, "SECRET"), self._taken, "_")
            self._variables[value] = variable
            self._taken.add(variable)
            self.secrets.append(Secret(self._variables[value], seen_in))
        return self._variables[value]


def _credentials(value: str) -> Iterator[str]:
    """What stands behind the scheme in a header, and of Basic the password in it."""
    scheme, _, rest = value.strip().partition(" ")
    if rest and scheme.lower() in ("basic", "bearer", "token"):
        yield rest.strip()
    if scheme.lower() == "basic":
        with suppress(ValueError):
            password = b64decode(rest, validate=True).decode().partition(":")[2]
            if password:
                yield password


def _stands_in(value: str, text: str) -> bool:
    if value not in text:
        return False
    if len(value) >= _LEAST_WITHIN:
        return True
    return re.search(rf"(?<![^\W_]){re.escape(value)}(?![^\W_])", text) is not None


def _written_tree(text: str) -> Any:
    """The mapping or list that a text is as JSON; none where it is neither."""
    if text[:1] not in ("{", "["):
        return None
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tree if isinstance(tree, dict | list) else None


def _has_token(text: str) -> bool:
    return len(text) <= _MOST_CHARACTERS and _TOKEN.search(text) is not None
