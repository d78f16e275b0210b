package loadstone.gateway;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.util.AttributeKey;
import reactor.netty.Connection;

/**
 * The window of a connection of HTTP/2, which Reactor Netty leaves as large as that of one stream:
 * one that nobody reads from would hold up all others.
 */
final class Http2Windows {

    /** Requests at the same time on one connection of a caller. */
    static final int MOST_STREAMS = 250;

    private static final AttributeKey<Boolean> IS_OPEN =
            AttributeKey.valueOf(Http2Windows.class, "IS_OPEN");

    private Http2Windows() {}

    /** Opens the window of the connection of this stream, once. */
    static void open(Connection stream) {
        Channel connection = stream.channel().parent();
        if (connection != null
                && connection.pipeline().get("reactor.left.h2MultiplexHandler") != null
                && connection.attr(IS_OPEN).setIfAbsent(true) == null) {
            int increment = (MOST_STREAMS - 1) * Http2CodecUtil.DEFAULT_WINDOW_SIZE;
            connection.writeAndFlush(new DefaultHttp2WindowUpdateFrame(increment));
        }
    }
}
