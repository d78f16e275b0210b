package loadstone.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole application with real sockets, which show each field that is sent. */
@Timeout(60)
class GatewayTest {

    private static final String TOKEN =
            "Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
                    + "eyJpc3MiOiJwYXJrLXVzZXJzIiwic3ViIjoiMSIsInJvbGUiOiJTVVBFUlZJU09SIiwiaWF0Ijox"
                    + "NzAwMDAwMDAwLCJleHAiOjQxMDI0NDQ4MDB9."
                    + "Xa9f7dbHrzE7YEPmdjIR4ZcCN5kAQKpw0Kc73QwHwqA\r\n";
    private static final String ORIGIN = "Origin: https://park.example\r\n";

    private static ServerSocket instance;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() throws IOException {
        instance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        String url = "users=http://127.0.0.1:" + instance.getLocalPort();
        Config config =
                Config.read(
                        Map.of(
                                "PORT", "0",
                                "STATIC_INSTANCES", url,
                                "UPSTREAM_TIMEOUT_MS", "300",
                                "ALLOWED_ORIGIN", "https://park.example",
                                "JWT_SECRET", "loadstone-park-secret-for-tests-only"));
        application = Main.start(config, Tls.read(config));
    }

    @AfterAll
    static void stop() throws IOException {
        application.close();
        instance.close();
    }

    /** An instance that one test left out is there for the next one. */
    @BeforeEach
    void leaveNoneOut() {
        Instances instances = application.getBean(Instances.class);
        Config config = application.getBean(Config.class);
        instances.replace(List.of());
        instances.replace(config.instances());
    }

