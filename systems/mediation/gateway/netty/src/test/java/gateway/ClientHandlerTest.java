package gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpServerCodec;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both legs without sockets: bytes in at one end, bytes out at the other, nothing in between waits.
 */
class ClientHandlerTest {

    private static final String POST = "POST /passthrough HTTP/1.1\r\nHost: a\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\n";

    private final Upstream connections =
            new Upstream(
                    Config.read(Map.of("PORT", "0", "UPSTREAM_URL", "http://127.0.0.1:1")),
                    Transport.best());
    private final InFlight inFlight = new InFlight();
    private EmbeddedChannel upstream;
    private EmbeddedChannel client;

    @BeforeEach
    void open() {
        upstream = new EmbeddedChannel(new HttpClientCodec(), new UpstreamHandler(connections));
        connections.giveBack(upstream);
        client =
                new EmbeddedChannel(
                        new HttpServerCodec(),
                        new ClientHandler(new Gateway(connections), inFlight));
    }

    @AfterEach
    void close() {
        client.finishAndReleaseAll();
        upstream.finishAndReleaseAll();
        while (idle() != null) {
            // The pool belongs to the thread, and the next test has the same one.
        }
        assertEquals(0, inFlight.count());
    }

    @Test
    void anExchangeLeavesBothConnectionsForTheNext() {
        for (int turn = 0; turn < 3; turn++) {
            send(client, POST + "Content-Length: 2\r\n\r\n{}");
            assertTrue(read(upstream).endsWith("\r\n\r\n{}"));
            assertNull(idle());
            send(upstream, OK + "Content-Length: 2\r\n\r\n[]");
            assertTrue(read(client).endsWith("\r\n\r\n[]"));
        }
        assertTrue(client.isOpen());
        assertSame(upstream, idle());
    }

    @Test
    void aSecondRequestWaitsForTheAnswerOfTheFirst() {
        send(client, (POST + "Content-Length: 1\r\n\r\n1") + (POST + "Content-Length: 1\r\n\r\n2"));
        assertTrue(read(upstream).endsWith("\r\n\r\n1"));
        send(upstream, OK + "Content-Length: 1\r\n\r\na");
        assertTrue(read(client).endsWith("\r\n\r\na"));
        assertTrue(read(upstream).endsWith("\r\n\r\n2"));
    }

    @Test
    void nothingIsServedAfterTheLastRequestOfAConnection() {
        send(
                client,
                "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                        + POST
                        + "Content-Length: 1\r\n\r\n2");
        assertTrue(read(client).startsWith("HTTP/1.1 404 "));
        assertFalse(client.isOpen());
        assertEquals("", read(upstream));
    }

    @Test
    void aSlowUpstreamStopsTheCaller() {
        send(client, POST + "Content-Length: 9\r\n\r\n123");
        setWritable(upstream, false);
        assertFalse(client.config().isAutoRead());
        setWritable(upstream, true);
        assertTrue(client.config().isAutoRead());
    }

    @Test
    void aSlowCallerStopsTheUpstreamUntilTheAnswersEnd() {
        send(client, POST + "Content-Length: 0\r\n\r\n");
        send(upstream, OK + "Content-Length: 4\r\n\r\n12");
        setWritable(client, false);
        assertFalse(upstream.config().isAutoRead());
        send(upstream, "34");
        assertTrue(upstream.config().isAutoRead(), "a connection that rests must see its end");
        assertSame(upstream, idle());
    }

