package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BalanceTest {

    @ParameterizedTest
    @CsvSource({
        "0, -1, false",
        "1, -1, true",
        "2147483646, 1, true",
        "2147483647, 1, false",
        "2147483647, 1000000, false",
    })
    void aBalanceHasTwoEnds(int coins, int amount, boolean isAdmitted) {
        assertEquals(isAdmitted, new Balance(4, coins).admits(amount));
    }
}
