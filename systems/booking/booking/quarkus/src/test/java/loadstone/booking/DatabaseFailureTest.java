package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseFailureTest {

    @ParameterizedTest
    @CsvSource({"57014, UNAVAILABLE", "08006, UNAVAILABLE", "23503, INTERNAL", ", INTERNAL"})
    void theErrorOfTheDriverDecides(String state, Problem problem) {
        var cause = new SQLException("text", state);
        assertEquals(problem, problemOf(new IllegalStateException(new RuntimeException(cause))));
    }

    @Test
    void aWaitForThePoolIsNoLoss() {
        var reason = new SQLException("refused", "08001");
        var wait = new SQLTransientConnectionException("no connection is free", "08001", reason);
        assertEquals(Problem.UNAVAILABLE, problemOf(wait));
        assertFalse(DatabaseFailure.isLoss(wait));
    }

    @Test
    void aBrokenConnectionIsALoss() {
        var broken = new SQLException("ended by an administrator", "57P01");
        assertEquals(Problem.UNAVAILABLE, problemOf(broken));
        assertTrue(DatabaseFailure.isLoss(new RuntimeException(broken)));
    }

    @Test
    void anAnswerThatIsLateIsNoLossOfOthers() {
        var late = new SQLException("late", "08006", new SocketTimeoutException());
        assertEquals(Problem.UNAVAILABLE, problemOf(late));
        assertFalse(DatabaseFailure.isLoss(late));
    }

    @Test
    void rivalsAreTriedOnceMore() {
        assertTrue(DatabaseFailure.isRivalry(new RuntimeException(new SQLException("", "40P01"))));
        assertFalse(DatabaseFailure.isRivalry(new SQLException("", "55P03")));
        assertFalse(DatabaseFailure.isRivalry(new IllegalStateException("text")));
    }

    @Test
    void whatIsNotOfTheDriverIsAFailureOfTheService() {
        assertEquals(Problem.INTERNAL, problemOf(new IllegalStateException("text")));
    }

    private static Problem problemOf(Exception failure) {
        return DatabaseFailure.of(failure).problem();
    }
}
