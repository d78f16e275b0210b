package loadstone.booking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole application with real sockets, and without its database. */
@Timeout(60)
class ServiceTest {

    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String CLUB = "{\"name\":\"a\",\"city\":\"b\"}";

    private static final Config CONFIG =
            Config.read(
                    Map.of(
                            "PORT", "0",
                            "DATABASE_URL", "postgres://u:p@127.0.0.1:1/booking",
                            "POOL_WAIT_MS", "50",
                            "PASSWORD_COST", "4",
                            "JWT_SECRET", "0123456789abcdef0123456789abcdef"));

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = Main.start(CONFIG);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /Clubs, 404",
        "GET, /clubs/, 404",
        "GET, /clubs;a=1, 404",
        "GET, //clubs, 404",
        "GET, /clubs/01, 404",
        "GET, /clubs/%31, 404",
        "GET, /clubs/%00, 404",
        "GET, /clubs/1%2F, 404",
        "GET, /clubs/%zz, 404",
        "GET, /../clubs, 404",
        "GET, /clubs/{id}, 404",
        "GET, /error, 404",
        "TRACE, /clubs, 405",
        "OPTIONS, /clubs/1, 405",
        "DELETE, /clubs/1, 405",
        "GET, /clubs?limit=0, 401",
        "PUT, /reservations/1/rating, 401",
        "GET, /accounts/me, 401",
        "GET, /readyz, 503",
    })
    void whatIsRefusedIsAProblem(String method, String target, String status) throws IOException {
        String answer = ask(method + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertProblem(status, answer);
        assertEquals(status.equals("405"), answer.contains("Allow: GET"));
        assertEquals(status.equals("401"), answer.contains("WWW-Authenticate: Bearer\r\n"));
        assertEquals(status.equals("503"), answer.contains("Retry-After: 1\r\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "PLAYER, GET, /clubs?limit=0, 400",
        "PLAYER, GET, /clubs?q=${7*7}, 503",
        "PLAYER, GET, /clubs?q=%BF%27, 400",
        "PLAYER, GET, /facilities?available=true, 400",
        "PLAYER, GET, /facilities/1/slots, 400",
        "PLAYER, GET, /clubs/1, 503",
        "PLAYER, POST, /clubs, 403",
        "PLAYER, POST, /reservations/1/accept, 403",
        "PLAYER, POST, /reservations/1/cancel, 503",
        "OWNER, POST, /reservations/1/cancel, 403",
        "OWNER, POST, /reservations/1/accept, 503",
        "OWNER, DELETE, /facilities/1, 503",
        "OWNER, GET, /reservations?status=x, 400",
    })
    void aTokenAndItsRoleLetIn(Role role, String method, String target, String status)
            throws IOException {
        String head = method + " " + target + " HTTP/1.1\r\nHost: a\r\n" + token(role);
        assertProblem(status, ask(head + "Content-Length: 0\r\n\r\n"));
    }

    @ParameterizedTest
    @CsvSource({"Bearer", "Bearer x", "Bearer a.b.c", "Basic YTpi", "''"})
    void whatIsNoTokenIsRefused(String field) throws IOException {
        String head = "GET /clubs HTTP/1.1\r\nHost: a\r\nAuthorization: " + field + "\r\n\r\n";
        assertProblem("401", ask(head));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/plain | {} | 415",
                "multipart/form-data; boundary=a | {} | 415",
                "application/x-www-form-urlencoded | a=b | 415",
                "application/json | {} {} | 400",
                "application/json | {} | 422",
                "application/json | 1 | 422",
                "application/json;charset=x | " + CLUB + " | 503",
            })
    void aBodyIsLookedAtBeforeTheDatabase(String type, String body, String status)
            throws IOException {
        String fields = "Content-Type: " + type + "\r\n" + token(Role.OWNER);
        assertProblem(status, send("POST /clubs", fields, body));
        assertProblem(status, send("PUT /clubs/1", fields, body));
    }

    @Test
    void aTokenThatIsNotNeededIsNotLookedAt() throws IOException {
        String fields = JSON + "Authorization: Bearer x\r\n";
        assertProblem("422", send("POST /accounts", fields, "{}"));
        String nobody = "{\"email\":\"nobody\",\"password\":\"x\"}";
        String answer = send("POST /auth/login", fields, nobody);
        assertProblem("401", answer);
        assertTrue(answer.contains("/bad-credentials\""), answer);
        assertFalse(answer.contains("WWW-Authenticate"), answer);
    }

    @ParameterizedTest
    @CsvSource({"'', 400", "a b, 400", "a, 503"})
    void aKeyIsLookedAtBeforeTheDatabase(String key, String status) throws IOException {
        String fields = JSON + token(Role.PLAYER) + "Idempotency-Key: " + key + "\r\n";
        String body = "{\"facility_id\":1,\"starts_at\":\"2040-03-01T06:00:00Z\"}";
        assertProblem(status, send("POST /reservations", fields, body));
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedUnread() throws IOException {
        String head = "POST /clubs HTTP/1.1\r\nHost: a\r\nContent-Length: 16385\r\n";
        assertProblem("401", ask(head + "\r\n"));
        assertProblem("413", ask(head + token(Role.OWNER) + "\r\n"));
    }

    @Test
    void aBrokenChunkIsMalformed() throws IOException {
        String head =
                "POST /clubs HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
                        + JSON
                        + token(Role.OWNER)
                        + "\r\n";
        assertProblem("400", ask(head + "no size\r\n"));
    }

    @Test
    void itLivesWithoutTheDatabase() throws IOException {
        String answer = ask("GET /healthz HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertTrue(answer.contains("Content-Type: application/json\r\n"), answer);
        assertTrue(answer.contains("{\"status\":\"ok\"}"), answer);
    }

    private static String token(Role role) {
        return "Authorization: bearer " + new Tokens(CONFIG).issue(1, role) + "\r\n";
    }

    private static String send(String request, String fields, String body) throws IOException {
        return ask(
                request
                        + " HTTP/1.1\r\nHost: a\r\nContent-Length: "
                        + body.length()
                        + "\r\n"
                        + fields
                        + "\r\n"
                        + body);
    }

    private static void assertProblem(String status, String answer) {
        assertEquals(status, answer.substring("HTTP/1.1 ".length()).substring(0, 3), answer);
        // Names of fields are without case: what Netty refuses has small letters.
        String head = answer.substring(0, answer.indexOf("\r\n\r\n") + 2).toLowerCase(Locale.ROOT);
        assertTrue(head.contains("content-type: application/problem+json\r\n"), answer);
        assertTrue(answer.contains("\"status\":" + status + ","), answer);
    }

    /** Gives the head and what came with it. */
    private static String ask(String request) throws IOException {
        int port = ((WebServerApplicationContext) application).getWebServer().getPort();
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
}
