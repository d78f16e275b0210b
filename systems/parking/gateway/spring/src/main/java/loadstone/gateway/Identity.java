package loadstone.gateway;

/** Whom a token is of: what the service is told. */
record Identity(String id, String role) {}
