package loadstone.booking;

/** Of all ratings of a facility. Without any the average is null. */
record RatingSummary(long count, Double average) {}
