package loadstone.users;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;

/**
 * The driver, as the pool has it. It waits until a connection can be made, without end: by itself
 * the pool tries one that failed again only when a caller asks for it.
 */
public final class PatientDriver implements Driver {

    /** How many connections were made. The pool makes its own instance of this class. */
    private static final AtomicLong MADE = new AtomicLong();

    private final Driver driver = new org.postgresql.Driver();

    /**
     * The URL of the database, without user and password. Each statement is prepared by the server
     * from its first time on.
     */
    static String url(Config.DatabaseAddress address) {
        return ("jdbc:postgresql://%s:%d/%s?sslmode=disable&gssEncMode=disable&prepareThreshold=1"
                        + "&connectTimeout=%d&loginTimeout=%d&socketTimeout=%d")
                .formatted(
                        address.host(),
                        address.port(),
                        address.name(),
                        Limits.CONNECT.toSeconds(),
                        Limits.CONNECT.toSeconds(),
                        Limits.STATEMENT.toSeconds());
    }

    /** How many connections were made until now. */
    static long made() {
        return MADE.get();
    }

    /** The pool interrupts it where the caller that asked for the connection waits no longer. */
    @Override
    public Connection connect(String url, Properties properties) throws SQLException {
        // That of the connection before may have come after its end.
        Thread.interrupted();
        while (true) {
            try {
                Connection connection = driver.connect(url, properties);
                MADE.incrementAndGet();
                return connection;
            } catch (SQLException e) {
                pause(e);
            }
        }
    }

    private static void pause(SQLException reason) throws SQLException {
        try {
            Thread.sleep(Limits.RETRY_INTERVAL.toMillis());
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
        return Logger.getLogger("org.postgresql");
    }
}
