"""An expression as a person types it, for what people read: `{{1 + slot % 100}}`."""

from datetime import UTC, datetime

from loadstone.study.values.expressions import (
    Arithmetic,
    Base64,
    Environment,
    Expression,
    Moment,
    Operator,
    Random,
    Slot,
    Text,
    Value,
    pieces_of,
)

_RANK: dict[Operator, int] = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}
_FUNCTIONS = {"uuid": "uuid()", "epoch_ms": "epoch_ms()", "run_id": "run_id"}
BRACES = "{{"


def text_shown(text: Text) -> str:
    """A text with its places as they are typed."""
    return "".join(each if isinstance(each, str) else slot_shown(each) for each in pieces_of(text))


def slot_shown(slot: Slot) -> str:
    """A place as it is typed, with its braces."""
    shown = expression_shown(slot.expression)
    if slot.place == "json_number":
        shown = f"number({shown})"
    if slot.place == "location":
        shown = f"path({shown})"
    return f"{BRACES}{shown}}}}}"


def expression_shown(expression: Expression) -> str:
    """An expression without braces."""
    match expression:
        case Value():
            return expression.value
        case Arithmetic():
            return _arithmetic(expression)
        case Random():
            return "random({}, {})".format(*expression.random)
        case Moment():
            return _moment(expression)
        case Environment():
            return f"env.{expression.env}"
        case Base64():
            return f"base64({_inside(expression.base64)})"
        case str():
            return _FUNCTIONS.get(expression, expression)
        case int():
            return str(expression)


def _arithmetic(expression: Arithmetic) -> str:
    rank = _RANK[expression.operator]
    left, right = expression.left, expression.right
    first, second = expression_shown(left), expression_shown(right)
    if isinstance(left, Arithmetic) and _RANK[left.operator] < rank:
        first = f"({first})"
    if isinstance(right, Arithmetic) and _RANK[right.operator] <= rank:
        second = f"({second})"
    return f"{first} {expression.operator} {second}"


def _moment(moment: Moment) -> str:
    if moment.is_now and moment.form == "second":
        return "now()"
    base = "now"
    if moment.base_s is not None:
        stamp = datetime.fromtimestamp(moment.base_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        base = f"'{stamp}'"
    parts = {"days": moment.days, "hours": moment.hours, "minutes": moment.minutes}
    added = [f"{unit}: {expression_shown(part)}" for unit, part in parts.items() if part != 0]
    return f"{'day' if moment.form == 'day' else 'date'}({', '.join([base, *added])})"


def _inside(text: Text) -> str:
    """What stands in a function's brackets: a name, or a text in quotes."""
    if isinstance(text, str):
        return f"'{text}'"
    return "".join(
        each if isinstance(each, str) else expression_shown(each.expression) for each in text
    )
