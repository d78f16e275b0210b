package loadstone.booking;

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
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
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

    private static final int WAIT_MILLIS = 10_000;
    private static final String CLUB = "{\"name\":\"n\",\"city\":\"c\"}";

    @Inject HttpServer server;
    @Inject Tokens tokens;

    @ParameterizedTest
    @CsvSource({
        "GET, /Clubs, 404",
        "GET, /clubs/, 404",
        "GET, /clubs;a=1, 404",
        "GET, /clubs/01, 404",
        "GET, /clubs/%31, 404",
        "GET, /facilities/%zz, 404",
        "GET, /../clubs, 404",
        "GET, /clubs/{id}, 404",
        "GET, /error, 404",
        "TRACE, /clubs, 405",
        "OPTIONS, /clubs/1, 405",
        "DELETE, /clubs/1/facilities, 405",
        "POST, /clubs, 403",
        "POST, /reservations/1/accept, 403",
        "GET, /clubs?limit=0, 400",
        "GET, /clubs?q=${7*7}&cursor=x, 400",
        "GET, /facilities?available=true, 400",
        "GET, /facilities/1/slots, 400",
        "GET, /clubs, 503",
        "GET, /clubs/1, 503",
        "GET, /facilities?available=true&at=2040-03-10T10:00:00Z, 503",
        "GET, /facilities/1/slots?date=2040-03-10, 503",
        "GET, /facilities/1/ratings, 503",
        "GET, /reservations, 503",
        "POST, /reservations/1/cancel, 503",
        "GET, /accounts/me, 503",
        "GET, /readyz, 503",
    })
    void whatIsRefusedIsAProblem(String method, String target, String status) throws IOException {
        String answer =
                ask(
                        method
                                + " "
                                + target
                                + " HTTP/1.1\r\nHost: a\r\n"
                                + token(Role.PLAYER)
                                + "\r\n");
        assertProblem(status, answer);
        assertEquals(status.equals("405"), hasField("allow", answer));
        assertEquals(status.equals("503"), hasField("retry-after", answer));
    }

    @Test
    void aTokenIsNeededBeforeAllElse() throws IOException {
        String answer = ask("POST /clubs HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n");
        assertProblem("401", answer);
        assertTrue(hasField("www-authenticate", answer), answer);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/plain | {} | 415",
                "a/b/c | {} | 415",
                "application/json | {} {} | 400",
                "application/json | {} | 422",
                "application/json;charset=x | " + CLUB + " | 503",
            })
    void aBodyIsLookedAtBeforeTheDatabase(String type, String body, String status)
            throws IOException {
        String fields = token(Role.OWNER) + "Content-Type: " + type + "\r\n";
        assertProblem(status, post("/clubs", fields, body));
    }

    @Test
    void aDecisionTakesAnyBody() throws IOException {
        String fields = token(Role.OWNER) + "Content-Type: text/plain\r\n";
        assertProblem("503", post("/reservations/1/accept", fields, "any"));
    }

    @Test
    void aKeyIsLookedAtBeforeTheMembers() throws IOException {
        String fields = token(Role.PLAYER) + "Content-Type: application/json\r\n";
        assertProblem("422", post("/reservations", fields, "{}"));
        assertProblem("400", post("/reservations", fields + "Idempotency-Key:\r\n", "{}"));
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedUnread() throws IOException {
        String head = "POST /accounts HTTP/1.1\r\nHost: a\r\nContent-Length: 16385\r\n\r\n";
        assertProblem("413", ask(head));
    }

    @Test
    void whatNoAccountCanHaveIsHashedWithoutTheDatabase() throws IOException {
        String body = "{\"email\":\"nobody\",\"password\":\"p\"}";
        String answer = post("/auth/login", "Content-Type: application/json\r\n", body);
        assertProblem("401", answer);
        assertEquals(false, hasField("www-authenticate", answer));
    }

    @Test
    void itLivesWithoutTheDatabase() throws IOException {
        String answer = ask("GET /healthz HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertTrue(answer.endsWith("{\"status\":\"ok\"}"), answer);
        assertTrue(
                answer.toLowerCase(Locale.ROOT).contains("content-type: application/json\r\n"),
                answer);
    }

    private String token(Role role) {
        return "Authorization: Bearer " + tokens.issue(1, role, Instant.now()) + "\r\n";
    }

    private String post(String path, String fields, String body) throws IOException {
        return ask(
                "POST "
                        + path
                        + " HTTP/1.1\r\nHost: a\r\nContent-Length: "
                        + body.length()
                        + "\r\n"
                        + fields
                        + "\r\n"
                        + body);
    }

    private static void assertProblem(String status, String answer) {
        assertEquals(status, answer.substring("HTTP/1.1 ".length()).substring(0, 3), answer);
        assertTrue(
                answer.toLowerCase(Locale.ROOT)
                        .contains("content-type: application/problem+json\r\n"),
                answer);
        assertTrue(answer.contains("\"status\":" + status + ","), answer);
    }

    private static boolean hasField(String name, String answer) {
        return answer.toLowerCase(Locale.ROOT).contains("\r\n" + name + ": ");
    }

    /** Gives the head and what came with it. */
    private String ask(String request) throws IOException {
        int port = server.getPort();
        try (var connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection.setSoTimeout(WAIT_MILLIS);
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
