package loadstone.users;

/** What was taken for a reference, from whom; the amount is that of the event, below 0. */
record StoredDebit(long userId, int amount) {}
