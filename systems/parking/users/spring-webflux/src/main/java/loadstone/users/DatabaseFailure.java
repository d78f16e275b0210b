package loadstone.users;

import io.r2dbc.postgresql.api.PostgresqlException;
import io.r2dbc.spi.R2dbcException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** What a failure of the data access means, by the error of the driver or the pool. */
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
        if (failure instanceof Refusal refusal) {
            return refusal;
        }
        String state = state(failure);
        if (isLoss(failure) || SqlState.isPassing(state)) {
            return new Refusal(Problem.UNAVAILABLE, cause(failure));
        }
        if (SqlState.isBeyondBalance(state)) {
            return new Refusal(Problem.COINS);
        }
        Problem rivalry = SqlState.isTaken(state) ? RIVALS.get(constraint(failure)) : null;
        return rivalry == null
                ? new Refusal(Problem.INTERNAL, cause(failure))
                : new Refusal(rivalry);
    }

    /** What is said of it: the text of the database may have a part of a row. */
    private static String cause(Throwable failure) {
        String state = state(failure);
        return state == null ? String.valueOf(failure) : "SQLSTATE " + state;
    }

    /** The name of the constraint that the rows would have broken; a text that is none. */
    private static String constraint(Throwable failure) {
        return failure instanceof PostgresqlException own
                ? own.getErrorDetails().getConstraintName().orElse("")
                : "";
    }

    /** Whether the transaction has to be made once more. */
    static boolean isRivalry(Throwable failure) {
        return SqlState.isRivalry(state(failure));
    }

    /** Whether the connection of the statement is gone, or what it is at is not known. */
    static boolean isLoss(Throwable failure) {
        if (failure instanceof R2dbcException error && error.getSqlState() != null) {
            return SqlState.isLoss(error.getSqlState());
        }
        // Of a connection that was closed the driver has no state to tell.
        return failure instanceof R2dbcException
                || failure instanceof TimeoutException
                || failure instanceof IOException;
    }

    private static String state(Throwable failure) {
        return failure instanceof R2dbcException error ? error.getSqlState() : null;
    }
}
