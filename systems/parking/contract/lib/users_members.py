"""The members of requests: what is a fault of each, and which, and what is none."""

from typing import Final, NamedTuple

BEYOND: Final = "\N{MUSICAL SYMBOL G CLEF}"
"""Two units of UTF-16, four bytes of UTF-8, one code point."""
NO_TEXTS: Final[tuple[object, ...]] = (5, 1.5, 0, True, False, [], ["a"], {}, {"a": "b"})
NO_INTEGERS: Final[tuple[object, ...]] = (
    *("1", "", "five", 1.5, 0.5, -0.5, True, False, [], [1], {}, {"a": 1}),
)
NO_ARRAYS_OF_INTEGERS: Final[tuple[object, ...]] = (
    *(5, "5", "", True, {}, {"0": 1}, ["1"], [1, "2"], [1.5], [None], [1, None], [True], [[1]]),
    *([{}], [""]),
)

_NAMES: Final = ("\0", "a\0b", "a\tb", "\n", "\x1f", "\x7f", "a\x80", "\x85", "\x9f", "\x1bz")
"""With a control in each."""
_NO_WORDS = ("", "0", "toString", "constructor", "__proto__", "null", "AUTOMOBILE,FUEL")
_FAR: Final = 10**15
_SAFE: Final = (1 << 53) - 1
"""The greatest that every language reads exactly; what is beyond is held by U32."""


class Rule(NamedTuple):
    """What one member may be."""

    faults: tuple[tuple[object, str], ...]
    """Values of its type that are wrong, each with its code."""
    right: tuple[object, ...]
    of_other_types: tuple[object, ...]
    """Values that no code is for, since the body is malformed."""


def _text(faults: tuple[tuple[object, str], ...], right: tuple[object, ...]) -> Rule:
    return Rule(faults, right, NO_TEXTS)


def _word(*words: str, but: tuple[str, ...] = ()) -> Rule:
    """A word of a list, to the letter."""
    near = [
        changed for word in words for changed in (word.lower(), f"{word} ", f" {word}", word[:-1])
    ]
    faults = (*_NO_WORDS, *near, *but, f"{words[0]}\0", ",".join(words))
    return _text(tuple((each, "unknown-value") for each in dict.fromkeys(faults)), words)


def _integer(least: int, most: int, *others: int) -> Rule:
    """A whole number of a range; what is cut to 32 bits must not come into it."""
    cut = (1 << 32) + max(least, 1)
    found = (least - 1, most + 1, cut, _FAR, -_FAR, *others)
    faults = tuple((each, "range") for each in found if not least <= each <= most)
    return Rule(faults, (least, most), NO_INTEGERS)


_NAME = _text(
    (
        *(("", "too-short"), ("a" * 61, "too-long"), (BEYOND * 61, "too-long")),
        *(("é" * 61, "too-long"), ("\0" * 61, "too-long"), ("e\u0301" * 31, "too-long")),
        *((each, "characters") for each in _NAMES),
        ("a" * 59 + "\n", "characters"),
    ),
    (
        "a",
        " ",
        "  a  ",
        "a" * 60,
        BEYOND * 60,
        "é" * 60,
        "e\u0301" * 30,
        "\u00a0",
        "\u2028",
        "null",
    ),
)

