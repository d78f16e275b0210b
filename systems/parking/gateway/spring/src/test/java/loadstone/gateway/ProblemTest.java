package loadstone.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProblemTest {

    @Test
    void aProblemHasFourMembers() {
        assertEquals(
                "{\"type\":\"urn:park:upstream-timeout\","
                        + "\"title\":\"Service did not answer in time\",\"status\":504,"
                        + "\"code\":\"upstream-timeout\"}",
                new String(Problem.UPSTREAM_TIMEOUT.json(), StandardCharsets.UTF_8));
    }
}
