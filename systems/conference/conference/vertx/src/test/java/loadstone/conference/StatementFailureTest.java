package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.mysqlclient.MySQLException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementFailureTest {

    @ParameterizedTest
    @CsvSource({
        "1062, 23000, DUPLICATE_ID, false",
        "1040, 08004, UNAVAILABLE, true",
        "1205, HY000, UNAVAILABLE, false",
        "1213, 40001, UNAVAILABLE, false",
        "1317, 70100, UNAVAILABLE, false",
        "1927, 70100, UNAVAILABLE, true",
        "1969, 70100, UNAVAILABLE, false",
        "1142, 42000, INTERNAL, false",
    })
    void theErrorOfTheServerDecides(int code, String state, Problem problem, boolean isLost) {
        var failure = new MySQLException("text", code, state);
        assertEquals(problem, StatementFailure.of(failure).problem());
        assertEquals(isLost, StatementFailure.isLost(failure));
    }

    @Test
    void aWaitForThePoolIsNoLoss() {
        var wait = new TimeoutException("no connection is free");
        assertEquals(Problem.UNAVAILABLE, StatementFailure.of(wait).problem());
        assertFalse(StatementFailure.isLost(wait));
    }

    @Test
    void aBrokenConnectionIsALoss() {
        assertEquals(
                Problem.UNAVAILABLE,
                StatementFailure.of(ClosedConnectionException.INSTANCE).problem());
        assertTrue(StatementFailure.isLost(ClosedConnectionException.INSTANCE));
    }

    @Test
    void whatIsNotOfTheDriverIsAFailureOfTheService() {
        var failure = new IllegalStateException("text");
        assertEquals(Problem.INTERNAL, StatementFailure.of(failure).problem());
        assertFalse(StatementFailure.isLost(failure));
    }
}
