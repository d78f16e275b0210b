package gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole application with real sockets, which show each field that is sent. */
@Timeout(60)
class GatewayTest {

    private static ServerSocket upstream;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() throws IOException {
        upstream = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        String url = "http://127.0.0.1:" + upstream.getLocalPort();
        Config config = Config.read(Map.of("PORT", "0", "UPSTREAM_URL", url));
        application = Main.start(config, Tls.read(config));
    }

    @AfterAll
    static void stop() throws IOException {
        application.close();
        upstream.close();
    }

    @Test
    void aRequestTravelsOnWithItsOwnFieldsAlone() throws Exception {
        var seen = CompletableFuture.supplyAsync(GatewayTest::answer);
        String answer =
                ask(
                        "POST /passthrough?a=%2F&a=b HTTP/1.1\r\nHost: a\r\nForwarded: for=b\r\n"
                                + "Connection: X-Named\r\nX-Named: 1\r\nContent-Length: 2\r\n\r\n{}");
        String request = seen.get().toLowerCase();
        assertTrue(request.startsWith("post /service/echoservice?a=%2f&a=b http/1.1\r\n"), request);
        assertTrue(request.contains("\r\nforwarded: for=b\r\n"), request);
        for (String name : new String[] {"user-agent", "accept", "x-named", "x-forwarded-for"}) {
            assertTrue(!request.contains("\r\n" + name + ":"), request);
        }
        assertTrue(answer.startsWith("HTTP/1.1 299 "), answer);
        assertTrue(!answer.toLowerCase().contains("content-type"), answer);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /passthrough/, 404",
        "POST, /Passthrough, 404",
        "POST, /passthroug%68, 404",
        "POST, /passthrough;a=1, 404",
        "PUT, /passthrough, 405",
        "PUT, /transform, 405",
        "POST, /transform, 400",
    })
    void whatIsNoRequestOfAScenarioIsRefusedInPlainText(String method, String path, String status)
            throws IOException {
        String answer =
                ask(method + " " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}");
        assertEquals(status, answer.substring(9, 12));
        assertTrue(answer.contains("Content-Type: text/plain\r\n"), answer);
        assertEquals(status.equals("405"), answer.contains("Allow: POST\r\n"));
    }

    @Test
    void anUpstreamThatClosesIsABadGateway() throws Exception {
        var closed = CompletableFuture.runAsync(GatewayTest::close);
        String answer = ask("POST /transform HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]");
        closed.get();
        assertTrue(answer.startsWith("HTTP/1.1 502 "), answer);
        assertTrue(answer.endsWith("\r\n\r\nthe upstream failed\n"), answer);
    }

    private static void close() {
        try {
            upstream.accept().close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Gives the head of the request that it answers. */
    private static String answer() {
        try (Socket connection = upstream.accept()) {
            String head = readHead(connection);
            send(connection, "HTTP/1.1 299 Own\r\nContent-Length: 0\r\n\r\n");
            return head;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Gives the whole answer; the caller sends no more. */
    private static String ask(String request) throws IOException {
        int port = ((WebServerApplicationContext) application).getWebServer().getPort();
        try (var connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            send(connection, request);
            String head = readHead(connection);
            int at = head.toLowerCase().indexOf("content-length: ") + "content-length: ".length();
            int length = Integer.parseInt(head.substring(at, head.indexOf('\r', at)));
            byte[] body = connection.getInputStream().readNBytes(length);
            return head + new String(body, StandardCharsets.US_ASCII);
        }
    }

    private static void send(Socket connection, String text) throws IOException {
        connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String readHead(Socket connection) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) connection.getInputStream().read());
        }
        return head.toString();
    }
}
