package loadstone.conference;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * The pool of connections to the database: always as many as POOL_SIZE, opened in the background.
 */
final class Pool {

    /** How long after a connection could not be made the next try is. */
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

    /** Hikari refuses limits below 250 ms unless told so. */
    private static final String LEAST_TIMEOUT_MILLIS = "com.zaxxer.hikari.timeoutMs.floor";

    /** How long a connection may have been idle to be given out without a test. */
    private static final String UNTESTED_MILLIS = "com.zaxxer.hikari.aliveBypassWindowMs";

    private Pool() {}

    /** Opens it. Waits for no connection. */
    static HikariDataSource open(Config config) {
        System.setProperty(LEAST_TIMEOUT_MILLIS, "1");
        System.setProperty(UNTESTED_MILLIS, Long.toString(Long.MAX_VALUE));
        var pool = new HikariConfig();
        pool.setPoolName("database");
        pool.setDataSource(new PatientDataSource(config));
        pool.setMaximumPoolSize(config.poolSize());
        pool.setMinimumIdle(config.poolSize());
        pool.setConnectionTimeout(config.databaseTimeout().toMillis());
        pool.setValidationTimeout(config.databaseTimeout().toMillis());
        pool.setInitializationFailTimeout(-1); // it starts without a database
        pool.setMaxLifetime(0); // none is closed for its age
        pool.setKeepaliveTime(0); // nor asked whether it lives
        return new HikariDataSource(pool);
    }

    /**
     * Waits until a connection can be made, without end: by itself the pool doubles its pause after
     * each failure, up to 5 s.
     */
    private static final class PatientDataSource extends MariaDbDataSource {

        private PatientDataSource(Config config) {
            Config.DatabaseAddress address = config.database();
            long timeoutMillis = config.databaseTimeout().toMillis();
            try {
                setUrl(
                        "jdbc:mariadb://%s:%d/%s?useServerPrepStmts=true&connectTimeout=%d&socketTimeout=%d"
                                .formatted(
                                        address.host(),
                                        address.port(),
                                        address.name(),
                                        timeoutMillis,
                                        timeoutMillis));
                setUser(address.user());
                setPassword(address.password());
            } catch (SQLException e) {
                throw new IllegalArgumentException("DATABASE_URL is none for the driver", e);
            }
        }

        @Override
        public Connection getConnection() throws SQLException {
            while (true) {
                try {
                    return super.getConnection();
                } catch (SQLException e) {
                    pause(e);
                }
            }
        }

        private static void pause(SQLException reason) throws SQLException {
            try {
                Thread.sleep(RETRY_INTERVAL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw reason;
            }
        }
    }
}
