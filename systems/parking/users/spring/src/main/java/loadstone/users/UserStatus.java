package loadstone.users;

/** In rows as the place in this order. */
enum UserStatus {
    ENABLED,
    DISABLED,
    BLOCKED
}
