package loadstone.users;

/** What `debit` is given. */
record Debit(long userId, String reference, int maxCoins) {}
