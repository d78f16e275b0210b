package loadstone.users;

/** In rows as the place in this order. */
enum VehicleEnergySource {
    FUEL,
    GPL,
    ELECTRIC,
    PLUG_IN_HYBRID
}
