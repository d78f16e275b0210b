package loadstone.booking;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** The way to the database, on which each failure becomes a Refusal. */
@Component
class Database {

    private final HikariDataSource pool;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    Database(HikariDataSource pool, JdbcClient jdbc, TransactionTemplate transactions) {
        this.pool = pool;
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /** Makes one statement, which is its own transaction. Throws a Refusal. */
    <T> T ask(Supplier<T> statement) {
        try {
            return statement.get();
        } catch (RuntimeException e) {
            if (!DatabaseFailure.isRivalry(e)) {
                throw refusal(e);
            }
        }
        try {
            return statement.get(); // rivals have ended meanwhile
        } catch (RuntimeException e) {
            throw refusal(e);
        }
    }

    /** Makes statements in one transaction, which a Refusal of theirs rolls back. */
    <T> T inTransaction(Supplier<T> statements) {
        return ask(() -> transacted(statements));
    }

    /** A rollback on a broken connection fails, too: what the statements failed by tells why. */
    private <T> T transacted(Supplier<T> statements) {
        var failed = new AtomicReference<RuntimeException>();
        try {
            return transactions.execute(
                    status -> {
                        try {
                            return statements.get();
                        } catch (RuntimeException e) {
                            failed.set(e);
                            throw e;
                        }
                    });
        } catch (RuntimeException e) {
            throw failed.get() == null ? e : failed.get();
        }
    }

    /** Asks whether the database answers. Throws a Refusal where it does not. */
    void askReady() {
        ask(() -> jdbc.sql("SELECT 1").query(Integer.class).single());
    }

    private Refusal refusal(Throwable failure) {
        if (failure instanceof Refusal refusal) {
            return refusal;
        }
        if (DatabaseFailure.isLoss(failure)) {
            // A server that ended one connection most likely ended all. They are not tested when
            // taken, so each of them would cost another request.
            pool.getHikariPoolMXBean().softEvictConnections();
        }
        return DatabaseFailure.of(failure);
    }
}