    @Test
    void aRequestPassesOnWithItsOwnFieldsAndTheGateways() throws Exception {
        var seen =
                answering(
                        "HTTP/1.1 299 Own\r\nConnection: close\r\nContent-Length: 0\r\n"
                                + "X-Request-Id: x\r\n\r\n");
        String answer =
                ask(
                        "PUT /users/4/status?a=%2F&a=b HTTP/1.1\r\nHost: a\r\nForwarded: for=b\r\n"
                                + TOKEN
                                + "X-User-Id: 7\r\nConnection: X-Named\r\nX-Named: 1\r\n"
                                + "X-Request-Id: 0123456789\r\nContent-Length: 2\r\n\r\n{}");
        String request = seen.get().toLowerCase(Locale.ROOT);
        assertTrue(request.startsWith("put /users/4/status?a=%2f&a=b http/1.1\r\n"), request);
        for (String field :
                new String[] {
                    "forwarded: for=b",
                    "x-user-id: 1",
                    "x-user-role: supervisor",
                    "x-request-id: 0123456789",
                    "x-forwarded-for: 127.0.0.1",
                    "x-forwarded-proto: http",
                    "x-forwarded-host: a",
                    "content-length: 2",
                    "host: 127.0.0.1:" + instance.getLocalPort()
                }) {
            assertTrue(request.contains("\r\n" + field + "\r\n"), field + " in " + request);
        }
        for (String name : new String[] {"user-agent", "accept", "x-named", "authorization"}) {
            assertFalse(request.contains("\r\n" + name + ":"), request);
        }
        assertTrue(answer.startsWith("HTTP/1.1 299 "), answer);
        assertEquals("0123456789", field(answer, "X-Request-Id"));
        assertFalse(answer.toLowerCase(Locale.ROOT).contains("content-type"), answer);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /usersx, 404",
        "GET, //users, 404",
        "GET, /%75sers, 404",
        "POST, /internal/coins/debits, 404",
        "GET, /users/../internal, 400",
        "GET, /users/%2e%2E/internal, 400",
        "GET, /users/..%2finternal, 400",
        "GET, /users, 401",
        "POST, /users/, 401",
        "PUT, /users/login, 401",
        "OPTIONS, /users, 401",
        "PUT, /health, 405",
    })
    void whatIsRefusedIsAProblem(String method, String target, String status) throws IOException {
        String answer =
                ask(method + " " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}");
        assertProblem(status, answer);
        assertEquals(status.equals("401"), answer.contains("WWW-Authenticate: Bearer\r\n"));
        assertEquals(status.equals("405"), answer.contains("Allow: GET\r\n"));
        assertFalse(answer.toLowerCase(Locale.ROOT).contains("connection: close"), answer);
    }

    @Test
    void itIsUp() throws IOException {
        String answer = ask("GET /health?a HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertTrue(answer.endsWith("\r\n\r\n{\"status\":\"up\"}"), answer);
        assertEquals("application/json", field(answer, "Content-Type"));
        assertEquals("no-store", field(answer, "Cache-Control"));
    }

    @Test
    void aPreflightIsAnswered() throws IOException {
        String head = "OPTIONS /any HTTP/1.1\r\nHost: a\r\n" + ORIGIN;
        String answer = ask(head + "Access-Control-Request-Method: PUT\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 204 "), answer);
        assertEquals("GET, POST, PUT", field(answer, "Access-Control-Allow-Methods"));
        assertEquals("Origin", field(answer, "Vary"));
        assertFalse(answer.contains("Access-Control-Expose-Headers"), answer);
        String refused = ask(head + "\r\n");
        assertProblem("404", refused);
        assertEquals("https://park.example", field(refused, "Access-Control-Allow-Origin"));
    }

    @Test
    void aPreflightOfAnotherOriginIsARequest() throws Exception {
        String fields = "Origin: https://other.example\r\nAccess-Control-Request-Method: PUT\r\n";
        var seen = answering("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        String answer = ask("OPTIONS /users HTTP/1.1\r\nHost: a\r\n" + TOKEN + fields + "\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertFalse(answer.contains("Access-Control"), answer);
        assertFalse(answer.contains("Vary"), answer);
        String request = seen.get().toLowerCase(Locale.ROOT);
        assertTrue(request.contains("\r\naccess-control-request-method: put\r\n"), request);
    }

    @Test
    void anInstanceThatClosesIsAFailedAttempt() throws Exception {
        var closed = CompletableFuture.runAsync(() -> serve(connection -> {}));
        String request = "POST /users/coins HTTP/1.1\r\nHost: a\r\n" + TOKEN;
        assertProblem("502", ask(request + "Content-Length: 2\r\n\r\n{}"));
        closed.get();
        String answer = ask(request + "Content-Length: 2\r\n\r\n{}");
        assertProblem("503", answer);
        assertEquals("1", field(answer, "Retry-After"));
    }

    @Test
    void anInstanceThatDoesNotAnswerIsLate() throws Exception {
        var late = CompletableFuture.runAsync(() -> serve(GatewayTest::waitForEnd));
        assertProblem("504", ask("GET /users HTTP/1.1\r\nHost: a\r\n" + TOKEN + "\r\n"));
        late.get();
    }

    @Test
    void anAnswerThatBreaksOffIsBroken() throws Exception {
        var cut = answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12");
        String answer = ask("GET /users HTTP/1.1\r\nHost: a\r\n" + TOKEN + "\r\n");
        cut.get();
        assertFalse(answer.endsWith("\r\n\r\n12345"), answer);
        assertFalse(answer.contains("\"code\""), answer);
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws IOException {
        String head = "POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n";
        String answer = ask(head);
        assertProblem("413", answer);
        assertEquals("close", field(answer, "Connection"));
    }

    @Test
    void aHeadThatIsTooLargeIsRefused() throws IOException {
        for (int bytes : new int[] {24 << 10, 60 << 10}) {
            String field = "X-Large: " + "a".repeat(bytes) + "\r\n";
            String answer = ask("GET /users HTTP/1.1\r\nHost: a\r\n" + TOKEN + field + "\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 431 "), answer);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\nHost: a\r\n",
                "Content-Length: 5\r\nContent-Length: 6\r\nHost: a\r\n",
                "Transfer-Encoding : chunked\r\nHost: a\r\n",
                "Host: a\r\nHost: b\r\n",
                "",
            })
    void whatIsNoMessageIsRefusedAndEndsTheConnection(String fields) throws IOException {
        try (Socket connection = connect()) {
            String next = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";
            send(connection, "POST /users HTTP/1.1\r\n" + fields + "\r\n0\r\n\r\n" + next);
            byte[] all = connection.getInputStream().readAllBytes();
            String answers = new String(all, StandardCharsets.ISO_8859_1);
            assertTrue(answers.startsWith("HTTP/1.1 400 "), answers);
            assertEquals(0, answers.lastIndexOf("HTTP/1.1 "), answers);
        }
    }

    private static void assertProblem(String status, String answer) {
        assertEquals(status, answer.substring("HTTP/1.1 ".length()).substring(0, 3), answer);
        assertEquals("application/problem+json", field(answer, "Content-Type"));
        assertEquals("no-store", field(answer, "Cache-Control"));
        assertEquals("gateway-" + port(), field(answer, "X-Instance-Id"));
        assertTrue(answer.contains("\"status\":" + status + ","), answer);
    }

    /** Gives the value of a field, or an empty text. */
    private static String field(String answer, String name) {
        String start = "\r\n" + name.toLowerCase(Locale.ROOT) + ": ";
        int at = answer.toLowerCase(Locale.ROOT).indexOf(start);
        return at < 0
                ? ""
                : answer.substring(at + start.length(), answer.indexOf('\r', at + start.length()));
    }

    /** What an instance does with one connection. */
    private interface Service {
        void serve(Socket connection) throws IOException;
    }

    private static void serve(Service service) {
        try (Socket connection = instance.accept()) {
            readHead(connection);
            service.serve(connection);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void waitForEnd(Socket connection) throws IOException {
        try {
            connection.getInputStream().readAllBytes();
        } catch (SocketException e) {
            // It was reset.
        }
    }

    /** Gives the head of the one request that the instance answers. */
    private static CompletableFuture<String> answering(String answer) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (Socket connection = instance.accept()) {
                        String head = readHead(connection);
                        send(connection, answer);
                        return head;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    /** Gives the whole answer, or what there is of it; the caller sends no more. */
    private static String ask(String request) throws IOException {
        try (Socket connection = connect()) {
            send(connection, request);
            String head = readHead(connection);
            String length = field(head, "Content-Length");
            int count = length.isEmpty() ? 0 : Integer.parseInt(length);
            byte[] body = connection.getInputStream().readNBytes(count);
            return head + new String(body, StandardCharsets.US_ASCII);
        }
    }

    private static Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port());
    }

    private static int port() {
        return ((WebServerApplicationContext) application).getWebServer().getPort();
    }

    private static void send(Socket connection, String text) throws IOException {
        connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Gives what came, up to the end of a head or of the connection. */
    private static String readHead(Socket connection) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = connection.getInputStream().read();
            if (next < 0) {
                break;
            }
            head.append((char) next);
        }
        return head.toString();
    }
}
