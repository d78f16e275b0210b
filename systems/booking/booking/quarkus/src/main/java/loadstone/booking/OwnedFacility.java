package loadstone.booking;

/** A facility with the owner of its club. */
record OwnedFacility(Facility facility, long ownerId) {}
