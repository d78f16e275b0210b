"""What an operation wants of its callers' credentials: variables of the environment in the place of
secrets, which no document has.
"""

from collections.abc import Iterator, Mapping

from loadstone.describe.literal import header_name, query_value
from loadstone.describe.model import CannotMake, Secret
from loadstone.describe.names import variable_of
from loadstone.describe.parameters import Sent
from loadstone.openapi.document import Document, Located, ReferenceNotTaken
from loadstone.openapi.operations import Operation
from loadstone.text.quoted import shortened

_NO_NAME = "CREDENTIAL"


def add_credentials(document: Document, operation: Operation, sent: Sent) -> tuple[Secret, ...]:
    """Add what the first way to call an operation wants; return the secrets. Raises CannotMake."""
    return tuple(_added(document, operation, sent))


def _added(document: Document, operation: Operation, sent: Sent) -> Iterator[Secret]:
    for name in _first_way(document, operation):
        found = document.top.below("components", "securitySchemes", name)
        try:
            scheme = document.follow(found)
        except ReferenceNotTaken as error:
            raise CannotMake(f"the credential {shortened(name)}: {error.message}") from error
        yield _add(name, scheme, sent)


def _first_way(document: Document, operation: Operation) -> Mapping[str, object]:
    """The schemes that are wanted together; none where a caller may go without."""
    own = operation.found.below("security")
    ways = own if isinstance(own.value, list) else document.top.below("security")
    wanted = [each.mapping for each in ways.entries]
    return {} if not wanted or {} in wanted else wanted[0]


def _add(name: str, scheme: Located, sent: Sent) -> Secret:
    variable = variable_of(name, _NO_NAME)
    template = f"{{{{env.{variable}}}}}"
    kind, place = scheme.mapping.get("type"), scheme.mapping.get("in")
    if kind == "apiKey" and isinstance(key := scheme.mapping.get("name"), str):
        match place:
            case "query":
                sent.query.append(f"{query_value(key)}={template}")
                return Secret(variable, f"the query parameter {shortened(key)}")
            case "header":
                sent.headers[header_name(key)] = template
                return Secret(variable, f"the header {shortened(key)}")
            case "cookie":
                header_name(key)  # a cookie's name has the same characters
                sent.cookies.append(f"{key}={template}")
                return Secret(variable, f"the cookie {shortened(key)}")
    named = str(scheme.mapping.get("scheme")).lower()
    if kind == "http" and named == "basic":
        sent.headers["authorization"] = f"Basic {{{{base64(env.{variable})}}}}"
        return Secret(variable, "USER:PASSWORD of Basic authentication")
    if kind in ("oauth2", "openIdConnect") or (kind == "http" and named == "bearer"):
        sent.headers["authorization"] = f"Bearer {template}"
        return Secret(variable, "the token behind Bearer")
    raise CannotMake(f"the credential {shortened(name)} is of the kind {shortened(str(kind))}")
