"""The operation with-country: a list with the country of each conference."""

from fastapi import APIRouter, Request, Response

from conference.answer import answer_list
from conference.caller import CallerGone, while_here
from conference.conferences import rows_of
from conference.config import LookupConfig
from conference.store import Store
from conference.strategy import Countries, look_up


def with_country(store: Store, country: Countries, config: LookupConfig) -> APIRouter:
    """Return the route."""
    router = APIRouter()

    @router.get("/conferenceswithcountry", name="with-country")
    async def list_with_country(request: Request) -> Response:
        rows, headers = await rows_of(store, request)
        names = [name for _, name in rows]
        try:
            async with while_here(request.receive):
                countries = await look_up(names, country, config)
        except CallerGone:
            return Response()  # nobody is there to be told
        return await answer_list(
            ("name", "country"), list(zip(names, countries, strict=True)), headers
        )

    return router
