package loadstone.booking;

import java.sql.SQLException;
import java.util.Set;

/** That a row is in the way of another, which an INSERT without ON CONFLICT is told by an error. */
final class Conflict {

    /** Unique violation, exclusion violation. */
    private static final Set<String> STATES = Set.of("23505", "23P01");

    private Conflict() {}

    static boolean isIn(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException cause
                    && cause.getSQLState() != null
                    && STATES.contains(cause.getSQLState())) {
                return true;
            }
        }
        return false;
    }
}
