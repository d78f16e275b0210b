package loadstone.users;

/** What `grant-coins` answers: how many users. */
record Granted(int granted) {}
