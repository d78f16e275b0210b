package loadstone.conference;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What a failure of the data access means, by the error of the driver below it. */
final class DatabaseFailure {

    private static final int DUPLICATE_KEY = 1062;

    /** The connection, by somebody else. Its SQLSTATE is not of the class of connections. */
    private static final int KILLED = 1927;

    /** Too many connections, lock wait over, deadlock, interrupted, statement over its time. */
    private static final Set<Integer> PASSING = Set.of(1040, 1205, 1213, 1317, 1969, KILLED);

    /** The class of SQLSTATE of connections. */
    private static final String CONNECTION = "08";

    private DatabaseFailure() {}

    /** Gives the refusal that a failure is for the caller. */
    static Refusal of(Throwable failure) {
        SQLException cause = sqlCause(failure);
        if (cause == null) {
            return new Refusal(Problem.INTERNAL, String.valueOf(failure));
        }
        if (cause.getErrorCode() == DUPLICATE_KEY) {
            return new Refusal(Problem.DUPLICATE_ID);
        }
        if (PASSING.contains(cause.getErrorCode())
                || cause instanceof SQLTransientConnectionException
                || isOfConnection(cause)) {
            return new Refusal(Problem.UNAVAILABLE, cause.getMessage());
        }
        return new Refusal(Problem.INTERNAL, cause.getMessage());
    }

    /** Whether a connection that was in use is gone. */
    static boolean isLost(Throwable failure) {
        SQLException cause = sqlCause(failure);
        return cause != null
                && !(cause instanceof SQLTransientConnectionException)
                && (cause.getErrorCode() == KILLED || isOfConnection(cause));
    }

    private static boolean isOfConnection(SQLException cause) {
        return cause.getSQLState() != null && cause.getSQLState().startsWith(CONNECTION);
    }

    /** The outermost one: what the pool says of a wait that is over comes before its reason. */
    private static SQLException sqlCause(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException cause) {
                return cause;
            }
        }
        return null;
    }
}
