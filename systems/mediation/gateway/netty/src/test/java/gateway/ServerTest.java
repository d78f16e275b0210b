package gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server with real sockets. */
@Timeout(20)
class ServerTest {

    private static final int MEGABYTE = 1 << 20;

    @Test
    void anUpstreamThatRefusesIsABadGatewayEachTime() throws Exception {
        int nobody;
        try (var unused = listen()) {
            nobody = unused.getLocalPort();
        }
        Server gateway = gatewayTo(nobody);
        try (var caller = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            for (int turn = 0; turn < 2; turn++) {
                post(caller, "Content-Length: 2\r\n\r\n{}");
                assertTrue(readHead(caller).startsWith("HTTP/1.1 502 "));
                assertEquals(
                        "the upstream failed\n",
                        new String(
                                caller.getInputStream().readNBytes(20), StandardCharsets.US_ASCII));
            }
        }
        gateway.stop(0);
    }

    @Test
    void aStopLetsALargeAnswerReachASlowCaller() throws Exception {
        try (var upstream = listen()) {
            Server gateway = gatewayTo(upstream.getLocalPort());
            try (var caller = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
                post(caller, "Content-Length: 0\r\n\r\n");
                var answered = CompletableFuture.runAsync(() -> answer(upstream, 16 * MEGABYTE));
                assertTrue(readHead(caller).startsWith("HTTP/1.1 200 "));
                var stopped = CompletableFuture.runAsync(() -> stop(gateway));
                assertEquals(
                        16 * MEGABYTE, caller.getInputStream().readNBytes(16 * MEGABYTE).length);
                answered.join();
                stopped.join();
            }
        }
    }

    @Test
    void aTakenPortIsSaid() throws Exception {
        try (var taken = listen()) {
            var config = config(taken.getLocalPort(), 1);
            var refused = assertThrows(IOException.class, () -> Server.listen(config));
            assertTrue(refused.getMessage().contains("Address already in use"));
        }
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static Server gatewayTo(int port) throws IOException {
        return Server.listen(config(0, port));
    }

    private static Config config(int port, int upstreamPort) {
        return Config.read(
                Map.of("PORT", "" + port, "UPSTREAM_URL", "http://127.0.0.1:" + upstreamPort));
    }

    private static void post(Socket caller, String rest) throws IOException {
        String head = "POST /passthrough HTTP/1.1\r\nHost: a\r\n" + rest;
        caller.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    }

    private static void answer(ServerSocket upstream, int bytes) {
        try (var connection = upstream.accept()) {
            readHead(connection);
            String head = "HTTP/1.1 200 OK\r\nContent-Length: " + bytes + "\r\n\r\n";
            connection.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            connection.getOutputStream().write(new byte[bytes]);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void stop(Server gateway) {
        try {
            gateway.stop(10_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String readHead(Socket socket) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
        }
        return head.toString();
    }
}
