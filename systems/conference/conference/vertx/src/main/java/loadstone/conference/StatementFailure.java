package loadstone.conference;

import io.vertx.core.VertxException;
import io.vertx.mysqlclient.MySQLException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** What a failure of a statement means, by the error of the driver. */
final class StatementFailure {

    private static final int DUPLICATE_KEY = 1062;

    /** The connection, by somebody else. Its SQLSTATE is not of the class of connections. */
    private static final int KILLED = 1927;

    /** Too many connections, lock wait over, deadlock, interrupted, statement over its time. */
    private static final Set<Integer> PASSING = Set.of(1040, 1205, 1213, 1317, 1969, KILLED);

    /** The class of SQLSTATE of connections. */
    private static final String CONNECTION = "08";

    private StatementFailure() {}

    /** Gives the refusal that a failure is for the caller. */
    static Refusal of(Throwable failure) {
        if (failure instanceof MySQLException error && error.getErrorCode() == DUPLICATE_KEY) {
            return new Refusal(Problem.DUPLICATE_ID);
        }
        if (failure instanceof TimeoutException
                || isLost(failure)
                || (failure instanceof MySQLException error
                        && PASSING.contains(error.getErrorCode()))) {
            return new Refusal(Problem.UNAVAILABLE, failure.getMessage());
        }
        return new Refusal(Problem.INTERNAL, String.valueOf(failure));
    }

    /** Whether the connection of the statement is gone. */
    static boolean isLost(Throwable failure) {
        if (failure instanceof MySQLException error) {
            return error.getErrorCode() == KILLED
                    || (error.getSqlState() != null && error.getSqlState().startsWith(CONNECTION));
        }
        // The driver says with VertxException that a connection is not active any more.
        return failure instanceof VertxException || failure instanceof IOException;
    }
}
