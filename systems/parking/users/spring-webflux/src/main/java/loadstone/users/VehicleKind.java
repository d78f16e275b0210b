package loadstone.users;

/** What `put-vehicle` is given. */
record VehicleKind(VehicleType type, VehicleEnergySource energySource) {}
