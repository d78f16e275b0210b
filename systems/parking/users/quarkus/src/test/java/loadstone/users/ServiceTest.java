package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String KEY = "Idempotency-Key: 0123456789abcdef\r\n";
    private static final String GRANT = "{\"userIds\":[4],\"amount\":1,\"reason\":\"r\"}";

    @Inject HttpServer server;

    @ParameterizedTest
    @CsvSource({
        "GET, /Users, 404",
        "GET, /users/, 404",
        "GET, /users;a=1, 404",
        "GET, //users, 404",
        "GET, /users/01, 404",
        "GET, /users/%31, 404",
        "GET, /users/%00, 404",
        "GET, /users/1%2F, 404",
        "GET, /users/%zz, 404",
        "GET, /../users, 404",
        "GET, /users/{id}, 404",
        "GET, /error, 404",
        "TRACE, /users, 405",
        "OPTIONS, /users/1, 405",
        "DELETE, /users/1, 405",
        "GET, /users?a=b, 401",
        "PUT, /users/1/vehicles/LA-00012, 401",
        "POST, /internal/coins/debits, 403",
        "GET, /health, 503",
    })
    void whatIsRefusedIsAProblem(String method, String target, String status) throws IOException {
        String answer = ask(method + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertProblem(status, answer);
        assertEquals(status.equals("405"), hasField("allow", answer));
        assertEquals(status.equals("401"), hasField("www-authenticate", answer));
        assertEquals(status.equals("503"), hasField("retry-after", answer));
    }

    @ParameterizedTest
    @CsvSource({
        "CUSTOMER, GET, /users, 403",
        "SUPERVISOR, GET, /users, 503",
        "CUSTOMER, GET, /users/5, 403",
        "CUSTOMER, GET, /users/4, 503",
        "SUPERVISOR, GET, /users/4/vehicles, 503",
        "SUPERVISOR, PUT, /users/4/vehicles/LA-00012, 403",
        "CUSTOMER, PUT, /users/4/status, 403",
        "CUSTOMER, PUT, /users/5/payment-method, 403",
        "SUPERVISOR, GET, /users/5/coins, 403",
        "CUSTOMER_MANAGER, PUT, /users/4/payment-method, 415",
    })
    void theRoleAndTheIdLetIn(Role role, String method, String target, String status)
            throws IOException {
        String head = method + " " + target + " HTTP/1.1\r\nHost: a\r\n" + caller(role);
        assertProblem(status, ask(head + "Content-Length: 0\r\n\r\n"));
    }

    @Test
    void aFieldThatIsThereTwiceIsNoIdentity() throws IOException {
        String head = "GET /users/4 HTTP/1.1\r\nHost: a\r\nX-User-Id: 4\r\n";
        String answer = ask(head + caller(Role.CUSTOMER) + "\r\n");
        assertProblem("401", answer);
        assertTrue(answer.contains("\"code\":\"token-invalid\""), answer);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/plain | {} | 415",
                "multipart/form-data; boundary=a | {} | 415",
                "application/x-www-form-urlencoded | a=b | 415",
                "application/json | {} {} | 400",
                "application/json | 1 | 400",
                "application/json | {\"role\":1} | 400",
                "application/json | {} | 422",
                "application/json;charset=x | {\"userStatus\":\"BLOCKED\"} | 503",
            })
    void aBodyIsLookedAtBeforeTheDatabase(String type, String body, String status)
            throws IOException {
        String fields = "Content-Type: " + type + "\r\n" + caller(Role.SUPERVISOR);
        assertProblem(status, send("PUT /users/5/status", fields, body));
    }

    @Test
    void whoLogsInIsNotAskedWhoTheyAre() throws IOException {
        String fields = JSON + "X-User-Id: x\r\n";
        assertProblem("422", send("POST /users", fields, "{}"));
        String nobody = "{\"email\":\"nobody\",\"password\":\"x\"}";
        String answer = send("POST /users/login", fields, nobody);
        assertProblem("401", answer);
        assertTrue(answer.contains("\"code\":\"credentials\""), answer);
        assertFalse(hasField("www-authenticate", answer), answer);
    }

    @ParameterizedTest
    @CsvSource({"0123456789abcdef, 422", "0123456789abcdeg, 403", "'', 403"})
    void theKeyLetsAServiceIn(String key, String status) throws IOException {
        String fields = JSON + "X-Internal-Key: " + key + "\r\n";
        assertProblem(status, send("POST /internal/coins/debits", fields, "{}"));
    }

    @Test
    void theIdempotencyKeyIsLookedAtBeforeMembers() throws IOException {
        String fields = JSON + caller(Role.CUSTOMER_MANAGER);
        assertProblem("400", send("POST /users/coins", fields, "{}"));
        assertProblem("400", send("POST /users/coins", fields + KEY + KEY, GRANT));
        assertProblem("422", send("POST /users/coins", fields + KEY, "{}"));
        assertProblem("503", send("POST /users/coins", fields + KEY, GRANT));
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedUnread() throws IOException {
        String head = "PUT /users/5/status HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n";
        assertProblem("401", ask(head + "\r\n"));
        assertProblem("413", ask(head + caller(Role.SUPERVISOR) + "\r\n"));
    }

    private static String caller(Role role) {
        return "X-User-Id: 4\r\nX-User-Role: " + role + "\r\n";
    }

    private String send(String request, String fields, String body) throws IOException {
        return ask(
                request
                        + " HTTP/1.1\r\nHost: a\r\nContent-Length: "
                        + body.length()
                        + "\r\n"
                        + fields
                        + "\r\n"
                        + body);
    }

    private void assertProblem(String status, String answer) {
        assertEquals(status, answer.substring("HTTP/1.1 ".length()).substring(0, 3), answer);
        String fields = answer.toLowerCase(Locale.ROOT);
        assertTrue(fields.contains("content-type: application/problem+json\r\n"), answer);
        assertTrue(fields.contains("cache-control: no-store\r\n"), answer);
        assertTrue(fields.contains("x-instance-id: users-" + port() + "\r\n"), answer);
        assertTrue(answer.contains("\"status\":" + status + ","), answer);
    }

    private static boolean hasField(String name, String answer) {
        return answer.toLowerCase(Locale.ROOT).contains("\r\n" + name + ": ");
    }

    /** Gives the head and what came with it. */
    private String ask(String request) throws IOException {
        try (var connection = new Socket(InetAddress.getLoopbackAddress(), port())) {
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

    private int port() {
        return server.getPort();
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
