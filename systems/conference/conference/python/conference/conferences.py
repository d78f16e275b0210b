"""The operations on conferences alone: list, insert, get, replace and remove."""

from fastapi import APIRouter, Request, Response

from conference.answer import answer, answer_list
from conference.body import read_value
from conference.conference import new_conference, replaced_conference
from conference.page import read_page
from conference.problem import Kind, Problem
from conference.store import Rows, Store

_ALL = "/conferences"
_ONE = "/conferences/{id_}"

_ACCEPTED = 202
_NO_CONTENT = 204


def conferences(store: Store) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()

    @router.get(_ALL, name="list")
    async def list_all(request: Request) -> Response:
        rows, headers = await rows_of(store, request)
        return await answer_list(("id", "name"), rows, headers)

    @router.post(_ALL, name="insert")
    async def insert(request: Request) -> Response:
        await store.insert(new_conference(await read_value(request)))
        return Response(status_code=_ACCEPTED)

    @router.get(_ONE, name="get")
    async def get(id_: str) -> Response:
        conference = await store.get(id_)
        if conference is None:
            raise Problem(Kind.NOT_FOUND)
        return answer(vars(conference))

    @router.put(_ONE, name="replace")
    async def replace(id_: str, request: Request) -> Response:
        conference = replaced_conference(await read_value(request), id_)
        if not await store.replace(conference):
            raise Problem(Kind.NOT_FOUND)
        return answer(vars(conference))

    @router.delete(_ONE, name="remove")
    async def remove(id_: str) -> Response:
        if not await store.remove(id_):
            raise Problem(Kind.NOT_FOUND)
        return Response(status_code=_NO_CONTENT)

    return router


async def rows_of(store: Store, request: Request) -> tuple[Rows, dict[str, str]]:
    """Return the rows of a list, whole or a page, and the field that tells of the next page."""
    page = read_page(request.query_params)
    if page is None:
        return await store.list_all(), {}
    rows = await store.list_after(page.after, page.limit + 1)
    if len(rows) <= page.limit:
        return rows, {}
    rows = rows[: page.limit]
    last, _ = rows[-1]
    return rows, {"link": page.next_link(request.url.path, last)}
