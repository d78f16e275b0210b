package loadstone.users;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The pool of connections to the database: always as many as POOL_SIZE, opened in the background.
 */
final class Pool {

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
        pool.setDataSource(new PatientDataSource(config.database()));
        pool.setMaximumPoolSize(config.poolSize());
        pool.setMinimumIdle(config.poolSize());
        pool.setConnectionTimeout(Limits.POOL_WAIT.toMillis());
        // Of what is asked of a new connection.
        pool.setValidationTimeout(Limits.CONNECT.toMillis());
        pool.setInitializationFailTimeout(-1); // it starts without a database
        pool.setMaxLifetime(0); // none is closed for its age
        pool.setKeepaliveTime(0); // nor asked whether it lives
        return new HikariDataSource(pool);
    }

    /**
     * Waits until a connection can be made, without end: by itself the pool doubles its pause after
     * each failure, up to 5 s.
     */
    private static final class PatientDataSource extends PGSimpleDataSource {

        private static final long serialVersionUID = 1L;

        private PatientDataSource(Config.DatabaseAddress address) {
            setServerNames(new String[] {address.host()});
            setPortNumbers(new int[] {address.port()});
            setDatabaseName(address.name());
            setUser(address.user());
            setPassword(address.password());
            setSslMode("disable");
            setPrepareThreshold(1); // prepared by the server at once, and kept
            setConnectTimeout((int) Limits.CONNECT.toSeconds());
            super.setLoginTimeout((int) Limits.CONNECT.toSeconds());
            setSocketTimeout((int) Limits.STATEMENT.toSeconds());
        }

        /** Hikari would set it by the limit of the wait. */
        @Override
        public void setLoginTimeout(int seconds) {}

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
                Thread.sleep(Limits.RETRY_INTERVAL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw reason;
            }
        }
    }
}
