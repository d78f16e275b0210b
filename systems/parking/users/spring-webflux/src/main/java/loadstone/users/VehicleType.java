package loadstone.users;

/** In rows as the place in this order. */
enum VehicleType {
    AUTOMOBILE,
    MOTORCYCLE
}
