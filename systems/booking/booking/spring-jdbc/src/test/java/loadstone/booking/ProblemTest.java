package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemTest {

    @Test
    void faultsAreListed() {
        assertEquals(
                "{\"type\":\"https://booking.example/problems/validation\","
                        + "\"title\":\"Invalid members\",\"status\":422,"
                        + "\"detail\":\"The body is not valid.\",\"errors\":["
                        + "{\"pointer\":\"/name\",\"code\":\"too-long\"},"
                        + "{\"pointer\":\"/closes\",\"code\":\"not-aligned\"}]}",
                json(
                        Problem.VALIDATION,
                        List.of(
                                new Fault("/name", "too-long"),
                                new Fault("/closes", "not-aligned"))));
    }

    @Test
    void otherProblemsHaveFourMembers() {
        assertEquals(
                "{\"type\":\"https://booking.example/problems/unavailable\","
                        + "\"title\":\"Not available\",\"status\":503,"
                        + "\"detail\":\"The database is not available.\"}",
                json(Problem.UNAVAILABLE, List.of()));
    }

    private static String json(Problem problem, List<Fault> faults) {
        return new String(problem.json(faults), StandardCharsets.UTF_8);
    }
}
