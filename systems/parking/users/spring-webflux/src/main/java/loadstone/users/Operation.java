package loadstone.users;

import java.util.Locale;

/** What callers can ask for, and who may. */
enum Operation {
    CREATE_USER("POST", Access.ANYONE),
    LOGIN("POST", Access.ANYONE),
    LIST_USERS("GET", Access.MANAGER),
    TOP_COINS("GET", Access.MANAGER),
    GRANT_COINS("POST", Access.CUSTOMER_MANAGER),
    GET_USER("GET", Access.OWN_OR_MANAGER),
    SET_STATUS("PUT", Access.SUPERVISOR),
    VEHICLES("GET", Access.OWN),
    PUT_VEHICLE("PUT", Access.OWN_OF_CUSTOMER),
    PAYMENT_METHOD("GET", Access.OWN),
    SET_PAYMENT_METHOD("PUT", Access.OWN),
    WALLET("GET", Access.OWN_OR_CUSTOMER_MANAGER),
    DEBIT("POST", Access.SERVICE),
    HEALTH("GET", Access.ANYONE);

    private final String method;
    private final Access access;

    Operation(String method, Access access) {
        this.method = method;
        this.access = access;
    }

    String method() {
        return method;
    }

    Access access() {
        return access;
    }

    /** The name as SPEC.md has it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