    @Test
    void anAnswerBeforeTheEndOfTheRequestLetsTheRestBeReadAndDropped() {
        send(client, POST + "Content-Length: 6\r\n\r\n123");
        setWritable(upstream, false);
        send(upstream, OK + "Content-Length: 2\r\n\r\n[]");
        assertTrue(read(client).endsWith("[]"));
        assertTrue(client.config().isAutoRead());
        assertFalse(upstream.isOpen(), "half a request is on it");
        send(client, "456GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(read(client).startsWith("HTTP/1.1 404 "));
        assertTrue(client.isOpen());
    }

    @Test
    void aBrokenChunkIsABrokenRequestForBoth() {
        send(client, POST + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\nno number\r\n");
        assertFalse(upstream.isOpen());
        assertFalse(read(upstream).endsWith("0\r\n\r\n"));
        assertTrue(read(client).startsWith("HTTP/1.1 400 "));
        assertFalse(client.isOpen());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding: xchunked\r\n\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
                "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "Content-Length: -1\r\n\r\n",
                "Content-Length: 30\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
            })
    void aRequestWhoseEndIsNotClearReachesNobody(String framing) {
        send(client, POST + framing + "POST /smuggled HTTP/1.1\r\n\r\n");
        assertEquals("", read(upstream));
        String answers = read(client);
        assertTrue(answers.startsWith("HTTP/1.1 400 "), answers);
        assertEquals(0, answers.lastIndexOf("HTTP/1.1 "), "one answer");
        assertFalse(client.isOpen());
    }

    @Test
    void aTransformedRequestIsANewOne() {
        send(
                client,
                "POST /transform?a=1 HTTP/1.1\r\nHost: a\r\nX-Own: 1\r\nContent-Length: 8\r\n\r\n"
                        + "{\"a\":");
        assertEquals("", read(upstream));
        send(client, " 1}");
        String onward = read(upstream);
        assertTrue(onward.startsWith("POST /service/EchoService HTTP/1.1\r\n"), onward);
        assertTrue(onward.contains("content-type: application/xml\r\n"), onward);
        assertTrue(onward.endsWith("\r\n\r\n<a>1</a>"), onward);
        assertFalse(onward.contains("X-Own"), onward);
        send(upstream, OK + "Content-Length: 0\r\n\r\n");
        assertTrue(read(client).startsWith(OK));
        assertSame(upstream, idle());
    }

    @Test
    void whatCannotBeTransformedReachesNobody() {
        send(client, "POST /transform HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}");
        assertTrue(read(client).startsWith("HTTP/1.1 400 "));
        send(client, "POST /transform HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n");
        assertTrue(read(client).startsWith("HTTP/1.1 413 "));
        assertEquals("", read(upstream));
        assertSame(upstream, idle());
    }

    @Test
    void aBodyThatGrowsTooLargeIsRefusedAndDropped() {
        send(
                client,
                "POST /transform HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n"
                        + " ".repeat(0x100001)
                        + "\r\n");
        assertTrue(read(client).startsWith("HTTP/1.1 413 "));
        send(client, "0\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(read(client).startsWith("HTTP/1.1 404 "));
    }

    @Test
    void aRequestWithoutABodySaysSo() {
        send(client, POST + "\r\n");
        assertTrue(read(upstream).contains("content-length: 0\r\n"));
    }

    @Test
    void trailersEndHere() {
        send(client, POST + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-Trailer: 1\r\n\r\n");
        assertTrue(read(upstream).endsWith("\r\n\r\n0\r\n\r\n"));
    }

    @Test
    void aCallerOfVersion10GetsNoChunksAndTheEndOfTheConnection() {
        send(client, "POST /passthrough HTTP/1.0\r\nContent-Length: 0\r\n\r\n");
        send(upstream, OK + "Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n");
        assertTrue(read(client).endsWith("\r\n\r\n[]"));
        assertFalse(client.isOpen());
    }

    @Test
    void aHeadRequestIsRefusedWithoutABody() {
        send(client, "HEAD /passthrough HTTP/1.1\r\nHost: a\r\n\r\n");
        String answer = read(client);
        assertTrue(answer.startsWith("HTTP/1.1 405 "), answer);
        assertTrue(answer.endsWith("\r\n\r\n"), answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified"})
    void anAnswerWithoutABodyGetsNoFraming(String status) {
        send(client, POST + "Content-Length: 0\r\n\r\n");
        send(upstream, "HTTP/1.1 " + status + "\r\n\r\n");
        assertEquals("HTTP/1.1 " + status + "\r\n\r\n", read(client));
        assertSame(upstream, idle());
    }

    @Test
    void anAnswerThatEndsWithItsConnectionIsChunkedForTheCaller() {
        send(client, POST + "Content-Length: 0\r\n\r\n");
        send(upstream, OK + "\r\n[]");
        upstream.close();
        assertTrue(read(client).endsWith("\r\n\r\n2\r\n[]\r\n0\r\n\r\n"));
        assertTrue(client.isOpen());
        assertNull(idle());
    }

    @Test
    void anAnswerOfAnUnknownCodingIsAFailure() {
        send(client, POST + "Content-Length: 0\r\n\r\n");
        send(upstream, OK + "Transfer-Encoding: gzip\r\n\r\n[]");
        assertTrue(read(client).startsWith("HTTP/1.1 502 "));
    }

    @Test
    void aStatusOf1xxIsNotTheAnswer() {
        send(client, POST + "Content-Length: 0\r\n\r\n");
        send(upstream, "HTTP/1.1 103 Early Hints\r\n\r\n" + OK + "Content-Length: 0\r\n\r\n");
        assertTrue(read(client).startsWith(OK));
        assertSame(upstream, idle());
    }

    @Test
    void aCallerThatLeavesEndsItsRequestAtTheUpstream() {
        send(client, POST + "Content-Length: 0\r\n\r\n");
        client.close();
        assertFalse(upstream.isOpen());
    }

    @Test
    void onlyAWholeRequestCanWaitTooLongForItsAnswer() {
        send(client, POST + "Content-Length: 2\r\n\r\n1");
        pass(60);
        assertTrue(upstream.isOpen());
        send(client, "2");
        pass(29);
        assertTrue(upstream.isOpen());
        pass(1);
        assertFalse(upstream.isOpen());
        assertTrue(read(client).startsWith("HTTP/1.1 502 "));
    }

    @Test
    void eachRequestHasItsOwnWait() {
        for (int turn = 0; turn < 3; turn++) {
            send(client, POST + "Content-Length: 0\r\n\r\n");
            pass(20);
            send(upstream, OK + "Content-Length: 0\r\n\r\n");
            assertTrue(read(client).startsWith(OK));
        }
        assertTrue(upstream.isOpen());
    }

    private void pass(long seconds) {
        upstream.advanceTimeBy(seconds, TimeUnit.SECONDS);
        upstream.runScheduledPendingTasks();
    }

    private Channel idle() {
        return connections.pool(upstream.eventLoop()).pollIdle();
    }

    private static void send(EmbeddedChannel channel, String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    /** Takes everything that has been written. */
    private static String read(EmbeddedChannel channel) {
        var text = new StringBuilder();
        for (ByteBuf part; (part = channel.readOutbound()) != null; part.release()) {
            text.append(part.toString(StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    private static void setWritable(EmbeddedChannel channel, boolean isWritable) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, isWritable);
        channel.runPendingTasks();
    }
}
