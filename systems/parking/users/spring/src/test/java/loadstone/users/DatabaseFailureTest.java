package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

class DatabaseFailureTest {

    @ParameterizedTest
    @CsvSource({
        "57014, UNAVAILABLE",
        "08006, UNAVAILABLE",
        "23514, COINS",
        "22003, COINS",
        "23503, INTERNAL",
        "23505, INTERNAL",
        ", INTERNAL",
    })
    void theErrorOfTheDriverDecides(String state, Problem problem) {
        var cause = new SQLException("text", state);
        assertEquals(problem, problemOf(new IllegalStateException(new RuntimeException(cause))));
    }

    @ParameterizedTest
    @CsvSource({
        "app_user_email_key, DUPLICATE_EMAIL",
        "app_user_nif_key, DUPLICATE_NIF",
        "vehicle_pkey, DUPLICATE_PLATE",
        "coin_event_reference_key, IDEMPOTENCY_MISMATCH",
        "another_key, INTERNAL",
    })
    void theConstraintTellsTheRival(String constraint, Problem problem) {
        var message = new ServerErrorMessage("C23505\0Mtext\0n" + constraint + "\0");
        assertEquals(problem, problemOf(new RuntimeException(new PSQLException(message))));
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
