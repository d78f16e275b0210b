package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstantsTest {

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T08:05:09.12Z, 2026-01-31T08:05:09.120Z",
        "2026-01-31T08:05:09Z, 2026-01-31T08:05:09.000Z",
        "2026-01-31T08:05:09.999999Z, 2026-01-31T08:05:09.999Z",
    })
    void anInstantIsShownIn24Characters(Instant instant, String text) {
        assertEquals(text, Instants.show(instant));
    }
}
