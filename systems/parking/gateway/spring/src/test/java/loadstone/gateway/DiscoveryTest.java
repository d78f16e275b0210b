package loadstone.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryTest {

    private static final String INSTANCE =
            "{\"hostName\":\"127.0.0.1\",\"app\":\"USERS\",\"status\":\"UP\","
                    + "\"port\":{\"$\":8090,\"@enabled\":\"true\"},"
                    + "\"securePort\":{\"$\":8091,\"@enabled\":\"false\"}}";

    @Test
    void thoseOfTheServiceThatAreUpAreFound() throws Json.Malformed {
        String second = INSTANCE.replace("8090", "8092");
        String list = "{\"name\":\"USERS\",\"instance\":[" + INSTANCE + "," + second + "]}";
        String others = "{\"name\":\"PARKS\",\"instance\":[" + INSTANCE + "]}";
        assertEquals(
                List.of("http://127.0.0.1:8090", "http://127.0.0.1:8092"),
                origins(Protocol.H2C, others + "," + list));
    }

    @Test
    void overTlsTheOtherPortIsTheOne() throws Json.Malformed {
        String secure =
                INSTANCE.replace("true", "x").replace("false", "true").replace("x", "false");
        String list = "{\"name\":\"USERS\",\"instance\":[" + secure + "]}";
        assertEquals(List.of("https://127.0.0.1:8091"), origins(Protocol.H2, list));
        assertEquals(List.of(), origins(Protocol.H1C, list));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"UP\" | \"OUT_OF_SERVICE\"",
                "\"true\" | \"false\"",
                "\"127.0.0.1\" | \"127.0.0.1/x\"",
                "\"127.0.0.1\" | 1",
                "8090 | 0",
                "8090 | 65536",
                "8090 | \"8090\"",
                "\"port\": | \"ports\":",
            })
    void othersAreIgnored(String from, String to) throws Json.Malformed {
        String other = INSTANCE.replace(from, to);
        String list = "{\"name\":\"USERS\",\"instance\":[" + other + ",1," + INSTANCE + "]}";
        assertEquals(List.of("http://127.0.0.1:8090"), origins(Protocol.H1C, list));
    }

    @Test
    void aListMayBeEmpty() throws Json.Malformed {
        assertEquals(List.of(), origins(Protocol.H1C, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "{\"applications\":{}}", "{\"applications\":[]}", "x"})
    void whatIsNoListIsMalformed(String text) {
        assertThrows(Json.Malformed.class, () -> read(Protocol.H1C, text));
    }

    private static List<String> origins(Protocol leg, String applications) throws Json.Malformed {
        return read(leg, "{\"applications\":{\"application\":[" + applications + "]}}");
    }

    private static List<String> read(Protocol leg, String text) throws Json.Malformed {
        return Discovery.origins(Json.object(text.getBytes(StandardCharsets.UTF_8)), leg);
    }
}
