package loadstone.booking;

import io.agroal.api.AgroalDataSource;
import io.quarkus.arc.Arc;
import io.quarkus.arc.InjectableContext;
import io.quarkus.arc.ManagedContext;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The way to the database, on which each failure becomes a Refusal. */
@Singleton
final class Database {

    private static final long NEVER = -1;

    private final AgroalDataSource pool;

    /** How many connections had been made when all were last given up. */
    private final AtomicLong madeAtLoss = new AtomicLong(NEVER);

    Database(AgroalDataSource pool) {
        this.pool = pool;
    }

    /** Makes statements, each of which is its own transaction. Throws a Refusal. */
    <T> T ask(Supplier<T> statements) {
        return attempt(() -> inOwnSession(statements));
    }

    /** Makes statements in one transaction, which a Refusal of theirs rolls back. */
    <T> T inTransaction(Supplier<T> statements) {
        return attempt(() -> inOwnTransaction(statements));
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

    private <T> T attempt(Supplier<T> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            if (!DatabaseFailure.isRivalry(e)) {
                throw refusal(e);
            }
        }
        try {
            return work.get(); // rivals have ended meanwhile
        } catch (RuntimeException e) {
            throw refusal(e);
        }
    }

    /**
     * Has a context of a request besides the caller's: with it ends the session of Quarkus, which
     * gives its connection back before the answer is sent.
     */
    private static <T> T inOwnSession(Supplier<T> statements) {
        ManagedContext context = Arc.container().requestContext();
        InjectableContext.ContextState callers = context.getStateIfActive();
        context.activate();
        try {
            return statements.get();
        } finally {
            context.terminate();
            if (callers != null) {
                context.activate(callers);
            }
        }
    }

    /**
     * Keeps what the statements threw, since a roll-back where the connection is gone throws, too.
     * What else fails is the commit, of which the manager of transactions gives no SQLSTATE: with
     * no constraint left to check it fails where the connection does.
     */
    private static <T> T inOwnTransaction(Supplier<T> statements) {
        var thrown = new AtomicReference<RuntimeException>();
        try {
            return QuarkusTransaction.requiringNew()
                    .call(
                            () -> {
                                try {
                                    return statements.get();
                                } catch (RuntimeException e) {
                                    thrown.set(e);
                                    throw e;
                                }
                            });
        } catch (RuntimeException e) {
            if (thrown.get() != null) {
                throw thrown.get();
            }
            throw new Refusal(Problem.UNAVAILABLE, "no commit: " + e.getMessage());
        }
    }

    private Refusal refusal(Exception failure) {
        if (failure instanceof Refusal refusal) {
            return refusal;
        }
        if (isOfPool(failure)) {
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

    /** Whether the pool gave no connection: what it says has no SQLSTATE, unlike the driver's. */
    private static boolean isOfPool(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException cause) {
                return cause.getSQLState() == null;
            }
        }
        return false;
    }
}
