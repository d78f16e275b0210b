package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlStateTest {

    @ParameterizedTest
    @CsvSource({"23505, true, false", "23514, false, true", "22003, false, true", ", false, false"})
    void someAreOfRows(String state, boolean isTaken, boolean isBeyondBalance) {
        assertEquals(isTaken, SqlState.isTaken(state));
        assertEquals(isBeyondBalance, SqlState.isBeyondBalance(state));
    }

    @ParameterizedTest
    @CsvSource({
        "40001, true, true, false",
        "40P01, true, true, false",
        "53300, true, false, false",
        "55P03, true, false, false",
        "57014, true, false, false",
        "57P01, true, false, true",
        "57P05, true, false, true",
        "57P06, false, false, false",
        "08006, true, false, true",
        "23505, false, false, false",
        "42P01, false, false, false",
        ", false, false, false",
    })
    void theStateDecides(String state, boolean isPassing, boolean isRivalry, boolean isLoss) {
        assertEquals(isPassing, SqlState.isPassing(state));
        assertEquals(isRivalry, SqlState.isRivalry(state));
        assertEquals(isLoss, SqlState.isLoss(state));
    }
}
