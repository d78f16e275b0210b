"""What a vehicle has to be, and how one is shown."""

from users.members import Members
from users.models import Vehicle
from users.words import ENERGY_SOURCES, VEHICLE_TYPES


def put_vehicle(value: object, plate: str) -> Vehicle:
    """Return the vehicle in the body of put-vehicle. Raises Problem."""
    members = Members(value)
    kind = read_kind(members)
    members.refuse_faults()
    return Vehicle(plate, *kind)


def read_kind(members: Members) -> tuple[int, int]:
    """Return the places of the type and of the source of energy. Raises Problem."""
    type_ = members.place("vehicleType", VEHICLE_TYPES)
    return type_, members.place("vehicleEnergySource", ENERGY_SOURCES)


def shown_vehicle(vehicle: Vehicle) -> dict[str, object]:
    """Return the members of a vehicle in an answer."""
    return {
        "licensePlateNumber": vehicle.plate,
        "vehicleType": VEHICLE_TYPES[vehicle.type],
        "vehicleEnergySource": ENERGY_SOURCES[vehicle.energy],
    }
