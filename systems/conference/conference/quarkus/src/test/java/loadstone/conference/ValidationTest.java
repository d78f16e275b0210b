package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValidationTest {

    private static final String BEYOND = "\uD83D\uDE00";

    @Test
    void aConferenceIsTakenAsItIs() {
        Conference conference =
                Validation.inserted(Map.of("id", "a.B_~-9", "name", "  é ", "more", List.of()));
        assertEquals("a.B_~-9", conference.getId());
        assertEquals("  é ", conference.getName());
    }

    static Stream<List<Object>> faults() {
        return Stream.of(
                Arrays.asList("id", null, "type"),
                List.of("id", 1, "type"),
                List.of("id", Map.of(), "type"),
                List.of("id", "", "too-short"),
                List.of("id", "a".repeat(65), "too-long"),
                List.of("id", "-a", "pattern"),
                List.of("id", "a\n", "pattern"),
                List.of("id", "é", "pattern"),
                List.of("name", true, "type"),
                List.of("name", "", "too-short"),
                List.of("name", BEYOND.repeat(192), "too-long"),
                List.of("name", "a\tb", "characters"),
                List.of("name", "a\u0000", "characters"),
                List.of("name", "\u007f", "characters"),
                List.of("name", "\uD83D", "characters"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void theFirstFaultOfAMemberIsTold(List<Object> fault) {
        String name = (String) fault.get(0);
        var members = new HashMap<String, Object>(Map.of("id", "a", "name", "b"));
        members.put(name, fault.get(1));
        assertFaults(
                List.of(new Fault("/" + name, (String) fault.get(2))),
                () -> Validation.inserted(members));
    }

    @Test
    void eachMemberHasItsFault() {
        assertFaults(
                List.of(new Fault("/id", "required"), new Fault("/name", "type")),
                () -> Validation.inserted(Collections.singletonMap("name", null)));
    }

    @Test
    void aNameMayHave191CharactersOfAnyPlane() {
        Validation.inserted(Map.of("id", "a".repeat(64), "name", BEYOND.repeat(191)));
    }

    @Test
    void whatIsNoObjectHasOneFault() {
        for (Object value : Arrays.asList(List.of(), "text", 1, null)) {
            assertFaults(List.of(new Fault("", "type")), () -> Validation.inserted(value));
        }
    }

    @Test
    void aReplacementMayRepeatItsId() {
        assertEquals("n", Validation.replaced("a", Map.of("name", "n")).getName());
        assertEquals("a", Validation.replaced("a", Map.of("id", "a", "name", "n")).getId());
        assertFaults(
                List.of(new Fault("/id", "mismatch")),
                () -> Validation.replaced("a", Map.of("id", "", "name", "n")));
        assertFaults(
                List.of(new Fault("/id", "type"), new Fault("/name", "required")),
                () -> Validation.replaced("a", Map.of("id", 1)));
    }

    private static void assertFaults(List<Fault> faults, Executable validation) {
        Refusal refusal = assertThrows(Refusal.class, validation);
        assertEquals(Problem.INVALID, refusal.problem());
        assertEquals(faults, refusal.faults());
    }
}
