package loadstone.booking;

import io.r2dbc.spi.R2dbcException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** What a failure of the data access means, by the error of the driver or the pool. */
final class StatementFailure {

    private StatementFailure() {}

    /** Gives the refusal that a failure is for the caller. */
    static Refusal of(Throwable failure) {
        if (failure instanceof Refusal refusal) {
            return refusal;
        }
        if (isLoss(failure) || SqlState.isPassing(state(failure))) {
            return new Refusal(Problem.UNAVAILABLE, failure.getMessage());
        }
        return new Refusal(Problem.INTERNAL, String.valueOf(failure));
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
