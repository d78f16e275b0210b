package loadstone.booking;

/** What `sign-up` is given, the address in lower case. */
record AccountBody(String email, String name, String password, String role) {}
