package loadstone.booking;

/** What `rate` is given. */
record RatingBody(int stars, String comment) {}
