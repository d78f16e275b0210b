package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemTest {

    @Test
    void faultsAreListed() {
        assertEquals(
                "{\"type\":\"urn:conference:invalid\",\"title\":\"Invalid conference\",\"status\":422,"
                        + "\"detail\":\"The conference is not valid.\",\"errors\":["
                        + "{\"pointer\":\"/id\",\"code\":\"pattern\"},"
                        + "{\"pointer\":\"/name\",\"code\":\"too-long\"}]}",
                json(
                        Problem.INVALID,
                        Operation.INSERT,
                        List.of(new Fault("/id", "pattern"), new Fault("/name", "too-long"))));
    }

    @Test
    void aFailureHasTheTitleOfItsOperation() {
        assertEquals(
                "{\"type\":\"urn:conference:unavailable\","
                        + "\"title\":\"Error occurred while creating conference\",\"status\":503,"
                        + "\"detail\":\"The database is not available.\"}",
                json(Problem.UNAVAILABLE, Operation.INSERT, List.of()));
    }

    private static String json(Problem problem, Operation operation, List<Fault> faults) {
        return new String(problem.json(operation, faults), StandardCharsets.UTF_8);
    }
}
