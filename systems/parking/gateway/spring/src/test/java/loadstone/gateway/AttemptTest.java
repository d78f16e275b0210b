package loadstone.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.timeout.ReadTimeoutException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpHeaders;

class AttemptTest {

    @ParameterizedTest
    @CsvSource({
        "GET, 0, true",
        "HEAD, 0, true",
        "PUT, 0, true",
        "DELETE, 0, true",
        "POST, 0, false",
        "OPTIONS, 0, false",
        "GET, 1, false",
        "PUT, 1, false",
    })
    void whatMayHaveArrivedIsRepeatedWhereThatIsSafe(String method, int length, boolean mayBe) {
        Attempt attempt = attempt(method, length);
        assertTrue(attempt.mayBeRepeated()); // while there is no connection
        attempt.connected();
        assertEquals(mayBe, attempt.mayBeRepeated());
    }

    @Test
    void whatTheServiceRefusedIsRepeatedWithoutABody() {
        for (int length : new int[] {0, 1}) {
            Attempt attempt = attempt("POST", length);
            attempt.connected();
            attempt.refused();
            assertEquals(length == 0, attempt.mayBeRepeated());
        }
    }

    @Test
    void anAnswerThatIsLateIsNoFailedAttempt() {
        Attempt attempt = attempt("GET", 0);
        attempt.connected();
        assertFalse(attempt.isFailedBy(ReadTimeoutException.INSTANCE));
        assertTrue(attempt.isLateBy(ReadTimeoutException.INSTANCE));
        assertFalse(attempt.isFailedBy(new IllegalArgumentException("no answer of HTTP")));
        assertTrue(attempt.isFailedBy(new IOException("closed")));
    }

    private static Attempt attempt(String method, int length) {
        var fields = new HttpHeaders();
        fields.setContentLength(length);
        return new Attempt(new Call(method, Target.of("/users"), fields, "0123456789", null));
    }
}
