package loadstone.users;

/** What a user is; in rows as the place in this order. Nobody of the rows is a DEVICE. */
enum Role {
    SUPERVISOR,
    CUSTOMER,
    CUSTOMER_MANAGER,
    PARK_MANAGER,
    DEVICE;

    /** Whether all users are shown. */
    boolean isManagerOfUsers() {
        return this == SUPERVISOR || this == CUSTOMER_MANAGER;
    }
}
