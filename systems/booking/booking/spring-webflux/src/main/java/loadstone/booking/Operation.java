package loadstone.booking;

import java.util.Locale;

/** What callers can ask for, and who may. */
enum Operation {
    SIGN_UP("POST", Access.ANYONE),
    LOG_IN("POST", Access.ANYONE),
    ME("GET", Access.ACCOUNT),
    LIST_CLUBS("GET", Access.ACCOUNT),
    CREATE_CLUB("POST", Access.OWNER),
    GET_CLUB("GET", Access.ACCOUNT),
    REPLACE_CLUB("PUT", Access.OWNER),
    LIST_FACILITIES("GET", Access.ACCOUNT),
    ADD_FACILITY("POST", Access.OWNER),
    GET_FACILITY("GET", Access.ACCOUNT),
    REPLACE_FACILITY("PUT", Access.OWNER),
    RETIRE_FACILITY("DELETE", Access.OWNER),
    LIST_SLOTS("GET", Access.ACCOUNT),
    RESERVE("POST", Access.PLAYER),
    GET_RESERVATION("GET", Access.ACCOUNT),
    LIST_RESERVATIONS("GET", Access.ACCOUNT),
    ACCEPT("POST", Access.OWNER),
    REJECT("POST", Access.OWNER),
    CANCEL("POST", Access.PLAYER),
    RATE("PUT", Access.PLAYER),
    LIST_RATINGS("GET", Access.ACCOUNT),
    LIVE("GET", Access.ANYONE),
    READY("GET", Access.ANYONE);

    /** Who may ask, before the database is looked into. */
    enum Access {
        ANYONE,
        ACCOUNT,
        PLAYER,
        OWNER;

        /** Whether an account of the role may ask. */
        boolean admits(Role role) {
            return switch (this) {
                case ANYONE, ACCOUNT -> true;
                case PLAYER -> role == Role.PLAYER;
                case OWNER -> role == Role.OWNER;
            };
        }
    }

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

    /** Whether a token is needed; where none is, one that is sent is not looked at. */
    boolean needsToken() {
        return access != Access.ANYONE;
    }

    /** The name as SPEC.md has it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
