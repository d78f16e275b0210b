package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementFailureTest {

    @ParameterizedTest
    @CsvSource({
        "57014, UNAVAILABLE, false",
        "57P01, UNAVAILABLE, true",
        "08006, UNAVAILABLE, true",
        "40P01, UNAVAILABLE, false",
        "23503, INTERNAL, false",
        ", UNAVAILABLE, true",
    })
    void theErrorOfTheDriverDecides(String state, Problem problem, boolean isLoss) {
        var failure = new R2dbcNonTransientResourceException("text", state);
        assertEquals(problem, StatementFailure.of(failure).problem());
        assertEquals(isLoss, StatementFailure.isLoss(failure));
    }

    @Test
    void aWaitThatIsOverIsALoss() {
        assertEquals(Problem.UNAVAILABLE, StatementFailure.of(new TimeoutException()).problem());
        assertTrue(StatementFailure.isLoss(new TimeoutException()));
    }

    @Test
    void aRefusalStaysAsItIs() {
        var refusal = new Refusal(Problem.SLOT_TAKEN);
        assertSame(refusal, StatementFailure.of(refusal));
        assertFalse(StatementFailure.isLoss(refusal));
    }

    @Test
    void whatIsNotOfTheDriverIsAFailureOfTheService() {
        var failure = new IllegalStateException("text");
        assertEquals(Problem.INTERNAL, StatementFailure.of(failure).problem());
        assertFalse(StatementFailure.isLoss(failure));
    }
}
