package loadstone.booking;

/** A rating, and whether it replaced none. */
record Rated(Rating rating, boolean isNew) {}
