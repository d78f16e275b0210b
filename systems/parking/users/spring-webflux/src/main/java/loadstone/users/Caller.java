package loadstone.users;

/** Who a request is from, as the gateway says. */
record Caller(long id, Role role) {}
