package loadstone.conference;

import io.agroal.api.AgroalDataSource;
import jakarta.inject.Singleton;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The way to the database, on which each failure becomes a Refusal. */
@Singleton
final class Database {

    private final AgroalDataSource pool;

    /** Whether connections were lost, and none of the pool has done well since. */
    private final AtomicBoolean hasLost = new AtomicBoolean();

    Database(AgroalDataSource pool) {
        this.pool = pool;
    }

    /** Makes one statement by the data access, and gives its result. Throws a Refusal. */
    <T> T ask(Supplier<T> statement) {
        try {
            T result = statement.get();
            noteSuccess();
            return result;
        } catch (RuntimeException e) {
            throw refusal(e);
        }
    }

    /** Asks whether the database answers. Throws a Refusal where it does not. */
    void askReady() {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
            statement.executeQuery().close();
            noteSuccess();
        } catch (SQLException e) {
            throw refusal(e);
        }
    }

    private void noteSuccess() {
        if (hasLost.get()) {
            hasLost.set(false);
        }
    }

    private Refusal refusal(Exception failure) {
        if (isOfPool(failure)) {
            return new Refusal(Problem.UNAVAILABLE, "no connection in time");
        }
        if (DatabaseFailure.isLost(failure)
                && !isOver(failure)
                && hasLost.compareAndSet(false, true)) {
            // A server that ended one connection most likely ended all. They are not tested when
            // taken, so each of them would cost another request.
            pool.flush(AgroalDataSource.FlushMode.GRACEFUL);
        }
        return DatabaseFailure.of(failure);
    }

    /** Whether the pool gave no connection: what it says has no SQLSTATE, unlike the driver's. */
    private static boolean isOfPool(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException cause) {
                return cause.getSQLState() == null && cause.getErrorCode() == 0;
            }
        }
        return false;
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
}
