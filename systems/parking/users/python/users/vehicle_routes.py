"""The operations on vehicles."""

from fastapi import APIRouter, Depends, Request, Response

from users.answer import CREATED, OK, answer
from users.body import read_value
from users.caller import guard, own, own_customer
from users.store import VehicleStore
from users.vehicle import put_vehicle, shown_vehicle


def vehicle_routes(store: VehicleStore) -> APIRouter:
    """Return the routes; each name is that of an operation."""
    router = APIRouter()
    path = "/users/{user}/vehicles"

    @router.get(path, name="vehicles", dependencies=[Depends(guard(own))])
    async def list_all(user: int) -> Response:
        return answer([shown_vehicle(vehicle) for vehicle in await store.list(user)])

    @router.put(
        f"{path}/{{plate}}", name="put-vehicle", dependencies=[Depends(guard(own_customer))]
    )
    async def put(user: int, plate: str, request: Request) -> Response:
        vehicle = put_vehicle(await read_value(request), plate)
        is_new = await store.put(user, vehicle)
        return answer(shown_vehicle(vehicle), CREATED if is_new else OK)

    return router
