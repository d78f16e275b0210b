package loadstone.booking;

import io.vertx.sqlclient.DatabaseException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** What a failure of a statement means, by the error of the server. */
final class StatementFailure {

    private StatementFailure() {}

    /** Gives the refusal that a failure is for the caller. */
    static Refusal of(Throwable failure) {
        if (failure instanceof Refusal refusal) {
            return refusal;
        }
        boolean isPassing =
                failure instanceof TimeoutException
                        || failure instanceof ConnectionLost
                        || isLoss(failure)
                        || SqlState.isPassing(state(failure));
        return isPassing
                ? new Refusal(Problem.UNAVAILABLE, failure.getMessage())
                : new Refusal(Problem.INTERNAL, String.valueOf(failure));
    }

    /** Whether the transaction has to be made once more. */
    static boolean isRivalry(Throwable failure) {
        return SqlState.isRivalry(state(failure));
    }

    /**
     * Whether the server or the socket said that the connection of the statement is gone. A reset
     * of the socket fails the statement before the channel is closed.
     */
    static boolean isLoss(Throwable failure) {
        return failure instanceof IOException || SqlState.isLoss(state(failure));
    }

    private static String state(Throwable failure) {
        return failure instanceof DatabaseException error ? error.getSqlState() : null;
    }
}
