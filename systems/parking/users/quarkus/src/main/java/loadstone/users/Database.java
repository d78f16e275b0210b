package loadstone.users;

import io.agroal.api.AgroalDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/** The way to the database, on which each failure becomes a Refusal. */
@Singleton
final class Database {

    /** What is asked on a connection. */
    interface Work<T> {
        T on(Session session) throws SQLException;
    }

    /** Work with all that it needs besides. */
    private interface Attempt<T> {
        T on(Connection connection) throws SQLException;
    }

    private static final long NEVER = -1;

    private final AgroalDataSource pool;

    /** How many connections had been made when all were last given up. */
    private final AtomicLong madeAtLoss = new AtomicLong(NEVER);

    Database(AgroalDataSource pool) {
        this.pool = pool;
    }

    /** Makes one statement, which is its own transaction. Throws a Refusal. */
    <T> T ask(Work<T> statement) {
        return attempt(connection -> statement.on(new Session(connection)));
    }

    /** Makes statements in one transaction, which a Refusal of theirs rolls back. */
    <T> T inTransaction(Work<T> statements) {
        return attempt(connection -> transact(connection, statements));
    }

    /** Asks whether the database answers. Throws a Refusal where it does not. */
    void askReady() {
        ask(session -> session.row("SELECT 1", row -> row.getInt(1)));
    }

    private <T> T attempt(Attempt<T> attempt) {
        try {
            return once(attempt);
        } catch (SQLException e) {
            if (!DatabaseFailure.isRivalry(e)) {
                throw refusal(e);
            }
        }
        try {
            return once(attempt); // rivals have ended meanwhile
        } catch (SQLException e) {
            throw refusal(e);
        }
    }

    private <T> T once(Attempt<T> attempt) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return attempt.on(connection);
        }
    }

    private static <T> T transact(Connection connection, Work<T> statements) throws SQLException {
        connection.setAutoCommit(false);
        T result;
        try {
            result = statements.on(new Session(connection));
        } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        }
        connection.commit();
        connection.setAutoCommit(true);
        return result;
    }

    /** Where that fails the connection is gone, and its transaction with it. */
    private static void rollBack(Connection connection, Exception reason) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    private Refusal refusal(SQLException failure) {
        if (failure.getSQLState() == null) {
            // What the pool says of a wait that is over has no state, unlike the driver's.
            return new Refusal(Problem.UNAVAILABLE, "no connection in time");
        }
        if (DatabaseFailure.isLoss(failure)) {
            giveUpAll();
        }
        return DatabaseFailure.of(failure);
    }

    /**
     * A server that ended one connection most likely ended all. They are not tested when taken, so
     * each of them would cost another request. It is done once for those that were made until then.
     */
    private void giveUpAll() {
        long made = PatientDriver.made();
        if (madeAtLoss.getAndSet(made) != made) {
            pool.flush(AgroalDataSource.FlushMode.GRACEFUL);
        }
    }
}
