package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseFailureTest {

    @ParameterizedTest
    @CsvSource({
        "1062, 23000, DUPLICATE_ID",
        "1040, 08004, UNAVAILABLE",
        "1205, HY000, UNAVAILABLE",
        "1213, 40001, UNAVAILABLE",
        "1317, 70100, UNAVAILABLE",
        "1927, 70100, UNAVAILABLE",
        "1969, 70100, UNAVAILABLE",
        "1142, 42000, INTERNAL",
    })
    void theErrorOfTheDriverDecides(int code, String state, Problem problem) {
        var cause = new SQLException("text", state, code);
        assertEquals(problem, problemOf(new IllegalStateException(new RuntimeException(cause))));
    }

    @Test
    void aWaitForThePoolIsNoLoss() {
        var wait = new SQLTransientConnectionException("no connection is free");
        assertEquals(Problem.UNAVAILABLE, problemOf(wait));
        assertFalse(DatabaseFailure.isLost(wait));
    }

    @Test
    void aBrokenConnectionIsALoss() {
        var broken = new SQLNonTransientConnectionException("broken", "08000");
        assertEquals(Problem.UNAVAILABLE, problemOf(broken));
        assertTrue(DatabaseFailure.isLost(new RuntimeException(broken)));
    }

    @Test
    void whatIsNotOfTheDriverIsAFailureOfTheService() {
        assertEquals(Problem.INTERNAL, problemOf(new IllegalStateException("text")));
    }

    private static Problem problemOf(Exception failure) {
        return DatabaseFailure.of(failure).problem();
    }
}
