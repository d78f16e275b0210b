package loadstone.booking;

/** What `log-in` reads of an account. */
record StoredPassword(long accountId, String hash, Role role) {}
