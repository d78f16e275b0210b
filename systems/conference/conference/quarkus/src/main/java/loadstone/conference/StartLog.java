package loadstone.conference;

import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/** Passes what Quarkus says of its start and end, and nothing of what its parts say. */
@LoggingFilter(name = StartLog.NAME)
final class StartLog implements Filter {

    static final String NAME = "start";
    static final String LOGGER = "io.quarkus";

    @Override
    public boolean isLoggable(LogRecord record) {
        return record.getLoggerName().equals(LOGGER);
    }
}
