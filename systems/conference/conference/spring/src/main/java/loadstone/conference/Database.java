package loadstone.conference;

import com.zaxxer.hikari.HikariDataSource;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.Supplier;

/** The way to the database, on which each failure becomes a Refusal. */
final class Database {

    private final HikariDataSource pool;

    Database(HikariDataSource pool) {
        this.pool = pool;
    }

    /** Makes one statement by the data access, and gives its result. Throws a Refusal. */
    <T> T ask(Supplier<T> statement) {
        try {
            return statement.get();
        } catch (RuntimeException e) {
            throw refusal(e);
        }
    }

    /** Asks whether the database answers. Throws a Refusal where it does not. */
    void askReady() {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
            statement.executeQuery().close();
        } catch (SQLException e) {
            throw refusal(e);
        }
    }

    private Refusal refusal(Exception failure) {
        if (DatabaseFailure.isLost(failure) && !isOver(failure)) {
            // A server that ended one connection most likely ended all. They are not tested when
            // taken, so each of them would cost another request.
            pool.getHikariPoolMXBean().softEvictConnections();
        }
        return DatabaseFailure.of(failure);
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
