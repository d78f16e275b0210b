package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemTest {

    @Test
    void faultsAreListed() {
        assertEquals(
                "{\"type\":\"urn:park:invalid\",\"title\":\"Invalid members\",\"status\":422,"
                        + "\"code\":\"invalid\",\"errors\":["
                        + "{\"pointer\":\"/email\",\"code\":\"format\"},"
                        + "{\"pointer\":\"/nif\",\"code\":\"range\"}]}",
                json(
                        Problem.INVALID,
                        List.of(new Fault("/email", "format"), new Fault("/nif", "range"))));
    }

    @Test
    void otherProblemsHaveFourMembers() {
        assertEquals(
                "{\"type\":\"urn:park:vehicle-limit\",\"title\":\"Too many vehicles\","
                        + "\"status\":409,\"code\":\"vehicle-limit\"}",
                json(Problem.VEHICLE_LIMIT, List.of()));
    }

    private static String json(Problem problem, List<Fault> faults) {
        return new String(problem.json(faults), StandardCharsets.UTF_8);
    }
}