RULES: Final[dict[str, Rule]] = {
    "firstName": _NAME,
    "lastName": _NAME,
    "email": _text(
        (
            *(("", "too-short"), ("a@", "too-short"), ("@", "too-short"), ("é@", "too-short")),
            *((f"{'a' * 28}@park.example", "too-long"), ("é" * 41, "too-long")),
            *(("a" * 300, "too-long"), ("a b@park.example", "characters")),
            *((" a@park.example", "characters"), ("a@park.example ", "characters")),
            *(("é@park.example", "characters"), ("a@bücher.example", "characters")),
            *(("a\0@park.example", "characters"), ("a@park.example\n", "characters")),
            *(("\x7f@park.example", "characters"), (f"{BEYOND * 25}@b", "characters")),
            *(("a@\u0660.example", "characters"), ("İ@park.example", "characters")),
            *(("a b", "characters"), ("nobody", "format"), ("abc", "format"), ("@@@", "format")),
            *(("@park.example", "format"), ("nobody@", "format"), ("a@b@c", "format")),
            *(("a@b@", "format"), ("@a@b", "format")),
        ),
        (
            *(
                "a@b",
                "!@~",
                "\"'<>\\@park.example",
                "A.B+c_d-e%f@PARK.example",
                "a@b,c;d",
                "1@[::1]",
            ),
            f"{'a' * 27}@park.example",
        ),
    ),
    "password": _text(
        (
            *(("", "too-short"), ("Short#Pass", "too-short"), ("a b", "too-short")),
            *((BEYOND * 10, "too-short"), ("Loadstone#Park-12345", "too-long")),
            *(("a" * 100, "too-long"), (" " * 20, "too-long"), ("é" * 20, "too-long")),
            *(("Loadstone #Park", "characters"), ("Loadstöne#Park-1", "characters")),
            *((BEYOND * 11, "characters"), (BEYOND * 19, "characters")),
            *(("Loadstone#Park\0", "characters"), ("Loadstone#Park\x7f", "characters")),
            *(("Loadstone#Park\t", "characters"), ("nothing right here", "characters")),
            *(("loadstone#park-1", "weak"), ("LOADSTONE#PARK-1", "weak")),
            *(("LoadstonePark123", "weak"), ("12345678901", "weak"), ("#-#-#-#-#-#", "weak")),
            *(
                ("loadstone####", "weak"),
                ("LOADSTONE1234", "weak"),
                ("aaaaaaaaaaaaaaaaaaa", "weak"),
            ),
        ),
        (
            *("Loadstone#1", "Loadstone#Park-1234", "aaaaaaaaaA_", "~bbbbbbbbbB", "cC`````````"),
            *('dD"""""""""', "eE\\\\\\\\\\\\\\\\\\", "fF/////////", "gG:@[{}]^!.,", "1!aA1234567"),
        ),
    ),
    "nif": _integer(100_000_000, 999_999_999, 0, -1, -700_000_000, 1_700_000_004),
    "licensePlateNumber": _text(
        tuple(
            (each, "format")
            for each in (
                *("", "LA-0000", "LA-000000", "la-00001", "La-00001", "MA-00001", "L1-00001"),
                *("LÀ-00001", "LA_00001", "LA 00001", "LA00001", "LA-0000x", "LA--0001"),
                *("LA-00001\n", "LA-00001 ", " LA-00001", "\nLA-00001", "LA-00001\0", "LA-0000\0"),
                *("LA-\uff10\uff10\uff10\uff10\uff11", "LA-\u0660\u0660\u0660\u0660\u0661"),
                *("xLA-00001", "LA-00001x", "LA-+0001", "LA-0x1F0", "\u216cA-00001"),
            )
        ),
        ("LA-00000", "LZ-99999"),
    ),
    "vehicleType": _word("AUTOMOBILE", "MOTORCYCLE", but=("CAR", "FUEL")),
    "vehicleEnergySource": _word(
        *("FUEL", "GPL", "ELECTRIC", "PLUG_IN_HYBRID"), but=("PLUG-IN-HYBRID", "DIESEL", "CREDIT")
    ),
    "paymentMethod": _word("CREDIT", "DEBIT", "PAYPAL", "NOT_DEFINED", but=("PayPal", "CASH")),
    "userStatus": _word("ENABLED", "DISABLED", "BLOCKED", but=("DELETED", "CUSTOMER")),
    "userIds": Rule(
        (
            *(([], "too-short"), (list(range(1, 102)), "too-long"), ([0] * 101, "too-long")),
            *(([0], "range"), ([-1], "range"), ([4, 0], "range"), ([0, 0], "range")),
            *(([4, 4, -5], "range"), ([-_FAR], "range"), ([4, 4], "duplicate")),
            *(([4, 5, 4], "duplicate"), ([_SAFE, _SAFE], "duplicate")),
        ),
        ([1], [6, 5, 4], list(range(1, 101)), [_SAFE]),
        NO_ARRAYS_OF_INTEGERS,
    ),
    "amount": Rule(
        (*_integer(-1_000_000, 1_000_000).faults, (0, "range")),
        (-1_000_000, 1_000_000, 1, -1),
        NO_INTEGERS,
    ),
    "reason": _text(
        (
            *(("", "too-short"), ("a" * 201, "too-long"), (BEYOND * 201, "too-long")),
            *(("\0" * 201, "too-long"), ("é" * 201, "too-long")),
            *((each, "characters") for each in _NAMES),
        ),
        ("a", " ", "a" * 200, BEYOND * 200, "é" * 200, "|", "\u2028"),
    ),
    "userId": Rule(tuple((each, "range") for each in (0, -1, -4, -_FAR)), (1, _SAFE), NO_INTEGERS),
    "reference": _text(
        (
            *(("", "too-short"), ("a" * 101, "too-long"), ("é" * 101, "too-long")),
            *(("a b", "characters"), ("é", "characters"), ("a\0", "characters")),
            *((" a", "characters"), ("a\x7f", "characters"), (BEYOND * 60, "characters")),
            *(("a\n", "characters"), (BEYOND * 100, "characters")),
        ),
        ("a", "a" * 100, "!~", "\"'\\", "0"),
    ),
    "maxCoins": _integer(0, 1_000_000),
}
"""By the name; in `login` any text will do, and `set-payment-method` allows one word less."""

MEMBERS: Final[dict[str, tuple[str, ...]]] = {
    "create-user": (
        *("firstName", "lastName", "email", "password", "nif", "licensePlateNumber"),
        *("vehicleType", "vehicleEnergySource", "paymentMethod"),
    ),
    "login": ("email", "password"),
    "grant-coins": ("userIds", "amount", "reason"),
    "set-status": ("userStatus",),
    "put-vehicle": ("vehicleType", "vehicleEnergySource"),
    "set-payment-method": ("paymentMethod",),
    "debit": ("userId", "reference", "maxCoins"),
}
"""By the operation, in order."""

_ANY_TEXT = _text((), ())
_DEFINED = _word("CREDIT", "DEBIT", "PAYPAL", but=("NOT_DEFINED", "PayPal", "CASH"))


def rules_of(operation: str) -> dict[str, Rule]:
    """The rule of each member of an operation's body, in order."""
    if operation == "login":
        return dict.fromkeys(MEMBERS[operation], _ANY_TEXT)
    if operation == "set-payment-method":
        return {"paymentMethod": _DEFINED}
    return {name: RULES[name] for name in MEMBERS[operation]}
