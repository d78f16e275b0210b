"""Which service a leg leads to, by who names the leg and who needs whom. Pure."""

from collections.abc import Mapping, Sequence


def called_by(
    leg: str, legs: Mapping[str, Sequence[str]], needs: Mapping[str, Sequence[str]]
) -> str | None:
    """Return the service that all others which name a leg need; `legs` and `needs` are by service.

    None where no second service names it, so that it leads to a dependency or comes from outside, and
    where there is no such service among several.
    """
    sharing = [service for service, named in legs.items() if leg in named]
    if len(sharing) == 1:
        return None
    return next(
        (
            called
            for called in sharing
            if all(called in needs[each] for each in sharing if each != called)
        ),
        None,
    )
