package loadstone.users;

/** A vehicle and the user who has it. */
record OwnedPlate(String plate, long userId) {}
