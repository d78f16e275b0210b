package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.vertx.http.HttpServer;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole application with real sockets, and without its database. */
@QuarkusTest
@TestProfile(ServiceTest.Told.class)
@Timeout(60)
class ServiceTest {

    private static final String CONFERENCE = "{\"id\":\"a\",\"name\":\"b\"}";

    @Inject HttpServer server;

    @ParameterizedTest
    @CsvSource({
        "GET, /Conferences, 404",
        "GET, /conferences;a=1, 404",
        "GET, /conferences/%00, 404",
        "GET, /conferences/a%2Fb, 404",
        "GET, /conferences/%zz, 404",
        "GET, /../conferences, 404",
        "GET, /conferences/{a}, 404",
        "GET, /error, 404",
        "TRACE, /conferences, 405",
        "OPTIONS, /conferences/a, 405",
        "GET, /conferences?limit=0, 400",
        "GET, /conferences?limit=${7*7}, 400",
        "GET, /conferences, 503",
        "GET, /readyz, 503",
        "DELETE, /conferences/a, 503",
    })
    void whatIsRefusedIsAProblem(String method, String target, String status) throws IOException {
        String answer = ask(method + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertProblem(status, answer);
        assertEquals(status.equals("405"), answer.contains("allow: GET"));
        assertEquals(status.equals("503"), answer.contains("retry-after: 1\r\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/plain | {} | 415",
                "a/b/c | {} | 415",
                "application/json | {} {} | 400",
                "application/json | {} | 422",
                "application/json;charset=x | " + CONFERENCE + " | 503",
            })
    void aBodyIsLookedAtBeforeTheDatabase(String type, String body, String status)
            throws IOException {
        assertProblem(status, post("Content-Type: " + type + "\r\n", body));
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedUnread() throws IOException {
        String head = "POST /conferences HTTP/1.1\r\nHost: a\r\nContent-Length: 16385\r\n\r\n";
        assertProblem("413", ask(head));
    }

    @Test
    void itLivesWithoutTheDatabase() throws IOException {
        String answer = ask("GET /healthz HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertTrue(answer.toLowerCase().contains("content-type: application/json\r\n"), answer);
    }

    private String post(String fields, String body) throws IOException {
        return ask(
                "POST /conferences HTTP/1.1\r\nHost: a\r\nContent-Length: "
                        + body.length()
                        + "\r\n"
                        + fields
                        + "\r\n"
                        + body);
    }

    private static void assertProblem(String status, String answer) {
        assertEquals(status, answer.substring("HTTP/1.1 ".length()).substring(0, 3), answer);
        assertTrue(
                answer.toLowerCase().contains("content-type: application/problem+json\r\n"),
                answer);
        assertTrue(answer.contains("\"status\":" + status + ","), answer);
    }

    /** Gives the head and what came with it. */
    private String ask(String request) throws IOException {
        int port = server.getPort();
        try (var connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            var answer = new StringBuilder();
            while (!isWhole(answer)) {
                int next = connection.getInputStream().read();
                if (next < 0) {
                    break;
                }
                answer.append((char) next);
            }
            return answer.toString();
        }
    }

    private static boolean isWhole(StringBuilder answer) {
        int end = answer.indexOf("\r\n\r\n");
        return end >= 0 && answer.lastIndexOf("}") > end;
    }

    /** What Main tells Quarkus of the environment, which pom.xml has. */
    public static final class Told implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            var settings = new HashMap<>(Settings.of(Config.read(System.getenv())));
            settings.put("quarkus.http.test-port", "0");
            return settings;
        }
    }
}
