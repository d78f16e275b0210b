package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.pgclient.PgException;
import java.net.SocketException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementFailureTest {

    @ParameterizedTest
    @CsvSource({
        "57014, UNAVAILABLE, false, false",
        "40P01, UNAVAILABLE, false, true",
        "57P01, UNAVAILABLE, true, false",
        "23503, INTERNAL, false, false",
    })
    void theErrorOfTheServerDecides(
            String state, Problem problem, boolean isLoss, boolean isRivalry) {
        var failure = new PgException("text", "ERROR", state, null);
        assertEquals(problem, StatementFailure.of(failure).problem());
        assertEquals(isLoss, StatementFailure.isLoss(failure));
        assertEquals(isRivalry, StatementFailure.isRivalry(failure));
    }

    @Test
    void aWaitForThePoolIsNoLoss() {
        var wait = new TimeoutException("no connection is free");
        assertEquals(Problem.UNAVAILABLE, StatementFailure.of(wait).problem());
        assertFalse(StatementFailure.isLoss(wait));
    }

    @Test
    void aResetOfTheSocketIsALoss() {
        var reset = new SocketException("Connection reset");
        assertEquals(Problem.UNAVAILABLE, StatementFailure.of(reset).problem());
        assertTrue(StatementFailure.isLoss(reset));
    }

    @Test
    void whateverFailedWhereTheConnectionIsGoneMayDoWellLater() {
        var lost = new ConnectionLost(new IllegalStateException("text"));
        assertEquals(Problem.UNAVAILABLE, StatementFailure.of(lost).problem());
        assertTrue(StatementFailure.of(lost).getMessage().contains("text"));
    }

    @Test
    void aRefusalStaysOne() {
        var refusal = new Refusal(Problem.SLOT_TAKEN);
        assertSame(refusal, StatementFailure.of(refusal));
    }

    @Test
    void whatIsNotOfTheDriverIsAFailureOfTheService() {
        var failure = new IllegalStateException("text");
        assertEquals(Problem.INTERNAL, StatementFailure.of(failure).problem());
        assertFalse(StatementFailure.isLoss(failure));
    }
}
