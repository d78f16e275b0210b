package loadstone.users;

/** What is wrong with one member of a body, both texts of the specification's lists. */
record Fault(String pointer, String code) {}
