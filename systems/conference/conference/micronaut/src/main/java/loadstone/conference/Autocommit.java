package loadstone.conference;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.data.connection.ConnectionDefinition;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.transaction.TransactionCallback;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.TransactionStatus;
import io.micronaut.transaction.hibernate.HibernateTransactionManager;
import io.micronaut.transaction.impl.DefaultTransactionStatus;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.hibernate.FlushMode;
import org.hibernate.Session;

/**
 * What Micronaut Data takes for its transactions. There are none: each operation is one statement,
 * which commits by itself, and a transaction would add several others to it.
 */
@Singleton
@Named("default")
@Replaces(HibernateTransactionManager.class)
final class Autocommit implements TransactionOperations<Session> {

    private final ConnectionOperations<Session> connections;

    Autocommit(@Named("default") ConnectionOperations<Session> connections) {
        this.connections = connections;
    }

    /** What is persisted is sent at the end, as it is at the end of a transaction. */
    @Override
    public <R> R execute(
            TransactionDefinition definition, TransactionCallback<Session, R> callback) {
        return connections.execute(
                ConnectionDefinition.DEFAULT,
                connection -> {
                    Session session = connection.getConnection();
                    session.setHibernateFlushMode(FlushMode.MANUAL);
                    R result =
                            callback.apply(DefaultTransactionStatus.noTx(connection, definition));
                    if (!definition.isReadOnly().orElse(false)) {
                        session.flush();
                    }
                    return result;
                });
    }

    @Override
    public Session getConnection() {
        return connections.getConnectionStatus().getConnection();
    }

    @Override
    public boolean hasConnection() {
        return connections.findConnectionStatus().isPresent();
    }

    @Override
    public Optional<? extends TransactionStatus<?>> findTransactionStatus() {
        return Optional.empty();
    }
}
