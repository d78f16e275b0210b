package loadstone.users;

import java.util.Set;

/** What an error of the database means, by its SQLSTATE, which may be null. */
final class SqlState {

    /** Serialization failure, deadlock. */
    private static final Set<String> RIVALRY = Set.of("40001", "40P01");

    /** Too many connections, lock not available, statement cancelled. */
    private static final Set<String> PASSING = Set.of("53300", "55P03", "57014");

    /** The end of the connection: by an administrator, a crash, a start, a drop, idle too long. */
    private static final Set<String> ENDED = Set.of("57P01", "57P02", "57P03", "57P04", "57P05");

    private static final String UNIQUE = "23505";

    /** Check violation, number out of range. */
    private static final Set<String> BEYOND_BALANCE = Set.of("23514", "22003");

    /** The class of connections. */
    private static final String CONNECTION = "08";

    private SqlState() {}

    /** Whether the transaction may do well if it is made once more. */
    static boolean isRivalry(String state) {
        return state != null && RIVALRY.contains(state);
    }

    /** Whether the connection is gone. */
    static boolean isLoss(String state) {
        return state != null && (state.startsWith(CONNECTION) || ENDED.contains(state));
    }

    /** Whether a row of another has what must be there once. */
    static boolean isTaken(String state) {
        return UNIQUE.equals(state);
    }

    /** Whether a balance would be below zero, or more than a number of its type. */
    static boolean isBeyondBalance(String state) {
        return state != null && BEYOND_BALANCE.contains(state);
    }

    /** Whether it is no fault of the service: the database may do well later. */
    static boolean isPassing(String state) {
        return isRivalry(state) || isLoss(state) || (state != null && PASSING.contains(state));
    }
}
