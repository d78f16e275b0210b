package loadstone.users;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What a failure of the data access means, by the error of the driver or the pool below it. */
final class DatabaseFailure {

    private static final Map<String, Problem> RIVALS =
            Map.of(
                    "app_user_email_key", Problem.DUPLICATE_EMAIL,
                    "app_user_nif_key", Problem.DUPLICATE_NIF,
                    "vehicle_pkey", Problem.DUPLICATE_PLATE,
                    "coin_event_reference_key", Problem.IDEMPOTENCY_MISMATCH);

    private DatabaseFailure() {}

    /** Gives the refusal that a failure is for the caller. */
    static Refusal of(Throwable failure) {
        SQLException cause = sqlCause(failure);
        if (cause == null) {
            return new Refusal(Problem.INTERNAL, String.valueOf(failure));
        }
        String state = cause.getSQLState();
        if (cause instanceof SQLTransientConnectionException || SqlState.isPassing(state)) {
            return new Refusal(Problem.UNAVAILABLE, cause.getMessage());
        }
        if (SqlState.isBeyondBalance(state)) {
            return new Refusal(Problem.COINS);
        }
        Problem rivalry = SqlState.isTaken(state) ? RIVALS.get(constraint(cause)) : null;
        return rivalry == null
                ? new Refusal(Problem.INTERNAL, cause.getMessage())
                : new Refusal(rivalry);
    }

    /** The name of the constraint that the rows would have broken; a text that is none. */
    private static String constraint(SQLException cause) {
        ServerErrorMessage message =
                cause instanceof PSQLException own ? own.getServerErrorMessage() : null;
        String name = message == null ? null : message.getConstraint();
        return name == null ? "" : name;
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
