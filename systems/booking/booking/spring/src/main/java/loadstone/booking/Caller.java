package loadstone.booking;

/** Who a request is from, as its token says. */
record Caller(long id, Role role) {}
