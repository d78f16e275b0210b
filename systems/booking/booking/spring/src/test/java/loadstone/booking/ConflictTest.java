package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConflictTest {

    @ParameterizedTest
    @CsvSource({"23505, true", "23P01, true", "23503, false", "40P01, false", ", false"})
    void theStateDecides(String state, boolean isConflict) {
        var failure = new IllegalStateException(new SQLException("text", state));
        assertEquals(isConflict, Conflict.isIn(failure));
    }

    @Test
    void whatIsNotOfTheDriverIsNone() {
        assertFalse(Conflict.isIn(new IllegalStateException("text")));
    }
}
