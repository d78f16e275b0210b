package loadstone.booking;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** What a failure of the data access means, by the error of the driver or the pool below it. */
final class DatabaseFailure {

    private DatabaseFailure() {}

    /** Gives the refusal that a failure is for the caller. */
    static Refusal of(Throwable failure) {
        SQLException cause = sqlCause(failure);
        if (cause == null) {
            return new Refusal(Problem.INTERNAL, String.valueOf(failure));
        }
        boolean isPassing =
                cause instanceof SQLTransientConnectionException
                        || SqlState.isPassing(cause.getSQLState());
        return new Refusal(isPassing ? Problem.UNAVAILABLE : Problem.INTERNAL, cause.getMessage());
    }

    /** Whether the transaction has to be made once more. */
    static boolean isRivalry(Throwable failure) {
        SQLException cause = sqlCause(failure);
        return cause != null && SqlState.isRivalry(cause.getSQLState());
    }

    /** Whether a connection that was in use was ended by the other side. */
    static boolean isLoss(Throwable failure) {
        SQLException cause = sqlCause(failure);
        return cause != null
                && !(cause instanceof SQLTransientConnectionException)
                && SqlState.isLoss(cause.getSQLState())
                && !isOver(cause);
    }

    /** Whether this connection's wait was over, which tells nothing of the others. */
    private static boolean isOver(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
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
