package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.r2dbc.spi.R2dbcDataIntegrityViolationException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseFailureTest {

    @ParameterizedTest
    @CsvSource({
        "57014, UNAVAILABLE",
        "08006, UNAVAILABLE",
        "40P01, UNAVAILABLE",
        "23514, COINS",
        "22003, COINS",
        "23503, INTERNAL",
        "23505, INTERNAL",
    })
    void theStateDecides(String state, Problem problem) {
        R2dbcException failure = new R2dbcDataIntegrityViolationException("text", state);
        Refusal refusal = DatabaseFailure.of(failure);
        assertEquals(problem, refusal.problem());
        assertFalse(String.valueOf(refusal.getMessage()).contains("text"));
    }

    @Test
    void aConnectionThatIsLateOrBrokenIsLost() {
        for (Throwable failure :
                new Throwable[] {
                    new TimeoutException(),
                    new IOException(),
                    new R2dbcNonTransientResourceException("closed"),
                    new R2dbcNonTransientResourceException("ended", "57P01"),
                }) {
            assertTrue(DatabaseFailure.isLoss(failure));
            assertEquals(Problem.UNAVAILABLE, DatabaseFailure.of(failure).problem());
        }
        assertFalse(DatabaseFailure.isLoss(new R2dbcRollbackException("", "40001")));
    }

    @Test
    void rivalsAreTriedOnceMore() {
        assertTrue(DatabaseFailure.isRivalry(new R2dbcRollbackException("", "40P01")));
        assertFalse(DatabaseFailure.isRivalry(new R2dbcRollbackException("", "55P03")));
        assertFalse(DatabaseFailure.isRivalry(new IllegalStateException("text")));
    }

    @Test
    void whatIsNotOfTheDriverIsAFailureOfTheService() {
        var refusal = new Refusal(Problem.VEHICLE_LIMIT);
        assertSame(refusal, DatabaseFailure.of(refusal));
        var failure = new IllegalStateException("text");
        assertEquals(Problem.INTERNAL, DatabaseFailure.of(failure).problem());
    }
}
