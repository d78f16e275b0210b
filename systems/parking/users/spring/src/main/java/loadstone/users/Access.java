package loadstone.users;

/** Who may ask for an operation, before the database is looked into. */
enum Access {
    ANYONE,
    /** A service with the internal key. */
    SERVICE,
    SUPERVISOR,
    CUSTOMER_MANAGER,
    MANAGER,
    OWN,
    OWN_OF_CUSTOMER,
    OWN_OR_CUSTOMER_MANAGER,
    OWN_OR_MANAGER;

    /** Whether it is asked who the caller is. */
    boolean needsIdentity() {
        return this != ANYONE && this != SERVICE;
    }

    /** Whether the caller may ask, of the user of the path, where there is one. */
    boolean admits(Caller caller, long userId) {
        boolean isOwn = caller.id() == userId;
        Role role = caller.role();
        return switch (this) {
            case ANYONE, SERVICE -> true;
            case SUPERVISOR -> role == Role.SUPERVISOR;
            case CUSTOMER_MANAGER -> role == Role.CUSTOMER_MANAGER;
            case MANAGER -> role.isManagerOfUsers();
            case OWN -> isOwn;
            case OWN_OF_CUSTOMER -> isOwn && role == Role.CUSTOMER;
            case OWN_OR_CUSTOMER_MANAGER -> isOwn || role == Role.CUSTOMER_MANAGER;
            case OWN_OR_MANAGER -> isOwn || role.isManagerOfUsers();
        };
    }
}
