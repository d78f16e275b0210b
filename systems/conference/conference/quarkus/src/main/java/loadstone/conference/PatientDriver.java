package loadstone.conference;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * The driver, as the pool has it. It waits until a connection can be made, without end: by itself
 * the pool tries one that failed again only when a caller asks for it.
 */
public final class PatientDriver implements Driver {

    /** How long after a connection could not be made the next try is. */
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

    private final Driver driver = new org.mariadb.jdbc.Driver();

    /** The URL of the database, without user and password. */
    static String url(Config config) {
        Config.DatabaseAddress address = config.database();
        long timeoutMillis = config.databaseTimeout().toMillis();
        return "jdbc:mariadb://%s:%d/%s?useServerPrepStmts=true&connectTimeout=%d&socketTimeout=%d"
                .formatted(
                        address.host(),
                        address.port(),
                        address.name(),
                        timeoutMillis,
                        timeoutMillis);
    }

    /** The pool interrupts it where the caller that asked for the connection waits no longer. */
    @Override
    public Connection connect(String url, Properties properties) throws SQLException {
        // That of the connection before may have come after its end.
        Thread.interrupted();
        while (true) {
            try {
                return driver.connect(url, properties);
            } catch (SQLException e) {
                pause(e);
            }
        }
    }

    private static void pause(SQLException reason) throws SQLException {
        try {
            Thread.sleep(RETRY_INTERVAL.toMillis());
        } catch (InterruptedException e) {
            throw reason; // it is meant for this connection, not for the pool's thread
        }
    }

    @Override
    public boolean acceptsURL(String url) throws SQLException {
        return driver.acceptsURL(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties)
            throws SQLException {
        return driver.getPropertyInfo(url, properties);
    }

    @Override
    public int getMajorVersion() {
        return driver.getMajorVersion();
    }

    @Override
    public int getMinorVersion() {
        return driver.getMinorVersion();
    }

    @Override
    public boolean jdbcCompliant() {
        return driver.jdbcCompliant();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("org.mariadb.jdbc");
    }
}
