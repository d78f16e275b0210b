"""What is wrong in a template, and where that is to be told."""

from loadstone.errors import WrongValueError

KeyPath = tuple[str | int, ...]


class WrongTemplateError(WrongValueError):
    """A template that is wrong inside of what was typed, or because of a key elsewhere."""

    def __init__(
        self,
        message: str,
        remedy: str | None,
        *,
        inside: KeyPath = (),
        elsewhere: KeyPath | None = None,
    ) -> None:
        super().__init__(message, remedy)
        self.inside = inside
        """Where in the typed value it stands."""
        self.elsewhere = elsewhere
        """The key that it is to be told at instead; none: where the template stands."""


def further_inside(error: WrongValueError, key: str | int) -> WrongTemplateError:
    """The same error of a value that has what is wrong under a key."""
    if isinstance(error, WrongTemplateError):
        return WrongTemplateError(
            error.message, error.remedy, inside=(key, *error.inside), elsewhere=error.elsewhere
        )
    return WrongTemplateError(error.message, error.remedy, inside=(key,))
