package loadstone.users;

/** What `debit` answers. */
record Taken(int coins) {}
